//! From effects to findings: what is sure, what is large, what stands, and what has not only moved.
//!
//! Filters, in this order: false discoveries (Benjamini & Hochberg over all shares of a comparison), size, changes that went away
//! again, cost that moved between neighbours, and changes of callers that are those of their callees. The filters for moved cost and
//! for what went away are those of Meta's FBDetect (Valialkin et al., SOSP 2024), by other means.

use rustc_hash::FxHashMap;

use crate::effect::{Effect, q_values};
use crate::finding::{Cause, Evidence, Filtered, Finding, Measure, Unit, Why};
use crate::fold::ERRORS;
use crate::graph::Graph;
use crate::history::History;
use crate::limits::SAMPLES_MIN;
use crate::look::Thresholds;

/// An inclusive share that is above the own one by less than this part says nothing else.
const LEAF_PART: f64 = 0.02;
/// Standard errors by which a neighbour must have fallen for cost to have come from it.
const FALLEN_ERRORS: f64 = 2.5;
/// Part of a change that must be found in what fell, or in callees, for the change to be explained by it.
pub(crate) const EXPLAINED_MIN: f64 = 0.7;
/// Share before, as a part of the share after, below which a function hardly was there.
const NEW_PART_MAX: f64 = 0.1;
/// Significant changes that are looked at, the surest.
const CANDIDATES_MAX: usize = 1_000;

/// A comparison of two sides of a history.
pub(crate) struct Compared<'h> {
    pub(crate) history: &'h History,
    pub(crate) evidence: Evidence,
    /// Cores of the service on the later side.
    pub(crate) cores: f64,
    /// Effects by column.
    pub(crate) effects: Vec<Effect>,
    /// What is told of a column that is significant.
    pub(crate) estimate: Box<dyn Fn(usize) -> Estimate + 'h>,
}

/// What is told of a change.
pub(crate) struct Estimate {
    pub(crate) effect: Effect,
    pub(crate) units: usize,
    pub(crate) since_s: u64,
    /// False if the change has gone away again.
    pub(crate) stands: bool,
    /// Build that came at that time.
    pub(crate) came: Option<Came>,
}

/// A build that came.
#[derive(Clone)]
pub(crate) struct Came {
    pub(crate) build: String,
    /// Build that ran most before, if it has a name.
    pub(crate) before: Option<String>,
}

/// What a comparison gives.
#[derive(Default)]
pub(crate) struct Judged {
    pub(crate) findings: Vec<Finding>,
    pub(crate) filtered: Vec<Filtered>,
    pub(crate) tested: usize,
}

struct Candidate {
    function: u32,
    finding: Finding,
}

pub(crate) fn judge(compared: &Compared<'_>, graph: &Graph, thresholds: Thresholds) -> Judged {
    let tested = tested(&compared.effects, thresholds);
    let p: Vec<f64> = tested
        .iter()
        .map(|column| compared.effects[*column].p())
        .collect();
    let q = q_values(&p);
    let mut judged = Judged {
        tested: tested.len(),
        ..Judged::default()
    };
    let surest = tested.iter().zip(p.iter().zip(&q));
    let mut surest: Vec<(usize, f64, f64)> = surest
        .filter(|(column, (_, q))| {
            **q <= thresholds.rate && compared.effects[**column].change > 0.0
        })
        .map(|(column, (p, q))| (*column, *p, *q))
        .collect();
    surest.sort_unstable_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
    surest.truncate(CANDIDATES_MAX);
    let mut kept: Vec<Candidate> = Vec::new();
    for (column, p, q) in surest {
        let estimate = (compared.estimate)(column);
        let (function, is_inclusive) = (column as u32 / 2, column % 2 == 1);
        let moved = moved_from(compared, graph, function, is_inclusive);
        let why = match &estimate {
            _ if !estimate.stands => Some(Why::WentAway),
            estimate if estimate.effect.interval().low < thresholds.least_share => Some(Why::Small),
            _ => moved.map(|from| Why::Moved { from }),
        };
        let finding = finding(compared, estimate, column, p, q);
        match why {
            Some(why) => judged.filtered.push(Filtered { finding, why }),
            None => kept.push(Candidate { function, finding }),
        }
    }
    explain(kept, graph, &mut judged);
    judged
        .findings
        .sort_by(|a, b| b.change.value.total_cmp(&a.change.value));
    judged
}

