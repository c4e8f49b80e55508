//! Checks that training runs the functions that are measured: a profile of another mix is right about the wrong code.
//!
//! Plain samples of the measured workloads, on a build that was recorded for a profile, are compared with the
//! plain samples of that recording, once per run.

use std::path::{Path, PathBuf};

use anyhow::Result;
use hone_fdo::overlap::overlap;
use hone_fdo::{Evidence, SampleProfile};
use hone_report::note::BuildNote;

use crate::profile::recording::{facts, files_of, record_measured};
use crate::run::Run;
use crate::workspace::state::Built;

/// Overlap below which most of a profile is about code that the measured workloads do not run, or run in another
/// proportion; `hone quality` calls two profiles unlike from the same value on.
const OVERLAP_MIN: f64 = 0.5;
/// Mean distance of a normal variable from its mean, in standard deviations.
const MEAN_DISTANCE: f64 = 0.8;

/// Likeness of two mixes of functions.
#[derive(Clone, Copy, Debug)]
struct Likeness {
    /// Sum over the functions of the smaller of both shares: 0 to 1.
    overlap: f64,
    /// Part of the overlap that chance alone takes away with these numbers of samples.
    chance: f64,
}

/// Compares, once per run, the mix of functions in the recordings of the train workloads on a build with the mix of the
/// measure workloads, and reports the result. A failure costs the figure, not the run.
pub(crate) fn tell(run: &mut Run, built: &Built) -> Result<()> {
    run.once(
        |state| &mut state.answered,
        "training overlap",
        |run| {
            match likeness(run, built) {
                Ok(likeness) => run.tell(likeness.note()),
                Err(error) => {
                    run.check_interrupted()?;
                    run.tell(BuildNote::TrainingUnknown(format!("{error:#}")));
                }
            }
            Ok(())
        },
    )
}

fn likeness(run: &mut Run, built: &Built) -> Result<Likeness> {
    let trained = files_of(run, built);
    let (measured, measured_samples) = record_measured(run, built)?;
    let trained_samples: u64 = facts(run, built).iter().map(|facts| facts.samples).sum();
    let binary = run.binary(built);
    let of = |recordings: &[PathBuf]| plain(recordings, &binary);
    Ok(Likeness::of(
        (&of(&trained)?, trained_samples),
        (&of(&measured)?, measured_samples),
    ))
}

fn plain(recordings: &[PathBuf], binary: &Path) -> Result<SampleProfile> {
    let converted = hone_convert::load(recordings, binary, Evidence::IpSamples)?;
    Ok(converted.attribution.samples)
}

impl Likeness {
    /// Computes the likeness of two profiles, each given with the number of its samples.
    fn of(trained: (&SampleProfile, u64), measured: (&SampleProfile, u64)) -> Self {
        let totals = || measured.0.functions.values().map(|one| one.total as f64);
        let all: f64 = totals().sum::<f64>().max(1.0);
        let roots: f64 = totals().map(|total| (total / all).sqrt()).sum();
        let [once, twice] = [trained.1, measured.1].map(|samples| 1.0 / samples.max(1) as f64);
        Self {
            overlap: overlap(trained.0, measured.0).functions,
            // Half of the mean distance of two shares, over all functions.
            chance: 0.5 * MEAN_DISTANCE * (once + twice).sqrt() * roots,
        }
    }

    /// True if the mixes differ too much, and not by chance.
    fn is_poor(self) -> bool {
        self.overlap + self.chance < OVERLAP_MIN
    }

    fn note(self) -> BuildNote {
        let Self { overlap, chance } = self;
        match self.is_poor() {
            true => BuildNote::TrainingUnlike {
                overlap,
                least: OVERLAP_MIN,
            },
            false => BuildNote::TrainingAlike { overlap, chance },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hone_fdo::read_sample_profile;

    fn likeness(trained: &str, measured: &str, samples: u64) -> Likeness {
        let read = |text: &str| read_sample_profile(text.as_bytes()).unwrap().samples;
        Likeness::of((&read(trained), samples), (&read(measured), samples))
    }

    #[test]
    fn another_mix_is_told_with_its_figure() {
        let other = likeness(
            "f:90:0\n 1: 90\ng:10:0\n 1: 10\n",
            "g:90:0\n 1: 90\n",
            1_000,
        );
        assert!((other.overlap - 0.1).abs() < 1e-9 && other.is_poor());
        let like = likeness(
            "f:90:0\n 1: 90\ng:10:0\n 1: 10\n",
            "f:8:0\n 1: 8\ng:2:0\n 1: 2\n",
            1_000,
        );
        assert!((like.overlap - 0.9).abs() < 1e-9 && !like.is_poor());
    }

    #[test]
    fn few_samples_of_many_functions_prove_nothing() {
        let many = |from: usize| {
            let one = |index| format!("f{index}:1:0\n 1: 1\n");
            (from..from + 100).map(one).collect::<String>()
        };
        // Half of what was seen once was not seen the other time: no wonder with a sample for each function.
        let few = likeness(&many(0), &many(55), 100);
        assert!(few.overlap < OVERLAP_MIN && !few.is_poor(), "{few:?}");
        assert!(likeness(&many(0), &many(55), 1_000_000).is_poor());
    }
}
