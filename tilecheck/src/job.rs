//! One compilation: text in, Tile IR out.

use std::thread;

use cutile::compile_api::KernelCompiler;
use cutile::cutile_compiler::hints::CompileOptions;
use cutile::cutile_compiler::specialization::{DivHint, SpecializationBits};
use cutile_ir::bytecode::BytecodeVersion;

use crate::failure::{Failure, Kind, catching};
use crate::slots;
use crate::source::Parsed;

/// The compiler recurses deeply: 256 MB, of which only the pages touched are ever backed.
const STACK_BYTES: usize = 256 << 20;

/// Everything that decides the outcome.
pub struct Request {
    pub source: String,
    pub module: String,
    pub entry: String,
    pub generics: Vec<String>,
    pub strides: Vec<(String, Vec<i32>)>,
    pub spec_args: Vec<(String, SpecializationBits)>,
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

/// Compiles on a thread of its own: the stack is large, and spans are kept a thread.
pub fn compile(request: Request) -> Result<Output, Failure> {
    let run = || {
        thread::Builder::new()
            .name("tilecheck".to_owned())
            .stack_size(STACK_BYTES)
            .spawn(move || catching(|| compile_here(&request)))
    };
    match run() {
        Ok(worker) => worker
            .join()
            .unwrap_or_else(|_| Err(Failure::new(Kind::Panic, "the compile thread died"))),
        Err(error) => Err(Failure::new(
            Kind::Panic,
            format!("no thread to compile on: {error}"),
        )),
    }
}

fn compile_here(request: &Request) -> Result<Output, Failure> {
    if request.support.len() > slots::PATHS.len() {
        let most = slots::PATHS.len();
        let message = format!("at most {most} support modules can be given as text");
        return Err(Failure::new(Kind::Parse, message));
    }
    let stand_ins: Vec<(String, String)> = request
        .support
        .iter()
        .zip(slots::PATHS)
        .map(|((path, _), slot)| (path.clone(), (*slot).to_owned()))
        .collect();
    let mut modules = Vec::new();
    for ((path, text), slot) in request.support.iter().zip(slots::PATHS) {
        let mut parsed = Parsed::new(path, text)?;
        parsed.redirect(&stand_ins);
        modules.push(parsed.into_module(slot));
    }
    slots::fill(modules);

    let mut kernel = Parsed::new(&request.module, &request.source)?;
    kernel.redirect(&stand_ins);
    let kernel = kernel.into_module(&request.module);

    let artifacts = KernelCompiler::new(|| kernel.clone(), &request.module, &request.entry)
        .generics(request.generics.clone())
        .strides(&borrowed(&request.strides, Vec::as_slice))
        .spec_args(&borrowed(&request.spec_args, SpecializationBits::clone))
        .scalar_hints(&borrowed(&request.scalar_hints, |hint| *hint))
        .options(request.options.clone())
        .target(&request.target)
        .bytecode_version(request.bytecode_version)
        .compile()
        .map_err(|error| Failure::from_jit(Kind::Compile, &error))?;
    let bytecode = artifacts
        .bytecode()
        .map_err(|error| Failure::from_jit(Kind::Bytecode, &error))?;
    Ok(Output {
        ir_text: artifacts.ir_text(),
        bytecode,
    })
}

fn borrowed<'a, T, U>(pairs: &'a [(String, T)], view: impl Fn(&'a T) -> U) -> Vec<(&'a str, U)> {
    pairs
        .iter()
        .map(|(name, value)| (name.as_str(), view(value)))
        .collect()
}
