//! Raises an alarm where a build is slower than the one below on the very workloads that its profile comes from: then not the
//! workloads are at fault, but what the compiler made of the profile.

use std::fs;

use anyhow::Result;
use hone_build::ProfileSource;
use hone_fdo::Evidence;
use hone_fdo::same_code::source_name;
use hone_fdo::shape::{Shape, shapes};
use hone_measure::Verdict;
use hone_report::note::{ChangedFunction, GainNote};
use hone_symbols::{Binary, folded};

use crate::NAME_WIDTH;
use crate::measure;
use crate::profile::recording::files_of;
use crate::run::Run;
use crate::version::Version;
use crate::workspace::state::Built;

/// Share of the samples from which a function is hot.
const HOT_SHARE: f64 = 0.02;
/// Smallest change of a function's shape that is named, as a power of two: a fifth more.
const CHANGE_MIN: f64 = 0.26;

/// Measures a build with a profile that is not proven to be faster on the train workloads too, and tells if it is slower there. A
/// failure costs the figure alone.
pub(crate) fn tell(run: &mut Run, below: &Version, version: &Version) -> Result<()> {
    let top = version.variant.top();
    let Some(lever) = top.filter(|lever| lever.profile != ProfileSource::None) else {
        return Ok(());
    };
    if lever.reference_only {
        return Ok(());
    }
    let name = format!("{}.training", version.built.name());
    let measured = match measure::compare_trained(run, &name, &below.built, &version.built) {
        Ok(Some(measured)) => measured,
        Ok(None) => return Ok(()),
        Err(error) => return run.check_own(&error),
    };
    let gain = &measured.comparison.overall;
    if measured.comparison.verdict == Verdict::Slower {
        let changed = changed(run, &below.built, &version.built).unwrap_or_default();
        run.tell_now(GainNote::SlowerInTraining {
            new: version.built.name(),
            old: below.built.name(),
            gain: [gain.ratio, gain.low, gain.high],
            changed,
        });
    }
    Ok(())
}

/// Returns the hot function whose shape changed most, by the recordings of the build below.
fn changed(run: &Run, below: &Built, new: &Built) -> Result<Option<ChangedFunction>> {
    let recorded = recorded(run, below);
    let [below_image, new_image] = [below, new].map(|built| fs::read(run.binary(built)));
    let [below_image, new_image] = [below_image?, new_image?];
    let old = shapes(&Binary::parse(&below_image[..])?);
    let new = shapes(&Binary::parse(&new_image[..])?);
    let loaded = hone_convert::load(
        &files_of(run, &recorded),
        &run.binary(&recorded),
        Evidence::IpSamples,
    )?;
    let samples = &loaded.attribution.samples.functions;
    let all: u64 = samples.values().map(|one| one.total).sum();
    let hot = samples.iter().filter_map(|(name, one)| {
        let share = one.total as f64 / all.max(1) as f64;
        let name = source_name(name.as_ref());
        // A function that was inlined everywhere has no shape any more.
        let shapes = [
            *old.get(&name)?,
            new.get(&name).copied().unwrap_or(Shape::default()),
        ];
        (share >= HOT_SHARE).then_some((name, share, shapes))
    });
    let weight = |share: f64, [old, new]: &[Shape; 2]| share * old.change(new);
    let most = hot
        .filter(|(.., [old, new])| old.change(new) >= CHANGE_MIN)
        .max_by(|a, b| weight(a.1, &a.2).total_cmp(&weight(b.1, &b.2)));
    Ok(most.map(|(name, share, shapes)| ChangedFunction {
        name: folded(&name, NAME_WIDTH),
        share,
        bytes: shapes.map(|shape| shape.bytes),
        calls: shapes.map(|shape| shape.calls),
        jumps: shapes.map(|shape| shape.jumps),
    }))
}

/// Returns a recorded build of the same program: the build below, or any other.
fn recorded(run: &Run, below: &Built) -> Built {
    let recordings = &run.workspace.state.recordings;
    let known = recordings.contains_key(&below.name()).then_some(below);
    let other = || {
        recordings
            .values()
            .find_map(|recorded| run.built(&recorded.key))
    };
    known.or_else(other).unwrap_or(below).clone()
}
