//! Tables of names in the store and in the cache.

use std::fs::File;
use std::io;
use std::sync::Arc;

use hone_profile::{BuildId, Svma};

use super::blobs::{self, Manifest};
use super::builds::{self, Held};
use super::error::{Refused, SymbolsError};
use super::kind::{Kind, Sources};
use super::limits::LOOK_AGAIN_S;
use super::table::{Chunk, Frames, Head, HeadRead};
use super::take::sum_of;
use super::{Symbols, lock};
use crate::store::StoreError;
use crate::store::error::Tried;

/// Bytes that are read of a table at first: its head, as a rule.
const HEAD_BYTES: u64 = 1 << 16;
/// Bytes of memory of an entry of the cache beside what it holds.
const ENTRY_BYTES: usize = 256;

/// What is in the cache.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Key {
    /// A build of a tenant.
    Build(String, BuildId),
    /// A chunk, by the folder of its table and its number.
    Chunk(String, usize),
}

#[derive(Clone)]
pub(super) enum Cached {
    Build(Known),
    Chunk(Arc<Chunk>),
}

/// What was known of a build at a time.
#[derive(Clone)]
pub(super) struct Known {
    looked_s: u64,
    tabled: Tabled,
}

/// Whether a build has a table.
#[derive(Clone)]
pub(super) enum Tabled {
    /// There is no file of the build.
    Nothing,
    /// The files of the build do not tell where its code is.
    NoCode,
    /// The files of the build could not be read.
    Unreadable,
    /// The table.
    Table(Arc<Table>),
}

/// A table whose head was read.
pub(super) struct Table {
    blob: String,
    manifest: Manifest,
    pub(super) head: Head,
}

impl Symbols {
    /// Returns the table of a build. It is made if the files are there without it: after a crash, or by another version.
    pub(super) fn tabled(
        &self,
        tenant: &str,
        build: &BuildId,
        now_s: u64,
    ) -> Result<Tabled, SymbolsError> {
        let key = Key::Build(tenant.to_owned(), build.clone());
        if let Some(Cached::Build(known)) = lock(&self.cache).get(&key)
            && now_s.saturating_sub(known.looked_s) < LOOK_AGAIN_S
        {
            return Ok(known.tabled);
        }
        let tabled = self.look_for_table(tenant, build, now_s)?;
        let bytes = match &tabled {
            Tabled::Table(table) => table.head.memory_bytes(),
            Tabled::Nothing | Tabled::NoCode | Tabled::Unreadable => 0,
        };
        let known = Known {
            looked_s: now_s,
            tabled: tabled.clone(),
        };
        lock(&self.cache).put(key, Cached::Build(known), ENTRY_BYTES + bytes);
        Ok(tabled)
    }

    fn look_for_table(
        &self,
        tenant: &str,
        build: &BuildId,
        now_s: u64,
    ) -> Result<Tabled, SymbolsError> {
        let held = Held::of(self.objects.as_ref(), tenant, build)?;
        if held.kinds.is_empty() {
            return Ok(Tabled::Nothing);
        }
        let Some(sources) = Sources::among(&held.kinds) else {
            return Ok(Tabled::NoCode);
        };
        if !held.has_table(sources) {
            match self.make_table(tenant, build, sources, None) {
                Ok(table) => self.store_table(tenant, build, sources, &table, now_s)?,
                Err(SymbolsError::Refused(_)) => return Ok(Tabled::Unreadable),
                Err(error) => return Err(error),
            }
        }
        let blob = builds::table_name(tenant, build, sources);
        let manifest = blobs::manifest(self.objects.as_ref(), &blob)?;
        let Some(manifest) = manifest else {
            return Ok(Tabled::Nothing);
        };
        let table = self.open_table(blob, manifest)?;
        Ok(Tabled::Table(Arc::new(table)))
    }

    fn open_table(&self, blob: String, manifest: Manifest) -> Result<Table, StoreError> {
        let read = |bytes| blobs::read(self.objects.as_ref(), &blob, &manifest, 0..bytes);
        let mut head = Head::read(&read(HEAD_BYTES)?);
        if let Some(HeadRead::Needs(bytes)) = head {
            head = Head::read(&read(bytes)?);
        }
        let Some(HeadRead::Whole(head)) = head else {
            return Err(damaged(&blob));
        };
        Ok(Table {
            blob,
            manifest,
            head,
        })
    }

