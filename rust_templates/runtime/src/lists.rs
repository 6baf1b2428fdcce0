//! Tables of the arrays in a launch's lists, on the device.
//!
//! A kernel reads a list of arrays from a table in device memory: a row an array, its address, extents and strides. Most
//! programs launch with the same few lists again and again, so a table stays on the device and is found by its contents.
//!
//! A table belongs to one stream of one context, and everything that happens to it is in that stream's order: it is written
//! before the launches that read it, and overwritten or freed after them, without an event and without waiting. From the
//! look-up until its launch is submitted the stream's tables are locked, so no thread can get between the two. Streams are
//! told apart by their numbers, which the driver never uses twice: a handle may come back as another stream.
//!
//! Of a stream, at most [`MOST_BYTES`] are kept; what came first and was not used since goes first. Made for one launch, and freed after
//! it, are large tables, those of a thread's default stream (one handle for many streams), and those of streams beyond the
//! first [`MOST_STREAMS`].
//!
//! A launch that is captured into a graph may run at any time, as often as one likes, on any stream: its table is written at
//! once, and stays as it is for the rest of the process. Captures with the same lists share it.

use std::collections::{HashMap, VecDeque};
use std::hash::BuildHasherDefault;
use std::sync::{Arc, LazyLock, Mutex, PoisonError, RwLock};

use crate::cache::WordHasher;
use crate::codes::Result;
use crate::driver::{Driver, StreamId};

/// Where lists begin in a table: at multiples of this many words, which is what allocations are aligned to that matter.
const ALIGNMENT: usize = 16;
/// Streams whose tables are kept.
const MOST_STREAMS: usize = 64;
/// Device memory for the tables of a stream.
const MOST_BYTES: usize = 1 << 20;
/// The largest table that is kept.
const LARGEST: usize = 1 << 16;
/// The least that is allocated.
const SMALLEST: usize = 512;
/// The handle that means the default stream of whichever thread asks.
const PER_THREAD: u64 = 2;

/// Adds a list's rows to a launch's table, and says at which word they begin.
pub fn add(table: &mut Vec<i64>, rows: impl Iterator<Item = i64>) -> usize {
    let first = table.len().next_multiple_of(ALIGNMENT);
    table.resize(first, 0);
    table.extend(rows);
    first
}

/// Submits a launch that reads a table: `submit` is given the table's address, and must submit to this stream.
pub fn with_table(driver: &Driver, stream: u64, table: &[i64], submit: impl FnOnce(u64) -> Result<()>) -> Result<()> {
    let memory = OnStream { driver, stream };
    if driver.is_capturing(stream)? {
        return submit(for_good(driver, table)?);
    }
    let keeps = stream != PER_THREAD && size_of_val(table) <= LARGEST;
    let Some(tables) = keeps.then(|| driver.stream_id(stream)).flatten().and_then(tables_of) else {
        return passing(&memory, table, submit);
    };
    let mut tables = tables.lock().unwrap_or_else(PoisonError::into_inner);
    submit(tables.address(&memory, table)?)
}

/// A table for one launch.
fn passing(memory: &OnStream, table: &[i64], submit: impl FnOnce(u64) -> Result<()>) -> Result<()> {
    let address = memory.allocate(size_of_val(table))?;
    let submitted = memory.fill(address, table).and_then(|()| submit(address));
    let freed = memory.free(address);
    submitted.and(freed)
}

/// A table for any number of launches at any time.
fn for_good(driver: &Driver, table: &[i64]) -> Result<u64> {
    type Written = HashMap<(u64, Box<[i64]>), u64, BuildHasherDefault<WordHasher>>;
    static WRITTEN: LazyLock<Mutex<Written>> = LazyLock::new(Mutex::default);
    let Some(context) = driver.context_id() else { return driver.for_good(table) };
    let key = (context, table.into());
    let mut written = WRITTEN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(address) = written.get(&key) {
        return Ok(*address);
    }
    let address = driver.for_good(table)?;
    written.insert(key, address);
    Ok(address)
}

