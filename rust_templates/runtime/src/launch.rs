//! One launch, from checked arguments to the driver.
//!
//! A launch whose key is known costs one hash, one look-up and one driver call. The key says everything that decides the
//! machine code: the kernel, dtypes, ranks, what may be assumed of addresses and sizes, constants, options, device.

use std::cell::RefCell;
use std::ffi::{CString, c_void};
use std::sync::{Mutex, PoisonError};

use crate::argument::{Argument, Arguments, Facts, facts};
use crate::bind::{self, Request};
use crate::cache;
use crate::codes::{Code, Failure, Result, fail};
use crate::compiler::{self, SupportModule};
use crate::desc::LaunchOptions;
use crate::driver::{self, Device, Driver, Function};
use crate::kernel::{Kernel, Module};
use crate::lists;
use crate::store;
use crate::table::{Kind, Table};
use crate::tileiras;

use cutile::cutile_compiler::hints::CompileOptions;
use cutile::cutile_compiler::specialization::SpecializationBits;
use cutile_ir::bytecode::BytecodeVersion;

/// The most blocks along a dimension of the grid: cuTile counts them in 24 bits.
pub const MOST_BLOCKS: i64 = (1 << 24) - 1;

/// Room that launches of one thread use again and again.
#[derive(Default)]
struct Scratch {
    facts: Vec<Facts>,
    key: Vec<u64>,
    words: Vec<u64>,
    /// Rows of the arrays in lists, and where in the words each list's address goes: word and place in the table.
    table: Vec<i64>,
    addresses: Vec<(usize, usize)>,
    parameters: Vec<*mut c_void>,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// Where a launch goes.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// The device, as CUDA counts them.
    pub device: i32,
    /// The driver's handle of a stream of it; 0 is the default stream.
    pub stream: u64,
}

/// Launches a kernel. Nothing is waited for.
///
/// # Safety
/// Arrays must be there, as large as they say, until the launch has run, and must not overlap each other in ways that the
/// Python kernel would not be launched with either.
pub unsafe fn launch(
    kernel: &'static Kernel,
    arguments: &Arguments,
    grid: [i64; 3],
    options: &LaunchOptions,
    target: Target,
) -> Result<()> {
    let grid = check_grid(grid)?;
    with_scratch(|scratch| {
        let table = scratch.read(kernel, arguments, options, target.device)?;
        let (function, driver, device) = scratch.function(kernel, table, arguments, options, target.device)?;
        // SAFETY: as promised by the caller; parameters are packed as the entry declares them.
        driver.within(device, || unsafe { scratch.submit(driver, function, table, arguments, grid, target.stream) })
    })
}

/// As [`launch`], if what it needs is compiled already; else answers false, and does nothing.
///
/// # Safety
/// As [`launch`].
pub unsafe fn launch_known(
    kernel: &'static Kernel,
    arguments: &Arguments,
    grid: [i64; 3],
    options: &LaunchOptions,
    target: Target,
) -> Result<bool> {
    let grid = check_grid(grid)?;
    with_scratch(|scratch| {
        let table = scratch.read(kernel, arguments, options, target.device)?;
        let Some(function) = cache::get(&scratch.key) else { return Ok(false) };
        let (driver, device) = (driver::driver()?, driver::device(target.device)?);
        driver.within(device, || {
            // SAFETY: as promised by the caller; parameters are packed as the entry declares them.
            unsafe { scratch.submit(driver, function, table, arguments, grid, target.stream) }.map(|()| true)
        })
    })
}

/// Compiles and loads what a launch with these arguments would, and launches nothing.
pub fn prepare(kernel: &'static Kernel, arguments: &Arguments, options: &LaunchOptions, device: i32) -> Result<()> {
    with_scratch(|scratch| {
        let table = scratch.read(kernel, arguments, options, device)?;
        scratch.function(kernel, table, arguments, options, device).map(|_| ())
    })
}

/// The request that these arguments make for a target (`sm_90`): needs no GPU.
pub fn request(kernel: &Kernel, arguments: &Arguments, options: &LaunchOptions, target: &str) -> Result<Request> {
    let table = kernel.table()?;
    let facts = arguments.arrays.iter().enumerate().map(|(i, array)| facts(i, array)).collect::<Result<Vec<_>>>()?;
    let bound = bind::bound(table, arguments, &facts)?;
    let choice = bind::choice(table, &bound)?;
    bind::request(kernel.module.rust, choice, &bound, bind::options(table, options, target)?, target)
}

fn check_grid(grid: [i64; 3]) -> Result<[u32; 3]> {
    for (dimension, blocks) in grid.into_iter().enumerate() {
        if !(1..=MOST_BLOCKS).contains(&blocks) {
            return fail(Code::BadGrid, format!("grid[{dimension}] is {blocks}, outside 1 to {MOST_BLOCKS}"));
        }
    }
    Ok(grid.map(|blocks| blocks as u32))
}

