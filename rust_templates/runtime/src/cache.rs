//! Compiled kernels by what they were compiled for.

use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::{LazyLock, PoisonError, RwLock};

use crate::driver::Function;

/// A hash of a few words, quick rather than safe against enemies: they would have to be in this process.
#[derive(Default)]
pub struct WordHasher(u64);

impl Hasher for WordHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_ne_bytes(word));
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }
}

type Map = HashMap<Box<[u64]>, Function, BuildHasherDefault<WordHasher>>;

/// Everything compiled in this process.
static ALL: LazyLock<RwLock<Map>> = LazyLock::new(RwLock::default);

thread_local! {
    /// What this thread has launched before: no lock is taken for it.
    static MINE: RefCell<Map> = RefCell::default();
}

/// What was compiled under a key, if anything was.
pub fn get(key: &[u64]) -> Option<Function> {
    if let Ok(Some(found)) = MINE.try_with(|mine| mine.borrow().get(key).copied()) {
        return Some(found);
    }
    let found = ALL.read().unwrap_or_else(PoisonError::into_inner).get(key).copied()?;
    let _ = MINE.try_with(|mine| mine.borrow_mut().insert(key.into(), found));
    Some(found)
}

/// Keeps what was compiled.
pub fn insert(key: &[u64], function: Function) {
    ALL.write().unwrap_or_else(PoisonError::into_inner).insert(key.into(), function);
}