    /// Makes the table of files, of which one may not be stored yet.
    pub(super) fn make_table(
        &self,
        tenant: &str,
        build: &BuildId,
        sources: Sources,
        at_hand: Option<(Kind, &File)>,
    ) -> Result<Vec<u8>, SymbolsError> {
        let _making = lock(&self.making);
        let open = |kind| match at_hand {
            Some((of, file)) if of == kind => {
                let cloned = file.try_clone().tried("open", "the uploaded file");
                cloned.map_err(SymbolsError::from)
            }
            _ => self.copied(tenant, build, kind),
        };
        let code = open(sources.code)?;
        let debug = sources.debug.map(open).transpose()?;
        Ok(self.parser.tabulate(&code, debug.as_ref())?)
    }

    /// Copies a stored file to a temporary one.
    fn copied(&self, tenant: &str, build: &BuildId, kind: Kind) -> Result<File, SymbolsError> {
        let name = builds::file_name(tenant, build, kind);
        let stored = self.stored(tenant, build, kind)?;
        let mut stored = stored.ok_or_else(|| damaged(&name))?;
        let mut file = tempfile::tempfile().tried("make room for a copy of", &name)?;
        io::copy(&mut stored, &mut file).tried("copy", &name)?;
        if sum_of(&file).tried("read the copy of", &name)? != stored.sha256() {
            return Err(damaged(&name).into());
        }
        Ok(file)
    }

    /// Stores a table. Retention removes those of fewer files.
    pub(super) fn store_table(
        &self,
        tenant: &str,
        build: &BuildId,
        sources: Sources,
        table: &[u8],
        now_s: u64,
    ) -> Result<(), SymbolsError> {
        let blob = builds::table_name(tenant, build, sources);
        if !matches!(Head::read(table), Some(HeadRead::Whole(_))) {
            return Err(Refused::Parser("no table of names came".to_owned()).into());
        }
        let sum = hex::encode(<sha2::Sha256 as sha2::Digest>::digest(table));
        // Another replica may have been faster, and has made the same.
        blobs::write(self.objects.as_ref(), &blob, table, &sum, now_s)?;
        Ok(())
    }

    /// Forgets what is known of a build, since it has changed.
    pub(super) fn forget(&self, tenant: &str, build: &BuildId) {
        let key = Key::Build(tenant.to_owned(), build.clone());
        lock(&self.cache).remove(&key);
    }

    /// Returns the frames at sorted addresses, innermost first.
    pub(super) fn frames_at(
        &self,
        table: &Table,
        sorted: &[Svma],
    ) -> Result<Vec<Frames>, SymbolsError> {
        let chunk_at = |svma: &Svma| table.head.chunk_at(*svma);
        let mut found = Vec::with_capacity(sorted.len());
        for of_chunk in sorted.chunk_by(|a, b| chunk_at(a) == chunk_at(b)) {
            let Some(number) = chunk_at(&of_chunk[0]) else {
                found.extend(of_chunk.iter().map(|_| Frames::default()));
                continue;
            };
            let chunk = self.chunk(table, number)?;
            let frames = chunk.frames_at(of_chunk);
            found.extend(frames.ok_or_else(|| damaged(&table.blob))?);
        }
        Ok(found)
    }

    fn chunk(&self, table: &Table, number: usize) -> Result<Arc<Chunk>, StoreError> {
        let key = Key::Chunk(table.manifest.folder.clone(), number);
        if let Some(Cached::Chunk(chunk)) = lock(&self.cache).get(&key) {
            return Ok(chunk);
        }
        let place = table.head.chunks[number];
        let start = table.head.bytes.saturating_add(place.start);
        let range = start..start.saturating_add(place.bytes);
        let packed = blobs::read(self.objects.as_ref(), &table.blob, &table.manifest, range)?;
        let chunk = Chunk::read(&packed).ok_or_else(|| damaged(&table.blob))?;
        let chunk = Arc::new(chunk);
        let bytes = ENTRY_BYTES + chunk.memory_bytes();
        lock(&self.cache).put(key, Cached::Chunk(chunk.clone()), bytes);
        Ok(chunk)
    }
}

fn damaged(name: &str) -> StoreError {
    StoreError::Damaged {
        name: name.to_owned(),
        what: "it is not what was written".to_owned(),
    }
}
