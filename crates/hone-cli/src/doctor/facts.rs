//! The vocabulary of an examination.

use serde::Serialize;

/// How well something is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Status {
    /// As it should be.
    Ok,
    /// There, but not for everything.
    Limited,
    /// Not there.
    Missing,
}

/// One thing that was looked at.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(super) struct Fact {
    /// Stable name for programs.
    pub(super) id: &'static str,
    /// Name for people.
    pub(super) title: &'static str,
    /// How well it is there.
    pub(super) status: Status,
    /// What was found.
    pub(super) fact: String,
    /// What to do about it, or why nothing needs to be done.
    pub(super) mend: Option<String>,
    /// Whether something can be done about it here.
    pub(super) mendable: bool,
}

impl Fact {
    pub(super) fn ok(id: &'static str, title: &'static str, fact: impl Into<String>) -> Self {
        Self {
            id,
            title,
            status: Status::Ok,
            fact: fact.into(),
            mend: None,
            mendable: false,
        }
    }

    pub(super) fn limited(
        id: &'static str,
        title: &'static str,
        fact: impl Into<String>,
        mend: impl Into<String>,
    ) -> Self {
        let mend = Some(mend.into());
        Self {
            id,
            title,
            status: Status::Limited,
            fact: fact.into(),
            mend,
            mendable: true,
        }
    }

    pub(super) fn missing(
        id: &'static str,
        title: &'static str,
        fact: impl Into<String>,
        mend: impl Into<String>,
    ) -> Self {
        let mend = Some(mend.into());
        Self {
            id,
            title,
            status: Status::Missing,
            fact: fact.into(),
            mend,
            mendable: true,
        }
    }

    /// Something that cannot be had on this machine, with the reason and what Hone does instead.
    pub(super) fn absent(
        id: &'static str,
        title: &'static str,
        fact: impl Into<String>,
        why: impl Into<String>,
    ) -> Self {
        Self {
            mendable: false,
            ..Self::missing(id, title, fact, why)
        }
    }
}
