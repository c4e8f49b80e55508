//! Objects in memory that fail when they are told to, and forget what was not durable when they crash.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard};

use hone_hub::store::objects::{Appender, Listed, Object, Objects, Version};

/// What happens at an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fault {
    /// The process dies before the operation is done.
    CrashBefore,
    /// The process dies after it is done. Of bytes that were appended and not synced, half are there afterwards.
    CrashAfter,
    /// The operation fails and is not done; appending leaves half of the bytes, as on a full disk.
    Fail,
    /// The operation is done, and its answer is lost.
    FailAfter,
}

/// How objects are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// As in a folder: segments are appended to.
    Folder,
    /// As in a bucket: all objects are written whole.
    Bucket,
}

#[derive(Default)]
struct Content {
    /// Bytes, and the number of the change that wrote them.
    objects: BTreeMap<String, (Vec<u8>, u64)>,
    /// Bytes that were appended and not synced.
    appended: BTreeMap<String, Vec<u8>>,
    changes: u64,
    /// Operations so far, and those of them that change something.
    operations: u64,
    changing: u64,
    fault: Option<Planned>,
    has_failed: bool,
    is_dead: bool,
}

/// A fault that comes.
#[derive(Clone, Copy)]
struct Planned {
    /// Number of the operation.
    at: u64,
    /// Only operations that change something are counted.
    is_of_changes: bool,
    fault: Fault,
}

/// What outlives crashes. Clones are the same disk.
#[derive(Clone)]
pub(crate) struct Disk {
    kind: Kind,
    content: Arc<Mutex<Content>>,
}

impl Disk {
    pub(crate) fn new(kind: Kind) -> Self {
        Self {
            kind,
            content: Arc::default(),
        }
    }

    /// Lets an operation fail, counted from now on.
    pub(crate) fn plan(&self, at: u64, fault: Fault) {
        self.plan_one(at, fault, false);
    }

    /// The same of operations that change something.
    pub(crate) fn plan_change(&self, at: u64, fault: Fault) {
        self.plan_one(at, fault, true);
    }

    fn plan_one(&self, at: u64, fault: Fault, is_of_changes: bool) {
        let mut content = self.lock();
        (content.operations, content.changing) = (0, 0);
        content.fault = Some(Planned {
            at,
            is_of_changes,
            fault,
        });
    }

    /// Starts again after a crash: nothing fails any more.
    pub(crate) fn restart(&self) {
        let mut content = self.lock();
        content.fault = None;
        content.is_dead = false;
        // What stays of bytes that were not synced is up to the system: here half of them.
        for (name, bytes) in std::mem::take(&mut content.appended) {
            let kept = bytes.len() / 2;
            if let Some((object, _)) = content.objects.get_mut(&name) {
                object.extend(&bytes[..kept]);
            }
        }
    }

    /// True if the planned fault has come.
    pub(crate) fn has_failed(&self) -> bool {
        self.lock().has_failed
    }

    fn lock(&self) -> MutexGuard<'_, Content> {
        self.content.lock().unwrap()
    }

    /// Does an operation that changes nothing, unless it is the one that fails.
    fn read<T>(&self, operation: impl FnOnce(&mut Content) -> T) -> io::Result<T> {
        self.operate(false, operation, |_| ())
    }

    /// Does an operation that changes something, unless it is the one that fails.
    fn change<T>(&self, operation: impl FnOnce(&mut Content) -> T) -> io::Result<T> {
        self.operate(true, operation, |_| ())
    }

    fn operate<T>(
        &self,
        is_change: bool,
        operation: impl FnOnce(&mut Content) -> T,
        half: impl FnOnce(&mut Content),
    ) -> io::Result<T> {
        let mut content = self.lock();
        let died = || io::Error::other("the process died");
        if content.is_dead {
            return Err(died());
        }
        let (number, changing) = (content.operations, content.changing);
        content.operations += 1;
        content.changing += u64::from(is_change);
        let fault = content.fault.filter(|planned| match planned.is_of_changes {
            true => is_change && planned.at == changing,
            false => planned.at == number,
        });
        content.has_failed |= fault.is_some();
        match fault.map(|planned| planned.fault) {
            None => Ok(operation(&mut content)),
            Some(Fault::CrashBefore) => {
                content.is_dead = true;
                Err(died())
            }
            Some(Fault::CrashAfter) => {
                operation(&mut content);
                content.is_dead = true;
                Err(died())
            }
            Some(Fault::Fail) => {
                half(&mut content);
                Err(io::ErrorKind::StorageFull.into())
            }
            Some(Fault::FailAfter) => {
                operation(&mut content);
                Err(io::ErrorKind::TimedOut.into())
            }
        }
    }
}

impl Content {
    fn write(&mut self, name: &str, bytes: &[u8]) {
        self.changes += 1;
        let change = self.changes;
        self.objects
            .insert(name.to_owned(), (bytes.to_vec(), change));
    }
}

impl Objects for Disk {
    fn get_versioned(&self, name: &str) -> io::Result<Option<Object>> {
        self.read(|content| {
            let (bytes, change) = content.objects.get(name)?;
            let appended = content.appended.get(name);
            let bytes = [bytes.as_slice(), appended.map_or(&[], Vec::as_slice)].concat();
            Some(Object {
                bytes,
                version: Version(change.to_string()),
            })
        })
    }

    fn put(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.change(|content| content.write(name, bytes))
    }

    fn put_if_absent(&self, name: &str, bytes: &[u8]) -> io::Result<bool> {
        self.change(|content| {
            let is_absent = !content.objects.contains_key(name);
            if is_absent {
                content.write(name, bytes);
            }
            is_absent
        })
    }

    fn replace(&self, name: &str, bytes: &[u8], version: &Version) -> io::Result<bool> {
        self.change(|content| {
            let known = content.objects.get(name);
            let is_same = known.is_some_and(|(_, change)| change.to_string() == version.0);
            if is_same {
                content.write(name, bytes);
            }
            is_same
        })
    }

    fn list(&self, prefix: &str) -> io::Result<Vec<Listed>> {
        self.read(|content| {
            let objects = content.objects.iter();
            objects
                .filter(|(name, _)| name.starts_with(prefix))
                .map(|(name, (bytes, _))| Listed {
                    name: name.clone(),
                    bytes: bytes.len() as u64,
                })
                .collect()
        })
    }

    fn delete(&self, name: &str) -> io::Result<()> {
        self.change(|content| {
            content.objects.remove(name);
            content.appended.remove(name);
        })
    }

    fn appender(&self, name: &str) -> io::Result<Option<Box<dyn Appender>>> {
        if self.kind == Kind::Bucket {
            return Ok(None);
        }
        self.change(|content| content.write(name, b""))?;
        Ok(Some(Box::new(Appended {
            disk: self.clone(),
            name: name.to_owned(),
        })))
    }
}

struct Appended {
    disk: Disk,
    name: String,
}

impl Appended {
    fn add(&self, content: &mut Content, bytes: &[u8]) {
        let appended = content.appended.entry(self.name.clone()).or_default();
        appended.extend(bytes);
    }
}

impl Appender for Appended {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.disk.operate(
            true,
            |content| self.add(content, bytes),
            |content| self.add(content, &bytes[..bytes.len() / 2]),
        )
    }

    fn sync(&mut self) -> io::Result<()> {
        self.disk.change(|content| {
            if let Some(appended) = content.appended.remove(&self.name)
                && let Some((object, _)) = content.objects.get_mut(&self.name)
            {
                object.extend(appended);
            }
        })
    }
}
