//! The `.hone/` directory beside hone.toml: where everything of a run lies, and how a run is resumed.
//!
//! ```text
//! .hone/
//!   lock            held while a run goes on
//!   state.json      what is finished; replaced whole after each step
//!   build/          the tree that is being built, always at this one path
//!   variants/ID/    finished trees
//!   recordings/ profiles/ experiments/ logs/ wrapper/ report/
//! ```
//!
//! Every variant is built at the same path and moved away when it is done: names of static functions in
//! profiles and `__FILE__` hold the path, and must not differ between the build that was recorded and the
//! build that uses the profile.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use hone_build::VariantFlags;
use hone_report::model::{IndirectCalls, RecordingFacts};
use serde::{Deserialize, Serialize};

use crate::advice::Advise;
use crate::files::write_whole;

/// A finished build.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Built {
    /// Name of the tree under `variants/`.
    pub(super) name: String,
    /// The flags it was built with.
    pub(super) flags: VariantFlags,
    /// Commands run on the linked binary.
    pub(super) post_link: Vec<String>,
    /// Seconds that it took.
    pub(super) build_s: f64,
    /// Size of the binary.
    pub(super) file_bytes: u64,
    /// Size of its executable sections.
    pub(super) text_bytes: u64,
}

/// What of a run is finished. Experiments are not in here: each has a file of its own.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct State {
    /// Of hone.toml, the source, the options and the tools.
    pub(super) fingerprint: String,
    /// Whether the report has been written.
    pub(super) finished: bool,
    /// Finished builds by name.
    pub(super) built: BTreeMap<String, Built>,
    /// Builds that failed, by name, with the reason.
    pub(super) failed: BTreeMap<String, String>,
    /// Finished recordings by name of the recorded build.
    pub(super) recordings: BTreeMap<String, Vec<RecordingFacts>>,
    /// Finished profiles, file names relative to `.hone/`, by name.
    pub(super) profiles: BTreeMap<String, PathBuf>,
    /// Indirect calls by name of the recorded build.
    pub(super) indirect_calls: BTreeMap<String, IndirectCalls>,
    /// Blocks per workload of every experiment, fixed after the pilot run.
    pub(super) blocks: Option<usize>,
    /// Sentences for the report.
    #[serde(default)]
    pub(super) notes: Vec<String>,
    /// Hash of the standard output of each measure workload under the baseline.
    pub(super) outputs: BTreeMap<String, String>,
}

/// The directory of one run, locked.
pub(super) struct Workspace {
    root: PathBuf,
    pub(super) state: State,
    _lock: File,
}

const KEPT_BETWEEN_RUNS: &[&str] = &["lock", "report"];

