//! Tokens are joined right before the operation that waits for them, as cuTile Python has it (`_passes/token_order.py`).
//!
//! In the text a join is a line of its own, before the lines and calls that make the view, the addresses and the mask. Which
//! of a view and a join comes first shows in machine code.
//!
//! What follows a load is told from what an operation waits for by the load's own token: Python joins that one at once, and
//! it stays where it is.

use std::collections::{HashMap, HashSet};

use cutile_ir::bytecode::Opcode;
use cutile_ir::ir::{BlockId, Module, OpId, Value};

use super::walk::{blocks, producer, uses};

/// Moves every join that a single operation of its block waits for right before that operation.
pub fn join_late(module: &mut Module) {
    let uses = uses(module);
    for function in module.functions.clone() {
        settle_in(module, function, &uses);
    }
}

fn settle_in(module: &mut Module, op: OpId, uses: &HashMap<Value, usize>) {
    for block in blocks(module, op) {
        let ops = module.block(block).ops.clone();
        let late = late_joins(module, block, uses);
        let moved: HashSet<OpId> = late.values().copied().collect();
        let staying = ops.iter().filter(|op| !moved.contains(op));
        module.block_mut(block).ops = staying.flat_map(|op| late.get(op).copied().into_iter().chain([*op])).collect();
        for inner in ops {
            settle_in(module, inner, uses);
        }
    }
}

/// The joins of a block that move, by the operation that waits for them.
fn late_joins(module: &Module, block: BlockId, uses: &HashMap<Value, usize>) -> HashMap<OpId, OpId> {
    let ops = &module.block(block).ops;
    let here: HashSet<OpId> = ops.iter().copied().collect();
    let waiting = ops.iter().filter(|op| waits(module.op(**op).opcode));
    waiting
        .filter_map(|op| {
            let join = module.op(*op).operands.iter().find_map(|operand| {
                let join = producer(module, *operand)?;
                (uses.get(operand) == Some(&1) && is_input(module, join)).then_some(join)
            })?;
            here.contains(&join).then_some((*op, join))
        })
        .collect()
}

/// Whether an operation joins tokens, none of them a load's own.
fn is_input(module: &Module, op: OpId) -> bool {
    let operation = module.op(op);
    let of_load = |token: &Value| producer(module, *token).is_some_and(|op| is_load(module.op(op).opcode));
    operation.opcode == Opcode::JoinTokens && !operation.operands.iter().any(of_load)
}

fn is_load(opcode: Opcode) -> bool {
    matches!(opcode, Opcode::LoadViewTko | Opcode::LoadPtrTko)
}

/// Whether an operation takes a token to wait for, and does not merely hand it on.
fn waits(opcode: Opcode) -> bool {
    use Opcode::{
        AtomicCAS, AtomicRMW, AtomicRedViewTko, GdcLaunchDependentsTko, GdcWaitTko, Print, StorePtrTko, StoreViewTko,
    };
    is_load(opcode)
        || matches!(
            opcode,
            AtomicCAS
                | AtomicRMW
                | AtomicRedViewTko
                | GdcLaunchDependentsTko
                | GdcWaitTko
                | Print
                | StorePtrTko
                | StoreViewTko
        )
}

#[cfg(test)]
mod tests {
    use super::*;
    use cutile_ir::OpBuilder;
    use cutile_ir::builder::{append_op, build_single_block_region};
    use cutile_ir::ir::{Location, ScalarType, TileElementType, TileType, Type};

    fn append(module: &mut Module, block: BlockId, opcode: Opcode, operands: &[Value], results: usize) -> Vec<Value> {
        let number = Type::Tile(TileType { shape: Vec::new(), element_type: TileElementType::Scalar(ScalarType::I32) });
        let made = OpBuilder::new(opcode, Location::Unknown).operands(operands.to_vec()).results(vec![number; results]);
        let (op, results) = made.build(module);
        append_op(module, block, op);
        results
    }

    /// A load, a join with or without the load's token, a view, a store that waits for the join, and as many joins more that
    /// need it: the order in which all that stands afterwards.
    fn settled(own: bool, more: usize) -> Vec<Opcode> {
        let mut module = Module::new("test");
        let (region, body, arguments) = build_single_block_region(&mut module, &[Type::Token, Type::Token]);
        let loaded = append(&mut module, body, Opcode::LoadViewTko, &arguments[..1], 2)[1];
        let other = if own { loaded } else { arguments[1] };
        let joined = append(&mut module, body, Opcode::JoinTokens, &[arguments[0], other], 1)[0];
        let view = append(&mut module, body, Opcode::MakePartitionView, &[arguments[0]], 1)[0];
        append(&mut module, body, Opcode::StoreViewTko, &[view, joined], 1);
        for _ in 0..more {
            append(&mut module, body, Opcode::JoinTokens, &[joined, arguments[1]], 1);
        }
        append(&mut module, body, Opcode::Return, &[], 0);
        let entry = OpBuilder::new(Opcode::Entry, Location::Unknown).region(region).build(&mut module).0;
        module.functions.push(entry);
        join_late(&mut module);
        module.verify_dominance().unwrap();
        module.block(body).ops.iter().map(|op| module.op(*op).opcode).collect()
    }

    #[test]
    fn what_a_store_waits_for_stands_right_before_it() {
        use Opcode::{JoinTokens, LoadViewTko, MakePartitionView, Return, StoreViewTko};
        assert_eq!(settled(false, 0), [LoadViewTko, MakePartitionView, JoinTokens, StoreViewTko, Return]);
    }

    #[test]
    fn what_follows_a_load_stays() {
        use Opcode::{JoinTokens, LoadViewTko, MakePartitionView, Return, StoreViewTko};
        assert_eq!(settled(true, 0), [LoadViewTko, JoinTokens, MakePartitionView, StoreViewTko, Return]);
    }

    #[test]
    fn what_others_need_too_stays() {
        use Opcode::{JoinTokens, LoadViewTko, MakePartitionView, Return, StoreViewTko};
        assert_eq!(settled(false, 1), [LoadViewTko, JoinTokens, MakePartitionView, StoreViewTko, JoinTokens, Return]);
    }
}