/// The tables of a stream; None for one too many.
fn tables_of(stream: StreamId) -> Option<&'static Mutex<Tables>> {
    type Streams = HashMap<StreamId, &'static Mutex<Tables>>;
    static STREAMS: LazyLock<RwLock<Streams>> = LazyLock::new(RwLock::default);
    if let Some(found) = STREAMS.read().unwrap_or_else(PoisonError::into_inner).get(&stream) {
        return Some(found);
    }
    let mut streams = STREAMS.write().unwrap_or_else(PoisonError::into_inner);
    if streams.len() >= MOST_STREAMS && !streams.contains_key(&stream) {
        return None;
    }
    Some(streams.entry(stream).or_insert_with(|| Box::leak(Box::default())))
}

/// Device memory in the order of a stream.
trait Memory {
    fn allocate(&self, bytes: usize) -> Result<u64>;
    fn fill(&self, address: u64, words: &[i64]) -> Result<()>;
    fn free(&self, address: u64) -> Result<()>;
}

struct OnStream<'a> {
    driver: &'a Driver,
    stream: u64,
}

impl Memory for OnStream<'_> {
    fn allocate(&self, bytes: usize) -> Result<u64> {
        self.driver.allocate(bytes, self.stream)
    }

    fn fill(&self, address: u64, words: &[i64]) -> Result<()> {
        // SAFETY: callers fill what they allocated, as large as the words, on streams that are not captured.
        unsafe { self.driver.copy(address, words, self.stream) }
    }

    fn free(&self, address: u64) -> Result<()> {
        self.driver.free(address, self.stream)
    }
}

/// What is on the device for one stream.
#[derive(Default)]
struct Tables {
    known: HashMap<Arc<[i64]>, Place, BuildHasherDefault<WordHasher>>,
    /// Those that are known, in the order in which they may have to go.
    queue: VecDeque<Arc<[i64]>>,
    /// Of all places.
    bytes: usize,
}

#[derive(Clone, Copy)]
struct Place {
    address: u64,
    room: usize,
    /// Since it was last looked at whether it can go.
    used: bool,
}

impl Tables {
    /// Where a table is, or now is.
    fn address(&mut self, memory: &impl Memory, table: &[i64]) -> Result<u64> {
        if let Some(place) = self.known.get_mut(table) {
            place.used = true;
            return Ok(place.address);
        }
        let room = size_of_val(table).next_power_of_two().max(SMALLEST);
        let address = self.room(memory, room)?;
        if let Err(failure) = memory.fill(address, table) {
            self.bytes -= room;
            let _ = memory.free(address);
            return Err(failure);
        }
        let table: Arc<[i64]> = table.into();
        self.queue.push_back(table.clone());
        self.known.insert(table, Place { address, room, used: false });
        Ok(address)
    }

    /// Memory that no table is in, counted. What is overwritten is read by launches before it only.
    fn room(&mut self, memory: &impl Memory, room: usize) -> Result<u64> {
        while self.bytes + room > MOST_BYTES {
            let Some(old) = self.forget_one() else { break };
            if old.room == room {
                return Ok(old.address);
            }
            self.bytes -= old.room;
            memory.free(old.address)?;
        }
        let address = memory.allocate(room)?;
        self.bytes += room;
        Ok(address)
    }

