//! What a loop does not change stands before it, as cuTile Python puts it (`_passes/code_motion.py`).
//!
//! An operation without effects moves out of every loop whose values it does not need; a loop or a branch moves as a whole
//! where nothing in it must stay. Here, and not in the text, because a line of the text is several operations, of which some
//! may move: of a gather whose row changes, the width of a stride and its spreading over a tile. The order in which they come to
//! stand is Python's too, and shows in machine code.
//!
//! Python carries a token for each array that a loop reads, and drops those that nothing needs only afterwards: a loop or a
//! branch that reads memory is bound to the loop around it by what is gone here.
//!
//! Where the kernel itself returns early from a loop, the text stands in a `loop` that runs once. To Python that is no loop:
//! nothing moves before it. A helper that returns early is a `loop` to Python too.

use std::collections::HashMap;

use cutile_ir::bytecode::Opcode;
use cutile_ir::ir::{BlockId, Module, OpId, Value};

use super::walk::{blocks, inner_ops, results};

/// Moves every operation that a loop does not change before it.
pub fn hoist_invariants(module: &mut Module) {
    let mut work = Work { results: results(module), depths: HashMap::new(), levels: Vec::new() };
    for function in module.functions.clone() {
        for block in blocks(module, function) {
            work.block(module, block, Kind::Branch);
        }
    }
}

/// How a block may move, judged by the operations in it alone.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Mobility {
    /// Not at all: something in it has an effect.
    Stays,
    /// Only together with the loop that it leaves or continues.
    WithLoop,
    Moves,
}

/// What a block is the body of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Loop,
    /// The `loop` that the text of a kernel stands in which returns from a loop.
    Once,
    Branch,
}

/// A block as it will be.
struct Level {
    ops: Vec<OpId>,
    kind: Kind,
    mobility: Mobility,
    /// How deep the block is that has all that this one needs from outside.
    needed: usize,
}

/// What an operation needs.
struct Needs {
    stays: bool,
    outside: usize,
}

impl Needs {
    fn add(&mut self, needed: usize, depth: usize) {
        if needed >= depth {
            self.stays = true;
        } else {
            self.outside = self.outside.max(needed);
        }
    }
}

struct Work {
    results: HashMap<OpId, Vec<Value>>,
    /// How deep the block is that defines a value, now that operations have moved.
    depths: HashMap<Value, usize>,
    /// The blocks around the operation at hand.
    levels: Vec<Level>,
}

impl Work {
    fn block(&mut self, module: &mut Module, block: BlockId, kind: Kind) -> Level {
        let depth = self.levels.len();
        self.levels.push(Level { ops: Vec::new(), kind, mobility: Mobility::Moves, needed: 0 });
        for (argument, _) in &module.block(block).args {
            self.depths.insert(*argument, depth);
        }
        for op in module.block(block).ops.clone() {
            let needs = self.needs(module, op, depth);
            let target = self.target(&needs, depth);
            self.levels[target].needed = self.levels[target].needed.max(needs.outside);
            self.levels[target].ops.push(op);
            for result in self.results.get(&op).into_iter().flatten() {
                self.depths.insert(*result, target);
            }
        }
        let level = self.levels.pop().expect("pushed above");
        module.block_mut(block).ops.clone_from(&level.ops);
        level
    }

    /// The depth of the block that an operation moves to: before the outermost loop that it can leave.
    fn target(&self, needs: &Needs, depth: usize) -> usize {
        let mut target = depth;
        let mut at = depth;
        while !needs.stays && at > needs.outside && self.levels[at].kind != Kind::Branch {
            at -= 1;
            if self.levels[at + 1].kind == Kind::Loop {
                target = at;
            }
        }
        target
    }

