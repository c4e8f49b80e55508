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

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use hone_build::VariantFlags;
use hone_report::model::{IndirectCalls, RecordingFacts};
use serde::{Deserialize, Serialize};

use super::enough::Judged;
use super::equal::Output;
use super::fingerprint::Fingerprint;
use super::lock::Lock;
use crate::advice::Advise;
pub(super) use crate::files::utf8;
use crate::files::write_whole;

/// The build that all others are compared with.
pub(super) const BASELINE: &str = "baseline";

/// The directory of objects that later builds of the run may take.
pub(super) const OBJECTS: &str = "objects";

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
    /// The build that llvm-bolt made it from.
    #[serde(default)]
    pub(super) bolted_from: Option<String>,
}

/// What of a run is finished. Experiments are not in here: each has a file of its own.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct State {
    /// Of hone.toml, the source, the options and the tools.
    pub(super) fingerprint: Fingerprint,
    /// Whether the report has been written.
    pub(super) finished: bool,
    /// Finished builds by name.
    pub(super) built: BTreeMap<String, Built>,
    /// Builds that took all their objects from earlier ones, with the one that most are of, by name.
    #[serde(default)]
    pub(super) linked_again: BTreeMap<String, String>,
    /// Builds that failed, by name, with the reason.
    pub(super) failed: BTreeMap<String, String>,
    /// Finished recordings by name of the recorded build.
    pub(super) recordings: BTreeMap<String, Vec<RecordingFacts>>,
    /// Finished profiles, file names relative to `.hone/`, by name.
    pub(super) profiles: BTreeMap<String, PathBuf>,
    /// How good the recordings are, by name of the recorded build.
    #[serde(default)]
    pub(super) judged: BTreeMap<String, Judged>,
    /// The recorded build that each profile was made from, by name of the profile.
    #[serde(default)]
    pub(super) made_from: BTreeMap<String, String>,
    /// Whether the report says how much time is spent where no rebuild reaches.
    #[serde(default)]
    pub(super) is_elsewhere_told: bool,
    /// Whether the report says how alike training and measuring are.
    #[serde(default)]
    pub(super) is_mix_compared: bool,
    /// Indirect calls by name of the recorded build.
    pub(super) indirect_calls: BTreeMap<String, IndirectCalls>,
    /// Blocks per workload of every experiment, fixed after the pilot run.
    pub(super) blocks: Option<usize>,
    /// Whether the runs of a pair share one CPU at the same time, decided after the pilot run.
    #[serde(default)]
    pub(super) duet: bool,
    /// Sentences for the report that warn.
    #[serde(default)]
    pub(super) notes: Vec<String>,
    /// Sentences for the report that inform.
    #[serde(default)]
    pub(super) remarks: Vec<String>,
    /// What each measure workload writes under the baseline.
    pub(super) outputs: BTreeMap<String, Output>,
    /// Wall seconds of each measure workload under the baseline, start of a server and warm-up included.
    #[serde(default)]
    pub(super) workload_s: BTreeMap<String, f64>,
    /// Wall seconds of the check under the baseline.
    #[serde(default)]
    pub(super) check_s: Option<f64>,
}

/// The directory of one run, locked.
pub(super) struct Workspace {
    root: PathBuf,
    pub(super) state: State,
    lock: Lock,
}

/// What was found in the directory, and what becomes of it.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Opening {
    /// Nothing of an earlier run.
    New,
    /// An interrupted run, which goes on.
    Resumed,
    /// An interrupted run whose work is thrown away.
    Discarded {
        /// What is different now; empty where the user asked for it.
        changed: Vec<&'static str>,
        /// Finished builds, recordings and profiles.
        counts: [usize; 3],
    },
    /// A finished run, which is put aside until this one is finished.
    PutAside,
}

/// The last finished run.
pub(super) const PREVIOUS: &str = "previous";
const KEPT_BETWEEN_RUNS: &[&str] = &["lock", PREVIOUS];