fn with_scratch<T>(work: impl FnOnce(&mut Scratch) -> Result<T>) -> Result<T> {
    // Taken out meanwhile, so that a launch from within a launch (a Python callback) finds an empty one.
    let mut scratch = SCRATCH.try_with(RefCell::take).unwrap_or_default();
    let answer = work(&mut scratch);
    let _ = SCRATCH.try_with(|home| home.replace(scratch));
    answer
}

impl Scratch {
    /// Checks the arguments and writes the key.
    fn read(
        &mut self,
        kernel: &'static Kernel,
        given: &Arguments,
        options: &LaunchOptions,
        device: i32,
    ) -> Result<&'static Table> {
        let table = kernel.table()?;
        if given.list.len() != table.params.len() {
            let (wanted, given) = (table.params.len(), given.list.len());
            return fail(Code::ArgumentCount, format!("{} takes {wanted} arguments, {given} were given", kernel.name));
        }
        self.facts.clear();
        self.key.clear();
        let pair = |high: i32, low: i32| u64::from(high as u32) << 32 | u64::from(low as u32);
        self.key.push(std::ptr::from_ref(kernel) as u64);
        self.key.push(pair(device, options.opt_level));
        self.key.push(pair(options.occupancy, options.num_ctas));
        self.key.push(pair(options.num_worker_warps, 0));
        for (position, (argument, param)) in given.list.iter().zip(&table.params).enumerate() {
            let is_constant = param.kind == Kind::Constant;
            match *argument {
                Argument::Array(index) => {
                    let found = facts(position, &given.arrays[index])?;
                    self.facts.push(found);
                    self.key.push(array_word(&found, 1));
                }
                Argument::List { first, count } => {
                    for array in &given.arrays[first..first + count] {
                        self.facts.push(facts(position, array)?);
                    }
                    let rows = bind::row_facts(&param.name, &self.facts[first..])?;
                    self.key.push(array_word(&rows, 2));
                }
                Argument::Int(value) => {
                    self.key.push(3);
                    if is_constant {
                        self.key.push(value as u64);
                    } else if i32::try_from(value).is_err() {
                        let text = format!("`{}` is {value}, which does not fit 32 bits", param.name);
                        return fail(Code::SizeOutOfRange, text);
                    }
                }
                Argument::Float(value) => {
                    self.key.push(4);
                    if is_constant {
                        self.key.push(value.to_bits());
                    }
                }
                Argument::Bool(value) => self.key.push(if is_constant { 6 + u64::from(value) } else { 5 }),
            }
        }
        Ok(table)
    }

    /// The function under the key: known, or made. The entry is chosen before a GPU is asked for.
    fn function(
        &self,
        kernel: &'static Kernel,
        table: &Table,
        given: &Arguments,
        options: &LaunchOptions,
        ordinal: i32,
    ) -> Result<(Function, &'static Driver, &'static Device)> {
        // One at a time: threads that start together mostly want the same.
        static ONE: Mutex<()> = Mutex::new(());
        let gpu = || Ok((driver::driver()?, driver::device(ordinal)?));
        if let Some(known) = cache::get(&self.key) {
            return gpu().map(|(driver, device)| (known, driver, device));
        }
        let bound = bind::bound(table, given, &self.facts)?;
        let choice = bind::choice(table, &bound)?;
        let (driver, device) = gpu()?;
        let options = bind::options(table, options, &device.target)?;
        let request = bind::request(kernel.module.rust, choice, &bound, options, &device.target)?;
        let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = cache::get(&self.key) {
            return Ok((known, driver, device));
        }
        let cubin = machine_code(kernel, &request)?;
        let name = CString::new(format!("{}_entry", request.entry))
            .map_err(|_| Failure::new(Code::Panic, "an entry's name holds a NUL"))?;
        let function = driver.within(device, || driver.load(&cubin, &name))?;
        cache::insert(&self.key, function);
        Ok((function, driver, device))
    }

    /// # Safety
    /// As [`launch`].
    unsafe fn submit(
        &mut self,
        driver: &Driver,
        function: Function,
        table: &Table,
        given: &Arguments,
        grid: [u32; 3],
        stream: u64,
    ) -> Result<()> {
        self.words.clear();
        self.table.clear();
        self.addresses.clear();
        for (argument, param) in given.list.iter().zip(&table.params) {
            if param.kind == Kind::Constant {
                continue;
            }
            match *argument {
                Argument::Array(index) => {
                    let array = &given.arrays[index];
                    let rank = self.facts[index].rank;
                    self.words.push(array.ptr);
                    self.words.extend(array.shape[..rank].iter().map(|extent| *extent as u64));
                    self.words.extend(array.strides[..rank].iter().map(|stride| *stride as u64));
                }
                Argument::List { first, count } => {
                    let rank = self.facts[first].rank;
                    let rows = given.arrays[first..first + count].iter().flat_map(|array| {
                        let sizes = array.shape[..rank].iter().chain(&array.strides[..rank]).copied();
                        std::iter::once(array.ptr as i64).chain(sizes)
                    });
                    self.addresses.push((self.words.len(), lists::add(&mut self.table, rows)));
                    self.words.extend([0, count as u64]);
                }
                Argument::Int(value) => self.words.push(value as u64),
                Argument::Float(value) => self.words.push(u64::from((value as f32).to_bits())),
                Argument::Bool(value) => self.words.push(u64::from(value)),
            }
        }
        if self.table.is_empty() {
            // SAFETY: as promised by the caller.
            return unsafe { Self::run(&mut self.words, &mut self.parameters, driver, function, grid, stream) };
        }
        lists::with_table(driver, stream, &self.table, |address| {
            for (word, row) in &self.addresses {
                self.words[*word] = address + (row * size_of::<i64>()) as u64;
            }
            // SAFETY: as promised by the caller.
            unsafe { Self::run(&mut self.words, &mut self.parameters, driver, function, grid, stream) }
        })
    }

    /// # Safety
    /// As [`launch`]; the words must be what the function declares.
    unsafe fn run(
        words: &mut [u64],
        parameters: &mut Vec<*mut c_void>,
        driver: &Driver,
        function: Function,
        grid: [u32; 3],
        stream: u64,
    ) -> Result<()> {
        parameters.clear();
        parameters.extend(words.iter_mut().map(|word| std::ptr::from_mut(word).cast::<c_void>()));
        // SAFETY: as promised by the caller. The driver reads as many bytes of each word as the code declares, low ones first.
        unsafe { driver.launch(function, grid, stream, parameters) }
    }
}

