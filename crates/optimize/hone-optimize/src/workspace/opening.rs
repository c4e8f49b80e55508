//! Decides about an earlier run in `.hone/`: it is resumed, or gives its builds to the next, or is thrown away.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use hone_build::config::Stage;
use hone_report::note::Note;

use crate::workspace::fingerprint::{Changes, Fingerprint};
use crate::workspace::state::{Built, State};
use crate::workspace::{PREVIOUS, Workspace, remove};
use hone_files::files::copy_tree;

/// State of the directory, and what happens to an earlier run in it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Opening {
    /// There is no earlier run.
    New,
    /// An interrupted run, which is resumed.
    Resumed,
    /// A run of which a part still fits.
    Reused {
        /// True if the run was finished, and is put aside.
        is_finished: bool,
        /// Names of the changed parts.
        changed: Vec<&'static str>,
        kept: Kept,
        counts: Counts,
    },
    /// An interrupted run whose work is thrown away.
    Discarded {
        /// Names of the changed parts; empty if the user asked for a fresh run.
        changed: Vec<&'static str>,
        counts: Counts,
    },
    /// A finished run of which nothing fits; put aside until the new run is finished.
    PutAside,
}

/// Part of an earlier run that still fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kept {
    /// The builds that use no profile: everything is recorded anew.
    PlainBuilds,
    /// All builds, recordings and profiles: at most the measuring has changed.
    AllBuilds,
}

/// Numbers of finished builds, recordings and profiles of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Counts {
    builds: usize,
    recordings: usize,
    profiles: usize,
}

impl Opening {
    /// Decides what happens to the work of an earlier run.
    pub(crate) fn of(earlier: Option<&State>, fingerprint: &Fingerprint, fresh: bool) -> Self {
        let Some(earlier) = earlier else {
            return Self::New;
        };
        let is_finished = earlier.finished;
        let Changes { parts, first } = fingerprint.changes_since(&earlier.fingerprint);
        let kept = match first {
            _ if fresh => None,
            Some(Stage::Building) => None,
            Some(Stage::Training) => Some(Kept::PlainBuilds),
            // The time per rung bounds recordings too.
            Some(Stage::Measuring) if earlier.judged.values().any(|judged| !judged.is_good) => {
                Some(Kept::PlainBuilds)
            }
            Some(Stage::Measuring) | None => Some(Kept::AllBuilds),
        };
        let counts = Counts {
            builds: earlier.built.len(),
            recordings: earlier.recordings.len(),
            profiles: earlier.profiles.len(),
        };
        match kept {
            _ if counts.is_nothing() => match is_finished {
                true => Self::PutAside,
                false => Self::New,
            },
            Some(_) if first.is_none() && !is_finished => Self::Resumed,
            Some(kept) => Self::Reused {
                is_finished,
                changed: parts,
                counts: match kept {
                    Kept::AllBuilds => counts,
                    Kept::PlainBuilds => Counts {
                        builds: earlier
                            .built
                            .values()
                            .filter(|built| is_plain(built))
                            .count(),
                        recordings: 0,
                        profiles: 0,
                    },
                },
                kept,
            },
            None if is_finished => Self::PutAside,
            None => Self::Discarded {
                changed: if fresh { Vec::new() } else { parts },
                counts,
            },
        }
    }

    /// True if the earlier run is finished.
    pub(crate) fn is_of_a_finished_run(&self) -> bool {
        matches!(
            self,
            Self::PutAside
                | Self::Reused {
                    is_finished: true,
                    ..
                }
        )
    }

    /// Returns the sentence on the earlier run for the user.
    pub(crate) fn sentence(&self) -> Option<String> {
        let have_changed = |changed: &[&str]| {
            let have = if changed.len() == 1 { "has" } else { "have" };
            format!("{} {have} changed since the interrupted run", and(changed))
        };
        Some(match self {
            Self::New => return None,
            Self::Resumed => "going on with the interrupted run".into(),
            Self::Reused {
                is_finished: false,
                changed,
                kept,
                counts,
            } => format!("{}: {}", have_changed(changed), kept.sentence(*counts)),
            Self::Reused { kept, counts, .. } => format!(
                "the last run is finished; {}; --fresh makes everything anew. Its report and builds are in \
                 .hone/{PREVIOUS} until this run is finished too",
                kept.sentence(*counts)
            ),
            Self::Discarded { changed, counts } => {
                let why = match changed.is_empty() {
                    true => "--fresh was given".into(),
                    false => have_changed(changed),
                };
                let counts = counts.in_words();
                format!("starting afresh, since {why}: its {counts} are thrown away")
            }
            Self::PutAside => format!(
                "the last run is finished; its report and builds are in .hone/{PREVIOUS} until this run is \
                 finished too"
            ),
        })
    }
}

