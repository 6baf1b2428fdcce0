//! Constants that a kernel gets as their bits become constants of their own type.
//!
//! A float that only the launch knows is a const generic, which rustc has for integers only: the kernel says `bitcast`.
//! `tileiras` folds that, but after it has reordered products and signs around the constants it can already see, so
//! that `-(x * x)` beside a literal becomes `x * -x` beside bits: the same numbers from other instructions.

use cutile_ir::Module;
use cutile_ir::bytecode::Opcode;
use cutile_ir::ir::{Attribute, DenseElements, OpId, TileElementType, TileType, Type, Value, ValueProducer};

use super::walk::inner_ops;

/// Replaces every `bitcast` of a known integer by the constant that it is.
pub fn fold_bitcasts(module: &mut Module) {
    let mut found = Vec::new();
    for function in &module.functions {
        visit(module, *function, &mut found);
    }
    for (op, constant) in found {
        let folded = module.op_mut(op);
        folded.opcode = Opcode::Constant;
        folded.operands.clear();
        folded.attributes = vec![("value".to_owned(), Attribute::DenseElements(constant))];
    }
}

fn visit(module: &Module, op: OpId, found: &mut Vec<(OpId, DenseElements)>) {
    let operation = module.op(op);
    if operation.opcode == Opcode::Bitcast
        && let (Some(source), Some(Type::Tile(result))) = (operation.operands.first(), operation.result_types.first())
        && let Some(data) = splat(module, *source)
        && let TileElementType::Scalar(scalar) = result.element_type
        && scalar.byte_width() == data.len()
    {
        let carrier = Type::Tile(TileType { shape: Vec::new(), element_type: result.element_type.clone() });
        found.push((op, DenseElements { element_type: carrier, shape: Vec::new(), data }));
    }
    for inner in inner_ops(module, op) {
        visit(module, inner, found);
    }
}

/// The bytes, least significant first, of the integer that all elements of a tile are, if that is known.
fn splat(module: &Module, value: Value) -> Option<Vec<u8>> {
    let ValueProducer::OpResult { op, .. } = module.value_data(value).producer else {
        return None;
    };
    let operation = module.op(op);
    match operation.opcode {
        Opcode::Constant => operation.attributes.iter().find_map(|(name, attribute)| match attribute {
            Attribute::DenseElements(dense) if name == "value" && dense.data.len() == width(&dense.element_type)? => {
                Some(dense.data.clone())
            }
            _ => None,
        }),
        Opcode::Reshape | Opcode::Broadcast => splat(module, *operation.operands.first()?),
        Opcode::TruncI => {
            let mut data = splat(module, *operation.operands.first()?)?;
            data.truncate(width(operation.result_types.first()?)?);
            Some(data)
        }
        _ => None,
    }
}

/// Bytes of an integer element; those of less than a byte are left alone.
fn width(type_: &Type) -> Option<usize> {
    use cutile_ir::ir::ScalarType::{I8, I16, I32, I64};
    match type_ {
        Type::Tile(TileType { element_type: TileElementType::Scalar(scalar @ (I8 | I16 | I32 | I64)), .. })
        | Type::Scalar(scalar @ (I8 | I16 | I32 | I64)) => Some(scalar.byte_width()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cutile_ir::OpBuilder;
    use cutile_ir::builder::append_op;
    use cutile_ir::ir::{Block, Location, ScalarType};

    fn tile(scalar: ScalarType) -> Type {
        Type::Tile(TileType { shape: Vec::new(), element_type: TileElementType::Scalar(scalar) })
    }

    /// The operation that is left of a bitcast from `source` bits, cut to 16 bits on the way where `narrow` says so.
    fn folded(bits: Vec<u8>, narrow: bool, to: ScalarType) -> (Opcode, Vec<u8>) {
        let mut module = Module::new("test");
        let block = module.alloc_block(Block { args: Vec::new(), ops: Vec::new() });
        let dense = DenseElements { element_type: tile(ScalarType::I32), shape: Vec::new(), data: bits };
        let constant = OpBuilder::new(Opcode::Constant, Location::Unknown)
            .result(tile(ScalarType::I32))
            .attr("value", Attribute::DenseElements(dense));
        let (op, results) = constant.build(&mut module);
        append_op(&mut module, block, op);
        let mut source = results[0];
        if narrow {
            let cut = OpBuilder::new(Opcode::TruncI, Location::Unknown).result(tile(ScalarType::I16)).operand(source);
            let (op, results) = cut.build(&mut module);
            append_op(&mut module, block, op);
            source = results[0];
        }
        let bitcast = OpBuilder::new(Opcode::Bitcast, Location::Unknown).result(tile(to)).operand(source);
        let (op, _) = bitcast.build(&mut module);
        append_op(&mut module, block, op);
        module.functions.push(op);
        fold_bitcasts(&mut module);
        let left = module.op(op);
        let data = left.attributes.iter().find_map(|(_, attribute)| match attribute {
            Attribute::DenseElements(dense) => Some(dense.data.clone()),
            _ => None,
        });
        (left.opcode, data.unwrap_or_default())
    }

    #[test]
    fn known_bits_become_a_float() {
        let quarter = 0.25f32.to_le_bytes().to_vec();
        assert_eq!(folded(quarter.clone(), false, ScalarType::F32), (Opcode::Constant, quarter));
        assert_eq!(folded(vec![0, 0x3c, 9, 9], true, ScalarType::F16), (Opcode::Constant, vec![0, 0x3c]));
    }

    #[test]
    fn other_widths_are_left_alone() {
        assert_eq!(folded(vec![1, 0, 0, 0], false, ScalarType::F64), (Opcode::Bitcast, Vec::new()));
    }
}