impl Workspace {
    /// Opens `.hone/` beside the project file, and resumes what stands there if it has the same
    /// fingerprint and is unfinished; otherwise starts afresh.
    pub(super) fn open(
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
        let opening = opening(earlier.as_ref(), fingerprint, fresh);
        let mut workspace = Self {
            root,
            state: earlier.unwrap_or_default(),
            lock,
        };
        // Whatever failed may have been mended meanwhile.
        workspace.state.failed.clear();
        if opening == Opening::PutAside {
            workspace.put_aside()?;
        }
        if opening != Opening::Resumed {
            workspace.start_afresh(fingerprint)?;
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
    pub(super) fn bequeath_lock(&self) -> Result<()> {
        self.lock.bequeath()
    }

    /// Marks the run as finished, and forgets the one before it.
    pub(super) fn finish(&mut self) -> Result<()> {
        self.state.finished = true;
        self.save().context("the state")?;
        remove(&self.path(OBJECTS))?;
        remove(&self.path(PREVIOUS))
    }

    /// A path below `.hone/`.
    pub(super) fn path(&self, relative: impl AsRef<Path>) -> PathBuf {
        self.root.join(relative)
    }

    /// Writes the state, whole or not at all.
    pub(super) fn save(&self) -> Result<()> {
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

    /// All that one run writes.
    fn of_the_run(&self) -> Result<Vec<PathBuf>> {
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

/// What is to become of what an earlier run left.
fn opening(earlier: Option<&State>, fingerprint: &Fingerprint, fresh: bool) -> Opening {
    let Some(earlier) = earlier else {
        return Opening::New;
    };
    let counts = [
        earlier.built.len(),
        earlier.recordings.len(),
        earlier.profiles.len(),
    ];
    let changed = fingerprint.changed_since(&earlier.fingerprint);
    if earlier.finished {
        Opening::PutAside
    } else if counts == [0; 3] {
        Opening::New
    } else if fresh {
        Opening::Discarded {
            changed: Vec::new(),
            counts,
        }
    } else if changed.is_empty() {
        Opening::Resumed
    } else {
        Opening::Discarded { changed, counts }
    }
}

impl Opening {
    /// What the user should know of it.
    pub(super) fn sentence(&self) -> Option<String> {
        let counted = |count: usize, what: &str| {
            let plural = if count == 1 { "" } else { "s" };
            format!("{count} {what}{plural}")
        };
        match self {
            Self::New => None,
            Self::Resumed => Some("going on with the interrupted run".into()),
            Self::Discarded { changed, counts } => {
                let why = if changed.is_empty() {
                    "--fresh was given".into()
                } else {
                    let have = if changed.len() == 1 { "has" } else { "have" };
                    format!("{} {have} changed since the interrupted run", and(changed))
                };
                let [builds, recordings, profiles] = *counts;
                Some(format!(
                    "starting afresh, since {why}: its {}, {} and {} are thrown away",
                    counted(builds, "build"),
                    counted(recordings, "recording"),
                    counted(profiles, "profile")
                ))
            }
            Self::PutAside => Some(format!(
                "the last run is finished; its report and builds are in .hone/{PREVIOUS} until this run is \
                 finished too"
            )),
        }
    }
}

fn and(words: &[&str]) -> String {
    match words.split_last() {
        Some((last, [])) => (*last).into(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

/// Removes whatever stands at a path, if anything does.
pub(super) fn remove(path: &Path) -> Result<()> {
    let removed = match path.symlink_metadata() {
        Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(_) => Ok(()),
    };
    removed.with_context(|| path.display().to_string())
}

/// A state that cannot be read is no state: the run then starts afresh.
fn read_state(root: &Path) -> Option<State> {
    serde_json::from_slice(&fs::read(root.join("state.json")).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fingerprint(source: &str) -> Fingerprint {
        Fingerprint::of(&[("hone.toml", b"same"), ("the source", source.as_bytes())])
    }

    fn open(project: &tempfile::TempDir, source: &str) -> (Workspace, Opening) {
        Workspace::open(project.path(), &fingerprint(source), false).unwrap()
    }

    /// Leaves a run with one build.
    fn run(project: &tempfile::TempDir, source: &str, finished: bool) {
        let mut workspace = open(project, source).0;
        fs::write(workspace.path("report/report.json"), source).unwrap();
        fs::create_dir_all(workspace.tree(BASELINE)).unwrap();
        let built = Built {
            name: BASELINE.into(),
            flags: VariantFlags::default(),
            post_link: Vec::new(),
            build_s: 1.0,
            file_bytes: 1,
            text_bytes: 1,
            bolted_from: None,
        };
        workspace.state.built.insert(BASELINE.into(), built);
        workspace.state.failed.insert("x".into(), "why".into());
        workspace.save().unwrap();
        if finished {
            workspace.finish().unwrap();
        }
    }

    #[test]
    fn an_unfinished_run_is_resumed_without_its_failures() {
        let project = tempfile::tempdir().unwrap();
        run(&project, "f", false);
        let (workspace, opening) = open(&project, "f");
        assert_eq!(opening, Opening::Resumed);
        assert_eq!(workspace.state.built.len(), 1);
        assert!(workspace.state.failed.is_empty());
    }

    #[test]
    fn work_is_not_thrown_away_without_a_word() {
        let project = tempfile::tempdir().unwrap();
        run(&project, "f", false);
        let (workspace, opening) = open(&project, "other");
        assert_eq!(
            opening.sentence().unwrap(),
            "starting afresh, since the source has changed since the interrupted run: its 1 build, \
             0 recordings and 0 profiles are thrown away"
        );
        assert!(workspace.state.built.is_empty() && !workspace.tree(BASELINE).exists());
    }

    #[test]
    fn a_finished_run_is_kept_until_the_next_is_finished() {
        let project = tempfile::tempdir().unwrap();
        run(&project, "f", true);
        let previous = project.path().join(".hone/previous");
        let kept = || {
            assert_eq!(fs::read(previous.join("report/report.json")).unwrap(), b"f");
            assert!(previous.join("variants/baseline").exists());
        };
        let (workspace, opening) = open(&project, "f");
        assert_eq!(opening, Opening::PutAside);
        assert!(workspace.state.built.is_empty() && !workspace.tree(BASELINE).exists());
        drop(workspace);
        kept();
        run(&project, "g", false);
        run(&project, "h", false);
        kept();
        run(&project, "h", true);
        assert!(!previous.exists());
    }

    #[test]
    fn a_variant_runs_where_it_was_built() {
        let project = tempfile::tempdir().unwrap();
        let workspace = open(&project, "f").0;
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
    fn two_runs_at_once_are_refused() {
        let project = tempfile::tempdir().unwrap();
        let _first = open(&project, "f");
        let second = Workspace::open(project.path(), &fingerprint("f"), false);
        let error = second.err().unwrap().to_string();
        assert!(error.contains("another hone optimize"), "{error}");
    }

    #[test]
    fn a_damaged_state_starts_afresh() {
        let project = tempfile::tempdir().unwrap();
        fs::create_dir(project.path().join(".hone")).unwrap();
        fs::write(project.path().join(".hone/state.json"), "{\"finger").unwrap();
        assert_eq!(open(&project, "f").1, Opening::New);
    }
}
