//! Hysteresis: a former profile stays while it is about the same as the new one, so that what is built with it stays too.

use hone_fdo::overlap::overlap;
use hone_fdo::{SampleProfile, read_sample_profile};
use serde::{Deserialize, Serialize};

use crate::form::Form;
use crate::manifest::{Function, Manifest, ManifestError};

/// Number of functions that a manifest names.
const FUNCTIONS_MAX: usize = 500;
/// Share of the weight that these functions have at most, in millionths.
const FUNCTIONS_PPM: u64 = 990_000;

/// A profile that was written before, with its manifest.
#[derive(Clone, PartialEq, Debug)]
pub struct Former {
    pub(crate) manifest: Manifest,
    pub(crate) profile: Vec<u8>,
}

impl Former {
    /// Reads a former profile.
    ///
    /// # Errors
    ///
    /// The manifest is damaged or of another format, or the profile is not the one that it names. Then there is nothing to
    /// keep; go on without, and say so.
    pub fn read(manifest: &[u8], profile: Vec<u8>) -> Result<Self, ManifestError> {
        let manifest = Manifest::read(manifest)?;
        manifest.check(&profile)?;
        Ok(Self { manifest, profile })
    }
}

/// Reason why a former profile stays or goes.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// There was none.
    First,
    /// It stays.
    Kept {
        /// Overlap with the new profile.
        overlap: f64,
        /// Age in seconds.
        age_s: u64,
    },
    /// It goes: it is of another service, form or build, or keyed by other places.
    OtherKind,
    /// It goes: it is too different.
    Differs {
        /// Overlap with the new profile.
        overlap: f64,
    },
    /// It goes: it is too old.
    Old {
        /// Age in seconds.
        age_s: u64,
    },
}

/// Decides about a former profile. The manifest is that of the new one, whose samples are given if the form has them.
pub(crate) fn decide(
    former: Option<&Former>,
    manifest: &Manifest,
    samples: Option<&SampleProfile>,
) -> Decision {
    let Some(Former {
        manifest: before,
        profile,
    }) = former
    else {
        return Decision::First;
    };
    let is_same_kind = before.service == manifest.service
        && before.program == manifest.program
        && before.form == manifest.form
        && before.settings.probes == manifest.settings.probes
        && (!manifest.form.is_of_one_build() || before.target == manifest.target);
    if !is_same_kind || !before.is_fit() {
        return Decision::OtherKind;
    }
    let rule = &manifest.settings.hysteresis;
    let age_s = manifest.created_s.saturating_sub(before.created_s);
    // A manifest of the future is of a clock that was wrong.
    if age_s > rule.age_max_s || before.created_s > manifest.created_s {
        return Decision::Old { age_s };
    }
    let overlap = similarity(before, profile, manifest, samples);
    if overlap < rule.overlap_min {
        return Decision::Differs { overlap };
    }
    Decision::Kept { overlap, age_s }
}

/// Returns the overlap of blocks, as `hone quality --against` has it, of forms that can be read back; of others the overlap of
/// the functions that the manifests name: the smaller of both shares, added up.
fn similarity(
    before: &Manifest,
    profile: &[u8],
    manifest: &Manifest,
    samples: Option<&SampleProfile>,
) -> f64 {
    let is_readable = matches!(manifest.form, Form::AutofdoText | Form::AutofdoExtbinary);
    if let Some(samples) = samples.filter(|_| is_readable) {
        let read = read_sample_profile(profile);
        return read.map_or(0.0, |former| overlap(&former.samples, samples).blocks);
    }
    shared(&before.functions, &manifest.functions)
}

pub(crate) fn shared(first: &[Function], second: &[Function]) -> f64 {
    let sum = |functions: &[Function]| functions.iter().map(|f| f64::from(f.ppm)).sum::<f64>();
    let (all, others) = (sum(first), sum(second));
    if all == 0.0 || others == 0.0 {
        return 0.0;
    }
    let by_name: std::collections::BTreeMap<&str, u32> =
        second.iter().map(|f| (f.name.as_str(), f.ppm)).collect();
    let smaller = first.iter().filter_map(|function| {
        let other = by_name.get(function.name.as_str())?;
        Some((f64::from(function.ppm) / all).min(f64::from(*other) / others))
    });
    smaller.sum::<f64>().min(1.0)
}

/// Returns the hottest functions with their shares.
pub(crate) fn hottest(mut functions: Vec<(String, u64)>) -> Vec<Function> {
    functions.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let all: u128 = functions
        .iter()
        .map(|(_, weight)| u128::from(*weight))
        .sum();
    let mut listed = Vec::new();
    let mut sum = 0_u64;
    for (name, weight) in functions {
        if listed.len() == FUNCTIONS_MAX || sum >= FUNCTIONS_PPM || weight == 0 {
            break;
        }
        let ppm = u128::from(weight) * 1_000_000 / all;
        sum += ppm as u64;
        listed.push(Function {
            name,
            ppm: ppm as u32,
        });
    }
    listed
}
