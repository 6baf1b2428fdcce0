//! Extents that the launch knows.
//!
//! cuTile Python compiles a kernel anew for arrays with an extent of 1, takes that extent as a constant of the program
//! (`materialize_constants_pass`), and writes it into the types of views (`_lower_tensor_view_extents`). An entry's arrays
//! have dynamic extents, so here they become constants.

use std::collections::HashMap;

use cutile_ir::OpBuilder;
use cutile_ir::bytecode::Opcode;
use cutile_ir::ir::{
    Attribute, BlockId, DYNAMIC, DenseElements, DivBy, Location, Module, OpId, Operation, ScalarType, TensorViewType, Type,
    Value,
};

use super::failure::Failure;
use super::signature::{Parameters, checked_entry};
use super::walk::{blocks, number_type, producer, rename, results};

/// What the bits of an unread stride stay divisible by.
const ALIGNED_BITS: usize = 128;

/// Takes the known extents as constants, and puts constants into the types of views. Fails where the parameters are not the
/// entry's.
pub fn materialize(module: &mut Module, parameters: &Parameters) -> Result<(), Failure> {
    let (_, body, firsts) = checked_entry(module, parameters)?;
    let known = arguments_known(module, body, parameters, &firsts);
    let mut instead: HashMap<Value, Value> =
        known.into_iter().map(|(argument, extent)| (argument, number(module, body, extent))).collect();
    assumptions(module, body, &mut instead);
    rename(module, &instead);
    let mut views = Views { results: results(module), ..Views::default() };
    views.visit(module, body);
    rename(module, &views.instead);
    Ok(())
}

/// The arguments that are known extents.
fn arguments_known(module: &Module, body: BlockId, parameters: &Parameters, firsts: &[usize]) -> Vec<(Value, i32)> {
    let arguments = &module.block(body).args;
    let mut found = Vec::new();
    for (parameter, first) in parameters.iter().zip(firsts) {
        let extents = parameter.iter().filter(|array| array.as_written()).flat_map(|array| &array.extents);
        found.extend(extents.enumerate().filter(|(_, n)| **n >= 0).map(|(k, n)| (arguments[first + 1 + k].0, *n)));
    }
    found
}

/// What is assumed of a value that is a constant is that constant.
fn assumptions(module: &Module, block: BlockId, instead: &mut HashMap<Value, Value>) {
    let results = results(module);
    for op in &module.block(block).ops {
        let operation = module.op(*op);
        if operation.opcode == Opcode::Assume && operation.operands.first().is_some_and(|of| instead.contains_key(of)) {
            let made = results.get(op).into_iter().flatten().map(|result| (*result, operation.operands[0]));
            instead.extend(made.collect::<Vec<_>>());
        }
    }
}

/// A constant at the start of a block.
fn number(module: &mut Module, block: BlockId, value: i32) -> Value {
    let data = value.to_le_bytes().to_vec();
    let dense = DenseElements { element_type: number_type(), shape: Vec::new(), data };
    let (op, results) = OpBuilder::new(Opcode::Constant, Location::Unknown)
        .result(number_type())
        .attr("value", Attribute::DenseElements(dense))
        .build(module);
    module.block_mut(block).ops.insert(0, op);
    results[0]
}

/// Bits of an element; a truth value takes up a byte.
fn bits(scalar: ScalarType) -> usize {
    match scalar {
        ScalarType::I4 | ScalarType::F4E2M1FN => 4,
        other => 8 * other.byte_width(),
    }
}

/// The number that a value is, if it is a constant.
fn constant(module: &Module, value: Value) -> Option<i64> {
    let operation = module.op(producer(module, value)?);
    if operation.opcode != Opcode::Constant || module.value_type(value) != &number_type() {
        return None;
    }
    operation.attributes.iter().find_map(|(name, attribute)| match attribute {
        Attribute::DenseElements(dense) if name == "value" => {
            Some(i64::from(i32::from_le_bytes(dense.data.as_slice().try_into().ok()?)))
        }
        _ => None,
    })
}

/// Views that were made anew because their types say more.
#[derive(Default)]
struct Views {
    /// What every operation made at first.
    results: HashMap<OpId, Vec<Value>>,
    instead: HashMap<Value, Value>,
    types: HashMap<Value, TensorViewType>,
}

impl Views {
    fn visit(&mut self, module: &mut Module, block: BlockId) {
        for op in module.block(block).ops.clone() {
            if let Some(made) = self.made_anew(module, block, op) {
                let place = module.block(block).ops.iter().position(|other| *other == op);
                if let Some(place) = place {
                    module.block_mut(block).ops[place] = made;
                }
                continue;
            }
            for inner in blocks(module, op) {
                self.visit(module, inner);
            }
        }
    }

