//! What cuTile Rust 0.5 can only spell out becomes the one operation that it means.
//!
//! It cannot write a reduction of two tiles together, as `ct.argmax` is one, and it scans along axis 0 only. Kernels
//! therefore say the same in several steps: right, but other machine code than that of the one operation that Tile IR
//! has for it. The steps are those of `cutile2rs_support::places` and of `cutile2rs/backend/`, and nothing else matches.

use std::collections::HashSet;

use cutile_ir::builder::{OpBuilder, append_op, build_single_block_region};
use cutile_ir::bytecode::Opcode;
use cutile_ir::ir::{
    Attribute, BlockId, Module, OpId, Operation, ScalarType, TileElementType, TileType, Type, Value, ValueProducer,
};

use super::spelled_body::{Order, better_of};
use super::walk;
use crate::dtype::DType;
use crate::floats::from_bits;

/// A place that no element has, and what the places of NaNs are reduced by where those come first.
const NOWHERE: i64 = i32::MAX as i64;
const EARLIER: i64 = 1 << 30;

/// Joins what is spelled out in any function.
pub fn join(module: &mut Module) {
    let mut blocks = Vec::new();
    for function in module.functions.clone() {
        nested(module, function, &mut blocks);
    }
    let before = idle(module, &blocks);
    let mut replaced = false;
    for block in &blocks {
        for op in module.block(*block).ops.clone() {
            if let Some(found) = Places::find(module, op) {
                found.join(module, *block, op, &blocks);
                replaced = true;
            } else if let Some(found) = Last::find(module, op) {
                found.join(module, op);
                replaced = true;
            } else if let Some(found) = Turned::find(module, op) {
                found.join(module, op);
                replaced = true;
            }
        }
    }
    while replaced {
        replaced = prune(module, &blocks, &before);
    }
}

fn nested(module: &Module, op: OpId, found: &mut Vec<BlockId>) {
    found.extend(walk::blocks(module, op));
    for inner in walk::inner_ops(module, op) {
        nested(module, inner, found);
    }
}

/// The first place of the largest or smallest elements along an axis.
struct Places {
    x: Value,
    places: Value,
    best: OpId,
    nan_first: bool,
}

impl Places {
    fn find(module: &Module, op: OpId) -> Option<Self> {
        let [none_left, otherwise, least] = made(module, op, Opcode::Select)?.operands[..] else { return None };
        let compared = maker(module, none_left, Opcode::CmpI)?;
        let nan_first = maker(module, otherwise, Opcode::AddI).is_some();
        if nan_first {
            let raised = maker(module, otherwise, Opcode::AddI)?;
            expect(compared.operands == [least, compared.operands[1]] && is(module, compared.operands[1], 0))?;
            expect(raised.operands[0] == least && is(module, raised.operands[1], EARLIER))?;
        } else {
            expect(compared.operands[0] == least && is(module, compared.operands[1], NOWHERE))?;
            expect(is(module, otherwise, 0))?;
        }
        let mut holding = *maker(module, least, Opcode::Reduce)?.operands.first()?;
        if nan_first {
            let [_, early, holds] = maker(module, holding, Opcode::Select)?.operands[..] else { return None };
            expect(is(module, maker(module, early, Opcode::SubI)?.operands[1], EARLIER))?;
            holding = holds;
        }
        let [holds, places, nowhere] = maker(module, holding, Opcode::Select)?.operands[..] else { return None };
        expect(is(module, nowhere, NOWHERE))?;
        let equal = maker(module, holds, Opcode::CmpF).or_else(|| maker(module, holds, Opcode::CmpI))?;
        let [x, wide] = equal.operands[..] else { return None };
        let mut best = producer(module, wide)?;
        while matches!(module.op(best).opcode, Opcode::Broadcast | Opcode::Reshape) {
            best = producer(module, *module.op(best).operands.first()?)?;
        }
        let reduction = made(module, best, Opcode::Reduce)?;
        expect(reduction.operands == [x] && dim(reduction) == dim(maker(module, least, Opcode::Reduce)?))?;
        Some(Self { x, places, best, nan_first })
    }

    /// One reduction of the elements and their places, as cuTile Python writes it.
    fn join(&self, module: &mut Module, block: BlockId, last: OpId, blocks: &[BlockId]) {
        let reduction = module.op(self.best).clone();
        let [Type::Tile(rest)] = &reduction.result_types[..] else { return };
        let Some(order) = Order::of(module, &reduction, self.nan_first) else { return };
        let Some(("identities", Attribute::Array(identities))) =
            reduction.attributes.iter().map(|(name, value)| (name.as_str(), value)).find(|(name, _)| *name == "identities")
        else {
            return;
        };
        let index = module.op(last).result_types[0].clone();
        let Type::Tile(index_tile) = &index else { return };
        let element = scalar(rest);
        let place = scalar(index_tile);
        let (region, body, args) =
            build_single_block_region(module, &[element.clone(), element.clone(), place.clone(), place.clone()]);
        better_of(module, body, &args, &order, &module.op(last).location.clone());
        let (op, results) = OpBuilder::new(Opcode::Reduce, module.op(last).location.clone())
            .operands([self.x, self.places])
            .results([Type::Tile(rest.clone()), index])
            .attr("dim", attribute(&reduction, "dim").cloned().unwrap_or(Attribute::i32(0)))
            .attr("identities", Attribute::Array(vec![identities[0].clone(), Attribute::i32(0)]))
            .region(region)
            .build(module);
        put_before(module, block, last, op);
        if let Some(old) = result(module, last) {
            replace(module, blocks, old, results[1]);
        }
    }
}

