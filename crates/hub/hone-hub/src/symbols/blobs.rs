//! Large files in the store: parts, and a manifest that is put when all of them are there.
//!
//! ```text
//! TENANT/symbols/BUILD/NAME.json                  manifest
//! TENANT/symbols/BUILD/NAME/TIME-RANDOM/NUMBER    parts
//! ```
//!
//! The manifest decides: who puts it first has written the file. What a crash or the loser of a race leaves are parts that
//! no manifest names, in a folder whose name tells how old they are.

use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::builds::MANIFEST;
use super::error::SymbolsError;
use super::limits::{PART_BYTES, STORING_S_MAX};
use crate::store::StoreError;
use crate::store::error::Tried;
use crate::store::objects::Objects;

/// Format of manifests.
const FORMAT: u32 = 1;

/// What is known of a stored file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Manifest {
    format: u32,
    /// Last part of the names of the parts' folder.
    pub(super) folder: String,
    /// Bytes of the file.
    pub(super) bytes: u64,
    part_bytes: u64,
    /// SHA-256 of the file in hexadecimal.
    pub(super) sha256: String,
}

/// What came of writing a file.
pub(super) enum Written {
    /// The file is stored.
    New,
    /// A file of that name was there before.
    There(Manifest),
}

/// Returns the name of a manifest.
fn manifest_name(blob: &str) -> String {
    format!("{blob}{MANIFEST}")
}

/// Returns the manifest of a file; `None` if there is no file.
pub(super) fn manifest(objects: &dyn Objects, blob: &str) -> Result<Option<Manifest>, StoreError> {
    let name = manifest_name(blob);
    let Some(bytes) = objects.get(&name).tried("read", &name)? else {
        return Ok(None);
    };
    let damaged = |what: String| StoreError::Damaged {
        name: name.clone(),
        what,
    };
    let read: Manifest =
        serde_json::from_slice(&bytes).map_err(|error| damaged(error.to_string()))?;
    if read.format > FORMAT {
        let format = read.format;
        return Err(StoreError::Newer { name, format });
    }
    if read.part_bytes == 0 {
        return Err(damaged("its parts have no bytes".to_owned()));
    }
    Ok(Some(read))
}

/// Writes a file, unless there is one of that name. `sha256` is the sum of the content. What was written before an error is removed,
/// since there may be no room for anything else.
pub(super) fn write(
    objects: &dyn Objects,
    blob: &str,
    content: impl Read,
    sha256: &str,
    now_s: u64,
) -> Result<Written, SymbolsError> {
    let began = Instant::now();
    let random = rand::random::<u64>();
    let mut manifest = Manifest {
        format: FORMAT,
        folder: format!("{now_s:012}-{random:016x}"),
        bytes: 0,
        part_bytes: PART_BYTES,
        sha256: sha256.to_owned(),
    };
    let mut written =
        write_parts(objects, blob, content, &mut manifest).map_err(SymbolsError::Store);
    if written.is_ok() && began.elapsed() > Duration::from_secs(STORING_S_MAX) {
        written = Err(SymbolsError::Slow {
            max_s: STORING_S_MAX,
        });
    }
    if let Err(error) = written {
        // Retention removes what cannot be removed now.
        let _ = remove_parts(objects, blob, &manifest.folder);
        return Err(error);
    }
    let name = manifest_name(blob);
    let bytes = serde_json::to_vec(&manifest).unwrap_or_default();
    if objects.put_if_absent(&name, &bytes).tried("write", &name)? {
        return Ok(Written::New);
    }
    let first = self::manifest(objects, blob)?.ok_or_else(|| gone(&name))?;
    if first.folder == manifest.folder {
        // The storage was asked twice, since its first answer was lost.
        return Ok(Written::New);
    }
    // Retention removes what cannot be removed now.
    let _ = remove_parts(objects, blob, &manifest.folder);
    Ok(Written::There(first))
}

/// Writes the parts of a file, and counts its bytes.
fn write_parts(
    objects: &dyn Objects,
    blob: &str,
    mut content: impl Read,
    manifest: &mut Manifest,
) -> Result<(), StoreError> {
    for number in 0.. {
        let mut part = Vec::new();
        let read = content.by_ref().take(PART_BYTES).read_to_end(&mut part);
        if read.tried("read what becomes", blob)? == 0 {
            break;
        }
        let name = part_name(blob, &manifest.folder, number);
        objects.put(&name, &part).tried("write", &name)?;
        manifest.bytes += part.len() as u64;
    }
    Ok(())
}

