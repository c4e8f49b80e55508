//! Places in machine code that a rule is about, and the finding that they make together.

use super::{FUNCTIONS_MAX, Rule, SHOWN, in_words};
use crate::code::{CodeInstruction, HotFunction, Loop};
use crate::facts::BinaryFacts;
use crate::finding::{Evidence, Finding, SourcePlace};
use crate::name::plain;
use crate::subject::Inspected;
use hone_fdo::layout::FunctionLayout;
use hone_profile::Svma;
use iced_x86::{FlowControl, Instruction};
use rustc_hash::FxHashSet;

/// Share of a function's time in unseen code from which nothing is reported about its layout.
const UNSEEN_MAX: f64 = 0.05;

/// A place in machine code.
pub(super) struct Spot<'i> {
    pub(super) binary: &'i BinaryFacts,
    pub(super) function: &'i HotFunction,
    /// Weight of the samples that count.
    pub(super) weight: u64,
    /// Hottest line of these samples.
    pub(super) line: Option<(String, u32)>,
    /// Addresses of the instructions that count; `None` for the whole function.
    at: Option<Vec<Svma>>,
}

impl<'i> Spot<'i> {
    /// Makes a spot of a function with all its samples.
    pub(super) fn whole((binary, function): (&'i BinaryFacts, &'i HotFunction)) -> Self {
        Self {
            binary,
            function,
            weight: function.weight,
            line: function.hottest_line(),
            at: None,
        }
    }

    /// Makes a spot of instructions of a function.
    pub(super) fn of(
        (binary, function): (&'i BinaryFacts, &'i HotFunction),
        instructions: &[&CodeInstruction],
    ) -> Self {
        let sampled = instructions
            .iter()
            .filter(|instruction| instruction.weight > 0);
        let hottest = sampled.clone().max_by_key(|instruction| instruction.weight);
        Self {
            binary,
            function,
            weight: sampled.clone().map(|instruction| instruction.weight).sum(),
            line: hottest.and_then(|instruction| instruction.line.clone()),
            at: Some(
                sampled
                    .map(|instruction| Svma(instruction.code.ip()))
                    .collect(),
            ),
        }
    }

    /// Returns the instructions that the spot claims.
    fn instructions(&self, inspected: &Inspected) -> Vec<(u32, Svma)> {
        let Some(position) = inspected.position_of(self.binary) else {
            return Vec::new();
        };
        let function = self.function.start..Svma(self.function.start.0 + self.function.size);
        let points = inspected.points.iter();
        let inside =
            points.filter(|point| point.binary == position && function.contains(&point.at));
        match &self.at {
            Some(at) => at.iter().map(|at| (position, *at)).collect(),
            None => inside.map(|point| (position, point.at)).collect(),
        }
    }
}

/// Returns the hot functions that are the user's own, without system libraries and Go's run time.
pub(super) fn own_functions(
    inspected: &Inspected,
) -> impl Iterator<Item = (&BinaryFacts, &HotFunction)> {
    let binaries = inspected
        .binaries
        .iter()
        .filter(|binary| !binary.is_system());
    let all = binaries.flat_map(|binary| {
        binary
            .functions
            .iter()
            .map(move |function| (binary, function))
    });
    all.filter(|(_, function)| !function.name.starts_with("runtime."))
}

/// Returns the own functions without those compiled without optimisation, which have a finding of their own.
pub(super) fn optimised_functions(
    inspected: &Inspected,
) -> impl Iterator<Item = (&BinaryFacts, &HotFunction)> {
    own_functions(inspected).filter(|(_, function)| !function.is_unoptimised())
}

/// Returns the targets of the direct branches of these kinds in hot functions: the binary's path and the target address.
pub(super) fn targets<'i>(
    inspected: &'i Inspected,
    kinds: &[FlowControl],
) -> FxHashSet<(&'i str, u64)> {
    let branches = optimised_functions(inspected).flat_map(|(binary, function)| {
        let codes = function.instructions.iter();
        codes.map(|instruction| (binary.path.as_str(), &instruction.code))
    });
    let wanted = branches.filter(|(_, code)| kinds.contains(&code.flow_control()));
    wanted
        .map(|(path, code)| (path, code.near_branch_target()))
        .collect()
}