/// Columns that a change of the asked size is possible in.
fn tested(effects: &[Effect], thresholds: Thresholds) -> Vec<usize> {
    let is_large = |effect: &Effect| {
        effect.before.max(effect.after) >= thresholds.least_share && effect.samples >= SAMPLES_MIN
    };
    let pairs = effects.chunks_exact(2).enumerate();
    pairs
        .flat_map(|(function, pair)| {
            let [own, inclusive] = [pair[0], pair[1]];
            let more = (inclusive.after - own.after).max(inclusive.before - own.before);
            let is_leaf = more < LEAF_PART * inclusive.after.max(inclusive.before);
            let own = is_large(&own).then_some(2 * function);
            let inclusive = (is_large(&inclusive) && !is_leaf).then_some(2 * function + 1);
            [own, inclusive]
        })
        .flatten()
        .collect()
}

fn finding(compared: &Compared<'_>, estimate: Estimate, column: usize, p: f64, q: f64) -> Finding {
    let effect = estimate.effect;
    let (cause, old_build) = match estimate.came {
        Some(came) => (Cause::NewBuild(came.build), came.before),
        None => (Cause::OverTime, None),
    };
    let change = effect.interval();
    Finding {
        function: compared.history.functions[column / 2].clone(),
        measure: if column % 2 == 1 {
            Measure::Inclusive
        } else {
            Measure::Own
        },
        evidence: compared.evidence.clone(),
        cause,
        old_build,
        since_s: estimate.since_s,
        before: effect.before,
        after: effect.after,
        change,
        cores: change.times(compared.cores),
        p,
        q,
        unit: if compared.history.is_grouped {
            Unit::HostGroup
        } else {
            Unit::Host
        },
        units: estimate.units,
        parts: Vec::new(),
        callers: Vec::new(),
    }
}

/// Returns the neighbours that fell by as much as a function rose, if they did. What a larger whole takes from all is no fall.
fn moved_from(
    compared: &Compared<'_>,
    graph: &Graph,
    function: u32,
    is_inclusive: bool,
) -> Option<Vec<String>> {
    let column = |function: u32| 2 * function as usize + usize::from(is_inclusive);
    let rise = compared.effects[column(function)].change;
    let mut fallen: Vec<(u32, f64)> = graph
        .neighbours(function)
        .into_iter()
        .filter_map(|other| {
            let effect = compared.effects.get(column(other))?;
            let fall = effect.change + effect.before * rise;
            let is_fall = fall < -FALLEN_ERRORS * effect.standard_error() && fall < -0.05 * rise;
            is_fall.then_some((other, fall))
        })
        .collect();
    let sum: f64 = fallen.iter().map(|(_, fall)| -fall).sum();
    fallen.sort_unstable_by(|a, b| a.1.total_cmp(&b.1));
    let names = fallen
        .iter()
        .map(|(other, _)| compared.history.functions[*other as usize].clone());
    (sum >= EXPLAINED_MIN * rise).then(|| names.collect())
}

/// True if a change is that of findings below: of all of them together, or, where the function's own share rose with them as that of
/// a function that is called more often does, of one of them.
fn is_explained(one: &Candidate, kept: &[Candidate], below: &[usize]) -> bool {
    let rises = below.iter().map(|at| &kept[*at]);
    let has_own = rises.clone().any(|other| other.function == one.function);
    let rises = rises.map(|other| other.finding.change.value);
    let explained: f64 = match has_own {
        true => rises.fold(0.0, f64::max),
        false => rises.sum(),
    };
    explained >= EXPLAINED_MIN * one.finding.change.value
}

/// Makes what a function alone calls parts of the finding of its own share: what rose as that share did, since the function is called
/// more often, and what hardly was there before, since the function's code was changed to call it.
fn with_callees_of(
    function: u32,
    kept: Vec<Candidate>,
    below: &[usize],
    graph: &Graph,
) -> Vec<Candidate> {
    let is_own = |at: &&usize| kept[**at].function == function;
    let Some(own) = below.iter().find(is_own).copied() else {
        return kept;
    };
    let is_part = |at: usize, other: &Candidate| {
        at != own
            && below.contains(&at)
            && graph.only_ancestors(other.function).contains(&function)
            && (rose_alike(&kept[own].finding, &other.finding) || is_new(&other.finding))
    };
    let are_parts: Vec<bool> = kept
        .iter()
        .enumerate()
        .map(|(at, other)| is_part(at, other))
        .collect();
    let (mut rest, mut parts, mut place) = (Vec::new(), Vec::new(), 0);
    for (at, other) in kept.into_iter().enumerate() {
        if are_parts[at] {
            parts.push(other.finding.function);
            parts.extend(other.finding.parts);
            continue;
        }
        if at == own {
            place = rest.len();
        }
        rest.push(other);
    }
    rest[place].finding.parts.extend(parts);
    rest
}

