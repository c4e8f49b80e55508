//! A program that was compiled without optimisation, judged by all of its code in which time was spent.

use super::spots::{Spot, finding_of, own_functions};
use super::{Rule, Saves, source};
use crate::finding::{Confidence, Evidence, Finding};
use crate::subject::Inspected;
use crate::sums::Need;
use crate::unoptimised::Optimisation;

/// Smallest unoptimised share of the time in the program's own code that is blamed on the build and not on single files.
pub(super) const WHOLE_BUILD: f64 = 0.5;

/// The geometric mean of what -O2 gained on three programs: `debug_build.cpp` and `debug_templates.cpp` of
/// `examples/planted`, and one of sorting, hash tables and virtual calls.
pub(super) const FACTOR: f64 = 4.0;
pub(super) const ASSUMPTION: &str =
    "if optimised code is four times as fast: three programs became 3.2, 3.5 and 6.6 times as fast";

pub(super) const RULE: Rule = Rule {
    name: "debug-build",
    title: "The program was compiled without optimisation",
    needs: &[Need::Code],
    threshold: 0.05,
    source: source::GAIN,
    factor: FACTOR,
    factor_max: f64::INFINITY,
    assumption: ASSUMPTION,
    saves: Saves::Unknown,
    confidence: Confidence::High,
    levers: &[],
    change: "Build with -O2 (CMAKE_BUILD_TYPE=RelWithDebInfo, cargo build --release).",
    not_when: "It is a debug build that was recorded on purpose.",
    look,
};

fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    let all = optimisation(inspected);
    if all.unoptimised_part() < WHOLE_BUILD {
        return None;
    }
    found(rule, inspected, &all)
}

/// Adds up the time in optimised and in unoptimised code of all binaries that are not part of the system.
pub(super) fn optimisation(inspected: &Inspected) -> Optimisation {
    let own = inspected
        .binaries
        .iter()
        .filter(|binary| !binary.is_system());
    own.fold(Optimisation::default(), |all, binary| Optimisation {
        without: all.without + binary.optimisation.without,
        with: all.with + binary.optimisation.with,
    })
}

/// Returns the finding if the unoptimised part takes enough of the time.
pub(super) fn found(rule: &Rule, inspected: &Inspected, all: &Optimisation) -> Option<Finding> {
    let functions = own_functions(inspected).filter(|(_, function)| function.is_unoptimised());
    let spots = functions.map(Spot::whole).collect();
    let mut finding = finding_of(rule, inspected, all.without, spots)?;
    let part = 100.0 * all.unoptimised_part();
    let what =
        format!("{part:.0} % of the time in the program's own code, told by each function's code");
    finding.evidence.insert(0, Evidence { what, share: None });
    Some(finding)
}
