//! A view of the files for one run, in which one directory lies at the path of another.
//!
//! With such a view, two variants of a program can run at the same path at the same time: each sees its own tree there. The
//! mount is in a namespace of the run (mount_namespaces(7)), which needs CAP_SYS_ADMIN; without this capability the run
//! gets a user namespace too (user_namespaces(7)), in which it keeps its user and group. Nothing outside of the run
//! sees the mount, which goes with the run's last process.

use std::path::PathBuf;

use anyhow::{Context, Result};
use nix::errno::Errno;
use nix::mount::{MsFlags, mount};
use nix::sched::{CloneFlags, unshare};
use serde::{Deserialize, Serialize};

/// A directory that a run sees in place of another.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Cover {
    /// Path of a directory, or of a link to a directory ...
    pub path: PathBuf,
    /// ... at which the run sees this directory.
    pub with: PathBuf,
}

impl Cover {
    /// Covers the path for this process, which has one thread, and for all processes that it will start.
    pub(super) fn enter(&self) -> Result<()> {
        own_mounts().context("a view of the files of the run's own (unshare)")?;
        let nothing: Option<&str> = None;
        // Without this flag the mount would show outside.
        let private = MsFlags::MS_REC | MsFlags::MS_PRIVATE;
        mount(nothing, "/", nothing, private, nothing).context("mount --make-rprivate /")?;
        mount(
            Some(&self.with),
            &self.path,
            nothing,
            MsFlags::MS_BIND,
            nothing,
        )
        .with_context(|| format!("mount --bind {}", self.with.display()))
    }
}

fn own_mounts() -> Result<()> {
    match unshare(CloneFlags::CLONE_NEWNS) {
        Err(Errno::EPERM) => {}
        done => return Ok(done?),
    }
    let (user, group) = (nix::unistd::geteuid(), nix::unistd::getegid());
    unshare(CloneFlags::CLONE_NEWUSER | CloneFlags::CLONE_NEWNS)?;
    // Without this line the kernel takes no map of groups from a process without privileges.
    std::fs::write("/proc/self/setgroups", "deny").context("/proc/self/setgroups")?;
    std::fs::write("/proc/self/uid_map", format!("{user} {user} 1")).context("the map of users")?;
    std::fs::write("/proc/self/gid_map", format!("{group} {group} 1")).context("the map of groups")
}
