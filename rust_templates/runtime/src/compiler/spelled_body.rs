//! Which of two elements with their places is the better one, in the very steps of cuTile Python (`_ir/ops.py`:
//! argmax_argmin).

use cutile_ir::builder::{OpBuilder, append_op};
use cutile_ir::bytecode::Opcode;
use cutile_ir::ir::{Attribute, BlockId, Location, Module, Operation, ScalarType, TileElementType, TileType, Type, Value};

use super::spelled::{attribute, push};

const EQUAL: i64 = 0;
const NOT_EQUAL: i64 = 1;
const LESS: i64 = 2;
const GREATER: i64 = 4;
const UNORDERED: i64 = 0;
const ORDERED: i64 = 1;
const SIGNED: i64 = 1;

/// What makes an element better than another.
pub struct Order {
    predicate: i64,
    /// The signedness of integers; None: floats.
    signedness: Option<Attribute>,
    nan_first: bool,
}

impl Order {
    /// That of a reduction to a maximum or minimum.
    pub fn of(module: &Module, reduction: &Operation, nan_first: bool) -> Option<Self> {
        let body = *module.region(*reduction.regions.first()?).blocks.first()?;
        let step = module.op(*module.block(body).ops.first()?);
        let predicate = match step.opcode {
            Opcode::MaxF | Opcode::MaxI => GREATER,
            Opcode::MinF | Opcode::MinI => LESS,
            _ => return None,
        };
        let is_float = matches!(step.opcode, Opcode::MaxF | Opcode::MinF);
        let signedness = if is_float { None } else { Some(attribute(step, "signedness")?.clone()) };
        Some(Self { predicate, signedness, nan_first })
    }
}

struct Body<'a> {
    module: &'a mut Module,
    block: BlockId,
    location: &'a Location,
}

impl Body<'_> {
    fn op(&self, opcode: Opcode, operands: &[Value], result: Type) -> OpBuilder {
        OpBuilder::new(opcode, self.location.clone()).operands(operands.iter().copied()).result(result)
    }

    fn compare(&mut self, order: &Order, predicate: i64, left: Value, right: Value) -> Value {
        let opcode = if order.signedness.is_some() { Opcode::CmpI } else { Opcode::CmpF };
        let op = self.op(opcode, &[left, right], truth()).attr("comparison_predicate", Attribute::i32(predicate));
        let ordering = if predicate == NOT_EQUAL { UNORDERED } else { ORDERED };
        let op = match &order.signedness {
            Some(signedness) => op.attr("signedness", signedness.clone()),
            None => op.attr("comparison_ordering", Attribute::i32(ordering)),
        };
        push(self.module, self.block, op)
    }

    fn join(&mut self, opcode: Opcode, left: Value, right: Value) -> Value {
        let op = self.op(opcode, &[left, right], truth());
        push(self.module, self.block, op)
    }

    fn select(&mut self, condition: Value, left: Value, right: Value) -> Value {
        let type_ = self.module.value_type(left).clone();
        let op = self.op(Opcode::Select, &[condition, left, right], type_);
        push(self.module, self.block, op)
    }
}

fn truth() -> Type {
    Type::Tile(TileType { shape: Vec::new(), element_type: TileElementType::Scalar(ScalarType::I1) })
}

/// Fills the body of the reduction: its parameters are two elements and their two places.
pub fn better_of(module: &mut Module, block: BlockId, args: &[Value], order: &Order, location: &Location) {
    let &[left, right, left_place, right_place] = args else { return };
    let mut body = Body { module, block, location };
    let mut wins = body.compare(order, order.predicate, left, right);
    let mut equal = body.compare(order, EQUAL, left, right);
    if order.signedness.is_none() {
        let left_nan = body.compare(order, NOT_EQUAL, left, left);
        let right_nan = body.compare(order, NOT_EQUAL, right, right);
        let (number, nan) = if order.nan_first {
            let number = body.compare(order, EQUAL, right, right);
            (left_nan, number)
        } else {
            let number = body.compare(order, EQUAL, left, left);
            (number, right_nan)
        };
        let alone = body.join(Opcode::AndI, number, nan);
        wins = body.join(Opcode::OrI, wins, alone);
        let both = body.join(Opcode::AndI, left_nan, right_nan);
        equal = body.join(Opcode::OrI, equal, both);
    }
    let places = Order { predicate: LESS, signedness: Some(Attribute::i32(SIGNED)), nan_first: false };
    let earlier = body.compare(&places, LESS, left_place, right_place);
    let ties = body.join(Opcode::AndI, equal, earlier);
    let condition = body.join(Opcode::OrI, wins, ties);
    let element = body.select(condition, left, right);
    let place = body.select(condition, left_place, right_place);
    let (end, _) = OpBuilder::new(Opcode::Yield, location.clone()).operands([element, place]).build(module);
    append_op(module, block, end);
}