impl Kept {
    fn sentence(self, counts: Counts) -> String {
        match self {
            Self::PlainBuilds => format!(
                "its {} without a profile are kept, and everything is recorded and measured anew",
                counted(counts.builds, "build")
            ),
            Self::AllBuilds => format!(
                "its {} are kept, and everything is measured anew",
                counts.in_words()
            ),
        }
    }
}

impl Counts {
    fn is_nothing(self) -> bool {
        self.builds + self.recordings + self.profiles == 0
    }

    fn in_words(self) -> String {
        format!(
            "{}, {} and {}",
            counted(self.builds, "build"),
            counted(self.recordings, "recording"),
            counted(self.profiles, "profile")
        )
    }
}

impl Workspace {
    /// Keeps the parts of the earlier run that still fit, from `.hone/` or from where the run was put aside.
    pub(crate) fn reuse(&mut self, kept: Kept, fingerprint: &Fingerprint) -> Result<()> {
        for directory in match kept {
            Kept::PlainBuilds => &["variants", "logs"][..],
            Kept::AllBuilds => &["variants", "logs", "recordings", "profiles"],
        } {
            let put_aside = self.path(PREVIOUS).join(directory);
            let here = self.path(directory);
            if !here.exists() && put_aside.is_dir() {
                copy_tree(&put_aside, &here)?;
            }
        }
        self.state = std::mem::take(&mut self.state).for_the_next_run(kept, fingerprint);
        let state = &self.state;
        for path in self.of_the_run()? {
            let name = path.file_name().and_then(|name| name.to_str());
            match (name, kept) {
                (Some("logs" | "objects"), _) => {}
                (Some("recordings" | "profiles"), Kept::AllBuilds) => {}
                (Some("variants"), _) => {
                    remove_all_but(&path, |name| state.built.contains_key(name))?
                }
                _ => remove(&path)?,
            }
        }
        Ok(())
    }
}

impl State {
    /// Returns the state that the next run starts with.
    fn for_the_next_run(mut self, kept: Kept, fingerprint: &Fingerprint) -> Self {
        let fingerprint = fingerprint.clone();
        if kept == Kept::AllBuilds {
            return Self {
                fingerprint,
                built: self.built,
                linked_again: self.linked_again,
                recordings: self.recordings,
                profiles: self.profiles,
                judged: self.judged,
                indirect_calls: self.indirect_calls,
                notes: lasting(self.notes),
                check_s: self.check_s,
                named_compilers: self.named_compilers,
                ..Self::default()
            };
        }
        self.built.retain(|_, built| is_plain(built));
        self.linked_again
            .retain(|name, _| self.built.contains_key(name));
        Self {
            fingerprint,
            built: self.built,
            linked_again: self.linked_again,
            check_s: self.check_s,
            named_compilers: self.named_compilers,
            ..Self::default()
        }
    }
}

/// Returns the notes that last as long as the builds that they are on.
fn lasting(notes: Vec<Note>) -> Vec<Note> {
    let notes = notes.into_iter();
    notes.filter(Note::lasts_with_its_build).collect()
}

/// Removes the entries of a directory whose names are not wanted.
fn remove_all_but(directory: &Path, is_wanted: impl Fn(&str) -> bool) -> Result<()> {
    for entry in fs::read_dir(directory).with_context(|| directory.display().to_string())? {
        let entry = entry?;
        if !entry.file_name().to_str().is_some_and(&is_wanted) {
            remove(&entry.path())?;
        }
    }
    Ok(())
}

/// True if a build stays the same whatever is recorded: neither its flags nor llvm-bolt read a profile.
fn is_plain(built: &Built) -> bool {
    let flags = &built.flags;
    let environment = flags.build_env.values();
    let mut words = flags
        .of_compilers()
        .into_iter()
        .flatten()
        .chain(environment);
    built.bolted_from.is_none() && !words.any(|word| word.contains(PROFILES))
}

/// Part of the path of every profile of a run.
const PROFILES: &str = "/.hone/profiles/";

fn counted(count: usize, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}

