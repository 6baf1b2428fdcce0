//! From a launch's arguments to what a table is asked and the compiler is told.
//!
//! The same as `cutile2rs/verify/api.py` (`bindings_of`) and `verify/binding.py` (`bind`) make of the signature that
//! cuTile Python would compile for: what verification proved equal is what runs.

use std::fmt::Write;

use crate::argument::{Argument, Arguments, Facts};
use crate::codes::{Code, Failure, Result, fail};
use crate::desc::LaunchOptions;
use crate::dtype::DType;
use crate::special::Assumed;
use crate::table::{Bindings, Choice, Kind, Table};
use crate::value::Value;

/// One parameter of a launch, as far as compiling goes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bound {
    Array(Facts),
    List(Facts),
    Scalar(DType),
    Constant(Argument),
}

/// Sorts arguments into what the compiler is told: constants are those parameters that are declared so.
pub fn bound(table: &Table, arguments: &Arguments, facts: &[Facts]) -> Result<Vec<Bound>> {
    if arguments.list.len() != table.params.len() {
        let (wanted, given) = (table.params.len(), arguments.list.len());
        return fail(Code::ArgumentCount, format!("{} takes {wanted} arguments, {given} were given", table.kernel));
    }
    let pairs = table.params.iter().zip(&arguments.list);
    pairs
        .map(|(param, argument)| match (param.kind, *argument) {
            (Kind::Constant, Argument::Int(_) | Argument::Float(_) | Argument::Bool(_)) => Ok(Bound::Constant(*argument)),
            (Kind::Constant, _) => fail(Code::InvalidArgs, format!("`{}` is a constant, but an array is passed", param.name)),
            (Kind::Annotated, _) => {
                fail(Code::NoEntry, format!("`{}` has an annotation that entries are not made for", param.name))
            }
            (kind, given) => {
                let found = match given {
                    Argument::Array(index) => Bound::Array(facts[index]),
                    Argument::List { first, count } => Bound::List(row_facts(&param.name, &facts[first..first + count])?),
                    Argument::Int(_) => Bound::Scalar(DType::I32),
                    Argument::Float(_) => Bound::Scalar(DType::F32),
                    Argument::Bool(_) => Bound::Scalar(DType::Bool),
                };
                check_kind(&param.name, kind, &found).map(|()| found)
            }
        })
        .collect()
}

/// What holds of all arrays of a list. They must be of one dtype and rank.
pub fn row_facts(name: &str, rows: &[Facts]) -> Result<Facts> {
    let Some((first, rest)) = rows.split_first() else {
        return fail(Code::InvalidArgs, format!("`{name}` is an empty list"));
    };
    let mut all = *first;
    for row in rest {
        if row.dtype != all.dtype || row.rank != all.rank {
            return fail(Code::InvalidArgs, format!("the arrays in `{name}` vary in dtype or rank"));
        }
        all.bits &= row.bits;
    }
    Ok(all)
}

fn check_kind(name: &str, kind: Kind, given: &Bound) -> Result<()> {
    let passed = match given {
        Bound::Array(_) => "array",
        Bound::List(_) => "list",
        Bound::Scalar(_) | Bound::Constant(_) => "scalar",
    };
    let (wanted, rank) = match kind {
        Kind::Array(rank) => ("array", rank),
        Kind::List(rank) => ("list", rank),
        Kind::Scalar => ("scalar", None),
        Kind::Constant | Kind::Annotated | Kind::Either => return Ok(()),
    };
    if passed != wanted {
        let message = format!("`{name}` is of kind {wanted} in the kernel, but of kind {passed} as passed");
        return fail(Code::InvalidArgs, message);
    }
    match (rank, given) {
        (Some(rank), Bound::Array(facts) | Bound::List(facts)) if facts.rank != rank => {
            fail(Code::WrongRank, format!("`{name}` has {} dimensions, the kernel uses {rank}", facts.rank))
        }
        _ => Ok(()),
    }
}

