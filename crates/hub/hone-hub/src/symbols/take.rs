//! Takes uploaded files.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::sync::Mutex;

use hone_profile::BuildId;
use sha2::{Digest, Sha256};

use super::blobs::{self, Written};
use super::builds::{self, Held};
use super::error::{Refused, SymbolsError};
use super::inspect::SymbolFile;
use super::kind::{Kind, Sources};
use super::{Symbols, lock};
use crate::store::check_tenant;
use crate::store::error::Tried;

/// Bytes that are read at once for the sum.
const SUM_BYTES: usize = 1 << 16;

/// A file that was taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Taken {
    /// What the file is.
    pub file: SymbolFile,
    /// Whether it was there.
    pub was: Was,
}

/// Whether a file was there before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Was {
    /// The file is new.
    New,
    /// The same file was there.
    There,
}

impl Symbols {
    /// Takes an uploaded file: returns when it is stored for good, and names can be taken from it. After an error of the
    /// storage the file may be stored nevertheless: send it again.
    ///
    /// # Errors
    ///
    /// Returns the reason why the file is not taken, or an error if the storage fails.
    pub fn take(&self, tenant: &str, file: &File, now_s: u64) -> Result<Taken, SymbolsError> {
        check_tenant(tenant)?;
        let about = self.parser.inspect(file)?;
        let no_id = || Refused::Parser("no build id came".to_owned());
        let build = about.build_id().ok_or_else(no_id)?;
        let sum = sum_of(file).tried("read", "the uploaded file")?;
        let taken = |was| Taken {
            file: about.clone(),
            was,
        };
        let blob = builds::file_name(tenant, &build, about.kind);
        if let Some(first) = blobs::manifest(self.objects.as_ref(), &blob)? {
            check_same(&first.sha256, &sum, &about)?;
            return Ok(taken(Was::There));
        }
        let _storing = self.reserve(tenant, &blob, about.bytes)?;
        let held = Held::of(self.objects.as_ref(), tenant, &build)?;
        let table = self.table_with(tenant, &build, &held, about.kind, file)?;
        self.note_tenant(tenant)?;
        let mut content = file;
        content.rewind().tried("read", "the uploaded file")?;
        let written = blobs::write(self.objects.as_ref(), &blob, content, &sum, now_s)?;
        if let Written::There(first) = written {
            check_same(&first.sha256, &sum, &about)?;
            return Ok(taken(Was::There));
        }
        if let Some((sources, table)) = table {
            self.store_table(tenant, &build, sources, &table, now_s)?;
        }
        self.forget(tenant, &build);
        Ok(taken(Was::New))
    }

    /// Makes the table that a build gets by one more file; `None` if the table does not change.
    fn table_with(
        &self,
        tenant: &str,
        build: &BuildId,
        held: &Held,
        kind: Kind,
        file: &File,
    ) -> Result<Option<(Sources, Vec<u8>)>, SymbolsError> {
        let kinds = [&held.kinds[..], &[kind]].concat();
        let Some(sources) = Sources::among(&kinds) else {
            // No table yet: the file is only tried, lest it spoils what comes later.
            let _making = lock(&self.making);
            self.parser.tabulate(file, None)?;
            return Ok(None);
        };
        if Sources::among(&held.kinds) == Some(sources) {
            return Ok(None);
        }
        let table = self.make_table(tenant, build, sources, Some((kind, file)))?;
        Ok(Some((sources, table)))
    }

    /// Refuses bytes beyond the tenant's limit. Those of files that this process is storing count as if they were there.
    fn reserve(&self, tenant: &str, blob: &str, bytes: u64) -> Result<Storing<'_>, SymbolsError> {
        let directory = builds::directory(tenant);
        let mut storing = lock(&self.storing);
        let others = storing.iter();
        let others = others.filter(|(other, _)| other.starts_with(&directory) && other != blob);
        let others: Vec<(String, u64)> = others
            .map(|(other, bytes)| (format!("{other}/"), *bytes))
            .collect();
        // Parts of theirs may be there already.
        let is_theirs = |name: &str| others.iter().any(|(parts, _)| name.starts_with(parts));
        let listed = self.objects.list(&directory).tried("list", &directory)?;
        let there = listed.iter().filter(|listed| !is_theirs(&listed.name));
        let there: u64 = there.map(|listed| listed.bytes).sum();
        let all = others
            .iter()
            .fold(there, |sum, (_, bytes)| sum.saturating_add(*bytes));
        let (all, max) = (all.saturating_add(bytes), self.limits.tenant_bytes);
        if all > max {
            return Err(Refused::Quota { bytes: all, max }.into());
        }
        storing.push((blob.to_owned(), bytes));
        Ok(Storing {
            files: &self.storing,
            blob: blob.to_owned(),
        })
    }

    fn note_tenant(&self, tenant: &str) -> Result<(), SymbolsError> {
        let name = format!("tenants/{tenant}");
        let noted = self.objects.put_if_absent(&name, b"");
        noted.tried("write", &name)?;
        Ok(())
    }
}

/// A file that is being stored, until this value goes.
struct Storing<'s> {
    files: &'s Mutex<Vec<(String, u64)>>,
    blob: String,
}

impl Drop for Storing<'_> {
    fn drop(&mut self) {
        let mut files = lock(self.files);
        let at = files.iter().position(|(blob, _)| *blob == self.blob);
        if let Some(at) = at {
            files.swap_remove(at);
        }
    }
}

fn check_same(first: &str, sum: &str, about: &SymbolFile) -> Result<(), Refused> {
    if first == sum {
        return Ok(());
    }
    Err(Refused::OtherBytes {
        build: about.build.clone(),
        kind: about.kind.name(),
    })
}

/// Returns the SHA-256 of a file in hexadecimal.
///
/// # Errors
///
/// Returns an error if the file cannot be read.
pub fn sum_of(mut file: &File) -> io::Result<String> {
    file.rewind()?;
    let mut sum = Sha256::new();
    let mut buffer = vec![0; SUM_BYTES];
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            return Ok(hex::encode(sum.finalize()));
        }
        sum.update(&buffer[..read]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{Location, Options, Store};
    use crate::symbols::InProcess;
    use crate::symbols::limits::Limits;

    #[test]
    fn files_that_are_stored_at_once_share_the_limit_of_their_tenant() {
        let directory = tempfile::tempdir().unwrap();
        let location = Location::Folder(directory.path().to_owned());
        let store = Store::open(location, Options::default()).unwrap();
        let limits = Limits {
            tenant_bytes: 10,
            ..Limits::default()
        };
        let symbols = Symbols::open(store.objects(), limits, Box::new(InProcess::default()));
        let reserve = |tenant: &str, name: &str, bytes| {
            let blob = format!("{tenant}/symbols/{name}");
            symbols.reserve(tenant, &blob, bytes).ok()
        };
        let first = reserve("acme", "ab/x", 6).unwrap();
        // A part of it that was written does not count twice.
        store
            .objects()
            .put("acme/symbols/ab/x/f/00000", b"part")
            .unwrap();
        assert!(reserve("acme", "ab/y", 5).is_none());
        assert!(reserve("acme", "ab/y", 4).is_some());
        assert!(reserve("other", "ab/y", 10).is_some());
        drop(first);
        assert!(reserve("acme", "ab/y", 6).is_some());
        assert!(reserve("acme", "ab/y", 7).is_none());
    }
}
