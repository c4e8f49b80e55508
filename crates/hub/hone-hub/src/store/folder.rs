//! Objects as files of one folder, which one process has open at a time.
//!
//! Since the folder is locked, "if absent" and "if this version" are decided under a lock in memory. A file is written
//! under a temporary name, synced and renamed, and then its directory is synced: only then it is there for good.

use std::fs::{self, File};
use std::hash::{DefaultHasher, Hasher};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use super::error::{StoreError, Tried};
use super::objects::{Appender, Listed, Object, Objects, Version};

/// Where files are written before they have their names.
pub(crate) const TEMPORARY: &str = "tmp";
/// The file whose lock says that the folder is open.
pub(crate) const LOCK: &str = "lock";

/// A folder of objects.
pub struct Folder {
    root: PathBuf,
    changing: Mutex<()>,
    temporary: AtomicU64,
    _lock: File,
}

impl Folder {
    /// Opens a folder, which is made if it is not there. Temporary files of processes that died are removed.
    ///
    /// # Errors
    ///
    /// [`StoreError::Locked`] if another process has the folder open.
    pub fn open(root: &Path) -> Result<Self, StoreError> {
        let shown = root.display().to_string();
        fs::create_dir_all(root.join(TEMPORARY)).tried("make the folder", &shown)?;
        let lock = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(root.join(LOCK))
            .tried("open the lock", &shown)?;
        lock.try_lock().map_err(|error| match error {
            fs::TryLockError::WouldBlock => StoreError::Locked {
                folder: shown.clone(),
            },
            fs::TryLockError::Error(source) => StoreError::Storage {
                action: "lock",
                name: shown.clone(),
                source,
            },
        })?;
        for left in fs::read_dir(root.join(TEMPORARY)).tried("list", TEMPORARY)? {
            fs::remove_file(left.tried("list", TEMPORARY)?.path()).tried("clear", TEMPORARY)?;
        }
        sync_directory(root).tried("sync", &shown)?;
        Ok(Self {
            root: root.to_owned(),
            changing: Mutex::new(()),
            temporary: AtomicU64::new(0),
            _lock: lock,
        })
    }

    fn path(&self, name: &str) -> io::Result<PathBuf> {
        let is_plain = |part: &str| !part.is_empty() && part != "." && part != "..";
        if !name.split('/').all(is_plain) || name.contains('\0') {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "not a name of an object",
            ));
        }
        Ok(self.root.join(name))
    }

    /// Makes the directories above a file, each of them durable.
    fn make_parents(&self, path: &Path) -> io::Result<()> {
        let parent = path.parent().unwrap_or(&self.root);
        if parent.is_dir() {
            return Ok(());
        }
        self.make_parents(parent)?;
        match fs::create_dir(parent) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            _ => {}
        }
        sync_directory(parent.parent().unwrap_or(&self.root))
    }

    /// Writes and syncs a file without its name yet.
    fn write_temporary(&self, bytes: &[u8]) -> io::Result<PathBuf> {
        let number = self.temporary.fetch_add(1, Ordering::Relaxed);
        let path = self.root.join(TEMPORARY).join(number.to_string());
        let written = File::create(&path)
            .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()));
        if let Err(error) = written {
            // The place is needed most when there is none left; what cannot be removed goes when the folder is opened.
            let _ = fs::remove_file(&path);
            return Err(error);
        }
        Ok(path)
    }

    /// Gives a file its name if what has the name now is as wanted.
    fn rename_if(
        &self,
        name: &str,
        bytes: &[u8],
        is_wanted: impl FnOnce(&Path) -> io::Result<bool>,
    ) -> io::Result<bool> {
        let path = self.path(name)?;
        let temporary = self.write_temporary(bytes)?;
        let _changing = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        let renamed = is_wanted(&path).and_then(|wanted| {
            if wanted {
                self.make_parents(&path)?;
                fs::rename(&temporary, &path)?;
                sync_directory(path.parent().unwrap_or(&self.root))?;
            }
            Ok(wanted)
        });
        if !matches!(renamed, Ok(true)) {
            let _ = fs::remove_file(&temporary);
        }
        renamed
    }
}

impl Objects for Folder {
    fn get_versioned(&self, name: &str) -> io::Result<Option<Object>> {
        let read = self.get(name)?;
        Ok(read.map(|bytes| Object {
            version: version(&bytes),
            bytes,
        }))
    }

    fn get(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        present(fs::read(self.path(name)?))
    }

    fn get_range(&self, name: &str, range: Range<u64>) -> io::Result<Option<Vec<u8>>> {
        let Some(mut file) = present(File::open(self.path(name)?))? else {
            return Ok(None);
        };
        file.seek(SeekFrom::Start(range.start))?;
        let mut bytes = Vec::new();
        let length = range.end.saturating_sub(range.start);
        file.take(length).read_to_end(&mut bytes)?;
        Ok(Some(bytes))
    }

    fn put(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.rename_if(name, bytes, |_| Ok(true)).map(|_| ())
    }

    fn put_if_absent(&self, name: &str, bytes: &[u8]) -> io::Result<bool> {
        self.rename_if(name, bytes, |path| path.try_exists().map(|there| !there))
    }

    fn replace(&self, name: &str, bytes: &[u8], wanted: &Version) -> io::Result<bool> {
        self.rename_if(name, bytes, |path| {
            let now = present(fs::read(path))?;
            Ok(now.is_some_and(|bytes| version(&bytes) == *wanted))
        })
    }

    fn list(&self, prefix: &str) -> io::Result<Vec<Listed>> {
        let mut found = Vec::new();
        let trimmed = prefix.trim_end_matches('/');
        let directory = if trimmed.is_empty() {
            self.root.clone()
        } else {
            self.path(trimmed)?
        };
        list_into(&directory, prefix, &mut found)?;
        if prefix.is_empty() {
            found.retain(|listed| listed.name != LOCK && !listed.name.starts_with("tmp/"));
        }
        found.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(found)
    }

    fn delete(&self, name: &str) -> io::Result<()> {
        present(fs::remove_file(self.path(name)?)).map(|_| ())
    }

    fn appender(&self, name: &str) -> io::Result<Option<Box<dyn Appender>>> {
        let path = self.path(name)?;
        self.make_parents(&path)?;
        let file = File::options().append(true).create_new(true).open(&path)?;
        sync_directory(path.parent().unwrap_or(&self.root))?;
        Ok(Some(Box::new(Appended(file))))
    }
}

struct Appended(File);

impl Appender for Appended {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all(bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.0.sync_data()
    }
}

fn sync_directory(directory: &Path) -> io::Result<()> {
    File::open(directory)?.sync_all()
}

/// Says `None` where something is not there.
fn present<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// The version of a file is its content: what is replaced holds a number that grows.
fn version(bytes: &[u8]) -> Version {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    Version(format!("{:016x}-{}", hasher.finish(), bytes.len()))
}

fn list_into(directory: &Path, prefix: &str, found: &mut Vec<Listed>) -> io::Result<()> {
    let Some(entries) = present(fs::read_dir(directory))? else {
        return Ok(());
    };
    for entry in entries {
        let entry = entry?;
        let Some(name) = entry
            .file_name()
            .to_str()
            .map(|name| format!("{prefix}{name}"))
        else {
            continue;
        };
        // A file may go away between the list and the look at it.
        let Some(metadata) = present(entry.metadata())? else {
            continue;
        };
        if metadata.is_dir() {
            list_into(&entry.path(), &format!("{name}/"), found)?;
        } else {
            found.push(Listed {
                name,
                bytes: metadata.len(),
            });
        }
    }
    Ok(())
}
