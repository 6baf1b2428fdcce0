//! From Rust text to the compiler's module tree.

use std::collections::HashSet;
use std::sync::Mutex;

use cutile::cutile_compiler::ast::syn::{
    self, Expr, FnArg, GenericArgument, Item, ItemMod, ItemUse, Pat, PathArguments, Stmt, Type, UseTree, parse_quote,
};
use cutile::cutile_compiler::ast::{Module, SpanBase};

use super::failure::{Failure, Kind};
use super::signature::{Parameter, Parameters};

/// A module parsed from text, before the compiler takes it.
pub struct Parsed {
    /// What places in it are labelled with.
    label: String,
    /// Its path in Rust: `cutile2rs_support::tile`, or just the name for a kernel module.
    path: String,
    item: ItemMod,
}

impl Parsed {
    /// Finds `mod <last segment of path>` in `text`; it may be nested in other modules.
    pub fn new(path: &str, text: &str) -> Result<Self, Failure> {
        let name = path.rsplit("::").next().unwrap_or(path);
        let file = syn::parse_file(&unbroken(text)).map_err(|error| Failure::from_syn(path, &error))?;
        let mut item = find_module(&file.items, name)
            .ok_or_else(|| Failure::new(Kind::Parse, format!("the text has no `mod {name} {{ .. }}`")))?;
        // The attribute's macro would have consumed this; the compiler sees what is left.
        item.attrs.retain(|attribute| !is_module_attribute(attribute.path()));
        Ok(Self { label: path.to_owned(), path: path.to_owned(), item })
    }

    /// Points every `use` of a module that is given as text at the stand-in it is registered under.
    pub fn redirect(&mut self, stand_ins: &[(String, String)]) {
        let path = self.path.clone();
        let Some((_, items)) = &mut self.item.content else {
            return;
        };
        let old = std::mem::take(items);
        for item in old {
            match item {
                Item::Use(line) => items.extend(redirected(&line, &path, stand_ins)),
                other => items.push(other),
            }
        }
    }

    /// An entry's parameters in order; of those that are arrays, the extents that are given for them.
    pub fn parameters(&self, entry: &str, extents: &[(String, Vec<i32>)]) -> Parameters {
        let items = self.item.content.iter().flat_map(|(_, items)| items);
        let mut functions = items.filter_map(|item| match item {
            Item::Fn(function) if function.sig.ident == entry => Some(function),
            _ => None,
        });
        let inputs = functions.next().into_iter().flat_map(|function| &function.sig.inputs);
        let of = |name: &str| extents.iter().find(|(array, _)| array == name).map(|(_, extents)| extents.clone());
        let parameter = |input: &FnArg| {
            let (name, rank) = tensor(input)?;
            let extents = of(&name).unwrap_or_else(|| vec![-1; rank]);
            Some(Parameter { name, rank, extents })
        };
        inputs.map(parameter).collect()
    }

    /// The compiler's module; `registered` is the path that `use` statements reach it by.
    pub fn into_module(self, registered: &str) -> Module {
        // Spans of a text parsed whole are already its own lines and columns.
        let base = SpanBase::new(self.label, 1, 0);
        let name = interned(&self.item.ident.to_string());
        let mut module = Module::with_span_base(name, self.item, base);
        module.set_absolute_path(registered.to_owned());
        module
    }
}

/// The name and the rank of a parameter that is a `&Tensor<_, { [..] }>`.
fn tensor(input: &FnArg) -> Option<(String, usize)> {
    let FnArg::Typed(typed) = input else { return None };
    let (Pat::Ident(name), Type::Reference(reference)) = (typed.pat.as_ref(), typed.ty.as_ref()) else { return None };
    let Type::Path(path) = reference.elem.as_ref() else { return None };
    let PathArguments::AngleBracketed(arguments) = &path.path.segments.last()?.arguments else { return None };
    let rank = arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Const(Expr::Block(block)) => match block.block.stmts.as_slice() {
            [Stmt::Expr(Expr::Array(array), None)] => Some(array.elems.len()),
            _ => None,
        },
        _ => None,
    })?;
    Some((name.ident.to_string(), rank))
}

