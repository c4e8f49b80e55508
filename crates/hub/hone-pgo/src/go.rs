//! Profiles for Go of several builds. Go's compiler finds calls by the names of functions and by lines from their first ones, so
//! nothing is fitted: what a changed function has lost, the compiler passes over.

use std::collections::{BTreeMap, BTreeSet};

use hone_batch::Batch;
use hone_fdo::overview::{RecordingLosses, overview};
use hone_fdo::{Code, count_binary, go_pgo};
use hone_symbols::Image;

use crate::builds::{Builds, failed, open};
use crate::counts::Counted;
use crate::error::PgoError;
use crate::join::{Part, evidence};
use crate::weights::Chosen;

/// A profile for Go.
#[derive(Default)]
pub(crate) struct ForGo {
    pub(crate) bytes: Vec<u8>,
    /// Functions with their weights.
    pub(crate) functions: Vec<(String, u64)>,
    pub(crate) parts: BTreeMap<String, Part>,
}

/// What a build adds.
struct OfBuild<'b> {
    image: Image<'b>,
    counted: Counted,
    functions: Vec<(String, u64)>,
    hot_covered: f64,
}

/// Writes the profile of the sums of all builds.
pub(crate) fn write(
    chosen: &Chosen,
    sums: &[(String, Batch)],
    builds: Builds<'_>,
) -> Result<ForGo, PgoError> {
    let (target, _) = open(&chosen.target, builds)?;
    let names = target
        .functions()
        .iter()
        .map(|function| function.canonical_name());
    let names: BTreeSet<&str> = names.collect();
    let mut for_go = ForGo::default();
    let mut all: BTreeMap<&str, OfBuild<'_>> = BTreeMap::new();
    for (build, sum) in sums {
        let part = match of_build(build, sum, chosen, builds) {
            Ok(of_build) => {
                let part = Part {
                    landed: landed(&of_build.functions, &names),
                    hot_covered: of_build.hot_covered,
                    left_out: None,
                };
                all.insert(build, of_build);
                part
            }
            // The other builds may be enough.
            Err(error) => Part {
                left_out: Some(error.to_string()),
                ..Part::default()
            },
        };
        for_go.parts.insert(build.clone(), part);
    }
    if all.is_empty() {
        return Ok(for_go);
    }
    let (own, others): (Vec<_>, Vec<_>) =
        all.iter().partition(|(build, _)| **build == chosen.target);
    let in_order = own
        .into_iter()
        .chain(others)
        .map(|(_, of_build)| go_pgo::Build {
            image: of_build.image,
            recordings: std::slice::from_ref(&of_build.counted.recorded),
            stacks: std::slice::from_ref(&of_build.counted.stacks),
        });
    let in_order: Vec<go_pgo::Build<'_>> = in_order.collect();
    let written = go_pgo::write_builds(&in_order, evidence(chosen), None);
    let written = written.map_err(|error| PgoError::Go {
        build: chosen.target.clone(),
        error,
    })?;
    for_go.bytes = written.bytes;
    let mut functions: BTreeMap<String, u64> = BTreeMap::new();
    for (name, weight) in all.into_values().flat_map(|of_build| of_build.functions) {
        let sum = functions.entry(name).or_default();
        *sum = sum.saturating_add(weight);
    }
    for_go.functions = functions.into_iter().collect();
    Ok(for_go)
}

fn of_build<'b>(
    build: &str,
    sum: &Batch,
    chosen: &Chosen,
    builds: Builds<'b>,
) -> Result<OfBuild<'b>, PgoError> {
    let (binary, image) = open(build, builds)?;
    if chosen.by_branches && sum.branches.is_empty() {
        return Err(PgoError::NoBranches {
            form: "a profile of builds with them",
        });
    }
    let code = Code::new(&binary);
    let counted = Counted::of(sum);
    let recorded = std::slice::from_ref(&counted.recorded);
    let counts = count_binary(recorded, evidence(chosen), None, &code).map_err(failed(build))?;
    let rows = overview(&counts.counts, RecordingLosses::default(), &code).functions;
    let hot_covered = counted.hot_covered(&code, &counts.counts);
    Ok(OfBuild {
        image,
        counted,
        functions: rows
            .into_iter()
            .map(|row| (row.symbol, row.weight))
            .collect(),
        hot_covered,
    })
}

/// Returns the share of the weight in functions that the target has under the same name.
fn landed(functions: &[(String, u64)], names: &BTreeSet<&str>) -> f64 {
    let all: f64 = functions.iter().map(|(_, weight)| *weight as f64).sum();
    let there = functions
        .iter()
        .filter(|(name, _)| names.contains(name.as_str()));
    let there: f64 = there.map(|(_, weight)| *weight as f64).sum();
    if all > 0.0 { there / all } else { 0.0 }
}
