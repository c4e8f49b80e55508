//! Paths below `.hone` in reports: they begin with a variable, so that a report can be shown to others and its shell lines
//! work wherever the project is moved to.

use anyhow::Result;
use hone_report::model::{Flags, Outcome, Rung};

use crate::workspace::{Workspace, utf8};

/// Variable that replaces the path of `.hone` in reports.
pub const HOME_VARIABLE: &str = "$HONE";

/// The path of `.hone`.
pub(super) struct Home(String);

impl Home {
    pub(super) fn of(workspace: &Workspace) -> Result<Self> {
        let path = workspace.path("");
        Ok(Self(utf8(&path)?.trim_end_matches('/').into()))
    }

    /// Replaces the path in a flag, a path or a sentence.
    pub(super) fn movable(&self, text: &str) -> String {
        text.replace(&self.0, HOME_VARIABLE)
    }

    /// Replaces the path in all flags.
    pub(super) fn movable_flags(&self, flags: Flags) -> Flags {
        let all = |list: Vec<String>| list.iter().map(|word| self.movable(word)).collect();
        let env = flags.env.into_iter();
        Flags {
            compile: all(flags.compile),
            link: all(flags.link),
            env: env
                .map(|(name, value)| (name, self.movable(&value)))
                .collect(),
            post_link: all(flags.post_link),
        }
    }

    /// Replaces the path in all that a rung has of it: its flags, and the reason why it was not measured.
    pub(super) fn movable_rung(&self, rung: Rung) -> Rung {
        let outcome = match rung.outcome {
            Outcome::Failed { reason } => Outcome::Failed {
                reason: self.movable(&reason),
            },
            Outcome::Skipped { reason } => Outcome::Skipped {
                reason: self.movable(&reason),
            },
            outcome => outcome,
        };
        Rung {
            outcome,
            flags: self.movable_flags(rung.flags),
            profile: rung.profile.map(|profile| self.movable(&profile)),
            ..rung
        }
    }
}
