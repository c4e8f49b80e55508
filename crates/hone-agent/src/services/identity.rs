//! Who a process is: its service, its executable and the build of it.

use super::cgroup::Membership;
use super::name;
use hone_host::build_id::build_id;
use std::collections::HashMap;
use std::fs::{self, File};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Builds that are remembered; where there are more executables, they are read again.
const BUILDS_MAX: usize = 4096;
/// Bytes of the name of an executable.
const EXECUTABLE_BYTES_MAX: usize = 64;

/// Stands for the build id where the executable cannot be read: the agent has not the rights.
pub(super) const UNKNOWN: &str = "unknown";
/// Stands for it where there is none in the executable.
pub(super) const NONE: &str = "none";

/// What is known of a process.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Identity {
    /// The name of its service.
    pub(super) service: String,
    /// The path of the service's cgroup.
    pub(super) service_path: String,
    pub(super) membership: Membership,
    pub(super) build_id: Arc<str>,
    pub(super) executable: String,
}

/// What tells one file from another, and from itself after it was written anew.
type FileKey = (u64, u64, i64, i64, u64);

/// Finds out who processes are. Each executable is read once.
#[derive(Debug)]
pub(super) struct Identifier {
    proc: PathBuf,
    builds: HashMap<FileKey, Arc<str>>,
    unknown: Arc<str>,
}

impl Identifier {
    pub(super) fn new(proc: &Path) -> Self {
        Self {
            proc: proc.to_owned(),
            builds: HashMap::new(),
            unknown: UNKNOWN.into(),
        }
    }

    /// Who this process is, which calls itself `name`. `None` if it is gone.
    pub(super) fn identify(&mut self, pid: u32, name: &[u8]) -> Option<Identity> {
        let directory = self.proc.join(pid.to_string());
        let text = fs::read_to_string(directory.join("cgroup")).ok()?;
        let membership = Membership::parse(&text);
        let service = name::service(membership.path());
        let service_path = membership.path()[..service.path_bytes].to_owned();
        let link = directory.join("exe");
        let build_id = self.build_of(&link);
        let file = fs::read_link(&link).ok();
        let file = file
            .as_deref()
            .and_then(Path::file_name)
            .map(|file| file.to_string_lossy());
        let called = file.unwrap_or_else(|| String::from_utf8_lossy(name));
        Some(Identity {
            service: service.name,
            service_path,
            membership,
            build_id,
            executable: executable(called.strip_suffix(" (deleted)").unwrap_or(&called)),
        })
    }

    fn build_of(&mut self, link: &Path) -> Arc<str> {
        let Ok(of) = fs::metadata(link) else {
            return Arc::clone(&self.unknown);
        };
        let key = (of.dev(), of.ino(), of.mtime(), of.mtime_nsec(), of.size());
        if let Some(known) = self.builds.get(&key) {
            return Arc::clone(known);
        }
        let Ok(file) = File::open(link) else {
            return Arc::clone(&self.unknown);
        };
        let id: Arc<str> = build_id(&file).unwrap_or_else(|| NONE.into()).into();
        if self.builds.len() >= BUILDS_MAX {
            self.builds.clear();
        }
        self.builds.insert(key, Arc::clone(&id));
        id
    }
}

/// The name of an executable, of a length that a tag may have.
fn executable(name: &str) -> String {
    let start: String = name.chars().take(EXECUTABLE_BYTES_MAX).collect();
    name::plain(&start, "._-+@")
}
