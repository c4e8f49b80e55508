//! The `.hone/` directory beside hone.toml: where everything of a run lies, and how a run is resumed.
//!
//! ```text
//! .hone/
//!   lock            held while a run goes on
//!   state.json      what is finished; replaced whole after each step
//!   build           the tree that is being built, or a link to the variant that runs
//!   variants/ID/    finished trees
//!   objects/        what was compiled, for later builds of the run
//!   recordings/ profiles/ experiments/ logs/ wrapper/ report/
//!   previous/       all of the last finished run, until this one is finished
//! ```
//!
//! Every variant is built at the same path and moved away when it is done: names of static functions in
//! profiles and `__FILE__` hold the path, and must not differ between the build that was recorded and the
//! build that uses the profile. It also runs at that path, through a link: run paths of its own shared
//! libraries and whatever else the build wrote down point there.

pub(crate) mod fingerprint;
mod lock;
mod opening;
pub(crate) mod state;
mod trees;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use hone_build::BuildKey;
use serde::Deserialize;

use crate::workspace::fingerprint::Fingerprint;
use crate::workspace::lock::Lock;
use crate::workspace::opening::Opening;
use crate::workspace::state::State;
use hone_files::advice::Advise;
pub(crate) use hone_files::files::utf8;
use hone_files::files::write_whole;

/// The build that all others are compared with.
pub(crate) const BASELINE: &str = BuildKey::BASELINE;

/// The directory of objects that later builds of the run may take.
pub(crate) const OBJECTS: &str = "objects";

/// The directory of one run, locked.
pub(crate) struct Workspace {
    root: PathBuf,
    pub(crate) state: State,
    lock: Lock,
}

/// Directory of the last finished run.
pub(crate) const PREVIOUS: &str = "previous";
const KEPT_BETWEEN_RUNS: &[&str] = &["lock", PREVIOUS];

impl Workspace {
    /// Opens `.hone/` beside the project file, and keeps the parts of an earlier run that still fit.
    pub(crate) fn open(
        project_dir: &Path,
        fingerprint: &Fingerprint,
        fresh: bool,
    ) -> Result<(Self, Opening)> {
        let root = project_dir.join(".hone");
        fs::create_dir_all(&root)
            .with_context(|| root.display().to_string())
            .next("make the directory of hone.toml writable")?;
        let lock = Lock::take(&root.join("lock"))?;
        let earlier = read_state(&root);
        let opening = Opening::of(earlier.as_ref(), fingerprint, fresh);
        let mut workspace = Self {
            root,
            state: earlier.unwrap_or_default(),
            lock,
        };
        // The reasons of failures may have been mended meanwhile.
        workspace.state.failed.clear();
        if opening.is_of_a_finished_run() {
            workspace.put_aside()?;
        }
        match opening {
            Opening::Resumed => {}
            Opening::Reused { kept, .. } => workspace.reuse(kept, fingerprint)?,
            Opening::New | Opening::Discarded { .. } | Opening::PutAside => {
                workspace.start_afresh(fingerprint)?;
            }
        }
        for directory in [
            "variants",
            "recordings",
            "profiles",
            "experiments",
            "logs",
            "report",
        ] {
            fs::create_dir_all(workspace.path(directory)).context(directory)?;
        }
        workspace.save()?;
        Ok((workspace, opening))
    }

    /// Lets the processes that this run starts hold the lock too.
    pub(crate) fn bequeath_lock(&self) -> Result<()> {
        self.lock.bequeath()
    }

    /// Marks the run as finished, and removes the run before it.
    pub(crate) fn finish(&mut self) -> Result<()> {
        self.state.finished = true;
        self.save().context("the state")?;
        remove(&self.path(OBJECTS))?;
        remove(&self.path(PREVIOUS))
    }

    /// A path below `.hone/`.
    pub(crate) fn path(&self, relative: impl AsRef<Path>) -> PathBuf {
        self.root.join(relative)
    }

    /// Directory for the IR of a build's sources.
    pub(crate) fn ir(&self, build: &str) -> PathBuf {
        self.path(format!("ir/{build}"))
    }

    /// Writes the state, whole or not at all.
    pub(crate) fn save(&self) -> Result<()> {
        write_whole(
            &self.path("state.json"),
            &serde_json::to_vec_pretty(&self.state)?,
        )
    }

    /// Moves all of a finished run to `.hone/previous`.
    fn put_aside(&self) -> Result<()> {
        let previous = self.path(PREVIOUS);
        remove(&previous)?;
        fs::create_dir(&previous).context(PREVIOUS)?;
        for path in self.of_the_run()? {
            let to = previous.join(path.file_name().unwrap_or_default());
            fs::rename(&path, to).with_context(|| path.display().to_string())?;
        }
        Ok(())
    }

    fn start_afresh(&mut self, fingerprint: &Fingerprint) -> Result<()> {
        for path in self.of_the_run()? {
            remove(&path)?;
        }
        self.state = State {
            fingerprint: fingerprint.clone(),
            ..State::default()
        };
        Ok(())
    }