/// The entry for these arguments, and its generics.
pub fn choice(table: &Table, bound: &[Bound]) -> Result<Choice> {
    let bindings = bindings(table, bound);
    table.choose(&bindings).map_err(|failure| {
        let overlaps = bindings.iter().any(|(name, value)| name.starts_with("overlaps(") && value.truth());
        if overlaps && failure.code == Code::NoEntry { Failure::new(Code::Overlap, failure.text) } else { failure }
    })
}

/// What the entry is chosen by.
pub fn bindings(table: &Table, bound: &[Bound]) -> Bindings {
    let mut found = Bindings::new();
    for (param, given) in table.params.iter().zip(bound) {
        let name = &param.name;
        let form = match given {
            Bound::Constant(value) => {
                found.insert(name.clone(), constant(*value));
                "constant".to_owned()
            }
            Bound::Scalar(dtype) => {
                found.insert(format!("dtype({name})"), Value::DType(*dtype));
                dtype.name().to_owned()
            }
            Bound::Array(facts) | Bound::List(facts) => {
                array_bindings(&mut found, name, facts);
                let form = if matches!(given, Bound::Array(_)) { "array" } else { "list" };
                format!("{form} {}", facts.rank)
            }
        };
        found.insert(format!("form({name})"), Value::Str(form.into()));
        found.insert(format!("scalar({name})"), Value::Bool(matches!(given, Bound::Scalar(_))));
    }
    found
}

fn constant(value: Argument) -> Value {
    match value {
        Argument::Int(x) => Value::Int(i128::from(x)),
        Argument::Float(x) => Value::Float(x),
        Argument::Bool(x) => Value::Bool(x),
        Argument::Array(_) | Argument::List { .. } => Value::None,
    }
}

fn array_bindings(found: &mut Bindings, name: &str, facts: &Facts) {
    let assumed = Assumed::new(facts.bits, facts.rank, facts.dtype);
    found.insert(format!("dtype({name})"), Value::DType(facts.dtype));
    let number = |divisor: i32| Value::Int(i128::from(divisor));
    found.insert(format!("base_div({name})"), number(assumed.address));
    found.insert(format!("overlaps({name})"), Value::Bool(!assumed.disjoint));
    for k in 0..facts.rank {
        let one = assumed.stride_one[k];
        found.insert(format!("stride({name},{k})"), if one { Value::Int(1) } else { Value::None });
        found.insert(format!("extent_div({name},{k})"), number(assumed.extents[k]));
        found.insert(format!("stride_div({name},{k})"), number(if one { 1 } else { assumed.strides[k] }));
    }
}

/// The options of one launch: its own, else the kernel's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    pub occupancy: Option<i32>,
    pub num_ctas: Option<i32>,
    pub num_worker_warps: Option<i32>,
    pub opt_level: i32,
}

/// Checks and completes a launch's options. -1 leaves the kernel's own, 0 means none (automatic).
pub fn options(table: &Table, given: &LaunchOptions, target: &str) -> Result<Options> {
    let own = |name: &str| table.hints.iter().find(|(key, _)| key == name).and_then(|(_, hint)| hint.for_target(target));
    let take = |name: &str, value: i32| -> Result<Option<i32>> {
        if value == -1 && table.unknown_hints.iter().any(|unknown| unknown == name) {
            let text = format!("{}: the option {name} is known only to the Python host: pass it", table.kernel);
            return fail(Code::InvalidArgs, text);
        }
        Ok(match value {
            -1 => own(name),
            0 => None,
            other => Some(other),
        })
    };
    let power = |most: i32| move |value: i32| value.count_ones() == 1 && (1..=most).contains(&value);
    let found = Options {
        occupancy: take("occupancy", given.occupancy)?,
        num_ctas: take("num_ctas", given.num_ctas)?,
        num_worker_warps: take("num_worker_warps", given.num_worker_warps)?,
        opt_level: if given.opt_level == -1 { own("opt_level").unwrap_or(3) } else { given.opt_level },
    };
    check_option("occupancy", found.occupancy, |value| (1..=32).contains(&value))?;
    check_option("num_ctas", found.num_ctas, power(16))?;
    check_option("num_worker_warps", found.num_worker_warps, power(32))?;
    check_option("opt_level", Some(found.opt_level), |value| (0..=3).contains(&value))?;
    Ok(Options { num_ctas: found.num_ctas.filter(|_| has_clusters(target)), ..found })
}