/// True if two shares rose by the same part of what they were, as far as is sure.
fn rose_alike(one: &Finding, other: &Finding) -> bool {
    if one.before <= 0.0 || other.before <= 0.0 {
        return false;
    }
    let part = |of: &Finding| of.change.value / of.before;
    let error = |of: &Finding| of.change.standard_error / of.before;
    (part(one) - part(other)).abs() <= ERRORS * error(one).hypot(error(other))
}

/// True if a function hardly took time before.
fn is_new(finding: &Finding) -> bool {
    finding.before < NEW_PART_MAX * finding.after
}

/// Keeps of a chain of callers and callees the one that has most of the change for itself.
fn explain(mut candidates: Vec<Candidate>, graph: &Graph, judged: &mut Judged) {
    // Innermost first: what is below has the smaller inclusive share.
    candidates.sort_by(|a, b| {
        let order = a.finding.after.total_cmp(&b.finding.after);
        order
            .then(a.finding.measure.cmp(&b.finding.measure))
            .then(a.function.cmp(&b.function))
    });
    let mut kept: Vec<Candidate> = Vec::new();
    for mut one in candidates {
        let is_below = |other: &Candidate| {
            let same =
                other.function == one.function && other.finding.measure != one.finding.measure;
            same || one.finding.measure == Measure::Inclusive
                && graph.ancestors(other.function).contains(&one.function)
        };
        let below: Vec<usize> = (0..kept.len()).filter(|at| is_below(&kept[*at])).collect();
        if is_explained(&one, &kept, &below) {
            let by = below
                .iter()
                .map(|at| kept[*at].finding.function.clone())
                .collect();
            let largest = below.iter().copied().max_by(|a, b| {
                let of = |at: usize| kept[at].finding.change.value;
                of(*a).total_cmp(&of(*b))
            });
            if let Some(at) = largest {
                kept[at].finding.take_caller(&one.finding);
            }
            kept = with_callees_of(one.function, kept, &below, graph);
            judged.filtered.push(Filtered {
                finding: one.finding,
                why: Why::Explained { by },
            });
            continue;
        }
        // What is called by this one alone is a part of its change.
        let mut rest = Vec::new();
        for (at, other) in kept.into_iter().enumerate() {
            let is_part = below.contains(&at)
                && (other.function == one.function
                    || graph.only_ancestors(other.function).contains(&one.function));
            if !is_part {
                rest.push(other);
                continue;
            }
            if other.function != one.function {
                one.finding.parts.push(other.finding.function);
            }
            one.finding.parts.extend(other.finding.parts);
        }
        kept = rest;
        kept.push(one);
    }
    let mut by_function: FxHashMap<u32, Finding> = FxHashMap::default();
    for one in kept {
        by_function.entry(one.function).or_insert(one.finding);
    }
    judged.findings.extend(by_function.into_values());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{change, finding};

    /// Functions 0, 1 and 2, of which each calls the next one, as the only one; returns what is told, with its parts.
    fn told(candidates: Vec<(u32, Finding)>) -> Vec<(String, Vec<String>)> {
        let history = History {
            functions: ["serve", "parse", "read"].map(String::from).to_vec(),
            calls: [((0, 1), 1.0), ((1, 2), 1.0)].into_iter().collect(),
            ..History::default()
        };
        let candidates = candidates.into_iter();
        let candidates = candidates.map(|(function, finding)| Candidate { function, finding });
        let mut judged = Judged::default();
        explain(candidates.collect(), &Graph::of(&history), &mut judged);
        let told = judged.findings.into_iter();
        let mut told: Vec<_> = told.map(|one| (one.function, one.parts)).collect();
        told.sort();
        told
    }

    fn own(name: &str, before: f64, rise: f64) -> Finding {
        Finding {
            measure: Measure::Own,
            before,
            ..finding(name, before + rise, change(rise, 0.000_3))
        }
    }

    #[test]
    fn callees_of_a_function_that_is_called_more_often_are_its_parts() {
        let all = |of_callee: Finding| {
            let whole = Finding {
                before: 0.12,
                ..finding("parse", 0.132, change(0.012, 0.001))
            };
            told(vec![
                (1, own("parse", 0.1, 0.01)),
                (2, of_callee),
                (1, whole),
            ])
        };
        let read = vec!["read".to_owned()];
        assert_eq!(all(own("read", 0.02, 0.002)), [("parse".to_owned(), read)]);
        // A loop over something new: its iterator is inlined, and was not there.
        let read = vec!["read".to_owned()];
        assert_eq!(all(own("read", 0.0, 0.002)), [("parse".to_owned(), read)]);
        // What rose by another part of itself has a cause of its own.
        let apart = all(own("read", 0.01, 0.003));
        assert_eq!(apart.len(), 2, "{apart:?}");
        assert!(apart.iter().all(|(_, parts)| parts.is_empty()));
    }
}