fn array_word(facts: &Facts, tag: u64) -> u64 {
    tag | (facts.dtype as u64) << 8 | (facts.rank as u64) << 16 | u64::from(facts.bits) << 24
}

fn machine_code(kernel: &Kernel, request: &Request) -> Result<Vec<u8>> {
    let module = kernel.module;
    let line = request.key();
    if let Some(cubin) = store::prebuilt(module.rust, module.digest, &line)? {
        return Ok(cubin);
    }
    let assembler = tileiras::find()?;
    let key = store::key(&[line.as_str(), module.digest, assembler.version.as_str()]);
    if let Some(cubin) = store::kept(&key) {
        return Ok(cubin);
    }
    let bytecode = bytecode(kernel, request, assembler.bytecode)?;
    let cubin = tileiras::assemble(&assembler, &bytecode, &request.target, request.options.opt_level)?;
    store::keep(&key, &cubin);
    Ok(cubin)
}

/// An entry's text, and the helpers that it needs.
fn text(module: &Module, entry: &str) -> (String, Vec<SupportModule>) {
    let source = compiler::excerpt(module.source, entry).unwrap_or_else(|| module.source.to_owned());
    let support = compiler::used(&source, module.support);
    (source, support)
}

/// Tile IR bytecode of a request.
pub fn bytecode(kernel: &Kernel, request: &Request, version: BytecodeVersion) -> Result<Vec<u8>> {
    let (source, support) = text(kernel.module, &request.entry);
    let job = compiler::Job {
        source,
        module: kernel.module.rust.to_owned(),
        entry: request.entry.clone(),
        generics: request.generics.clone(),
        strides: request.arrays.iter().map(|array| (array.name.clone(), array.strides.clone())).collect(),
        spec_args: request.arrays.iter().map(|array| (array.name.clone(), specialization(array))).collect(),
        extents: request.arrays.iter().map(|array| (array.name.clone(), array.extents.clone())).collect(),
        scalar_hints: Vec::new(),
        options: CompileOptions {
            occupancy: request.options.occupancy,
            num_cta_in_cga: request.options.num_ctas,
            num_worker_warps_per_cta: request.options.num_worker_warps,
            ..CompileOptions::default()
        },
        target: request.target.clone(),
        bytecode_version: version,
        support: support.into_iter().map(|(path, text)| (path.to_owned(), text.to_owned())).collect(),
    };
    let made = compiler::compile(job).map_err(|failure| {
        let text = format!("{} ({}): {failure}", kernel.name, request.entry);
        Failure::new(Code::CompileFailed, text)
    });
    made.map(|output| output.bytecode)
}

fn specialization(array: &bind::ArraySpec) -> SpecializationBits {
    let divisors = |list: &[i32]| list.iter().map(|d| compiler::divisor(*d)).collect();
    SpecializationBits {
        shape_div: divisors(&array.extent_div),
        stride_div: divisors(&array.stride_div),
        stride_one: array.strides.iter().map(|stride| *stride == 1).collect(),
        base_ptr_div: compiler::divisor(array.address_div),
        elements_disjoint: true,
    }
}
