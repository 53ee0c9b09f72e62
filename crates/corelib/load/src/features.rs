//! `$LOADED_FEATURES` and its index, which follows every change that the program makes to the Array: it is made anew
//! when the elements are no longer those of the snapshot.

use super::{Loader, features, strip_extension};
use rubellite_core_io::file::path::path_string;
use rubellite_core_object::slot::Slot;
use rubellite_vm::object::{Array, Str};
use rubellite_vm::{Ctx, Result, Value};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

#[derive(Default)]
pub struct Index {
    /// The elements that were indexed, as an Array of our own.
    snapshot: Slot,
    names: RefCell<HashSet<Vec<u8>>>,
    /// Features by their last part without extension.
    by_base: RefCell<HashMap<Vec<u8>, Vec<Vec<u8>>>>,
    /// What loaded files are without symbolic links, with the feature that each is.
    real: RefCell<HashMap<Vec<u8>, Vec<u8>>>,
}

/// How a feature is known to be loaded.
#[derive(Copy, Clone, PartialEq)]
pub enum Known {
    Ruby,
    Native,
    /// By a name without extension.
    Plain,
}

impl Index {
    pub fn trace(&self, mark: &mut dyn FnMut(Value)) {
        mark(self.snapshot.get());
    }

    fn add(&self, name: &[u8]) {
        let base = strip_extension(name).0.rsplit(|b| *b == b'/').next().unwrap_or_default();
        self.by_base.borrow_mut().entry(base.to_vec()).or_default().push(name.to_vec());
        self.names.borrow_mut().insert(name.to_vec());
    }
}

/// Makes the index anew when the Array has changed.
fn refresh(ctx: &mut Ctx) {
    let Some(list) = Array::try_of(features(ctx)) else { return };
    let index = &ctx.extension::<Loader>().index;
    if Array::try_of(index.snapshot.get()).is_some_and(|snapshot| snapshot.slice(ctx) == list.slice(ctx)) {
        return;
    }
    index.names.borrow_mut().clear();
    index.by_base.borrow_mut().clear();
    for item in list.slice(ctx) {
        if let Some(text) = Str::try_of(*item) {
            index.add(text.bytes(ctx));
        }
    }
    index.real.borrow_mut().retain(|_, feature| index.names.borrow().contains(feature));
    let snapshot = Array::new(ctx);
    let mut i = 0;
    while let Some(item) = list.get(i) {
        snapshot.push(ctx, item);
        i += 1;
    }
    ctx.extension::<Loader>().index.snapshot.set(snapshot.value());
}

/// Whether `name` is in `$LOADED_FEATURES`.
pub fn is_loaded(ctx: &mut Ctx, name: &[u8]) -> bool {
    refresh(ctx);
    ctx.extension::<Loader>().index.names.borrow().contains(name)
}

/// Whether a file was loaded by whatever path; `real` is the one without symbolic links.
pub fn is_real_loaded(ctx: &mut Ctx, real: &[u8]) -> bool {
    is_loaded(ctx, real) || ctx.extension::<Loader>().index.real.borrow().contains_key(real)
}

/// Whether a feature that `require` takes without extension is loaded: by its bare name, or from a directory of the
/// load path.
pub fn known(ctx: &mut Ctx, stem: &[u8], dirs: &[Vec<u8>]) -> Option<Known> {
    refresh(ctx);
    let by_base = ctx.extension::<Loader>().index.by_base.borrow();
    let base = stem.rsplit(|b| *b == b'/').next().unwrap_or_default();
    let mut best = None;
    for feature in by_base.get(base)? {
        let (known_stem, ruby) = strip_extension(feature);
        let from = |dir: &Vec<u8>| {
            let rest = known_stem.strip_prefix(&dir[..]);
            rest.and_then(|rest| rest.strip_prefix(b"/")) == Some(stem)
        };
        if known_stem != stem && !dirs.iter().any(from) {
            continue;
        }
        match (known_stem.len() == feature.len(), ruby) {
            (true, _) => best = best.or(Some(Known::Plain)),
            (false, true) => return Some(Known::Ruby),
            (false, false) => best = Some(Known::Native),
        }
    }
    best
}

/// Adds a feature that has been loaded; `real` is its file without symbolic links. RuntimeError when the program has
/// frozen the list.
pub fn provide(ctx: &mut Ctx, name: &[u8], real: &[u8]) -> Result<()> {
    if features(ctx).header().is_some_and(|header| header.frozen()) {
        return Err(ctx.runtime_error("$LOADED_FEATURES is frozen; cannot append feature"));
    }
    refresh(ctx);
    let text = path_string(ctx, name);
    if let Some(header) = text.header() {
        header.set(rubellite_vm::flags::FROZEN);
    }
    let index = &ctx.extension::<Loader>().index;
    let lists = (Array::try_of(features(ctx)), Array::try_of(index.snapshot.get()));
    index.real.borrow_mut().insert(real.to_vec(), name.to_vec());
    index.add(name);
    if let (Some(features), Some(snapshot)) = lists {
        features.push(ctx, text);
        snapshot.push(ctx, text);
    }
    Ok(())
}
