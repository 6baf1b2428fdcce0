//! Numbers as they are.
//!
//! cuTile Rust's compiler says of each block number that it is not negative, which `tileiras` knows. What is said keeps it from
//! seeing that two of them are the same; cuTile Python says nothing. A cast between integers of types that only the launch
//! knows is a `bitcast` where they turn out to be one; Python has no operation there.

use std::collections::HashMap;

use cutile_ir::bytecode::Opcode;
use cutile_ir::ir::{Attribute, Module, OpId, Value, ValueProducer};

use super::walk::rename;

/// Reads block numbers, and how many blocks there are, without the assumption that they are not negative, and integers
/// without the casts that change nothing.
pub fn read_plainly(module: &mut Module) {
    let plain: HashMap<Value, Value> = module
        .values_since(0)
        .filter_map(|(value, data)| match data.producer {
            ValueProducer::OpResult { op, .. } => Some((value, number_in(module, op).or_else(|| cast_in(module, op))?)),
            ValueProducer::BlockArg { .. } => None,
        })
        .collect();
    rename(module, &plain);
}

/// The block number of which an operation only says that it is not negative.
fn number_in(module: &Module, op: OpId) -> Option<Value> {
    let operation = module.op(op);
    let bounded = |attribute: &Attribute| matches!(attribute, Attribute::Bounded(bounds) if bounds.lb == Some(0) && bounds.ub.is_none());
    if operation.opcode != Opcode::Assume || !operation.attributes.iter().any(|(_, attribute)| bounded(attribute)) {
        return None;
    }
    let source = *operation.operands.first()?;
    let ValueProducer::OpResult { op, .. } = module.value_data(source).producer else {
        return None;
    };
    matches!(module.op(op).opcode, Opcode::GetTileBlockId | Opcode::GetNumTileBlocks).then_some(source)
}

/// What an operation casts to the type that it has.
fn cast_in(module: &Module, op: OpId) -> Option<Value> {
    let operation = module.op(op);
    let source = *operation.operands.first()?;
    let changes_nothing = operation.result_types.first() == Some(&module.value_data(source).ty);
    (operation.opcode == Opcode::Bitcast && changes_nothing).then_some(source)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cutile_ir::OpBuilder;
    use cutile_ir::builder::{append_op, build_single_block_region};
    use cutile_ir::ir::{Bounded, Location, ScalarType, TileElementType, TileType, Type};

    #[test]
    fn only_block_numbers_lose_it() {
        let number = Type::Tile(TileType { shape: Vec::new(), element_type: TileElementType::Scalar(ScalarType::I32) });
        let mut module = Module::new("test");
        let (region, body, arguments) = build_single_block_region(&mut module, std::slice::from_ref(&number));
        let id = OpBuilder::new(Opcode::GetTileBlockId, Location::Unknown).results(vec![number.clone(); 3]);
        let (op, ids) = id.build(&mut module);
        append_op(&mut module, body, op);
        let mut said = Vec::new();
        for (value, bounds) in [(ids[1], (Some(0), None)), (ids[2], (Some(0), Some(7))), (arguments[0], (Some(0), None))] {
            let (op, results) = OpBuilder::new(Opcode::Assume, Location::Unknown)
                .operand(value)
                .result(number.clone())
                .attr("predicate", Attribute::Bounded(Bounded { lb: bounds.0, ub: bounds.1 }))
                .build(&mut module);
            append_op(&mut module, body, op);
            said.push(results[0]);
        }
        let (read, _) = OpBuilder::new(Opcode::Return, Location::Unknown).operands(said.clone()).build(&mut module);
        append_op(&mut module, body, read);
        let entry = OpBuilder::new(Opcode::Entry, Location::Unknown).region(region).build(&mut module).0;
        module.functions.push(entry);
        read_plainly(&mut module);
        assert_eq!(module.op(read).operands, [ids[1], said[1], said[2]]);
    }

    #[test]
    fn only_casts_to_another_type_stay() {
        let tile = |scalar| Type::Tile(TileType { shape: Vec::new(), element_type: TileElementType::Scalar(scalar) });
        let mut module = Module::new("test");
        let (region, body, arguments) = build_single_block_region(&mut module, &[tile(ScalarType::I32)]);
        let mut value = arguments[0];
        let mut cast = Vec::new();
        for scalar in [ScalarType::I32, ScalarType::I32, ScalarType::F32, ScalarType::F32] {
            let bitcast = OpBuilder::new(Opcode::Bitcast, Location::Unknown).operand(value).result(tile(scalar));
            let (op, results) = bitcast.build(&mut module);
            append_op(&mut module, body, op);
            value = results[0];
            cast.push(op);
        }
        let (read, _) = OpBuilder::new(Opcode::Return, Location::Unknown).operands(vec![value]).build(&mut module);
        append_op(&mut module, body, read);
        let entry = OpBuilder::new(Opcode::Entry, Location::Unknown).region(region).build(&mut module).0;
        module.functions.push(entry);
        read_plainly(&mut module);
        let float = module.op(read).operands[0];
        assert_eq!(module.value_data(float).producer, ValueProducer::OpResult { op: cast[2], result_index: 0 });
        assert_eq!(module.op(cast[2]).operands, [arguments[0]]);
    }
}