    /// The first in the queue that was not used meanwhile; others go to its end.
    fn forget_one(&mut self) -> Option<Place> {
        loop {
            let table = self.queue.pop_front()?;
            match self.known.get_mut(&table) {
                Some(place) if place.used => {
                    place.used = false;
                    self.queue.push_back(table);
                }
                _ => return self.known.remove(&table),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;
    use crate::codes::{Code, fail};

    /// Memory that remembers, and refuses what must not happen.
    #[derive(Default)]
    struct Pretended {
        held: RefCell<HashMap<u64, (usize, Vec<i64>)>>,
        made: RefCell<u64>,
        broken: bool,
    }

    impl Memory for Pretended {
        fn allocate(&self, bytes: usize) -> Result<u64> {
            *self.made.borrow_mut() += 1;
            let address = *self.made.borrow() << 20;
            self.held.borrow_mut().insert(address, (bytes, Vec::new()));
            Ok(address)
        }

        fn fill(&self, address: u64, words: &[i64]) -> Result<()> {
            if self.broken {
                return fail(Code::LaunchFailed, "broken");
            }
            let mut held = self.held.borrow_mut();
            let (bytes, found) = held.get_mut(&address).expect("allocated");
            assert!(size_of_val(words) <= *bytes);
            *found = words.to_vec();
            Ok(())
        }

        fn free(&self, address: u64) -> Result<()> {
            assert!(self.held.borrow_mut().remove(&address).is_some(), "freed twice");
            Ok(())
        }
    }

    impl Pretended {
        fn bytes(&self) -> usize {
            self.held.borrow().values().map(|(bytes, _)| bytes).sum()
        }
    }

    #[test]
    fn lists_begin_at_multiples_of_128_bytes() {
        let mut table = Vec::new();
        assert_eq!(add(&mut table, [1, 2, 3].into_iter()), 0);
        assert_eq!(add(&mut table, [4].into_iter()), 16);
        assert_eq!(table, [1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4]);
    }

    #[test]
    fn a_known_table_is_not_written_again() {
        let (memory, mut tables) = (Pretended::default(), Tables::default());
        let first = tables.address(&memory, &[1, 2]).unwrap();
        let other = tables.address(&memory, &[1, 3]).unwrap();
        assert_ne!(first, other);
        assert_eq!(tables.address(&memory, &[1, 2]).unwrap(), first);
        assert_eq!(*memory.made.borrow(), 2);
        assert_eq!(memory.held.borrow()[&other].1, [1, 3]);
    }

    #[test]
    fn memory_is_bounded_and_what_is_used_stays() {
        let (memory, mut tables) = (Pretended::default(), Tables::default());
        let count = (MOST_BYTES / SMALLEST) as i64;
        let kept = tables.address(&memory, &[-1]).unwrap();
        for number in 0..3 * count {
            let address = tables.address(&memory, &[number; 64]).unwrap();
            assert_eq!(memory.held.borrow()[&address].1, [number; 64]);
            assert_eq!(tables.address(&memory, &[-1]).unwrap(), kept);
        }
        assert_eq!((tables.bytes, memory.bytes()), (MOST_BYTES, MOST_BYTES));
        assert_eq!(*memory.made.borrow() as i64, count, "places are used again");
        assert_eq!(memory.held.borrow()[&kept].1, [-1]);
    }

    #[test]
    fn places_of_another_size_make_room() {
        let (memory, mut tables) = (Pretended::default(), Tables::default());
        for number in 0..1000 {
            let length = 1 << (number % 14);
            let table = vec![number; length];
            let address = tables.address(&memory, &table).unwrap();
            assert_eq!(memory.held.borrow()[&address].1, table);
            assert!(memory.bytes() <= MOST_BYTES && tables.bytes == memory.bytes());
        }
    }

    #[test]
    fn what_could_not_be_written_is_not_known() {
        let (broken, mut tables) = (Pretended { broken: true, ..Pretended::default() }, Tables::default());
        assert_eq!(tables.address(&broken, &[7]).unwrap_err().code, Code::LaunchFailed);
        assert_eq!((tables.bytes, tables.known.len(), tables.queue.len(), broken.bytes()), (0, 0, 0, 0));
    }

    #[test]
    fn streams_are_counted() {
        let of = |stream| tables_of(StreamId { context: u64::MAX, stream });
        let first = of(0).unwrap();
        assert!((1..MOST_STREAMS as u64).all(|stream| of(stream).is_some()));
        assert!(of(MOST_STREAMS as u64).is_none());
        assert!(std::ptr::eq(of(0).unwrap(), first));
    }
}
