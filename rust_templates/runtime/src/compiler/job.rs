//! One compilation: text in, Tile IR out.

use std::thread;

use cutile::compile_api::KernelCompiler;
use cutile::cutile_compiler::cuda_tile_runtime_utils::serialize_tile_ir_bytecode_for_version;
use cutile::cutile_compiler::hints::CompileOptions;
use cutile::cutile_compiler::specialization::{DivHint, SpecializationBits};
use cutile_ir::bytecode::BytecodeVersion;

use super::arrays::make_arrays_once;
use super::branches::drop_idle_results;
use super::extents;
use super::failure::{Failure, Kind, catching};
use super::fold::fold_bitcasts;
use super::hoist::hoist_invariants;
use super::numbers::read_plainly;
use super::signature;
use super::source::Parsed;
use super::tokens::join_late;
use super::{slots, spelled};

/// The compiler recurses deeply: 256 MB, of which only the pages touched are ever backed.
const STACK_BYTES: usize = 256 << 20;

/// Everything that decides the outcome.
pub struct Job {
    pub source: String,
    pub module: String,
    pub entry: String,
    pub generics: Vec<String>,
    pub strides: Vec<(String, Vec<i32>)>,
    pub spec_args: Vec<(String, SpecializationBits)>,
    /// The extents of arrays, -1 where they are dynamic.
    pub extents: Vec<(String, Vec<i32>)>,
    pub scalar_hints: Vec<(String, DivHint)>,
    pub options: CompileOptions,
    pub target: String,
    pub bytecode_version: BytecodeVersion,
    /// Module path and text of the modules that the kernel uses beside `cutile::core`.
    pub support: Vec<(String, String)>,
}

/// What a compilation makes.
#[derive(Debug)]
pub struct Output {
    pub ir_text: String,
    pub bytecode: Vec<u8>,
}

/// A divisor as the compiler wants it. `max` is only read where hints are inferred from values.
pub fn divisor(divisor: i32) -> DivHint {
    DivHint { divisor, max: divisor.max(16) }
}

/// Compiles on a thread of its own: the stack is large, and spans are kept a thread.
pub fn compile(job: Job) -> Result<Output, Failure> {
    let run = || {
        thread::Builder::new()
            .name("cutile2rs-compile".to_owned())
            .stack_size(STACK_BYTES)
            .spawn(move || catching(|| compile_here(&job)))
    };
    match run() {
        Ok(worker) => worker.join().unwrap_or_else(|_| Err(Failure::new(Kind::Panic, "the compile thread died"))),
        Err(error) => Err(Failure::new(Kind::Panic, format!("no thread to compile on: {error}"))),
    }
}

fn compile_here(job: &Job) -> Result<Output, Failure> {
    if job.support.len() > slots::PATHS.len() {
        let most = slots::PATHS.len();
        let message = format!("at most {most} support modules can be given as text");
        return Err(Failure::new(Kind::Parse, message));
    }
    let paths = job.support.iter().zip(slots::PATHS);
    let stand_ins: Vec<(String, String)> = paths.map(|((path, _), slot)| (path.clone(), (*slot).to_owned())).collect();
    let mut modules = Vec::new();
    for ((path, text), slot) in job.support.iter().zip(slots::PATHS) {
        let mut parsed = Parsed::new(path, text)?;
        parsed.redirect(&stand_ins);
        modules.push(parsed.into_module(slot));
    }
    slots::fill(modules);

    let mut kernel = Parsed::new(&job.module, &job.source)?;
    kernel.redirect(&stand_ins);
    let parameters = kernel.parameters(&job.entry, &job.extents);
    let kernel = kernel.into_module(&job.module);

    let (mut strides, mut spec_args) = (job.strides.clone(), job.spec_args.clone());
    for array in parameters.iter().flatten().filter(|array| !array.as_written()) {
        strides.iter_mut().filter(|(name, _)| *name == array.name).for_each(|(_, known)| *known = vec![-1; array.rank]);
        spec_args
            .iter_mut()
            .filter(|(name, _)| *name == array.name)
            .for_each(|(_, known)| *known = nothing_known(array.rank));
    }
    let artifacts = KernelCompiler::new(|| kernel.clone(), &job.module, &job.entry)
        .generics(job.generics.clone())
        .strides(&borrowed(&strides, Vec::as_slice))
        .spec_args(&borrowed(&spec_args, SpecializationBits::clone))
        .scalar_hints(&borrowed(&job.scalar_hints, |hint| *hint))
        .options(job.options.clone())
        .target(&job.target)
        .bytecode_version(job.bytecode_version)
        .compile()
        .map_err(|error| Failure::from_jit(Kind::Compile, &error))?;
    let mut module = artifacts.into_module();
    fold_bitcasts(&mut module);
    extents::materialize(&mut module, &parameters)?;
    spelled::join(&mut module);
    read_plainly(&mut module);
    drop_idle_results(&mut module);
    make_arrays_once(&mut module);
    join_late(&mut module);
    hoist_invariants(&mut module);
    signature::settle(&mut module, &parameters)?;
    let (bytecode, _) = serialize_tile_ir_bytecode_for_version(&module, job.bytecode_version)
        .map_err(|error| Failure::from_jit(Kind::Bytecode, &error))?;
    Ok(Output { ir_text: module.to_mlir_text(), bytecode })
}

/// What is said of an array that is not read.
fn nothing_known(rank: usize) -> SpecializationBits {
    SpecializationBits {
        shape_div: vec![divisor(1); rank],
        stride_div: vec![divisor(1); rank],
        stride_one: vec![false; rank],
        base_ptr_div: divisor(1),
        elements_disjoint: true,
    }
}

fn borrowed<'a, T, U>(pairs: &'a [(String, T)], view: impl Fn(&'a T) -> U) -> Vec<(&'a str, U)> {
    pairs.iter().map(|(name, value)| (name.as_str(), view(value))).collect()
}