impl Workspace {
    /// Opens `.hone/` beside the project file, and resumes what stands there if it has the same
    /// fingerprint and is unfinished; otherwise starts afresh.
    pub(super) fn open(project_dir: &Path, fingerprint: &str, fresh: bool) -> Result<Self> {
        let root = project_dir.join(".hone");
        fs::create_dir_all(&root)
            .with_context(|| root.display().to_string())
            .next("make the directory of hone.toml writable")?;
        let lock = File::create(root.join("lock")).context(".hone/lock")?;
        if lock.try_lock().is_err() {
            return Err(anyhow::anyhow!(
                "another hone optimize is at work in {}",
                root.display()
            ))
            .next("wait for it, or end it");
        }
        let state = read_state(&root)
            .filter(|state| !fresh && !state.finished && state.fingerprint == fingerprint);
        let mut workspace = Self {
            root,
            state: State::default(),
            _lock: lock,
        };
        match state {
            Some(mut state) => {
                // Whatever failed may have been mended meanwhile.
                state.failed.clear();
                workspace.state = state;
            }
            None => workspace.start_afresh(fingerprint)?,
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
        Ok(workspace)
    }

    /// A path below `.hone/`.
    pub(super) fn path(&self, relative: impl AsRef<Path>) -> PathBuf {
        self.root.join(relative)
    }

    /// The tree of a finished build.
    pub(super) fn tree(&self, name: &str) -> PathBuf {
        self.path("variants").join(name)
    }

    /// Whether anything was found from an earlier, unfinished run.
    pub(super) fn is_resumed(&self) -> bool {
        !self.state.built.is_empty()
    }

    /// Writes the state, whole or not at all.
    pub(super) fn save(&self) -> Result<()> {
        write_whole(
            &self.path("state.json"),
            &serde_json::to_vec_pretty(&self.state)?,
        )
    }

    /// Clears `.hone/build` for the next build.
    pub(super) fn clear_build(&self) -> Result<PathBuf> {
        let build = self.path("build");
        if build.exists() {
            fs::remove_dir_all(&build).with_context(|| build.display().to_string())?;
        }
        Ok(build)
    }

    /// Moves `.hone/build` to its place among the finished trees.
    pub(super) fn keep_build(&self, name: &str) -> Result<PathBuf> {
        let tree = self.tree(name);
        if tree.exists() {
            fs::remove_dir_all(&tree).with_context(|| tree.display().to_string())?;
        }
        fs::rename(self.path("build"), &tree).with_context(|| tree.display().to_string())?;
        Ok(tree)
    }

    fn start_afresh(&mut self, fingerprint: &str) -> Result<()> {
        for entry in fs::read_dir(&self.root).context(".hone")? {
            let entry = entry?;
            if KEPT_BETWEEN_RUNS
                .iter()
                .any(|kept| entry.file_name() == *kept)
            {
                continue;
            }
            let path = entry.path();
            let removed = if entry.file_type()?.is_dir() {
                fs::remove_dir_all(&path)
            } else {
                fs::remove_file(&path)
            };
            removed.with_context(|| path.display().to_string())?;
        }
        self.state = State {
            fingerprint: fingerprint.into(),
            ..State::default()
        };
        Ok(())
    }
}

/// A state that cannot be read is no state: the run then starts afresh.
fn read_state(root: &Path) -> Option<State> {
    serde_json::from_slice(&fs::read(root.join("state.json")).ok()?).ok()
}

/// The path as text, for tools that take paths in text.
pub(super) fn utf8(path: &Path) -> Result<&str> {
    match path.to_str() {
        Some(text) => Ok(text),
        None => bail!(
            "{} is not UTF-8; move the project to a path that is",
            path.display()
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unfinished_run_is_resumed_and_a_finished_one_is_not() {
        let project = tempfile::tempdir().unwrap();
        let mut workspace = Workspace::open(project.path(), "f", false).unwrap();
        workspace.state.blocks = Some(7);
        workspace.save().unwrap();
        drop(workspace);
        let workspace = Workspace::open(project.path(), "f", false).unwrap();
        assert_eq!(workspace.state.blocks, Some(7));
        drop(workspace);
        let mut workspace = Workspace::open(project.path(), "other source", false).unwrap();
        assert_eq!(workspace.state.blocks, None);
        workspace.state.finished = true;
        workspace.state.blocks = Some(7);
        workspace.save().unwrap();
        drop(workspace);
        assert_eq!(
            Workspace::open(project.path(), "other source", false)
                .unwrap()
                .state
                .blocks,
            None
        );
    }

    #[test]
    fn two_runs_at_once_are_refused() {
        let project = tempfile::tempdir().unwrap();
        let _first = Workspace::open(project.path(), "f", false).unwrap();
        let error = Workspace::open(project.path(), "f", false).err().unwrap();
        assert!(
            error.to_string().contains("another hone optimize"),
            "{error}"
        );
    }

    #[test]
    fn a_damaged_state_starts_afresh() {
        let project = tempfile::tempdir().unwrap();
        fs::create_dir(project.path().join(".hone")).unwrap();
        fs::write(project.path().join(".hone/state.json"), "{\"finger").unwrap();
        assert!(
            !Workspace::open(project.path(), "f", false)
                .unwrap()
                .is_resumed()
        );
    }
}