    /// Lists all that one run writes.
    pub(crate) fn of_the_run(&self) -> Result<Vec<PathBuf>> {
        let is_kept = |path: &PathBuf| {
            let mut kept = KEPT_BETWEEN_RUNS.iter();
            kept.any(|kept| path.file_name() == Some(kept.as_ref()))
        };
        let entries = fs::read_dir(&self.root).context(".hone")?;
        let mut paths: Vec<_> = entries
            .map(|entry| Ok(entry?.path()))
            .collect::<std::io::Result<_>>()
            .context(".hone")?;
        paths.retain(|path| !is_kept(path));
        Ok(paths)
    }
}

/// Removes the file or directory at a path, if there is one.
pub(crate) fn remove(path: &Path) -> Result<()> {
    let removed = match path.symlink_metadata() {
        Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(_) => Ok(()),
    };
    removed.with_context(|| path.display().to_string())
}

/// Makes an empty directory: files that an interrupted run left would count twice, or belong to other sources.
pub(crate) fn empty_directory(directory: &Path) -> Result<()> {
    remove(directory)?;
    fs::create_dir_all(directory).with_context(|| directory.display().to_string())
}

/// Reads the state. A state that cannot be read counts as no state: the run then starts afresh. Of the state of another
/// version of Hone it is only asked if its run was finished, since a finished run is put aside.
fn read_state(root: &Path) -> Option<State> {
    #[derive(Deserialize)]
    struct OfAnyVersion {
        finished: bool,
    }
    let bytes = fs::read(root.join("state.json")).ok()?;
    let whole = serde_json::from_slice(&bytes);
    whole.ok().or_else(|| {
        let OfAnyVersion { finished } = serde_json::from_slice(&bytes).ok()?;
        Some(State {
            finished,
            ..State::default()
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(project: &tempfile::TempDir) -> Workspace {
        Workspace::open(project.path(), &Fingerprint::default(), false)
            .unwrap()
            .0
    }

    #[test]
    fn a_variant_runs_where_it_was_built() {
        let project = tempfile::tempdir().unwrap();
        let workspace = open(&project);
        for name in ["one", "two"] {
            let build = workspace.clear_build().unwrap();
            fs::create_dir(&build).unwrap();
            fs::write(build.join("name"), name).unwrap();
            workspace.keep_build(name).unwrap();
        }
        fs::create_dir(workspace.path("build")).unwrap();
        for name in ["one", "two", "one", "one"] {
            let build = workspace.enter(name).unwrap();
            assert_eq!(build, workspace.path("build"));
            assert_eq!(fs::read_to_string(build.join("name")).unwrap(), name);
        }
        workspace.clear_build().unwrap();
        assert!(workspace.tree("one").join("name").exists());
    }

    #[test]
    fn a_renewed_tree_is_a_new_copy_of_the_same_age() {
        use std::os::unix::fs::MetadataExt;
        let project = tempfile::tempdir().unwrap();
        let workspace = open(&project);
        let program = workspace.tree("one").join("prog");
        fs::create_dir_all(workspace.tree("one")).unwrap();
        fs::write(&program, "program").unwrap();
        let twin = workspace.twin("one").unwrap();
        let before = program.metadata().unwrap();
        workspace.renew(&["one".to_owned()]).unwrap();
        let after = program.metadata().unwrap();
        assert_eq!(fs::read_to_string(&program).unwrap(), "program");
        assert_ne!(after.ino(), before.ino());
        assert_eq!(after.modified().unwrap(), before.modified().unwrap());
        // The copy for a second run at the same time is made anew too.
        assert!(!twin.exists() && !workspace.path("renewed").exists());
    }

    #[test]
    fn two_runs_at_once_are_refused() {
        let project = tempfile::tempdir().unwrap();
        let _first = open(&project);
        let second = Workspace::open(project.path(), &Fingerprint::default(), false);
        let error = second.err().unwrap().to_string();
        assert!(error.contains("another hone optimize"), "{error}");
    }

    #[test]
    fn a_finished_run_of_another_version_is_put_aside() {
        let project = tempfile::tempdir().unwrap();
        let hone = project.path().join(".hone");
        fs::create_dir_all(hone.join("report")).unwrap();
        let state = r#"{"finished": true, "built": {"baseline": {"name": "baseline"}}}"#;
        fs::write(hone.join("state.json"), state).unwrap();
        let opened = Workspace::open(project.path(), &Fingerprint::default(), false);
        assert_eq!(opened.unwrap().1, Opening::PutAside);
        assert!(hone.join("previous/report").exists());
    }

    #[test]
    fn a_damaged_state_starts_afresh() {
        let project = tempfile::tempdir().unwrap();
        fs::create_dir(project.path().join(".hone")).unwrap();
        fs::write(project.path().join(".hone/state.json"), "{\"finger").unwrap();
        let opened = Workspace::open(project.path(), &Fingerprint::default(), false);
        assert_eq!(opened.unwrap().1, Opening::New);
    }
}
