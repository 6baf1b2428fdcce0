//! Arrays that a launch does not read may be of another rank than the entry's text gives them.
//!
//! Hosts pass any array where a kernel will not look at it. The text must give it some rank; what a launch takes up in the
//! argument list is decided by the array that is passed, as in cuTile Python, and so the entry's arguments are made for that
//! one once nothing reads them any more.

use std::collections::HashMap;

use cutile_ir::bytecode::Opcode;
use cutile_ir::ir::{Attribute, BlockId, Module, OpId, Type, Value, ValueProducer};

use super::failure::{Failure, Kind};
use super::walk::{entry, number_type, results, uses};

/// An entry's array parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    pub name: String,
    /// Its rank in the entry's text.
    pub rank: usize,
    /// The extents of the array that is passed, -1 where they are dynamic.
    pub extents: Vec<i32>,
}

impl Parameter {
    /// Whether the launch passes an array of the rank that the text says.
    pub fn as_written(&self) -> bool {
        self.rank == self.extents.len()
    }

    /// How many arguments an array of a rank takes up: its address, its extents, its strides.
    pub const fn arguments(rank: usize) -> usize {
        1 + 2 * rank
    }
}

/// An entry's parameters in order; None for what takes up one argument.
pub type Parameters = Vec<Option<Parameter>>;

/// The entry, its body, and the first argument of each parameter. Fails where the parameters are not the entry's.
pub fn checked_entry(module: &Module, parameters: &Parameters) -> Result<(OpId, BlockId, Vec<usize>), Failure> {
    let odd = |what: &str| Failure::new(Kind::Compile, what);
    let (entry, body) = entry(module).ok_or_else(|| odd("the module has no entry"))?;
    let mut firsts = Vec::new();
    let mut next = 0;
    for parameter in parameters {
        firsts.push(next);
        next += parameter.as_ref().map_or(1, |array| Parameter::arguments(array.rank));
    }
    if next == module.block(body).args.len() {
        Ok((entry, body, firsts))
    } else {
        Err(odd("the entry's arguments are not those of its parameters"))
    }
}

/// Gives arrays of another rank than the text says the arguments of their own. Fails where one of them is read.
pub fn settle(module: &mut Module, parameters: &Parameters) -> Result<(), Failure> {
    if parameters.iter().flatten().all(Parameter::as_written) {
        return Ok(());
    }
    let (entry, body, firsts) = checked_entry(module, parameters)?;
    let used = without_idle(module, body);
    for (parameter, first) in parameters.iter().zip(firsts).rev() {
        let Some(array) = parameter.as_ref().filter(|array| !array.as_written()) else { continue };
        let old = first..first + Parameter::arguments(array.rank);
        if module.block(body).args[old.clone()].iter().any(|(value, _)| used.contains_key(value)) {
            return Err(Failure::new(Kind::Compile, "an array of another rank than the entry's is read"));
        }
        let sizes = first + 1..first + Parameter::arguments(array.extents.len());
        let made: Vec<(Value, Type)> = sizes
            .map(|place| {
                let producer = ValueProducer::BlockArg { block: body, arg_index: place as u32 };
                (module.alloc_value(number_type(), producer), number_type())
            })
            .collect();
        module.block_mut(body).args.splice(old.start + 1..old.end, made);
    }
    let kinds: Vec<Type> = module.block(body).args.iter().map(|(_, kind)| kind.clone()).collect();
    for (_, attribute) in &mut module.op_mut(entry).attributes {
        if let Attribute::Type(Type::Func(function)) = attribute {
            function.inputs.clone_from(&kinds);
        }
    }
    Ok(())
}

/// Takes away what an entry says of arguments that nothing else reads, and the views of them; what is still read.
fn without_idle(module: &mut Module, body: BlockId) -> HashMap<Value, usize> {
    let made = results(module);
    loop {
        let used = uses(module);
        let idle = |module: &Module, op: &OpId| {
            matches!(module.op(*op).opcode, Opcode::Assume | Opcode::MakeTensorView)
                && !made.get(op).into_iter().flatten().any(|value| used.contains_key(value))
        };
        let ops = module.block(body).ops.clone();
        let kept: Vec<OpId> = ops.iter().copied().filter(|op| !idle(module, op)).collect();
        if kept.len() == ops.len() {
            return used;
        }
        module.block_mut(body).ops = kept;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cutile_ir::OpBuilder;
    use cutile_ir::builder::{append_op, build_single_block_region};
    use cutile_ir::ir::{Attribute, FuncType, Location};

    fn array(rank: usize, extents: Vec<i32>) -> Option<Parameter> {
        Some(Parameter { name: String::new(), rank, extents })
    }

    /// An entry of an array of one dimension and a number, of which it reads the arguments named.
    fn entry(read: &[usize]) -> (Module, BlockId, OpId) {
        let mut module = Module::new("test");
        let kinds = vec![number_type(); 4];
        let (region, body, arguments) = build_single_block_region(&mut module, &kinds);
        let assume = OpBuilder::new(Opcode::Assume, Location::Unknown).operand(arguments[1]).result(number_type());
        let (said, _) = assume.build(&mut module);
        append_op(&mut module, body, said);
        let operands: Vec<Value> = read.iter().map(|place| arguments[*place]).collect();
        let (last, _) = OpBuilder::new(Opcode::Return, Location::Unknown).operands(operands).build(&mut module);
        append_op(&mut module, body, last);
        let kind = Attribute::Type(Type::Func(FuncType { inputs: kinds, results: Vec::new() }));
        let (made, _) =
            OpBuilder::new(Opcode::Entry, Location::Unknown).attr("function_type", kind).region(region).build(&mut module);
        module.functions.push(made);
        (module, body, made)
    }

    #[test]
    fn an_idle_array_takes_up_what_is_passed() {
        for rank in [0, 2, 5] {
            let (mut module, body, made) = entry(&[3]);
            let number = module.block(body).args[3].0;
            settle(&mut module, &vec![array(1, vec![-1; rank]), None]).unwrap();
            let arguments = &module.block(body).args;
            assert_eq!((arguments.len(), arguments.last().unwrap().0), (2 + 2 * rank, number));
            let Attribute::Type(Type::Func(kind)) = &module.op(made).attributes[0].1 else { panic!("no type") };
            assert_eq!(kind.inputs.len(), 2 + 2 * rank);
            assert_eq!(module.block(body).ops.len(), 1, "what was said of an extent is gone");
        }
    }

    #[test]
    fn an_array_that_is_read_has_its_rank() {
        let (mut module, body, _) = entry(&[2, 3]);
        let failure = settle(&mut module, &vec![array(1, vec![-1, -1]), None]).unwrap_err();
        assert_eq!(failure.message, "an array of another rank than the entry's is read");
        assert!(settle(&mut module, &vec![array(1, vec![-1]), None]).is_ok());
        assert_eq!(module.block(body).args.len(), 4);
    }
}