    /// The operation that makes the same view with more in its type.
    fn made_anew(&mut self, module: &mut Module, block: BlockId, op: OpId) -> Option<OpId> {
        let old = module.op(op).clone();
        let [result] = old.result_types.as_slice() else { return None };
        let Parts { kind, operands, attributes } = match result.without_pointer_attribute() {
            Type::TensorView(view) if old.opcode == Opcode::MakeTensorView => tensor_view(module, block, op, &old, view)?,
            other => {
                let base = *old.operands.first()?;
                let base = self.instead.get(&base).copied().unwrap_or(base);
                let kind = over(other, self.types.get(&base)?)?;
                Parts { kind, operands: old.operands.clone(), attributes: old.attributes.clone() }
            }
        };
        let tensor = if let Type::TensorView(view) = &kind { Some(view.clone()) } else { None };
        let kind = match result.pointer_attribute() {
            Some(attribute) => kind.with_pointer_attribute(attribute),
            None => kind,
        };
        let before = self.results.remove(&op).unwrap_or_default();
        let (made, results) =
            OpBuilder::new(old.opcode, old.location).operands(operands).result(kind).attrs(attributes).build(module);
        self.types.extend(tensor.map(|view| (results[0], view)));
        self.instead.extend(before.into_iter().zip(results));
        Some(made)
    }
}

/// The type of a view over another tensor view.
fn over(kind: &Type, tensor_view: &TensorViewType) -> Option<Type> {
    let mut made = kind.clone();
    match &mut made {
        Type::PartitionView(view) => view.tensor_view = tensor_view.clone(),
        Type::GatherScatterView(view) => view.tensor_view = tensor_view.clone(),
        Type::StridedView(view) => view.tensor_view = tensor_view.clone(),
        _ => return None,
    }
    Some(made)
}

/// What a view is made of.
struct Parts {
    kind: Type,
    operands: Vec<Value>,
    attributes: Vec<(String, Attribute)>,
}

/// An extent or stride: its constant, or the value that it has at launch; both where the value is that constant.
#[derive(Clone, Copy)]
struct Size {
    number: i64,
    value: Option<Value>,
}

impl Size {
    fn all(module: &Module, numbers: &[i64], values: &mut impl Iterator<Item = Value>) -> Option<Vec<Self>> {
        let dynamic =
            |value| Self { number: constant(module, value).filter(|n| *n > 0).unwrap_or(DYNAMIC), value: Some(value) };
        let size = |number: &i64| match *number {
            DYNAMIC => values.next().map(dynamic),
            number => Some(Self { number, value: None }),
        };
        numbers.iter().map(size).collect()
    }

    fn values(sizes: &[Self]) -> Vec<Value> {
        sizes.iter().filter(|size| size.number == DYNAMIC).filter_map(|size| size.value).collect()
    }

    fn numbers(sizes: &[Self]) -> Vec<i64> {
        sizes.iter().map(|size| size.number).collect()
    }
}

/// A tensor view with its constant extents and strides in its type; None where nothing more is known than before.
///
/// The stride of a dimension of one element is never read: cuTile Python leaves it dynamic where it is 1, lest it be taken
/// for the contiguous one, and says that it is divisible by 16 bytes.
fn tensor_view(module: &mut Module, block: BlockId, op: OpId, old: &Operation, view: &TensorViewType) -> Option<Parts> {
    let (base, rest) = old.operands.split_first()?;
    let mut rest = rest.iter().copied();
    let shape = Size::all(module, &view.shape, &mut rest)?;
    let mut strides = Size::all(module, &view.strides, &mut rest)?;
    let single = |(extent, stride): &(&Size, &Size)| extent.number == 1 && matches!(stride.number, 1 | DYNAMIC);
    let says_more = Size::numbers(&shape) != view.shape || Size::numbers(&strides) != view.strides;
    if !says_more && !shape.iter().zip(&strides).any(|pair| single(&pair)) {
        return None;
    }
    for (extent, stride) in shape.iter().zip(&mut strides) {
        if single(&(extent, stride)) {
            let plain = stride.value.unwrap_or_else(|| number(module, block, 1));
            let value = divisible(module, block, op, plain, ALIGNED_BITS / bits(view.element_type));
            *stride = Size { number: DYNAMIC, value: Some(value) };
        }
    }
    let (extents, steps) = (Size::values(&shape), Size::values(&strides));
    let segments = [1, extents.len(), steps.len()].map(|n| Attribute::Integer(n as i64, number_type()));
    let attributes = old.attributes.iter().map(|(name, attribute)| match name.as_str() {
        "operandSegmentSizes" => (name.clone(), Attribute::Array(segments.to_vec())),
        _ => (name.clone(), attribute.clone()),
    });
    let (shape, strides) = (Size::numbers(&shape), Size::numbers(&strides));
    Some(Parts {
        kind: Type::TensorView(TensorViewType { element_type: view.element_type, shape, strides }),
        attributes: attributes.collect(),
        operands: [vec![*base], extents, steps].concat(),
    })
}

