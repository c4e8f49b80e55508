//! The effects of the ladder on this machine: builds, profiles, measurements.

mod candidates;
mod conflicts;
mod indirect_calls;
mod own_training;
mod reach;

use std::time::Duration;

use anyhow::{Error, Result};
use hone_build::{BuildKey, Lever, Purpose, Variant};
use hone_report::model::IndirectCalls;
use hone_report::note::Note;

pub(crate) use candidates::candidates;

use crate::build::layouts;
use crate::ladder::Effects;
use crate::measure::{self, Measured};
use crate::profile::sufficiency;
use crate::progress::Progress;
use crate::run::Run;
use crate::version::{self, Version};
use crate::workspace::state::{Built, Profiles};

impl Effects for Run {
    fn build_on(&mut self, below: &Version, levers: &[&'static Lever]) -> Result<Version> {
        version::build_on(self, below, levers)
    }

    fn build_anew(&mut self, variant: &Variant, known: &Profiles) -> Result<Version> {
        version::build_anew(self, variant, known)
    }

    fn layouts(&mut self, built: &Built) -> Result<Vec<Built>> {
        layouts::of(self, built, self.project.layouts)
    }

    fn measure(&mut self, name: &str, old: &Built, new: &Built) -> Result<Measured> {
        measure::compare(self, name, old, new)
    }

    fn tell_of_training(&mut self, below: &Version, version: &Version) -> Result<()> {
        own_training::tell(self, below, version)
    }

    fn confirm(&mut self, old: &[Built], new: &[Built]) -> Result<Measured> {
        measure::compare_whole(self, "confirmation", old, new)
    }

    fn confirm_alone(&mut self, old: &Built, new: &Built) -> Result<Measured> {
        let measured = measure::compare_alone(self, "confirmation-alone", old, new)?;
        measure::tell_regressions(self, &measured.experiment);
        Ok(measured)
    }

    fn memory_limit(&self) -> Option<u64> {
        self.project.memory
    }

    fn is_server(&self) -> bool {
        self.project.server.is_some()
    }

    fn ruled_out(&self, lever: &'static Lever) -> Option<String> {
        conflicts::ruled_out(self, lever)
    }

    fn predict(&mut self, lever: &'static Lever, below: &Built) -> Result<()> {
        reach::predict(self, lever, below)
    }

    fn judgement(&self, version: &Version) -> Option<String> {
        let top = version.variant.top()?;
        sufficiency::of(self, version.profiles.get(top.id)?)
    }

    fn indirect_calls(&mut self, variant: &Variant, profiles: &Profiles) -> Result<IndirectCalls> {
        indirect_calls::count(self, variant, profiles)
    }

    fn is_built(&self, variant: &Variant) -> bool {
        self.built(&BuildKey::new(variant, Purpose::Use)).is_some()
    }

    fn tell(&mut self, note: Note) {
        Run::tell(self, note);
    }

    fn progress(&self) -> &dyn Progress {
        &*self.progress
    }

    fn check_interrupted(&self) -> Result<()> {
        Run::check_interrupted(self)
    }

    fn check_own(&self, failure: &Error) -> Result<()> {
        Run::check_own(self, failure)
    }

    fn elapsed(&self) -> Duration {
        Run::elapsed(self)
    }
}
