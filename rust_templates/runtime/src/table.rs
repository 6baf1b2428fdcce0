//! A kernel's dispatch table: which entry serves which launch, and what its generics are then.
//!
//! The same table, and the same choice, as `cutile2rs/ir/dispatch.py` makes from `manifest.json`. Here it is one line of
//! JSON a kernel, in which an expression that occurs often stands once: `nodes` holds expressions, children first, and
//! all else refers to them by index.

use std::cell::RefCell;
use std::collections::HashMap;

use serde_json::Value as Json;

use crate::codes::{Code, Failure, Result, fail};
use crate::dtype::DType;
use crate::functions::{self, Function};
use crate::value::{Eval, NoValue, Value};

/// What a parameter is taken for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// An array, of this rank where only one is possible.
    Array(Option<usize>),
    /// A list of arrays, of this rank where only one is possible.
    List(Option<usize>),
    /// A number that travels to the device.
    Scalar,
    /// A number known when compiling.
    Constant,
    /// Annotated as what no entry is made for (64-bit numbers, say).
    Annotated,
    /// Never read: a number or an array, as the entries say.
    Either,
}

/// One parameter of the Python kernel.
#[derive(Debug, Clone)]
pub struct Param {
    pub name: String,
    pub kind: Kind,
    /// The kind that a constant is declared with: int, float, bool, str, or any.
    pub declared: String,
}

enum Node {
    Known(Value),
    Param(String),
    Call(Function, Vec<usize>),
    /// The second where the first holds, else the third; only the one that is asked for needs a value.
    Where(usize, usize, usize),
}

/// One entry: a Rust function under some conditions.
struct Entry {
    name: String,
    params: Vec<String>,
    /// Alternatives, each a conjunction.
    predicates: Vec<Vec<usize>>,
    generics: Vec<(String, usize)>,
}

struct Refused {
    predicate: Vec<usize>,
    reason: String,
}

/// A kernel's own options: numbers, by target where there is a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Hint {
    One(Option<i32>),
    ByTarget(Vec<(String, Option<i32>)>),
}

impl Hint {
    /// The value for one target: its own, else the default.
    pub fn for_target(&self, target: &str) -> Option<i32> {
        match self {
            Self::One(value) => *value,
            Self::ByTarget(table) => {
                let find = |name: &str| table.iter().find(|(key, _)| key == name).map(|(_, value)| *value);
                find(target).or_else(|| find("default")).flatten()
            }
        }
    }
}

/// A kernel's table.
pub struct Table {
    pub kernel: String,
    pub params: Vec<Param>,
    pub hints: Vec<(String, Hint)>,
    /// Options whose values only the running Python host knows.
    pub unknown_hints: Vec<String>,
    nodes: Vec<Node>,
    entries: Vec<Entry>,
    refused: Vec<Refused>,
}

/// What a launch binds: constants by name, `dtype(x)`, `form(x)`, `stride(x,k)`, ...
pub type Bindings = HashMap<String, Value>;

/// The chosen entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    pub entry: String,
    /// The Rust parameters, in order: Python's without the constants.
    pub params: Vec<String>,
    /// Generics as cuTile Rust's compiler takes them.
    pub generics: Vec<String>,
}

impl Table {
    /// Reads one line of a `table.jsonl`.
    pub fn parse(line: &str) -> Result<Self> {
        serde_json::from_str(line)
            .ok()
            .and_then(|json: Json| read(&json))
            .ok_or_else(|| Failure::new(Code::Panic, "the dispatch table is damaged: convert the kernels again"))
    }

    /// The one entry that serves these bindings.
    pub fn choose(&self, bindings: &Bindings) -> Result<Choice> {
        self.check_constants(bindings)?;
        let run = Run { table: self, bindings, known: RefCell::new(vec![None; self.nodes.len()]) };
        let mut serving = self.entries.iter().filter(|entry| entry.predicates.iter().any(|p| run.holds(p)));
        let Some(entry) = serving.next() else {
            let refused = self.refused.iter().find(|refused| run.holds(&refused.predicate));
            let reason = refused.map_or("no entry serves this combination of dtypes and constants", |found| &found.reason);
            return fail(Code::NoEntry, format!("{}: {reason}", self.kernel));
        };
        if serving.next().is_some() {
            return fail(Code::Panic, format!("{}: more than one entry serves this launch", self.kernel));
        }
        let generics = entry.generics.iter().map(|(name, node)| self.generic(name, run.value(*node)));
        Ok(Choice { entry: entry.name.clone(), params: entry.params.clone(), generics: generics.collect::<Result<_>>()? })
    }

