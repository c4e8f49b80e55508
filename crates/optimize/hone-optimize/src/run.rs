//! State of a run that every phase needs.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Error, Result, bail};
use hone_build::lever::Dependency;
use hone_build::{BuildKey, Inputs, PlanOptions, Project, Toolchain, Variant};
use hone_report::note::Note;
use hone_run::tools::Tools;

use crate::progress::Progress;
use crate::shortage;
use crate::source::Source;
use crate::system::System;
use crate::user_recording::Brought;
use crate::workspace::Workspace;
use crate::workspace::state::{Built, Profiles, State};

/// State of a run.
pub(crate) struct Run {
    pub(crate) project: Project,
    pub(crate) options: PlanOptions,
    pub(crate) source: Source,
    /// Source of the previous release.
    pub(crate) previous: Option<Source>,
    pub(crate) dependencies: Vec<(&'static Dependency, Source)>,
    pub(crate) workspace: Workspace,
    pub(crate) tools: Tools,
    pub(crate) toolchain: Toolchain,
    /// Files that flags refer to, except profiles.
    pub(crate) inputs: Inputs,
    pub(crate) brought_profile: Option<Brought>,
    pub(crate) seed: u64,
    pub(crate) layout_seed: Option<u64>,
    pub(crate) stop: Arc<AtomicBool>,
    pub(crate) system: Box<dyn System>,
    /// Time at which the work began.
    pub(crate) began: Duration,
    pub(crate) progress: Box<dyn Progress>,
}

impl Run {
    /// The variant without any lever.
    pub(crate) fn baseline(&self) -> Variant {
        Variant {
            base: self.toolchain,
            levers: Vec::new(),
        }
    }

    /// Returns the files that the flags of a build refer to.
    pub(crate) fn inputs(&self, profiles: &Profiles) -> Inputs {
        let profiles = profiles.iter();
        Inputs {
            profiles: profiles
                .map(|(lever, profile)| (*lever, self.workspace.path(&profile.file)))
                .collect(),
            ..self.inputs.clone()
        }
    }

    /// Returns a build that is finished.
    pub(crate) fn built(&self, key: &BuildKey) -> Option<&Built> {
        self.workspace.state.built.get(&key.to_string())
    }

    /// Path of the program that a build made.
    pub(crate) fn binary(&self, built: &Built) -> PathBuf {
        let tree = self.workspace.tree(&built.name());
        tree.join(&self.project.binary)
    }

    /// Time since the work began.
    pub(crate) fn elapsed(&self) -> Duration {
        self.system.now().saturating_sub(self.began)
    }

    /// Fails if the user asked to stop.
    pub(crate) fn check_interrupted(&self) -> Result<()> {
        if self.stop.load(Ordering::Relaxed) {
            bail!("interrupted");
        }
        Ok(())
    }

    /// Fails if a failure is no lever's: the user asked to stop, or the machine has no space or memory left.
    pub(crate) fn check_own(&self, failure: &Error) -> Result<()> {
        self.check_interrupted()?;
        shortage::check(&self.workspace.path(""), failure)
    }

    /// Adds a note to the report, once.
    pub(crate) fn tell(&mut self, note: impl Into<Note>) {
        let note = note.into();
        let notes = &mut self.workspace.state.notes;
        if !notes.contains(&note) {
            notes.push(note);
        }
    }

    /// Adds a note to the report, and shows it now.
    pub(crate) fn tell_now(&mut self, note: impl Into<Note>) {
        let note = note.into();
        self.progress.line(&note.to_string());
        self.tell(note);
    }

    /// Returns what was found under a key, by this run or the run that it resumes; else finds it and keeps it. A failure is
    /// not kept.
    pub(crate) fn once<T: Clone>(
        &mut self,
        kept: fn(&mut State) -> &mut BTreeMap<String, T>,
        key: &str,
        find: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        if let Some(known) = kept(&mut self.workspace.state).get(key) {
            return Ok(known.clone());
        }
        let found = find(self)?;
        kept(&mut self.workspace.state).insert(key.into(), found.clone());
        self.workspace.save()?;
        Ok(found)
    }
}
