//! Profiles of several builds as one by places in the source, fitted to the target build.

use std::collections::BTreeMap;

use hone_batch::Batch;
use hone_fdo::merge::{SampleMerger, Weight};
use hone_fdo::quality::{Staleness, stale_lines, stale_probes};
use hone_fdo::stale::{self, Shapes};
use hone_fdo::{
    Code, Converted, Evidence, FdoError, ReadProfile, SampleProfile, convert_parsed,
    convert_probes_parsed,
};
use hone_symbols::{Binary, DebugInfo, Probes};

use crate::builds::{Builds, failed, open};
use crate::counts::Counted;
use crate::error::PgoError;
use crate::settings::Settings;
use crate::weights::Chosen;

/// Share of the weight from which on a build's functions without samples count as cold. The functions that a build with few
/// samples alone has are not known to be cold.
const LISTED_SHARE_MIN: f64 = 0.1;

/// What became of a build.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Part {
    /// Share of the build's weight that the target build has a place for.
    pub(crate) landed: f64,
    /// Share of the samples in the hottest functions that the profile covers.
    pub(crate) hot_covered: f64,
    /// Reason why nothing of the build is in the profile.
    pub(crate) left_out: Option<String>,
}

/// A profile of several builds.
#[derive(Default)]
pub(crate) struct Joined {
    pub(crate) samples: SampleProfile,
    /// Functions that ran seldom if they have no samples.
    pub(crate) symbols: Vec<String>,
    pub(crate) parts: BTreeMap<String, Part>,
    /// Weight of one plain sample; 1 for branch records.
    pub(crate) sample_weight: f64,
}

/// The target build, opened.
struct Target<'t, 'b> {
    build: &'t str,
    binary: &'t Binary<'b>,
    code: Code<'t>,
    places: Places<'t>,
}

/// What profiles of other builds are fitted to.
enum Places<'t> {
    Lines(&'t DebugInfo<'t>, Shapes),
    Probes(Box<Probes<'t>>),
}

/// Adds up the sums of all builds. `shares` tells each build's share of the weight.
pub(crate) fn join(
    chosen: &Chosen,
    sums: &[(String, Batch)],
    shares: &BTreeMap<&str, f64>,
    builds: Builds<'_>,
    settings: &Settings,
) -> Result<Joined, PgoError> {
    let (binary, _) = open(&chosen.target, builds)?;
    let of_target = failed(&chosen.target);
    let debug = DebugInfo::parse(&binary).map_err(|error| of_target(error.into()))?;
    let code = Code::new(&binary);
    let places = if settings.probes {
        let probes = Probes::parse(&binary).map_err(|error| of_target(error.into()))?;
        Places::Probes(Box::new(
            probes.ok_or_else(|| of_target(FdoError::NoProbes))?,
        ))
    } else if debug.has_debug_info() {
        let is_alone = chosen.builds.iter().all(|build| *build == chosen.target);
        let shapes = if is_alone {
            Shapes::new()
        } else {
            stale::shapes(&code, &debug)
        };
        Places::Lines(&debug, shapes)
    } else {
        return Err(of_target(FdoError::NoDebugInfo));
    };
    let target = Target {
        build: &chosen.target,
        binary: &binary,
        code,
        places,
    };
    let mut joined = Joined::default();
    let mut merger = SampleMerger::default();
    let (mut weight, mut samples) = (0_u64, 0_u64);
    for (build, sum) in sums {
        let part = match target.part(build, sum, chosen, builds) {
            Ok((mut converted, part)) => {
                let report = &converted.counts.report;
                weight = weight.saturating_add(report.ip_weight_here);
                samples = samples.saturating_add(report.samples_here);
                let share = shares.get(build.as_str()).copied().unwrap_or(0.0);
                if share < LISTED_SHARE_MIN {
                    converted.symbols.clear();
                }
                let profile = ReadProfile {
                    samples: converted.attribution.samples,
                    symbols: converted.symbols,
                    ..ReadProfile::default()
                };
                let added = merger.add(&profile, Weight::times(1));
                added.map_err(|error| PgoError::Merge {
                    build: build.clone(),
                    error,
                })?;
                part
            }
            // The other builds may be enough.
            Err(error) => Part {
                left_out: Some(error.to_string()),
                ..Part::default()
            },
        };
        joined.parts.insert(build.clone(), part);
    }
    let merged = merger.finish();
    joined.samples = merged.samples;
    joined.symbols = merged.symbols;
    joined.sample_weight = if chosen.by_branches || samples == 0 {
        1.0
    } else {
        (weight as f64 / samples as f64).max(1.0)
    };
    Ok(joined)
}

impl Target<'_, '_> {
    /// Converts the sums of a build, and fits them to the target.
    fn part(
        &self,
        build: &str,
        sum: &Batch,
        chosen: &Chosen,
        builds: Builds<'_>,
    ) -> Result<(Converted, Part), PgoError> {
        let counted = Counted::of(sum);
        if build == self.build {
            let (converted, hot_covered) =
                self.convert(build, self.binary, &self.code, &counted, chosen)?;
            let part = Part {
                landed: 1.0,
                hot_covered,
                left_out: None,
            };
            return Ok((converted, part));
        }
        let (binary, _) = open(build, builds)?;
        let code = Code::new(&binary);
        let (mut converted, hot_covered) = self.convert(build, &binary, &code, &counted, chosen)?;
        if let Places::Lines(_, shapes) = &self.places {
            (converted.attribution.samples, _) = stale::fit(&converted.attribution.samples, shapes);
        }
        let part = Part {
            landed: landed(&self.staleness(&converted.attribution.samples)),
            hot_covered,
            left_out: None,
        };
        Ok((converted, part))
    }

    fn convert(
        &self,
        build: &str,
        binary: &Binary<'_>,
        code: &Code<'_>,
        counted: &Counted,
        chosen: &Chosen,
    ) -> Result<(Converted, f64), PgoError> {
        let recorded = std::slice::from_ref(&counted.recorded);
        let converted = match &self.places {
            Places::Probes(_) => convert_probes_parsed(recorded, None, binary),
            Places::Lines(debug, _) if build == self.build => {
                convert_parsed(recorded, evidence(chosen), None, binary, debug)
            }
            Places::Lines(..) => DebugInfo::parse(binary)
                .map_err(FdoError::from)
                .and_then(|debug| convert_parsed(recorded, evidence(chosen), None, binary, &debug)),
        };
        let converted = converted.map_err(failed(build))?;
        if chosen.by_branches && !converted.counts.has_branches() {
            // Plain samples count another thing than branch records, and cannot be added to these.
            return Err(PgoError::NoBranches {
                form: "a profile of builds with them",
            });
        }
        let hot_covered = counted.hot_covered(code, &converted.counts);
        Ok((converted, hot_covered))
    }

    fn staleness(&self, samples: &SampleProfile) -> Staleness {
        match &self.places {
            Places::Lines(debug, _) => stale_lines(samples, &self.code, debug),
            Places::Probes(probes) => stale_probes(samples, probes),
        }
    }
}

/// Returns the kind of evidence that profiles are made of.
pub(crate) fn evidence(chosen: &Chosen) -> Evidence {
    if chosen.by_branches {
        Evidence::Branches
    } else {
        Evidence::IpSamples
    }
}

/// Returns the share of a profile's weight at places that the build has.
fn landed(found: &Staleness) -> f64 {
    if found.weight == 0 {
        return 0.0;
    }
    let lost = found.gone.saturating_add(found.changed);
    1.0 - (lost as f64 / found.weight as f64).min(1.0)
}