/// The last of the running values along an axis, beside an identity that changes nothing.
struct Last {
    scan: OpId,
    x: Value,
    axis: usize,
    identity: Attribute,
}

impl Last {
    fn find(module: &Module, op: OpId) -> Option<Self> {
        let [always, last, identity] = made(module, op, Opcode::Select)?.operands[..] else { return None };
        expect(is_always(module, always))?;
        let part = maker(module, *maker(module, last, Opcode::Reshape)?.operands.first()?, Opcode::Extract)?;
        let (running, index) = part.operands.split_first()?;
        expect(index.iter().all(|i| is(module, *i, 0)))?;
        let scan = producer(module, *running)?;
        let step = made(module, scan, Opcode::Scan)?;
        expect(matches!(attribute(step, "reverse"), Some(Attribute::Bool(true))) && dim(step) == Some(0))?;
        let identity = number(maker(module, identity, Opcode::Constant)?)?;
        let x = *step.operands.first()?;
        let Some(turned) = maker(module, x, Opcode::Permute) else {
            return Some(Self { scan, x, axis: 0, identity });
        };
        let axis = moved_axis(order(turned)?)?;
        Some(Self { scan, x: turned.operands[0], axis, identity })
    }

    fn join(&self, module: &mut Module, last: OpId) {
        let regions = std::mem::take(&mut module.op_mut(self.scan).regions);
        let joined = module.op_mut(last);
        joined.opcode = Opcode::Reduce;
        joined.operands = vec![self.x];
        joined.regions = regions;
        joined.attributes = vec![
            ("dim".to_owned(), Attribute::i32(self.axis as i64)),
            ("identities".to_owned(), Attribute::Array(vec![self.identity.clone()])),
        ];
    }
}

/// The axis that a permutation brings to the front and otherwise leaves in order.
fn moved_axis(there: &[i32]) -> Option<usize> {
    let axis = usize::try_from(*there.first()?).ok()?;
    let moved = there.iter().skip(1).copied().eq((0..there.len() as i32).filter(|i| *i as usize != axis));
    expect(moved && axis > 0)?;
    Some(axis)
}

/// A scan between two permutations that undo each other.
struct Turned {
    scan: OpId,
    x: Value,
    axis: usize,
}

impl Turned {
    fn find(module: &Module, op: OpId) -> Option<Self> {
        let back = made(module, op, Opcode::Permute)?;
        let scan = producer(module, *back.operands.first()?)?;
        let turned = maker(module, *made(module, scan, Opcode::Scan)?.operands.first()?, Opcode::Permute)?;
        let (there, back) = (order(turned)?, order(back)?);
        let axis = moved_axis(there)?;
        let undone = (0..there.len()).all(|i| there.get(back[i] as usize) == Some(&(i as i32)));
        expect(undone && dim(module.op(scan)) == Some(0))?;
        Some(Self { scan, x: turned.operands[0], axis })
    }

    fn join(&self, module: &mut Module, last: OpId) {
        let scan = module.op(self.scan).clone();
        // The old one loses its body to this one, and is pruned.
        module.op_mut(self.scan).regions.clear();
        let joined = module.op_mut(last);
        joined.opcode = Opcode::Scan;
        joined.operands = vec![self.x];
        joined.regions = scan.regions;
        joined.attributes = scan.attributes;
        for (name, value) in &mut joined.attributes {
            if name == "dim" {
                *value = Attribute::i32(self.axis as i64);
            }
        }
    }
}

fn order(op: &Operation) -> Option<&[i32]> {
    match attribute(op, "permutation")? {
        Attribute::DenseI32Array(order) => Some(order),
        _ => None,
    }
}

fn expect(condition: bool) -> Option<()> {
    condition.then_some(())
}

fn scalar(tile: &TileType) -> Type {
    Type::Tile(TileType { shape: Vec::new(), element_type: tile.element_type.clone() })
}

pub fn attribute<'a>(op: &'a Operation, name: &str) -> Option<&'a Attribute> {
    op.attributes.iter().find(|(found, _)| found == name).map(|(_, value)| value)
}

fn dim(op: &Operation) -> Option<i64> {
    match attribute(op, "dim")? {
        Attribute::Integer(value, _) => Some(*value),
        _ => None,
    }
}