    fn needs(&mut self, module: &mut Module, op: OpId, depth: usize) -> Needs {
        let opcode = module.op(op).opcode;
        let mut needs = Needs { stays: false, outside: 0 };
        for operand in module.op(op).operands.clone() {
            needs.add(self.depths.get(&operand).copied().unwrap_or(0), depth);
        }
        let kind = match opcode {
            Opcode::Loop if contains(module, op, Opcode::Return) && !goes_on(module, op) => Kind::Once,
            Opcode::For | Opcode::Loop | Opcode::Reduce | Opcode::Scan => Kind::Loop,
            _ => Kind::Branch,
        };
        for block in blocks(module, op) {
            let inner = self.block(module, block, kind);
            needs.add(inner.needed, depth);
            if inner.mobility == Mobility::Stays || (kind == Kind::Branch && inner.mobility == Mobility::WithLoop) {
                needs.stays = true;
                self.levels[depth].mobility = self.levels[depth].mobility.min(inner.mobility);
            }
        }
        if [Opcode::LoadViewTko, Opcode::LoadPtrTko].into_iter().any(|load| contains(module, op, load)) {
            needs.stays = true;
        }
        match opcode {
            Opcode::Continue | Opcode::Break => {
                self.levels[depth].mobility = self.levels[depth].mobility.min(Mobility::WithLoop);
                needs.stays = true;
            }
            Opcode::Yield => needs.stays = true,
            _ if has_effect(opcode) => {
                self.levels[depth].mobility = Mobility::Stays;
                needs.stays = true;
            }
            _ => {}
        }
        needs
    }
}

/// Whether an operation does more than compute; one that only reads does not.
fn has_effect(opcode: Opcode) -> bool {
    use Opcode::{
        Assert, AtomicCAS, AtomicRMW, AtomicRedViewTko, GdcLaunchDependentsTko, GdcWaitTko, MemoryFenceAliasTko,
        MultimemReduceViewTko, MultimemStoreViewTko, PreviewCall, Print, Return, StorePtrTko, StoreViewTko,
    };
    matches!(
        opcode,
        AtomicCAS
            | AtomicRMW
            | AtomicRedViewTko
            | Assert
            | GdcLaunchDependentsTko
            | GdcWaitTko
            | MemoryFenceAliasTko
            | MultimemReduceViewTko
            | MultimemStoreViewTko
            | PreviewCall
            | Print
            | Return
            | StorePtrTko
            | StoreViewTko
    )
}

/// Whether a loop may have a second iteration.
fn goes_on(module: &Module, op: OpId) -> bool {
    inner_ops(module, op).into_iter().any(|inner| match module.op(inner).opcode {
        Opcode::Continue => true,
        Opcode::If => goes_on(module, inner),
        _ => false,
    })
}

/// Whether an operation of a kind stands anywhere inside of another.
fn contains(module: &Module, op: OpId, opcode: Opcode) -> bool {
    inner_ops(module, op).into_iter().any(|inner| module.op(inner).opcode == opcode || contains(module, inner, opcode))
}

#[cfg(test)]
mod tests {
    use super::*;
    use cutile_ir::OpBuilder;
    use cutile_ir::builder::{append_op, build_single_block_region};
    use cutile_ir::ir::{Location, ScalarType, TileElementType, TileType, Type};

    fn number() -> Type {
        Type::Tile(TileType { shape: Vec::new(), element_type: TileElementType::Scalar(ScalarType::I32) })
    }

    fn append(module: &mut Module, block: BlockId, opcode: Opcode, operands: &[Value], results: usize) -> Vec<Value> {
        let made = OpBuilder::new(opcode, Location::Unknown).operands(operands.to_vec()).results(vec![number(); results]);
        let (op, results) = made.build(module);
        append_op(module, block, op);
        results
    }

