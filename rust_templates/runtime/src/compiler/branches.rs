//! Branches give only what their sides change.
//!
//! cuTile Rust's compiler makes every variable that a loop carries a result of each `if` in that loop, whether or not a side
//! assigns it. cuTile Python gives an `if` the results that its sides assign and something reads. With the others, each branch
//! would depend on the whole loop, and none could move out of it ([`super::hoist`]).

use std::collections::{HashMap, HashSet};

use cutile_ir::OpBuilder;
use cutile_ir::bytecode::Opcode;
use cutile_ir::ir::{Module, OpId, Value};

use super::walk::{blocks, inner_ops, rename, results, uses};

/// Takes away the results of `if` operations that each side leaves as they were, and those that nothing reads.
pub fn drop_idle_results(module: &mut Module) {
    let mut work = Work::new(module);
    for function in module.functions.clone() {
        work.settle(module, function);
    }
    work.uses = uses(module);
    for function in module.functions.clone() {
        work.shrink(module, function);
    }
    rename(module, &work.made);
}

struct Work {
    results: HashMap<OpId, Vec<Value>>,
    /// What to read instead of a value.
    instead: HashMap<Value, Value>,
    uses: HashMap<Value, usize>,
    /// The results of branches that were made anew, by those that they replace.
    made: HashMap<Value, Value>,
}

impl Work {
    fn new(module: &Module) -> Self {
        Self { results: results(module), instead: HashMap::new(), uses: HashMap::new(), made: HashMap::new() }
    }

    /// Reads around the results that are the same on each side, inner branches first.
    fn settle(&mut self, module: &mut Module, op: OpId) {
        let instead = &self.instead;
        for operand in &mut module.op_mut(op).operands {
            *operand = instead.get(operand).copied().unwrap_or(*operand);
        }
        for inner in inner_ops(module, op) {
            self.settle(module, inner);
        }
        if module.op(op).opcode != Opcode::If {
            return;
        }
        let yields = yields(module, op);
        let Some(first) = yields.first().cloned() else {
            return;
        };
        let inside = self.defined(module, op);
        for (index, result) in self.results.get(&op).cloned().unwrap_or_default().into_iter().enumerate() {
            let same = first[index];
            if yields.iter().all(|operands| operands[index] == same) && !inside.contains(&same) {
                self.instead.insert(result, same);
            }
        }
    }

    /// The values that an operation's regions define.
    fn defined(&self, module: &Module, op: OpId) -> HashSet<Value> {
        let mut found = HashSet::new();
        let mut pending = inner_ops(module, op);
        while let Some(inner) = pending.pop() {
            found.extend(self.results.get(&inner).into_iter().flatten());
            for block in blocks(module, inner) {
                found.extend(module.block(block).args.iter().map(|(value, _)| *value));
            }
            pending.extend(inner_ops(module, inner));
        }
        found
    }

    /// Makes each `if` anew with the results that are read; later ones first, for what they yield may be an earlier result.
    fn shrink(&mut self, module: &mut Module, op: OpId) {
        for block in blocks(module, op) {
            for index in (0..module.block(block).ops.len()).rev() {
                let inner = module.block(block).ops[index];
                let kept = self.without_idle(module, inner);
                module.block_mut(block).ops[index] = kept;
                self.shrink(module, kept);
            }
        }
    }

    fn without_idle(&mut self, module: &mut Module, op: OpId) -> OpId {
        let results = self.results.get(&op).cloned().unwrap_or_default();
        let read: Vec<bool> = results.iter().map(|value| self.uses.get(value).is_some_and(|count| *count > 0)).collect();
        if module.op(op).opcode != Opcode::If || read.iter().all(|read| *read) {
            return op;
        }
        let old = module.op(op).clone();
        for block in blocks(module, op) {
            let Some(last) = module.block(block).ops.last().copied() else { continue };
            if module.op(last).opcode != Opcode::Yield {
                continue;
            }
            let operands = std::mem::take(&mut module.op_mut(last).operands);
            for (operand, read) in operands.into_iter().zip(&read) {
                if *read {
                    module.op_mut(last).operands.push(operand);
                } else if let Some(count) = self.uses.get_mut(&operand) {
                    *count -= 1;
                }
            }
        }
        let kept = old.result_types.into_iter().zip(&read).filter(|(_, read)| **read).map(|(kind, _)| kind);
        let (made, values) = OpBuilder::new(Opcode::If, old.location)
            .operands(old.operands)
            .results(kept)
            .attrs(old.attributes)
            .regions(old.regions)
            .build(module);
        let replaced = results.into_iter().zip(&read).filter(|(_, read)| **read).map(|(value, _)| value);
        self.made.extend(replaced.zip(values));
        made
    }
}

/// What each side of a branch yields; a side that leaves a loop yields nothing.
fn yields(module: &Module, op: OpId) -> Vec<Vec<Value>> {
    blocks(module, op)
        .into_iter()
        .filter_map(|block| module.block(block).ops.last())
        .map(|last| module.op(*last))
        .filter(|last| last.opcode == Opcode::Yield)
        .map(|last| last.operands.clone())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compiler::walk::number_type;
    use cutile_ir::builder::{append_op, build_single_block_region};
    use cutile_ir::ir::{BlockId, Location, ValueProducer};

    fn append(module: &mut Module, block: BlockId, op: OpBuilder) -> (OpId, Vec<Value>) {
        let (made, results) = op.build(module);
        append_op(module, block, made);
        (made, results)
    }

    /// What is left of an `if` whose sides yield `(sum, a, b, sum)` and `(b, a, b, b)`, of which the first three are read.
    #[test]
    fn only_what_differs_and_is_read_is_left() {
        let mut module = Module::new("test");
        let (region, body, arguments) = build_single_block_region(&mut module, &[number_type(), number_type()]);
        let (a, b) = (arguments[0], arguments[1]);
        let mut sides = Vec::new();
        for changes in [true, false] {
            let (side, block, _) = build_single_block_region(&mut module, &[]);
            let sum = OpBuilder::new(Opcode::AddI, Location::Unknown).operands([a, b]).result(number_type());
            let first = if changes { append(&mut module, block, sum).1[0] } else { b };
            append(&mut module, block, OpBuilder::new(Opcode::Yield, Location::Unknown).operands([first, a, b, first]));
            sides.push(side);
        }
        let branch = OpBuilder::new(Opcode::If, Location::Unknown).operand(a).results(vec![number_type(); 4]).regions(sides);
        let (_, results) = append(&mut module, body, branch);
        let read = OpBuilder::new(Opcode::Return, Location::Unknown).operands(results[..3].to_vec());
        let (read, _) = append(&mut module, body, read);
        let (entry, _) = OpBuilder::new(Opcode::Entry, Location::Unknown).region(region).build(&mut module);
        module.functions.push(entry);

        drop_idle_results(&mut module);

        let left = module.block(body).ops[0];
        assert_eq!(module.op(left).result_types.len(), 1);
        assert_eq!(yields(&module, left).iter().map(Vec::len).collect::<Vec<_>>(), [1, 1]);
        assert_eq!(module.op(read).operands[1..], [a, b]);
        assert!(
            matches!(module.value_data(module.op(read).operands[0]).producer, ValueProducer::OpResult { op, .. } if op == left)
        );
        module.verify_dominance().unwrap();
        module.verify_bytecode_indices().unwrap();
    }
}
