//! The lock of `.hone/`: one run at a time, and no run beside processes that an earlier run left at work.
//!
//! The lock belongs to the open file, and every process that a run starts inherits it. So when a run is killed
//! and something that it started goes on, perhaps writing where the next run builds, the lock is still held,
//! and the next run can say by whom.

use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};

use hone_files::advice::Advise;

/// Time that the processes of a killed run have to end: the helper gives them two seconds.
const PATIENCE: Duration = Duration::from_secs(4);
/// Time between two looks at these processes.
const LOOK: Duration = Duration::from_millis(50);

/// The lock, held until it is dropped and all processes that inherited it have ended.
pub(crate) struct Lock {
    file: File,
}

/// A process that holds the lock.
struct Holder {
    pid: u32,
    name: String,
}

impl Lock {
    /// Takes the lock, or returns an error that names its holders.
    pub(crate) fn take(path: &Path) -> Result<Self> {
        Self::take_within(path, PATIENCE)
    }

    /// Takes the lock; `patience` is the time that the processes of a killed run have to end.
    fn take_within(path: &Path, patience: Duration) -> Result<Self> {
        let open = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path);
        let mut file = open.with_context(|| path.display().to_string())?;
        let began = Instant::now();
        let mut was_held_by_nobody = false;
        while file.try_lock().is_err() {
            let owner = fs::read_to_string(path).unwrap_or_default();
            let holders = holders(path);
            let owner_lives = holders
                .iter()
                .any(|holder| owner.trim() == holder.pid.to_string());
            // A holder may have ended since it was asked for the lock; one that stays unseen is another user's.
            let is_held_by_nobody = holders.is_empty();
            if owner_lives || (is_held_by_nobody && was_held_by_nobody) {
                return Err(anyhow!(
                    "another hone optimize is at work here ({} is locked)",
                    path.display()
                ))
                .next("wait for it, or end it");
            }
            if !is_held_by_nobody && began.elapsed() >= patience {
                return Err(left_at_work(&holders)).next(format!(
                    "wait for it, or end it: kill {}",
                    list(&holders, |holder| holder.pid.to_string())
                ));
            }
            was_held_by_nobody = is_held_by_nobody;
            std::thread::sleep(LOOK);
        }
        file.set_len(0)
            .and_then(|()| write!(file, "{}", std::process::id()))
            .with_context(|| path.display().to_string())
            .next("free some space there")?;
        Ok(Self { file })
    }

    /// Lets the processes that are started from now on hold the lock too.
    pub(crate) fn bequeath(&self) -> Result<()> {
        rustix::io::fcntl_setfd(&self.file, rustix::io::FdFlags::empty())
            .context("fcntl(F_SETFD) on the lock")
    }
}

fn left_at_work(holders: &[Holder]) -> anyhow::Error {
    anyhow!(
        "a hone optimize that was killed here has left something at work, which may still write into the \
         build: {}",
        list(holders, |holder| format!(
            "{} (process {})",
            holder.name, holder.pid
        ))
    )
}

fn list(holders: &[Holder], word: impl Fn(&Holder) -> String) -> String {
    holders.iter().map(word).collect::<Vec<_>>().join(" ")
}

/// Lists the other processes that have the file open, as far as this user may know.
fn holders(path: &Path) -> Vec<Holder> {
    let identity = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    let Ok(wanted) = fs::metadata(path).map(identity) else {
        return Vec::new();
    };
    let has_it = |process: &Path| {
        let files = fs::read_dir(process.join("fd")).into_iter().flatten();
        let mut files = files.flatten().map(|file| fs::metadata(file.path()));
        files.any(|file| file.map(identity).is_ok_and(|file| file == wanted))
    };
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let mut found: Vec<_> = processes
        .filter_map(|entry| {
            let pid: u32 = entry.file_name().to_str()?.parse().ok()?;
            let process = entry.path();
            let is_other = pid != std::process::id() && has_it(&process);
            let name = fs::read_to_string(process.join("comm")).unwrap_or_default();
            is_other.then(|| Holder {
                pid,
                name: name.trim().into(),
            })
        })
        .collect();
    found.sort_by_key(|holder| holder.pid);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    #[test]
    fn what_a_killed_run_left_at_work_is_named_with_how_to_end_it() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("lock");
        let file = File::create(&path).unwrap();
        file.try_lock().unwrap();
        // It has the lock as a process has it that a run has started.
        let mut sleep = Command::new("sleep")
            .arg("30")
            .stdin(Stdio::from(file))
            .spawn()
            .unwrap();
        let refused = Lock::take_within(&path, Duration::ZERO).err();
        sleep.kill().unwrap();
        sleep.wait().unwrap();
        let said = hone_files::advice::render(&refused.unwrap());
        let pid = sleep.id();
        assert!(
            said.contains("has left something at work")
                && said.contains(&format!("sleep (process {pid})")),
            "{said}"
        );
        let next = "next: wait for it, or end it: kill ";
        assert!(
            said.contains(next) && said.contains(&pid.to_string()),
            "{said}"
        );
        Lock::take(&path).unwrap();
    }

    #[test]
    fn a_process_with_the_file_open_is_named() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("lock");
        let file = File::create(&path).unwrap();
        let mut sleep = Command::new("sleep")
            .arg("30")
            .stdin(Stdio::from(file))
            .spawn()
            .unwrap();
        let found = holders(&path);
        sleep.kill().unwrap();
        sleep.wait().unwrap();
        // A process that another test forks has every file of this process until it becomes its program.
        let found = found.iter().find(|holder| holder.pid == sleep.id());
        assert_eq!(found.map(|holder| holder.name.as_str()), Some("sleep"));
        let later = holders(&path);
        assert!(later.iter().all(|holder| holder.pid != sleep.id()));
    }
}
