//! Types of the facts that an examination finds.

use serde::Serialize;

/// State of a feature of the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Status {
    /// Works as it should.
    Ok,
    /// Works, but not for everything.
    Limited,
    /// Missing.
    Missing,
}

/// A feature that was examined.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct Fact {
    /// Stable name for programs.
    pub(crate) id: &'static str,
    /// Name for people.
    pub(crate) title: &'static str,
    /// State of the feature.
    pub(crate) status: Status,
    /// Result in words.
    pub(crate) fact: String,
    /// Advice, or the reason why nothing needs to be done.
    pub(crate) mend: Option<String>,
    /// True if the feature can be mended on this machine.
    pub(crate) mendable: bool,
}

impl Fact {
    /// Makes the fact of a feature that works as it should.
    pub(crate) fn ok(id: &'static str, title: &'static str, fact: impl Into<String>) -> Self {
        Self {
            id,
            title,
            status: Status::Ok,
            fact: fact.into(),
            mend: None,
            mendable: false,
        }
    }

    /// Makes the fact of a feature that does not work for everything, with advice.
    pub(crate) fn limited(
        id: &'static str,
        title: &'static str,
        fact: impl Into<String>,
        mend: impl Into<String>,
    ) -> Self {
        Self {
            status: Status::Limited,
            ..Self::missing(id, title, fact, mend)
        }
    }

    /// Makes the fact of a feature that is missing, with advice.
    pub(crate) fn missing(
        id: &'static str,
        title: &'static str,
        fact: impl Into<String>,
        mend: impl Into<String>,
    ) -> Self {
        Self {
            id,
            title,
            status: Status::Missing,
            fact: fact.into(),
            mend: Some(mend.into()),
            mendable: true,
        }
    }

    /// Makes the fact of a feature that this machine cannot have, with the reason and what Hone does instead.
    pub(crate) fn absent(
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