/// Returns the finding if the spots take enough of the time.
pub(super) fn finding(
    rule: &Rule,
    inspected: &Inspected,
    mut spots: Vec<Spot<'_>>,
) -> Option<Finding> {
    spots.retain(|spot| spot.weight > 0);
    let weight = spots.iter().map(|spot| spot.weight).sum();
    finding_of(rule, inspected, weight, spots)
}

/// Returns the finding if `weight` is enough of the time; `spots` are its heaviest places.
pub(super) fn finding_of(
    rule: &Rule,
    inspected: &Inspected,
    weight: u64,
    mut spots: Vec<Spot<'_>>,
) -> Option<Finding> {
    spots.sort_by_key(|spot| std::cmp::Reverse(spot.weight));
    let mut finding = rule.finding(inspected.share(weight))?;
    for spot in &spots {
        finding
            .claim
            .instructions
            .extend(spot.instructions(inspected));
    }
    let touched = inspected.touched_by(&finding.claim);
    rule.touch(&mut finding, touched);
    let places = spots.iter().map(|spot| (place(spot), spot.weight));
    for (place, weight) in places.clone().take(SHOWN) {
        finding.evidence.push(Evidence {
            what: in_words(&place),
            share: Some(inspected.share(weight)),
        });
    }
    let names = places.clone().map(|(place, _)| place.function);
    finding.functions = names.take(FUNCTIONS_MAX).collect();
    finding.place = places.map(|(place, _)| place).next();
    Some(finding)
}

/// Returns the finding if the time at instructions of this kind is enough.
pub(super) fn of_instructions(
    rule: &Rule,
    inspected: &Inspected,
    is_odd: impl Fn(&Instruction) -> bool + Copy,
) -> Option<Finding> {
    let functions = optimised_functions(inspected);
    let spots = functions.map(|at| Spot::of(at, &at.1.at_and_behind(is_odd)));
    finding(rule, inspected, spots.collect())
}

/// Returns the finding if loops of this kind take enough of the time.
pub(super) fn of_loops(
    rule: &Rule,
    inspected: &Inspected,
    is_odd: impl Fn(&Loop<'_>) -> bool,
) -> Option<Finding> {
    let spots = in_loops(optimised_functions(inspected), is_odd);
    finding(rule, inspected, spots)
}

/// Returns the loops of this kind in the functions, added up by function.
pub(super) fn in_loops<'i>(
    functions: impl Iterator<Item = (&'i BinaryFacts, &'i HotFunction)>,
    is_odd: impl Fn(&Loop<'_>) -> bool,
) -> Vec<Spot<'i>> {
    let spots = functions.map(|(binary, function)| {
        let mut loops = function.loops();
        loops.retain(&is_odd);
        let hottest = loops.iter().max_by_key(|around| around.weight);
        let bodies: Vec<&CodeInstruction> = loops.iter().flat_map(|around| around.body).collect();
        Spot {
            line: hottest.and_then(Loop::hottest_line),
            ..Spot::of((binary, function), &bodies)
        }
    });
    spots.collect()
}

/// Returns the finding if functions with a layout of this kind take enough of the time.
pub(super) fn of_layouts(
    rule: &Rule,
    inspected: &Inspected,
    is_odd: impl Fn(&FunctionLayout) -> bool,
) -> Option<Finding> {
    let functions = optimised_functions(inspected).filter(|(binary, function)| {
        let layout = binary.layout.as_ref();
        let mut laid = layout.into_iter().flat_map(|layout| &layout.functions);
        let laid = laid.find(|laid| laid.start == function.start);
        laid.is_some_and(|laid| laid.unseen_share_max < UNSEEN_MAX && is_odd(laid))
    });
    finding(rule, inspected, functions.map(Spot::whole).collect())
}

fn place(spot: &Spot<'_>) -> SourcePlace {
    let (file, line) = spot.line.clone().unwrap_or_default();
    SourcePlace {
        function: plain(&spot.function.name),
        binary: spot.binary.path.clone(),
        file,
        line,
    }
}
