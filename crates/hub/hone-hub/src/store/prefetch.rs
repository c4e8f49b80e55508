//! Objects that are read before they are asked for, while others are used.

use std::sync::Arc;
use std::thread::{self, JoinHandle};

use rustc_hash::FxHashMap;

use super::error::{StoreError, Tried};
use super::objects::{Listed, Objects, Part};

/// Bytes that are read ahead at most; what has more is read when it is asked for.
const AHEAD_BYTES_MAX: u64 = 16 << 20;

/// Objects that are there, by name.
pub(crate) type Ready = FxHashMap<String, Vec<u8>>;

/// Objects that a thread of their own reads.
pub(crate) struct Ahead(JoinHandle<Result<Ready, StoreError>>);

impl Ahead {
    /// Begins to read; `None` if that is too much, or if there can be no thread: then they are read as if nobody had tried.
    pub(crate) fn begin(objects: &Arc<dyn Objects>, wanted: Vec<Listed>) -> Option<Self> {
        let bytes: u64 = wanted.iter().map(|one| one.bytes).sum();
        if bytes > AHEAD_BYTES_MAX {
            return None;
        }
        let objects = Arc::clone(objects);
        let read = move || {
            let read = read_whole(objects.as_ref(), &wanted)?;
            let names = wanted.into_iter().map(|one| one.name);
            Ok(names.zip(read).collect())
        };
        let thread = thread::Builder::new().name("read ahead".into());
        Some(Self(thread.spawn(read).ok()?))
    }

    /// Waits for the objects.
    pub(crate) fn ready(self) -> Result<Ready, StoreError> {
        let read = self.0.join();
        read.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

/// Reads whole objects, in their order.
///
/// # Errors
///
/// [`StoreError::Moving`] if one went away.
pub(crate) fn read_whole(
    objects: &dyn Objects,
    wanted: &[Listed],
) -> Result<Vec<Vec<u8>>, StoreError> {
    let parts: Vec<Part<'_>> = wanted
        .iter()
        .map(|one| Part {
            name: &one.name,
            range: 0..one.bytes,
        })
        .collect();
    let first = wanted.first().map_or("", |one| &one.name);
    let read = objects.get_ranges(&parts).tried("read", first)?;
    read.into_iter()
        .map(|bytes| bytes.ok_or(StoreError::Moving))
        .collect()
}
