//! The key of a build: which variant, for which purpose, in which layout.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Purpose, Variant};
use crate::lever::by_id;

/// Key of one build of a run. Its text names the build's directory and files.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BuildKey {
    /// Ids of the variant's levers, lowest first.
    levers: Vec<String>,
    purpose: Purpose,
    /// Seed of another layout than the build's own.
    layout: Option<u64>,
    /// True for the source of the previous release.
    is_of_previous: bool,
}

impl BuildKey {
    /// Id of the rung without levers, and the name of the user's own build.
    pub const BASELINE: &'static str = "baseline";
    /// Name of the builds without levers that are not the user's own: they have debug information.
    const WITHOUT_LEVERS: &'static str = "profiling";

    /// Key of a variant's build for a purpose, in its own layout.
    pub fn new(variant: &Variant, purpose: Purpose) -> Self {
        let levers = variant.lever_ids().into_iter();
        Self {
            levers: levers.map(str::to_owned).collect(),
            purpose,
            layout: None,
            is_of_previous: false,
        }
    }

    /// Key of the user's own build.
    pub fn baseline() -> Self {
        Self::new(&Variant::default(), Purpose::Baseline)
    }

    /// Returns the key of the same build in the layout of a seed.
    pub fn in_layout(&self, seed: u64) -> Self {
        Self {
            layout: Some(seed),
            ..self.clone()
        }
    }

    /// Returns the key of the build that is measured, for a build that serves to make its profiles.
    pub fn measured(&self) -> Self {
        let purpose = match self.purpose {
            Purpose::Baseline => Purpose::Baseline,
            _ => Purpose::Use,
        };
        Self {
            purpose,
            layout: None,
            ..self.clone()
        }
    }

    /// Returns the key of the same build of the previous release's source.
    pub fn of_previous_release(&self) -> Self {
        Self {
            is_of_previous: true,
            ..self.clone()
        }
    }

    /// The purpose of the build.
    pub fn purpose(&self) -> Purpose {
        self.purpose
    }

    /// The seed of another layout than the build's own.
    pub fn layout(&self) -> Option<u64> {
        self.layout
    }

    /// Ids of the variant's levers, lowest first.
    pub fn levers(&self) -> &[String] {
        &self.levers
    }

    /// Returns true if runs that share one CPU cannot show the effect of one of the levers ([`Lever::runs_alone`](crate::Lever)).
    pub fn runs_alone(&self) -> bool {
        let mut levers = self.levers.iter().filter_map(|id| by_id(id));
        levers.any(|lever| lever.runs_alone)
    }

    /// Returns the id of the variant's rung: `baseline` for a build without levers, whatever its purpose.
    pub fn rung(&self) -> String {
        match self.levers.is_empty() {
            true => Self::BASELINE.into(),
            false => self.levers.join("+"),
        }
    }
}

/// The name of the build's directory and files.
impl fmt::Display for BuildKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_of_previous {
            f.write_str("previous-")?;
        }
        let is_users_own = self.purpose == Purpose::Baseline;
        match (self.levers.is_empty(), is_users_own) {
            (true, true) => f.write_str(Self::BASELINE)?,
            (true, false) => f.write_str(Self::WITHOUT_LEVERS)?,
            (false, _) => f.write_str(&self.levers.join("+"))?,
        }
        f.write_str(match self.purpose {
            Purpose::Baseline | Purpose::Use => "",
            Purpose::Record => ".lines",
            Purpose::Probe => ".probed",
            Purpose::MapBlocks => ".mapped",
            Purpose::KeepIr => ".ir",
            Purpose::Instrument => ".instrumented",
            Purpose::InstrumentContext => ".context",
            Purpose::Relink => ".relocations",
        })?;
        match self.layout {
            Some(seed) => write!(f, ".layout-{seed}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_builds_apart() {
        let none = Variant::default();
        let some = none.with(by_id("thinlto").unwrap());
        let name = |variant, purpose| BuildKey::new(variant, purpose).to_string();
        assert_eq!(BuildKey::baseline().to_string(), "baseline");
        assert_eq!(name(&none, Purpose::Use), "profiling");
        assert_eq!(name(&none, Purpose::Probe), "profiling.probed");
        assert_eq!(name(&some, Purpose::Use), "thinlto");
        let relinked = BuildKey::new(&some, Purpose::Relink).in_layout(3);
        assert_eq!(relinked.to_string(), "thinlto.relocations.layout-3");
        assert_eq!(relinked.rung(), "thinlto");
        assert_eq!(relinked.measured().to_string(), "thinlto");
        let previous = BuildKey::baseline().of_previous_release();
        assert_eq!(previous.to_string(), "previous-baseline");
        assert_eq!(BuildKey::new(&none, Purpose::Record).rung(), "baseline");
    }
}
