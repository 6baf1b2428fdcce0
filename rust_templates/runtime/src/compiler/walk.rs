//! Walking over Tile IR and renaming its values: what every step after cuTile Rust's compiler needs.

use std::collections::HashMap;

use cutile_ir::bytecode::Opcode;
use cutile_ir::ir::{BlockId, Module, OpId, ScalarType, TileElementType, TileType, Type, Value, ValueProducer};

/// The blocks of an operation's regions.
pub fn blocks(module: &Module, op: OpId) -> Vec<BlockId> {
    module.op(op).regions.iter().flat_map(|region| module.region(*region).blocks.iter().copied()).collect()
}

/// The operations of those blocks, without what stands inside of them.
pub fn inner_ops(module: &Module, op: OpId) -> Vec<OpId> {
    blocks(module, op).into_iter().flat_map(|block| module.block(block).ops.iter().copied()).collect()
}

/// The entry, and the block that is its body.
pub fn entry(module: &Module) -> Option<(OpId, BlockId)> {
    let entry = module.functions.iter().copied().find(|op| module.op(*op).opcode == Opcode::Entry)?;
    Some((entry, blocks(module, entry).first().copied()?))
}

/// The operation that makes a value.
pub fn producer(module: &Module, value: Value) -> Option<OpId> {
    match module.value_data(value).producer {
        ValueProducer::OpResult { op, .. } => Some(op),
        ValueProducer::BlockArg { .. } => None,
    }
}

/// How often each value is read that is.
pub fn uses(module: &Module) -> HashMap<Value, usize> {
    let mut found = HashMap::new();
    for function in &module.functions {
        count_uses(module, *function, &mut found);
    }
    found
}

fn count_uses(module: &Module, op: OpId, found: &mut HashMap<Value, usize>) {
    for operand in &module.op(op).operands {
        *found.entry(*operand).or_default() += 1;
    }
    for inner in inner_ops(module, op) {
        count_uses(module, inner, found);
    }
}

/// The type of a number: of an extent, a stride, a block's number.
pub fn number_type() -> Type {
    Type::Tile(TileType { shape: Vec::new(), element_type: TileElementType::Scalar(ScalarType::I32) })
}

/// The results of every operation.
pub fn results(module: &Module) -> HashMap<OpId, Vec<Value>> {
    let mut found: HashMap<OpId, Vec<Value>> = HashMap::new();
    for (value, data) in module.values_since(0) {
        if let ValueProducer::OpResult { op, .. } = data.producer {
            found.entry(op).or_default().push(value);
        }
    }
    found
}

/// Reads other values instead of some, everywhere; what is read instead may itself have one to read instead.
pub fn rename(module: &mut Module, instead: &HashMap<Value, Value>) {
    for function in module.functions.clone() {
        rename_in(module, function, instead);
    }
}

fn rename_in(module: &mut Module, op: OpId, instead: &HashMap<Value, Value>) {
    for operand in &mut module.op_mut(op).operands {
        while let Some(other) = instead.get(operand) {
            *operand = *other;
        }
    }
    for inner in inner_ops(module, op) {
        rename_in(module, inner, instead);
    }
}
