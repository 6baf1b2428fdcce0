//! An array is made once, where its parts are known.
//!
//! cuTile Python makes a tensor view of a slice or of an item of a list with the slice or the item itself, and every use reads
//! that one (`_ir/ops.py`, `unflatten_aggregate_impl`). The text makes one for each use, where the use stands. Which of two
//! tensor views comes first shows in machine code: the assembler gives their parts room in shared memory in this order.

use std::collections::HashMap;

use cutile_ir::bytecode::Opcode;
use cutile_ir::ir::{BlockId, Module, OpId, Type, Value};

use super::walk::{blocks, rename, results};

/// Puts each tensor view behind the last of its operands, and equal ones together.
pub fn make_arrays_once(module: &mut Module) {
    let mut work = Work { results: results(module), ..Work::default() };
    for function in module.functions.clone() {
        for block in blocks(module, function) {
            work.block(module, block);
        }
    }
    rename(module, &work.instead);
}

/// Where in a block something stands: behind its operation of this number, or before all (0). Counted from 1.
type Place = (usize, usize);

#[derive(Default)]
struct Work {
    results: HashMap<OpId, Vec<Value>>,
    /// The block, by its depth, and the place there that defines a value.
    defined: HashMap<Value, Place>,
    /// The tensor views to put behind each operation of the blocks around the one at hand.
    behind: Vec<HashMap<usize, Vec<OpId>>>,
    /// The view to read instead of an equal one that was made before.
    instead: HashMap<Value, Value>,
    made: Vec<(Vec<Value>, Vec<Type>, Value)>,
}

impl Work {
    fn block(&mut self, module: &mut Module, block: BlockId) {
        let depth = self.behind.len();
        self.behind.push(HashMap::new());
        for (argument, _) in &module.block(block).args {
            self.defined.insert(*argument, (depth, 0));
        }
        let ops = module.block(block).ops.clone();
        for (index, op) in ops.iter().enumerate() {
            if module.op(*op).opcode == Opcode::MakeTensorView {
                self.view(module, *op);
                continue;
            }
            for inner in blocks(module, *op) {
                self.block(module, inner);
            }
            for result in self.results.get(op).into_iter().flatten() {
                self.defined.insert(*result, (depth, index + 1));
            }
        }
        let defined = &self.defined;
        self.made.retain(|(_, _, view)| defined[view].0 < depth); // what stands in this block is not seen behind it
        let mut behind = self.behind.pop().expect("pushed above");
        let mut placed = behind.remove(&0).unwrap_or_default();
        for (index, op) in ops.into_iter().enumerate() {
            if module.op(op).opcode != Opcode::MakeTensorView {
                placed.push(op);
            }
            placed.extend(behind.remove(&(index + 1)).into_iter().flatten());
        }
        module.block_mut(block).ops = placed;
    }

    fn view(&mut self, module: &Module, op: OpId) {
        let data = module.op(op);
        let operands: Vec<Value> = data.operands.iter().map(|value| *self.instead.get(value).unwrap_or(value)).collect();
        let Some(result) = self.results.get(&op).and_then(|results| results.first()).copied() else { return };
        let equal = |(others, types, _): &&(Vec<Value>, Vec<Type>, Value)| *others == operands && *types == data.result_types;
        if let Some((_, _, first)) = self.made.iter().find(equal) {
            self.instead.insert(result, *first);
            return;
        }
        let (depth, place) = operands.iter().filter_map(|value| self.defined.get(value)).copied().max().unwrap_or_default();
        self.behind[depth].entry(place).or_default().push(op);
        self.defined.insert(result, (depth, place));
        self.made.push((operands, data.result_types.clone(), result));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compiler::walk::number_type;
    use cutile_ir::OpBuilder;
    use cutile_ir::builder::{append_op, build_single_block_region};
    use cutile_ir::ir::{Location, RegionId, ScalarType, TensorViewType};

    fn array() -> Type {
        Type::TensorView(TensorViewType { element_type: ScalarType::F32, shape: vec![i64::MIN], strides: vec![1] })
    }

    fn append(module: &mut Module, block: BlockId, opcode: Opcode, operands: &[Value], result: Option<Type>) -> Vec<Value> {
        let made = OpBuilder::new(opcode, Location::Unknown).operands(operands.to_vec()).results(result);
        let (op, results) = made.build(module);
        append_op(module, block, op);
        results
    }

    fn opcodes(module: &Module, block: BlockId) -> Vec<Opcode> {
        module.block(block).ops.iter().map(|op| module.op(*op).opcode).collect()
    }

    fn branch(module: &mut Module, block: BlockId, condition: Value, side: RegionId) {
        let op = OpBuilder::new(Opcode::If, Location::Unknown).operand(condition).region(side).build(module).0;
        append_op(module, block, op);
    }

    /// Two branches, each with a view of the sum before them and one of its own difference; a product stands before the branches.
    #[test]
    fn arrays_stand_where_their_parts_are_known() {
        use Opcode::{AddI, If, MakePartitionView, MakeTensorView, MulI, Return, SubI, Yield};
        let mut module = Module::new("test");
        let (region, body, arguments) = build_single_block_region(&mut module, &[number_type()]);
        let a = arguments[0];
        let sum = append(&mut module, body, AddI, &[a, a], Some(number_type()))[0];
        append(&mut module, body, MulI, &[a, a], Some(number_type()));
        let mut sides = Vec::new();
        for _ in 0..2 {
            let (side, block, _) = build_single_block_region(&mut module, &[]);
            let difference = append(&mut module, block, SubI, &[a, sum], Some(number_type()))[0];
            for part in [sum, difference, difference] {
                let view = append(&mut module, block, MakeTensorView, &[part], Some(array()))[0];
                append(&mut module, block, MakePartitionView, &[view], Some(array()));
            }
            append(&mut module, block, Yield, &[], None);
            branch(&mut module, body, a, side);
            sides.push(block);
        }
        append(&mut module, body, Return, &[], None);
        let entry = OpBuilder::new(Opcode::Entry, Location::Unknown).region(region).build(&mut module).0;
        module.functions.push(entry);

        make_arrays_once(&mut module);

        assert_eq!(opcodes(&module, body), [AddI, MakeTensorView, MulI, If, If, Return]);
        let of_sum = results(&module)[&module.block(body).ops[1]][0];
        for side in sides {
            let views = [MakePartitionView, MakePartitionView, MakePartitionView];
            assert_eq!(opcodes(&module, side), [&[SubI, MakeTensorView], &views[..], &[Yield]].concat());
            let read: Vec<Value> = (2..5).map(|index| module.op(module.block(side).ops[index]).operands[0]).collect();
            assert_eq!(read[0], of_sum);
            assert_eq!(read[1], read[2]);
            assert_ne!(read[1], of_sum);
        }
        module.verify_dominance().unwrap();
    }
}