fn producer(module: &Module, value: Value) -> Option<OpId> {
    match module.value_data(value).producer {
        ValueProducer::OpResult { op, result_index: 0 } => Some(op),
        _ => None,
    }
}

fn made(module: &Module, op: OpId, opcode: Opcode) -> Option<&Operation> {
    let found = module.op(op);
    (found.opcode == opcode).then_some(found)
}

fn maker(module: &Module, value: Value, opcode: Opcode) -> Option<&Operation> {
    made(module, producer(module, value)?, opcode)
}

/// Whether all elements of a tile are this integer.
fn is(module: &Module, value: Value, number: i64) -> bool {
    let Some(constant) = maker(module, value, Opcode::Constant) else { return false };
    match attribute(constant, "value") {
        Some(Attribute::DenseElements(dense)) => dense.data == (number as i32).to_le_bytes(),
        _ => false,
    }
}

fn is_always(module: &Module, value: Value) -> bool {
    let Some(constant) = maker(module, value, Opcode::Constant) else { return false };
    match attribute(constant, "value") {
        Some(Attribute::DenseElements(dense)) => !dense.data.is_empty() && dense.data.iter().all(|byte| *byte != 0),
        _ => false,
    }
}

/// The number that all elements of a constant are, as identities are written.
fn number(constant: &Operation) -> Option<Attribute> {
    use ScalarType::{BF16, F16, F32, F64, I1, I8, I16, I32, I64};
    let Type::Tile(TileType { element_type: TileElementType::Scalar(scalar), .. }) = constant.result_types.first()? else {
        return None;
    };
    let Attribute::DenseElements(dense) = attribute(constant, "value")? else { return None };
    let mut bytes = [0; 8];
    bytes.get_mut(..dense.data.len())?.copy_from_slice(&dense.data);
    let bits = u64::from_le_bytes(bytes);
    let float = |d| from_bits(bits, d).ok().map(|value| Attribute::float(value, *scalar));
    match scalar {
        F16 => float(DType::F16),
        BF16 => float(DType::BF16),
        F32 => float(DType::F32),
        F64 => float(DType::F64),
        I1 => Some(Attribute::int(i64::from(bits != 0), *scalar)),
        // Bytecode holds integers as unsigned ones.
        I8 | I16 | I32 | I64 => Some(Attribute::int(bits as i64, *scalar)),
        _ => None,
    }
}

fn result(module: &Module, op: OpId) -> Option<Value> {
    let producer = ValueProducer::OpResult { op, result_index: 0 };
    module.values_since(0).find(|(_, data)| data.producer == producer).map(|(value, _)| value)
}

fn put_before(module: &mut Module, block: BlockId, at: OpId, op: OpId) {
    let ops = &mut module.block_mut(block).ops;
    let position = ops.iter().position(|other| *other == at).unwrap_or(ops.len());
    ops.insert(position, op);
}

fn replace(module: &mut Module, blocks: &[BlockId], old: Value, new: Value) {
    for block in blocks {
        for op in module.block(*block).ops.clone() {
            for operand in &mut module.op_mut(op).operands {
                if *operand == old {
                    *operand = new;
                }
            }
        }
    }
}

/// Removes steps whose results nothing uses any more; whether there were any.
fn prune(module: &mut Module, blocks: &[BlockId], before: &HashSet<OpId>) -> bool {
    let idle: HashSet<OpId> = idle(module, blocks).difference(before).copied().collect();
    let mut pruned = false;
    for block in blocks {
        let ops = &mut module.block_mut(*block).ops;
        let count = ops.len();
        ops.retain(|op| !idle.contains(op));
        pruned |= ops.len() != count;
    }
    pruned
}

/// Steps whose results nothing uses.
fn idle(module: &Module, blocks: &[BlockId]) -> HashSet<OpId> {
    use Opcode::{AddI, Broadcast, CmpF, CmpI, Constant, Extract, Permute, Reduce, Reshape, Scan, Select, SubI};
    let mut used = vec![false; module.num_values()];
    for block in blocks {
        for op in &module.block(*block).ops {
            for operand in &module.op(*op).operands {
                used[operand.index() as usize] = true;
            }
        }
    }
    module
        .values_since(0)
        .filter(|(value, _)| !used[value.index() as usize])
        .filter_map(|(_, data)| match data.producer {
            ValueProducer::OpResult { op, .. } => Some(op),
            ValueProducer::BlockArg { .. } => None,
        })
        .filter(|op| {
            let step = module.op(*op);
            step.result_types.len() == 1
                && matches!(
                    step.opcode,
                    AddI | Broadcast | CmpF | CmpI | Constant | Extract | Permute | Reduce | Reshape | Scan | Select | SubI
                )
        })
        .collect()
}

/// Appends an operation with one result.
pub fn push(module: &mut Module, block: BlockId, op: OpBuilder) -> Value {
    let (op, results) = op.build(module);
    append_op(module, block, op);
    results[0]
}