/// Whether a target has clusters of blocks. Before sm_90 the assembler ignores `num_ctas`, and the compiler refuses more than 1.
fn has_clusters(target: &str) -> bool {
    let number: String = target.chars().filter(char::is_ascii_digit).collect();
    number.parse().is_ok_and(|number: u32| number >= 90)
}

fn check_option(name: &str, value: Option<i32>, good: impl Fn(i32) -> bool) -> Result<()> {
    match value {
        Some(value) if !good(value) => fail(Code::InvalidArgs, format!("the option {name} cannot be {value}")),
        _ => Ok(()),
    }
}

/// What cuTile Rust is told of one array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArraySpec {
    pub name: String,
    /// Constant strides; -1 where one is known at launch.
    pub strides: Vec<i32>,
    /// Constant extents; -1 where one is known at launch.
    pub extents: Vec<i32>,
    pub extent_div: Vec<i32>,
    /// Of the dynamic strides, closed up: the compiler looks the n-th dynamic stride's divisor up at index n.
    pub stride_div: Vec<i32>,
    pub address_div: i32,
}

/// Everything that decides the machine code, for one target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    pub module: String,
    pub entry: String,
    pub generics: Vec<String>,
    pub arrays: Vec<ArraySpec>,
    pub options: Options,
    pub target: String,
}

/// The request for an entry. Nothing is told of lists' tables: their rows' divisors are generics of the entry.
pub fn request(module: &str, choice: Choice, bound: &[Bound], options: Options, target: &str) -> Result<Request> {
    let slots: Vec<&Bound> = bound.iter().filter(|given| !matches!(given, Bound::Constant(_))).collect();
    if slots.len() != choice.params.len() {
        return fail(Code::Panic, format!("{}: parameters and arguments differ in number", choice.entry));
    }
    let pairs = choice.params.into_iter().zip(slots);
    let arrays = pairs.filter_map(|(name, given)| match given {
        Bound::Array(facts) => Some(spec(name, facts)),
        _ => None,
    });
    Ok(Request {
        module: module.to_owned(),
        entry: choice.entry,
        generics: choice.generics,
        arrays: arrays.collect(),
        options,
        target: target.to_owned(),
    })
}

/// What is told of one array.
pub fn spec(name: String, facts: &Facts) -> ArraySpec {
    let assumed = Assumed::new(facts.bits, facts.rank, facts.dtype);
    let dynamic = (0..facts.rank).filter(|k| !assumed.stride_one[*k]).map(|k| assumed.strides[k]);
    let mut stride_div: Vec<i32> = dynamic.collect();
    stride_div.resize(facts.rank, 1);
    ArraySpec {
        name,
        strides: assumed.stride_one.iter().map(|one| if *one { 1 } else { -1 }).collect(),
        extents: assumed.constant_extents,
        extent_div: assumed.extents,
        stride_div,
        address_div: assumed.address,
    }
}

impl Request {
    /// The request as one line of text: the key of a prebuilt cubin. `cutile2rs/prebuild.py` writes the same.
    pub fn key(&self) -> String {
        let mut key = format!("{}::{}<{}>", self.module, self.entry, self.generics.join(","));
        for array in &self.arrays {
            let ArraySpec { name, strides, extents, extent_div, stride_div, address_div } = array;
            let columns = [strides, extents, extent_div, stride_div].map(|list| numbers(list)).join("/");
            let _ = write!(key, " {name}:{columns}/{address_div}");
        }
        let Options { occupancy, num_ctas, num_worker_warps, opt_level } = self.options;
        for (name, value) in [("occupancy", occupancy), ("num_ctas", num_ctas), ("num_worker_warps", num_worker_warps)] {
            if let Some(value) = value {
                let _ = write!(key, " {name}={value}");
            }
        }
        let _ = write!(key, " {} O{opt_level}", self.target);
        key
    }
}

fn numbers(list: &[i32]) -> String {
    list.iter().map(i32::to_string).collect::<Vec<_>>().join(",")
}
