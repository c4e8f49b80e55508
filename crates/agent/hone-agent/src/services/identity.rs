//! Identity of a process: its service, its executable, and the build of the executable.

use hone_host::build_id::{KnownBuilds, build_id};
use hone_host::cgroup::Membership;
use hone_host::service;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Limit on bytes of an executable's name.
const EXECUTABLE_BYTES_MAX: usize = 64;

/// Build id of an executable that the agent has no right to read.
pub(super) const UNKNOWN: &str = "unknown";
/// Build id of an executable without one.
pub(super) const NONE: &str = "none";

/// Identity of a process.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Identity {
    /// Name of the service.
    pub(super) service: String,
    /// Path of the service's cgroup.
    pub(super) service_path: String,
    pub(super) membership: Membership,
    pub(super) build_id: Arc<str>,
    pub(super) executable: String,
}

/// Finder of identities. Each executable is read once.
#[derive(Debug)]
pub(super) struct Identifier {
    proc: PathBuf,
    builds: KnownBuilds,
    unknown: Arc<str>,
}

impl Identifier {
    pub(super) fn new(proc: &Path) -> Self {
        Self {
            proc: proc.to_owned(),
            builds: KnownBuilds::default(),
            unknown: UNKNOWN.into(),
        }
    }

    /// Identifies a process, which calls itself `name`. Returns `None` if the process is gone.
    pub(super) fn identify(&mut self, pid: u32, name: &[u8]) -> Option<Identity> {
        let directory = self.proc.join(pid.to_string());
        let text = fs::read_to_string(directory.join("cgroup")).ok()?;
        let membership = Membership::parse(&text);
        let service = service::service(membership.path());
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
        let read = || {
            let file = File::open(link).ok()?;
            Some(build_id(&file).unwrap_or_else(|| NONE.into()).into())
        };
        let file = fs::metadata(link).ok();
        let build = file.and_then(|file| self.builds.of(&file, read));
        build.unwrap_or_else(|| Arc::clone(&self.unknown))
    }
}

/// Returns the name of an executable, cut to a length that a tag may have.
fn executable(name: &str) -> String {
    let start: String = name.chars().take(EXECUTABLE_BYTES_MAX).collect();
    service::plain(&start, "._-+@")
}