fn and(words: &[&str]) -> String {
    match words.split_last() {
        Some((last, [])) => (*last).into(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use hone_build::lever::by_id;
    use hone_build::{BuildKey, Purpose, Variant, VariantFlags};
    use hone_report::note::{BuildNote, GainNote};

    use super::*;
    use crate::workspace::BASELINE;
    use crate::workspace::fingerprint::{MEASURING_TABLES, TRAINING_TABLES};
    use crate::workspace::state::Profile;

    fn fingerprint(source: &str) -> Fingerprint {
        fingerprint_of(source, "train", "measure")
    }

    fn fingerprint_of(source: &str, training: &str, measuring: &str) -> Fingerprint {
        Fingerprint::of(&[
            ("the source", source.as_bytes()),
            (TRAINING_TABLES, training.as_bytes()),
            (MEASURING_TABLES, measuring.as_bytes()),
        ])
    }

    fn open(project: &tempfile::TempDir, source: &str) -> (Workspace, Opening) {
        open_for(project, &fingerprint(source))
    }

    fn open_for(project: &tempfile::TempDir, fingerprint: &Fingerprint) -> (Workspace, Opening) {
        Workspace::open(project.path(), fingerprint, false).unwrap()
    }

    fn of_a_build() -> Note {
        BuildNote::Recorder("of a build".into()).into()
    }

    /// Leaves a run with a plain build and a build that uses a profile.
    fn run(project: &tempfile::TempDir, source: &str, finished: bool) {
        let mut workspace = open(project, source).0;
        fs::write(workspace.path("report/report.json"), source).unwrap();
        let profile = workspace.path("profiles/a.prof");
        fs::write(&profile, "a profile").unwrap();
        let state = &mut workspace.state;
        let made = Profile {
            file: "profiles/a.prof".into(),
            recorded: None,
        };
        state.profiles.insert("a".into(), made);
        state.blocks = Some(5);
        state.notes = vec![GainNote::SearchedAll.into(), of_a_build()];
        state.failed.insert("x".into(), "why".into());
        let profiled = format!("-fprofile-sample-use={}", profile.display());
        let autofdo = Variant::default().with(by_id("autofdo").unwrap());
        let autofdo = BuildKey::new(&autofdo, Purpose::Use);
        for (key, flag) in [(BuildKey::baseline(), None), (autofdo, Some(profiled))] {
            let flags = VariantFlags {
                compile: flag.into_iter().collect(),
                ..VariantFlags::default()
            };
            let built = Built {
                key,
                flags,
                post_link: Vec::new(),
                build_s: 1.0,
                file_bytes: 1,
                loaded_bytes: None,
                text_bytes: 1,
                bolted_from: None,
            };
            fs::create_dir_all(workspace.tree(&built.name())).unwrap();
            workspace.state.built.insert(built.name(), built);
        }
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
        assert_eq!(workspace.state.built.len(), 2);
        assert_eq!(workspace.state.blocks, Some(5));
        assert!(workspace.state.failed.is_empty());
    }

    #[test]
    fn work_is_not_thrown_away_without_a_word() {
        let project = tempfile::tempdir().unwrap();
        run(&project, "f", false);
        let (workspace, opening) = open(&project, "other");
        assert_eq!(
            opening.sentence().unwrap(),
            "starting afresh, since the source has changed since the interrupted run: its 2 builds, \
             0 recordings and 1 profile are thrown away"
        );
        assert!(workspace.state.built.is_empty() && !workspace.tree(BASELINE).exists());
    }

    #[test]
    fn other_measuring_keeps_builds_and_profiles() {
        for finished in [false, true] {
            let project = tempfile::tempdir().unwrap();
            run(&project, "f", finished);
            let (workspace, opening) = open_for(&project, &fingerprint_of("f", "train", "other"));
            let sentence = opening.sentence().unwrap();
            let kept = "its 2 builds, 0 recordings and 1 profile are kept, and everything is measured anew";
            assert!(sentence.contains(kept), "{sentence}");
            let state = &workspace.state;
            assert_eq!((state.built.len(), state.profiles.len()), (2, 1));
            assert_eq!((state.blocks, state.finished), (None, false));
            assert_eq!(state.notes, [of_a_build()]);
            for path in ["variants/baseline", "variants/autofdo", "profiles/a.prof"] {
                assert!(workspace.path(path).exists(), "{path}");
            }
            assert!(!workspace.path("report/report.json").exists());
            drop(workspace);
            let again = open_for(&project, &fingerprint_of("f", "train", "other")).1;
            assert_eq!(again, Opening::Resumed);
        }
    }

    #[test]
    fn other_training_keeps_builds_without_a_profile() {
        for finished in [false, true] {
            let project = tempfile::tempdir().unwrap();
            run(&project, "f", finished);
            let (workspace, opening) = open_for(&project, &fingerprint_of("f", "other", "measure"));
            let sentence = opening.sentence().unwrap();
            let kept = "its 1 build without a profile";
            assert!(sentence.contains(kept), "{sentence}");
            assert!(workspace.state.built.contains_key(BASELINE));
            assert!(workspace.state.profiles.is_empty());
            assert!(workspace.tree(BASELINE).exists());
            for path in ["variants/autofdo", "profiles/a.prof"] {
                assert!(!workspace.path(path).exists(), "{path}");
            }
        }
    }

    #[test]
    fn a_poor_profile_is_made_anew_with_other_measuring() {
        let project = tempfile::tempdir().unwrap();
        run(&project, "f", false);
        let mut workspace = open(&project, "f").0;
        let judged = serde_json::from_str(r#"{"is_good": false, "sentence": "poor"}"#).unwrap();
        workspace.state.judged.insert("baseline".into(), judged);
        workspace.save().unwrap();
        drop(workspace);
        let opening = open_for(&project, &fingerprint_of("f", "train", "longer")).1;
        let sentence = opening.sentence().unwrap();
        assert!(
            sentence.contains("recorded and measured anew"),
            "{sentence}"
        );
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
        let (workspace, opening) = open(&project, "g");
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
}