/// A value with the assumption that it is divisible, made before an operation.
fn divisible(module: &mut Module, block: BlockId, before: OpId, value: Value, divisor: usize) -> Value {
    let predicate = DivBy { divisor: divisor as u64, every: None, along: None };
    let (op, results) = OpBuilder::new(Opcode::Assume, Location::Unknown)
        .operand(value)
        .result(module.value_type(value).clone())
        .attr("predicate", Attribute::DivBy(predicate))
        .build(module);
    let place = module.block(block).ops.iter().position(|other| *other == before).unwrap_or(0);
    module.block_mut(block).ops.insert(place, op);
    results[0]
}

#[cfg(test)]
mod tests {
    use super::*;
    use cutile_ir::builder::{append_op, build_single_block_region};
    use cutile_ir::ir::{PointerType, TileElementType, TileType};

    use super::super::failure::Kind;
    use super::super::signature::Parameter;

    fn array(extents: Vec<i32>) -> Option<Parameter> {
        Some(Parameter { name: String::new(), rank: extents.len(), extents })
    }

    fn tile(element_type: TileElementType) -> Type {
        Type::Tile(TileType { shape: Vec::new(), element_type })
    }

    fn view(shape: [i64; 2], strides: [i64; 2]) -> Type {
        let (shape, strides) = (shape.to_vec(), strides.to_vec());
        Type::TensorView(TensorViewType { element_type: ScalarType::F16, shape, strides })
    }

    /// A module that views its only array, rows after one another; the view, and what reads the extents.
    fn viewing() -> (Module, BlockId, OpId) {
        let mut module = Module::new("test");
        let pointer = tile(TileElementType::Pointer(Box::new(PointerType { pointee: ScalarType::F16 })));
        let kinds = [vec![pointer], vec![number_type(); 4]].concat();
        let (region, body, arguments) = build_single_block_region(&mut module, &kinds);
        let mut extents = Vec::new();
        for argument in &arguments[1..3] {
            let said = Attribute::DivBy(DivBy { divisor: 1, every: None, along: None });
            let assume = OpBuilder::new(Opcode::Assume, Location::Unknown).operand(*argument).result(number_type());
            let (op, results) = assume.attr("predicate", said).build(&mut module);
            append_op(&mut module, body, op);
            extents.push(results[0]);
        }
        let segments = [1, 2, 1].map(|n| Attribute::Integer(n, number_type()));
        let (made, _) = OpBuilder::new(Opcode::MakeTensorView, Location::Unknown)
            .operands([arguments[0], extents[0], extents[1], arguments[3]])
            .result(view([DYNAMIC, DYNAMIC], [DYNAMIC, 1]))
            .attr("operandSegmentSizes", Attribute::Array(segments.to_vec()))
            .build(&mut module);
        append_op(&mut module, body, made);
        let (read, _) = OpBuilder::new(Opcode::Return, Location::Unknown).operands(extents).build(&mut module);
        append_op(&mut module, body, read);
        let entry = OpBuilder::new(Opcode::Entry, Location::Unknown).region(region).build(&mut module).0;
        module.functions.push(entry);
        (module, body, read)
    }

    fn view_left(module: &Module, body: BlockId) -> (Type, usize) {
        let made = module.block(body).ops.iter().map(|op| module.op(*op)).find(|op| op.opcode == Opcode::MakeTensorView);
        made.map(|op| (op.result_types[0].clone(), op.operands.len())).unwrap_or((Type::Token, 0))
    }

    #[test]
    fn a_single_row_leaves_the_stride_between_rows() {
        let (mut module, body, read) = viewing();
        materialize(&mut module, &vec![array(vec![1, -1])]).unwrap();
        assert_eq!(view_left(&module, body), (view([1, DYNAMIC], [DYNAMIC, 1]), 3));
        assert_eq!(constant(&module, module.op(read).operands[0]), Some(1));
        assert_eq!(constant(&module, module.op(read).operands[1]), None);
    }

    #[test]
    fn a_single_column_is_no_contiguous_dimension() {
        let (mut module, body, _) = viewing();
        materialize(&mut module, &vec![array(vec![-1, 1])]).unwrap();
        assert_eq!(view_left(&module, body), (view([DYNAMIC, 1], [DYNAMIC, DYNAMIC]), 4));
        let steps: Vec<DivBy> = module
            .block(body)
            .ops
            .iter()
            .flat_map(|op| module.op(*op).attributes.clone())
            .filter_map(|(_, attribute)| if let Attribute::DivBy(said) = attribute { Some(said) } else { None })
            .collect();
        assert_eq!(steps.iter().map(|said| said.divisor).collect::<Vec<_>>(), [1, 1, 8]);
    }

    #[test]
    fn other_parameters_than_the_entrys_are_refused() {
        let (mut module, _, _) = viewing();
        let failure = materialize(&mut module, &vec![array(vec![1, -1]), None]).unwrap_err();
        assert_eq!(
            (failure.kind, failure.message.as_str()),
            (Kind::Compile, "the entry's arguments are not those of its parameters")
        );
        assert!(materialize(&mut module, &vec![array(vec![-1, -1])]).is_ok());
    }
}