/// Reads bytes of a file.
pub(super) fn read(
    objects: &dyn Objects,
    blob: &str,
    manifest: &Manifest,
    range: Range<u64>,
) -> Result<Vec<u8>, StoreError> {
    let mut bytes = Vec::new();
    let end = range.end.min(manifest.bytes);
    let mut at = range.start;
    while at < end {
        let number = at / manifest.part_bytes;
        let part_start = number * manifest.part_bytes;
        let part_end = end.min(part_start + manifest.part_bytes);
        let name = part_name(blob, &manifest.folder, number);
        let part = objects.get_range(&name, at - part_start..part_end - part_start);
        let part = part.tried("read", &name)?.ok_or_else(|| gone(&name))?;
        if part.len() as u64 != part_end - at {
            return Err(StoreError::Damaged {
                what: format!("it has not the {} bytes that were written", part_end - at),
                name,
            });
        }
        bytes.extend(part);
        at = part_end;
    }
    Ok(bytes)
}

/// Removes the parts in one folder of a file.
pub(super) fn remove_parts(
    objects: &dyn Objects,
    blob: &str,
    folder: &str,
) -> Result<u64, StoreError> {
    let directory = format!("{blob}/{folder}/");
    let mut removed = 0;
    for part in objects.list(&directory).tried("list", &directory)? {
        objects.delete(&part.name).tried("remove", &part.name)?;
        removed += 1;
    }
    Ok(removed)
}

fn part_name(blob: &str, folder: &str, number: u64) -> String {
    format!("{blob}/{folder}/{number:05}")
}

fn gone(name: &str) -> StoreError {
    StoreError::Damaged {
        name: name.to_owned(),
        what: "it is gone".to_owned(),
    }
}

/// A stored file, which is read part by part.
pub struct StoredFile {
    objects: Arc<dyn Objects>,
    blob: String,
    manifest: Manifest,
    at: u64,
    /// First byte, and bytes, of the part that was read last.
    part: (u64, Vec<u8>),
}

impl StoredFile {
    pub(super) fn new(objects: Arc<dyn Objects>, blob: String, manifest: Manifest) -> Self {
        Self {
            objects,
            blob,
            manifest,
            at: 0,
            part: (0, Vec::new()),
        }
    }

    /// Bytes of the file.
    pub fn size_bytes(&self) -> u64 {
        self.manifest.bytes
    }

    /// SHA-256 of the file in hexadecimal: the same for the same bytes, so that it may serve as an `ETag`.
    pub fn sha256(&self) -> &str {
        &self.manifest.sha256
    }

    /// Returns what is left of the part at the position; empty at the end.
    fn rest_of_part(&mut self) -> io::Result<&[u8]> {
        if self.at >= self.manifest.bytes {
            return Ok(&[]);
        }
        let start = self.at - self.at % self.manifest.part_bytes;
        if self.part.0 != start || self.part.1.is_empty() {
            let range = start..start.saturating_add(self.manifest.part_bytes);
            let read = read(self.objects.as_ref(), &self.blob, &self.manifest, range);
            self.part = (start, read.map_err(io::Error::other)?);
        }
        let within = usize::try_from(self.at - start).unwrap_or(usize::MAX);
        Ok(self.part.1.get(within..).unwrap_or_default())
    }
}

impl Read for StoredFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let rest = self.rest_of_part()?;
        let length = rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        self.at += length as u64;
        Ok(length)
    }
}

impl Seek for StoredFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => self.manifest.bytes.checked_add_signed(by),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
        };
        let before = || io::Error::new(io::ErrorKind::InvalidInput, "before the start of the file");
        self.at = at.ok_or_else(before)?;
        Ok(self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{Location, Options, Store};

    /// A disk that fails.
    struct Broken;

    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("broken"))
        }
    }

    #[test]
    fn a_file_that_cannot_be_stored_leaves_no_parts() {
        let directory = tempfile::tempdir().unwrap();
        let location = Location::Folder(directory.path().to_owned());
        let objects = Store::open(location, Options::default()).unwrap().objects();
        let content = io::repeat(0).take(PART_BYTES).chain(Broken);
        let written = write(objects.as_ref(), "acme/symbols/ab/x", content, "", 0);
        assert!(written.is_err());
        assert!(objects.list("acme/symbols/").unwrap().is_empty());
    }
}