/// The text without the comma that rustfmt puts behind the last argument of a type that it breaks: cuTile Rust compares types
/// by their tokens, and `Tile<i32, S>` is another than `Tile<i32, S,>` to it. Nothing changes its place.
fn unbroken(text: &str) -> String {
    let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
    for index in 1..lines.len() {
        let closes = lines[index].trim_start().starts_with('>');
        if let Some(end) = lines[index - 1].strip_suffix(',').filter(|_| closes).map(str::len) {
            lines[index - 1].truncate(end);
        }
    }
    lines.join("\n")
}

fn find_module(items: &[Item], name: &str) -> Option<ItemMod> {
    let modules = || {
        items.iter().filter_map(|item| match item {
            Item::Mod(module) if module.content.is_some() => Some(module),
            _ => None,
        })
    };
    modules().find(|module| module.ident == name).cloned().or_else(|| {
        modules().find_map(|module| {
            let (_, inner) = module.content.as_ref()?;
            find_module(inner, name)
        })
    })
}

fn is_module_attribute(path: &syn::Path) -> bool {
    path.segments.last().is_some_and(|segment| segment.ident == "module")
}

/// The statement itself, or one statement a name where any of its paths moves.
fn redirected(line: &ItemUse, owner: &str, stand_ins: &[(String, String)]) -> Vec<Item> {
    let mut leaves = Vec::new();
    flatten(&line.tree, Vec::new(), &mut leaves);
    let mut moved = false;
    let mut lines = Vec::new();
    for (path, leaf) in leaves {
        let full = absolute(&path, owner);
        let target = stand_ins.iter().find_map(|(from, to)| {
            let rest = full.strip_prefix(from.as_str())?;
            (rest.is_empty() || rest.starts_with("::")).then(|| format!("{to}{rest}"))
        });
        moved |= target.is_some();
        let mut tree = leaf;
        for segment in target.unwrap_or(path.join("::")).rsplit("::") {
            let ident = syn::Ident::new(segment, line.use_token.span);
            tree = parse_quote!(#ident::#tree);
        }
        lines.push(Item::Use(ItemUse { tree, ..line.clone() }));
    }
    if moved { lines } else { vec![Item::Use(line.clone())] }
}

/// The leaves of a `use` tree, each with the segments before it.
fn flatten(tree: &UseTree, before: Vec<String>, leaves: &mut Vec<(Vec<String>, UseTree)>) {
    match tree {
        UseTree::Path(step) => {
            let mut path = before;
            path.push(step.ident.to_string());
            flatten(&step.tree, path, leaves);
        }
        UseTree::Group(group) => {
            for branch in &group.items {
                flatten(branch, before.clone(), leaves);
            }
        }
        leaf => leaves.push((before, leaf.clone())),
    }
}

/// A `use` path from the crate's root: `super::x` in `a::b` is `a::x`.
fn absolute(path: &[String], owner: &str) -> String {
    let home: Vec<&str> = owner.split("::").collect();
    let steps: Vec<&str> = path.iter().map(String::as_str).collect();
    let (mut base, rest): (Vec<&str>, &[&str]) = match steps.split_first() {
        Some((&"crate", rest)) => (home[..1].to_vec(), rest),
        Some((&"self", rest)) => (home, rest),
        Some((&"super", _)) => (home, &steps[..]),
        _ => (Vec::new(), &steps[..]),
    };
    for step in rest {
        if *step == "super" {
            base.pop();
        } else {
            base.push(step);
        }
    }
    base.join("::")
}

/// The compiler wants names that live for ever; each is leaked once a process.
fn interned(name: &str) -> &'static str {
    static NAMES: Mutex<Option<HashSet<&'static str>>> = Mutex::new(None);
    let mut names = NAMES.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let names = names.get_or_insert_default();
    if let Some(known) = names.get(name) {
        return known;
    }
    let leaked: &'static str = Box::leak(name.to_owned().into_boxed_str());
    names.insert(leaked);
    leaked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broken_type_is_the_same_type() {
        let broken = "let x: Tile<\n    i32,\n    { [T] },\n> = f(\n    a,\n);\nlet y = a\n    > b;";
        let whole = "let x: Tile<\n    i32,\n    { [T] }\n> = f(\n    a,\n);\nlet y = a\n    > b;";
        assert_eq!(unbroken(broken), whole);
        assert_eq!(unbroken(whole), whole);
    }
}
