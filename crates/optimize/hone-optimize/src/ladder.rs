//! The ladder: what is tried, what is kept, and what is said of the winner.
//!
//! This module decides. It has everything done by [`Effects`]; a fake of them shows in milliseconds what the ladder decides.

pub(crate) mod climb;
pub(crate) mod confirm;
#[cfg(test)]
mod fake;
pub(crate) mod rung;
pub(crate) mod search;
#[cfg(test)]
mod tests;

use std::time::Duration;

use anyhow::{Error, Result};
use hone_build::{Lever, Variant};
use hone_measure::{Comparison, Experiment};
use hone_report::model::{IndirectCalls, Rung};
use hone_report::note::Note;

use crate::measure::Measured;
use crate::progress::Progress;
use crate::version::Version;
use crate::workspace::state::{Built, Profiles};

/// Work that the ladder asks for.
pub(crate) trait Effects {
    /// Builds levers on top of a version, each with a profile on top of the levers before it, and checks the build.
    fn build_on(&mut self, below: &Version, levers: &[&'static Lever]) -> Result<Version>;
    /// Builds a variant from its first lever to its last, with known profiles and new ones for the rest.
    fn build_anew(&mut self, variant: &Variant, known: &Profiles) -> Result<Version>;
    /// Makes layouts of a build, the build itself first.
    fn layouts(&mut self, built: &Built) -> Result<Vec<Built>>;
    /// Measures one build against another until the difference is proven, or unlikely to be. `name` is the experiment's.
    fn measure(&mut self, name: &str, old: &Built, new: &Built) -> Result<Measured>;
    /// Tells whether a version with a profile is slower than the one below on the workloads that its profile comes from.
    fn tell_of_training(&mut self, below: &Version, version: &Version) -> Result<()>;
    /// Measures the winner against the baseline, both in one or several layouts, with the whole time.
    fn confirm(&mut self, old: &[Built], new: &[Built]) -> Result<Measured>;
    /// Measures the winner against the baseline by runs one after the other, as latency needs.
    fn confirm_alone(&mut self, old: &Built, new: &Built) -> Result<Measured>;
    /// The most memory that a run may take at its peak, in bytes.
    fn memory_limit(&self) -> Option<u64>;
    /// True if the program is a server.
    fn is_server(&self) -> bool;
    /// Returns the reason in the user's own build that rules a lever out, as a clause.
    fn ruled_out(&self, lever: &'static Lever) -> Option<String>;
    /// Predicts how far a lever can reach on top of a build, and tells it.
    fn predict(&mut self, lever: &'static Lever, below: &Built) -> Result<()>;
    /// Returns the report's sentence on the profile of a version's topmost lever, if there is one.
    fn judgement(&self, version: &Version) -> Option<String>;
    /// Counts the indirect calls that a build executes. A variant that was not built is built to be recorded.
    fn indirect_calls(&mut self, variant: &Variant, profiles: &Profiles) -> Result<IndirectCalls>;
    /// True if the variant was built already, to be measured.
    fn is_built(&self, variant: &Variant) -> bool;
    /// Adds a note to the report.
    fn tell(&mut self, note: Note);
    /// The progress of the run, for whoever shows it.
    fn progress(&self) -> &dyn Progress;
    /// Fails if the user asked to stop.
    fn check_interrupted(&self) -> Result<()>;
    /// Fails if a failure is no lever's: the user asked to stop, or the machine has no space or memory left.
    fn check_own(&self, failure: &Error) -> Result<()>;
    /// Time since the work began.
    fn elapsed(&self) -> Duration;
}

/// State of the climb.
pub(crate) struct Climb {
    /// The best proven version.
    pub(crate) best: Version,
    /// The baseline's build.
    pub(crate) baseline: Built,
    /// Rungs of the report, the baseline first.
    pub(crate) rungs: Vec<Rung>,
    /// Raw numbers of every experiment.
    pub(crate) raw: Vec<Experiment>,
    /// Comparison of the baseline with itself.
    pub(crate) self_check: Comparison,
}
