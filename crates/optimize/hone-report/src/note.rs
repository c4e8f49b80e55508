//! Notes of a report, as data: what a reader must know beside the figures (warnings), and what a reader may know (remarks).
//! Each kind of note is worded here, beside its data, and nowhere else.

mod baseline;
mod build;
mod gain;
mod winner;

use std::fmt::{self, Display, Formatter};

use serde::{Deserialize, Serialize};

pub use baseline::BaselineNote;
pub use build::BuildNote;
pub use gain::{ChangedFunction, GainNote};
pub use winner::WinnerNote;

/// A note, by its subject.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Note {
    /// On the user's own build, the machine, and the plan of measuring.
    Baseline(BaselineNote),
    /// On a build, its recording or its profile.
    Build(BuildNote),
    /// On how far a measured gain can be trusted, and on the search.
    Gain(GainNote),
    /// On the winner.
    Winner(WinnerNote),
}

impl Note {
    /// Returns true if a reader must know the note to take the figures for what they are.
    pub fn warns(&self) -> bool {
        match self {
            Self::Baseline(note) => note.warns(),
            Self::Build(note) => note.warns(),
            Self::Gain(note) => note.warns(),
            Self::Winner(note) => note.warns(),
        }
    }

    /// Returns true if the note lasts as long as the build that it is on: the next run, which keeps the build, tells it too.
    pub fn lasts_with_its_build(&self) -> bool {
        matches!(self, Self::Build(note) if note.lasts())
    }
}

/// The note as sentences.
impl Display for Note {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Baseline(note) => note.fmt(f),
            Self::Build(note) => note.fmt(f),
            Self::Gain(note) => note.fmt(f),
            Self::Winner(note) => note.fmt(f),
        }
    }
}

impl From<BaselineNote> for Note {
    fn from(note: BaselineNote) -> Self {
        Self::Baseline(note)
    }
}

impl From<BuildNote> for Note {
    fn from(note: BuildNote) -> Self {
        Self::Build(note)
    }
}

impl From<GainNote> for Note {
    fn from(note: GainNote) -> Self {
        Self::Gain(note)
    }
}

impl From<WinnerNote> for Note {
    fn from(note: WinnerNote) -> Self {
        Self::Winner(note)
    }
}