    /// A loop in a loop: `a + b`, `outer * b`, `inner - b` and a branch on `a` around `a | b`, which stays in the branch. With
    /// `inside`, that stands in the branch too. Gives the operations of the entry, of the outer and of the inner loop.
    fn moved(inside: Option<Opcode>) -> [Vec<Opcode>; 3] {
        let mut module = Module::new("test");
        let (region, body, arguments) = build_single_block_region(&mut module, &[number(), number()]);
        let (a, b) = (arguments[0], arguments[1]);
        let (outer_region, outer, outer_index) = build_single_block_region(&mut module, &[number()]);
        let (inner_region, inner, inner_index) = build_single_block_region(&mut module, &[number()]);
        append(&mut module, inner, Opcode::AddI, &[a, b], 1);
        append(&mut module, inner, Opcode::MulI, &[outer_index[0], b], 1);
        append(&mut module, inner, Opcode::SubI, &[inner_index[0], b], 1);
        let (side, block, _) = build_single_block_region(&mut module, &[]);
        append(&mut module, block, Opcode::OrI, &[a, b], 1);
        if let Some(opcode) = inside {
            append(&mut module, block, opcode, &[a], 0);
        }
        append(&mut module, block, Opcode::Yield, &[], 0);
        let branch = OpBuilder::new(Opcode::If, Location::Unknown).operand(a).region(side).build(&mut module).0;
        append_op(&mut module, inner, branch);
        append(&mut module, inner, Opcode::StorePtrTko, &[a], 0);
        append(&mut module, inner, Opcode::Continue, &[], 0);
        for (region, within) in [(inner_region, outer), (outer_region, body)] {
            let made = OpBuilder::new(Opcode::For, Location::Unknown).operands([a, b, b]).region(region);
            let op = made.build(&mut module).0;
            append_op(&mut module, within, op);
        }
        let entry = OpBuilder::new(Opcode::Entry, Location::Unknown).region(region).build(&mut module).0;
        module.functions.push(entry);
        hoist_invariants(&mut module);
        module.verify_dominance().unwrap();
        [body, outer, inner].map(|block| module.block(block).ops.iter().map(|op| module.op(*op).opcode).collect())
    }

    #[test]
    fn each_operation_leaves_as_many_loops_as_it_can() {
        use Opcode::{AddI, Continue, For, If, MulI, StorePtrTko, SubI};
        let [entry, outer, inner] = moved(None);
        assert_eq!(entry, [AddI, If, For]);
        assert_eq!(outer, [MulI, For]);
        assert_eq!(inner, [SubI, StorePtrTko, Continue]);
    }

    /// An invariant in a `loop` that only breaks, around a branch that may return: whether it stays in that `loop`.
    fn stays_in_loop(returns: bool) -> bool {
        let mut module = Module::new("test");
        let (region, body, arguments) = build_single_block_region(&mut module, &[number()]);
        let (once_region, once, _) = build_single_block_region(&mut module, &[]);
        append(&mut module, once, Opcode::AddI, &[arguments[0], arguments[0]], 1);
        let (side, block, _) = build_single_block_region(&mut module, &[]);
        append(&mut module, block, if returns { Opcode::Return } else { Opcode::Yield }, &[], 0);
        let branch = OpBuilder::new(Opcode::If, Location::Unknown).operand(arguments[0]).region(side).build(&mut module).0;
        append_op(&mut module, once, branch);
        append(&mut module, once, Opcode::StorePtrTko, &[arguments[0]], 0);
        append(&mut module, once, Opcode::Break, &[], 0);
        let made = OpBuilder::new(Opcode::Loop, Location::Unknown).region(once_region).build(&mut module).0;
        append_op(&mut module, body, made);
        let entry = OpBuilder::new(Opcode::Entry, Location::Unknown).region(region).build(&mut module).0;
        module.functions.push(entry);
        hoist_invariants(&mut module);
        module.block(once).ops.iter().any(|op| module.op(*op).opcode == Opcode::AddI)
    }

    #[test]
    fn a_loop_around_the_kernel_is_none() {
        assert!(stays_in_loop(true));
        assert!(!stays_in_loop(false));
    }

    #[test]
    fn an_effect_keeps_its_branch() {
        use Opcode::{AddI, Continue, For, If, StorePtrTko, SubI};
        let [entry, _, inner] = moved(Some(Opcode::Print));
        assert_eq!(entry, [AddI, For]);
        assert_eq!(inner, [SubI, If, StorePtrTko, Continue]);
    }

    #[test]
    fn what_reads_memory_stays_in_its_loop() {
        use Opcode::{AddI, Continue, For, If, MulI, StorePtrTko, SubI};
        let [entry, outer, inner] = moved(Some(Opcode::LoadPtrTko));
        assert_eq!(entry, [AddI, For]);
        assert_eq!(outer, [MulI, For]);
        assert_eq!(inner, [SubI, If, StorePtrTko, Continue]);
    }
}
