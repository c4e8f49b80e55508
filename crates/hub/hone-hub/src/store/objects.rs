//! The few operations that the store needs of a folder or of object storage.

use std::io;
use std::ops::Range;

/// State of an object that [`Objects::replace`] compares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Version(pub String);

/// Content of an object.
#[derive(Clone, Debug)]
pub struct Object {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Version of the object.
    pub version: Version,
}

/// An object in a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listed {
    /// Name of the object, with `/` between its parts.
    pub name: String,
    /// Bytes of the object.
    pub bytes: u64,
}

/// Bytes of an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part<'n> {
    /// Name of the object.
    pub name: &'n str,
    /// Positions of the bytes.
    pub range: Range<u64>,
}

/// Objects with names, in a folder or in object storage.
///
/// An operation that returned is durable. An operation that failed may still have been done, or be done later: a request
/// that timed out. Lists and reads show everything that was done before they began.
pub trait Objects: Send + Sync {
    /// Reads an object with its version; `None` if there is none of that name.
    fn get_versioned(&self, name: &str) -> io::Result<Option<Object>>;

    /// Reads an object; `None` if there is none of that name.
    fn get(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        let object = self.get_versioned(name)?;
        Ok(object.map(|object| object.bytes))
    }

    /// Reads bytes of an object, fewer if the object ends before; `None` if there is none of that name.
    fn get_range(&self, name: &str, range: Range<u64>) -> io::Result<Option<Vec<u8>>> {
        let bytes = self.get(name)?;
        Ok(bytes.map(|bytes| {
            let position =
                |at: u64| usize::try_from(at).map_or(bytes.len(), |at| at.min(bytes.len()));
            let (start, end) = (position(range.start), position(range.end));
            bytes[start..end.max(start)].to_vec()
        }))
    }

    /// Reads several ranges of bytes as [`Objects::get_range`] does, in their order: at once, where each takes its time on the
    /// way.
    fn get_ranges(&self, wanted: &[Part<'_>]) -> io::Result<Vec<Option<Vec<u8>>>> {
        let read = |part: &Part<'_>| self.get_range(part.name, part.range.clone());
        wanted.iter().map(read).collect()
    }

    /// Writes an object, in place of what was there. Readers see the old one or the whole new one.
    fn put(&self, name: &str, bytes: &[u8]) -> io::Result<()>;

    /// Writes an object unless there is one of that name; returns false if there is.
    fn put_if_absent(&self, name: &str, bytes: &[u8]) -> io::Result<bool>;

    /// Replaces an object of that version (compare-and-swap); returns false if the object has another version, or is not there.
    fn replace(&self, name: &str, bytes: &[u8], version: &Version) -> io::Result<bool>;

    /// Lists the objects whose names begin with `prefix`, which ends with `/` or is empty, sorted by name.
    fn list(&self, prefix: &str) -> io::Result<Vec<Listed>>;

    /// Removes an object, if there is one.
    fn delete(&self, name: &str) -> io::Result<()>;

    /// Begins a new object that can be appended to; `None` if objects are always written whole.
    fn appender(&self, name: &str) -> io::Result<Option<Box<dyn Appender>>>;
}

/// Bytes that are read at once, as long as one object has no more.
pub(crate) const READ_BYTES: u64 = 4 << 20;

/// Divides what is to be read into slices of about [`READ_BYTES`], for [`Objects::get_ranges`].
pub(crate) fn read_together<T>(
    wanted: &[T],
    bytes_of: impl Fn(&T) -> u64,
) -> impl Iterator<Item = &[T]> {
    let mut rest = wanted;
    std::iter::from_fn(move || {
        let mut bytes = 0;
        let has_room = |one: &&T| {
            bytes += bytes_of(one);
            bytes <= READ_BYTES
        };
        let count = rest.iter().take_while(has_room).count();
        let (now, later) = rest.split_at(count.max(1).min(rest.len()));
        rest = later;
        (!now.is_empty()).then_some(now)
    })
}

/// An object that is appended to.
pub trait Appender: Send {
    /// Appends bytes, which are not durable yet. After an error the object may end with a part of the bytes.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Makes all that was appended durable.
    fn sync(&mut self) -> io::Result<()>;
}