    /// A constant of another type than it is declared with is none that the entries were made for.
    fn check_constants(&self, bindings: &Bindings) -> Result<()> {
        for param in self.params.iter().filter(|param| param.kind == Kind::Constant && param.declared != "any") {
            match bindings.get(&param.name) {
                Some(value) if value.kind() != param.declared => {
                    let text = format!(
                        "{}: `{}` is declared Constant[{}], but {value:?} is passed: no entry serves that",
                        self.kernel, param.name, param.declared
                    );
                    return fail(Code::NoEntry, text);
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn generic(&self, name: &str, value: Eval) -> Result<String> {
        let number = match value {
            Ok(Value::DType(d)) => return Ok(d.rust().to_owned()),
            Ok(Value::Float(x)) => Some(x.trunc() as i128),
            Ok(other) => other.int().ok(),
            Err(NoValue) => None,
        };
        match number.map(i32::try_from) {
            Some(Ok(number)) => Ok(number.to_string()),
            Some(Err(_)) => fail(Code::NoEntry, format!("{}: {name} does not fit 32 bits", self.kernel)),
            None => fail(Code::NoEntry, format!("{}: {name} has no value", self.kernel)),
        }
    }
}

/// One evaluation: each expression at most once.
struct Run<'a> {
    table: &'a Table,
    bindings: &'a Bindings,
    known: RefCell<Vec<Option<Eval>>>,
}

impl Run<'_> {
    fn holds(&self, predicate: &[usize]) -> bool {
        predicate.iter().all(|node| self.value(*node).is_ok_and(|value| value.truth()))
    }

    fn value(&self, index: usize) -> Eval {
        if let Some(known) = &self.known.borrow()[index] {
            return known.clone();
        }
        let found = match &self.table.nodes[index] {
            Node::Known(value) => Ok(value.clone()),
            Node::Param(name) => self.bindings.get(name).cloned().ok_or(NoValue),
            Node::Call(function, arguments) => self.call(*function, arguments),
            Node::Where(condition, value, default) => {
                self.value(*condition).and_then(|holds| self.value(if holds.truth() { *value } else { *default }))
            }
        };
        self.known.borrow_mut()[index] = Some(found.clone());
        found
    }

    fn call(&self, function: Function, arguments: &[usize]) -> Eval {
        let values: Vec<Value> = arguments.iter().map(|argument| self.value(*argument)).collect::<Eval<_>>()?;
        function(&values.iter().collect::<Vec<_>>())
    }
}

fn read(json: &Json) -> Option<Table> {
    let mut nodes = Vec::new();
    for node in json["nodes"].as_array()? {
        nodes.push(read_node(node, nodes.len())?);
    }
    let reasons: Vec<String> = list(&json["reasons"], text)?;
    let known = nodes.len();
    let predicate = |json: &Json| list(json, |index| index_below(index, known));
    Some(Table {
        kernel: text(&json["kernel"])?,
        params: list(&json["params"], read_param)?,
        hints: json["hints"].as_object()?.iter().map(|(k, v)| Some((k.clone(), read_hint(v)?))).collect::<Option<_>>()?,
        unknown_hints: list(&json["unknown_hints"], text)?,
        entries: list(&json["entries"], |entry| {
            Some(Entry {
                name: text(&entry[0])?,
                params: list(&entry[1], text)?,
                predicates: list(&entry[2], predicate)?,
                generics: list(&entry[3], |generic| Some((text(&generic[0])?, index_below(&generic[1], known)?)))?,
            })
        })?,
        refused: list(&json["refused"], |refused| {
            let reason = reasons.get(index_below(&refused[1], reasons.len())?)?.clone();
            Some(Refused { predicate: predicate(&refused[0])?, reason })
        })?,
        nodes,
    })
}

fn list<T>(json: &Json, item: impl Fn(&Json) -> Option<T>) -> Option<Vec<T>> {
    json.as_array()?.iter().map(item).collect()
}

fn text(json: &Json) -> Option<String> {
    json.as_str().map(str::to_owned)
}

fn index_below(json: &Json, limit: usize) -> Option<usize> {
    json.as_u64().and_then(|index| usize::try_from(index).ok()).filter(|index| *index < limit)
}

fn read_param(json: &Json) -> Option<Param> {
    let rank = json[2].as_u64().and_then(|rank| usize::try_from(rank).ok());
    let kind = match json[1].as_str()? {
        "array" => Kind::Array(rank),
        "list" => Kind::List(rank),
        "scalar" => Kind::Scalar,
        "constant" => Kind::Constant,
        "annotated" => Kind::Annotated,
        "either" => Kind::Either,
        _ => return None,
    };
    Some(Param { name: text(&json[0])?, kind, declared: json[2].as_str().unwrap_or("any").to_owned() })
}

fn read_hint(json: &Json) -> Option<Hint> {
    let number = |json: &Json| match json {
        Json::Null => Some(None),
        other => Some(Some(i32::try_from(other.as_i64()?).ok()?)),
    };
    match json {
        Json::Object(table) => {
            let rows = table.iter().map(|(target, value)| Some((target.clone(), number(value)?)));
            Some(Hint::ByTarget(rows.collect::<Option<_>>()?))
        }
        other => Some(Hint::One(number(other)?)),
    }
}

fn read_node(json: &Json, index: usize) -> Option<Node> {
    Some(Node::Known(match json {
        Json::Null => Value::None,
        Json::Bool(truth) => Value::Bool(*truth),
        Json::Number(number) => Value::Int(i128::from(number.as_i64()?)),
        Json::String(text) => Value::Str(text.as_str().into()),
        Json::Array(call) => {
            let arguments: Vec<usize> = call.get(1..)?.iter().map(|a| index_below(a, index)).collect::<Option<_>>()?;
            if let ("where", [condition, value, default]) = (call[0].as_str()?, arguments.as_slice()) {
                return Some(Node::Where(*condition, *value, *default));
            }
            let (arity, function) = functions::find(call[0].as_str()?)?;
            return (arguments.len() == arity).then_some(Node::Call(function, arguments));
        }
        Json::Object(tagged) => {
            let (tag, value) = tagged.iter().next()?;
            let value = value.as_str()?;
            match tag.as_str() {
                "p" => return Some(Node::Param(value.to_owned())),
                "d" => Value::DType(DType::from_name(value)?),
                "f" => Value::Float(value.parse().ok()?),
                "i" => Value::Int(value.parse().ok()?),
                _ => return None,
            }
        }
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = r#"{"kernel":"k","params":[["x","array",1],["N","constant","int"]],"hints":{"occupancy":{"sm_90":2,
        "default":null}},"unknown_hints":[],"nodes":[{"p":"N"},4,["mod",0,1],0,["eq",2,3],["ne",2,3],{"p":"dtype(x)"},
        ["is_float",6],["floordiv",0,1]],"entries":[["even",["x"],[[4,7]],[["E",6],["Q",8]]],["odd",["x"],[[5]],[]]],
        "reasons":["only floats"],"refused":[[[4],0]]}"#;

    fn choose(n: Value, d: DType) -> Result<Choice> {
        let bindings = Bindings::from([("N".to_owned(), n), ("dtype(x)".to_owned(), Value::DType(d))]);
        Table::parse(LINE)?.choose(&bindings)
    }

    #[test]
    fn the_predicate_decides() {
        let even = choose(Value::Int(8), DType::F16).unwrap();
        assert_eq!((even.entry.as_str(), even.generics), ("even", vec!["f16".to_owned(), "2".to_owned()]));
        assert_eq!(choose(Value::Int(9), DType::I32).unwrap().entry, "odd");
        let refused = choose(Value::Int(8), DType::I32).unwrap_err();
        assert_eq!((refused.code, refused.text.as_str()), (Code::NoEntry, "k: only floats"));
        assert_eq!(choose(Value::Float(8.0), DType::F16).unwrap_err().code, Code::NoEntry);
        assert_eq!(choose(Value::Int(1 << 40), DType::F16).unwrap_err().text, "k: Q does not fit 32 bits");
    }

    #[test]
    fn damaged_tables_are_refused() {
        for damaged in ["", "{}", &LINE.replace("\"mod\"", "\"what\""), &LINE.replace("[\"mod\",0,1]", "[\"mod\",0,7]")] {
            assert_eq!(Table::parse(damaged).err().map(|failure| failure.code), Some(Code::Panic));
        }
    }

    #[test]
    fn hints_go_by_target() {
        let (_, hint) = &Table::parse(LINE).unwrap().hints[0];
        assert_eq!((hint.for_target("sm_90"), hint.for_target("sm_100")), (Some(2), None));
    }
}
