//! One finding for one cause: a caller's change that is that of functions below it is folded into their finding.
//!
//! A comparison folds by itself what it has ([`crate::judge`]). Here is the rest: a callee that another comparison has, and a caller whose
//! change is a little larger than that of its callees, by no more than both may be wrong.

use rustc_hash::FxHashSet;

use crate::effect::Effect;
use crate::finding::{Evidence, Filtered, Finding, Interval, Measure, Why};
use crate::graph::Graph;
use crate::history::History;
use crate::judge::{Compared, EXPLAINED_MIN};
use crate::look::Thresholds;

/// Standard errors within which a caller's change is that of its callees.
pub(crate) const ERRORS: f64 = 1.96;

/// True if a change of a caller is no more than that of functions below, as far as is sure.
pub(crate) fn is_of_callees(of_caller: &Interval, of_callees: &[Interval], least: f64) -> bool {
    let below: f64 = of_callees.iter().map(|change| change.value).sum();
    if is_most(of_caller, of_callees) {
        return true;
    }
    let variance = |change: &Interval| change.standard_error.powi(2);
    let variances: f64 = of_callees.iter().map(variance).sum();
    let error = (variance(of_caller) + variances).sqrt();
    let rest = of_caller.value - below;
    below > 0.0 && rest - ERRORS * error < least
}

/// True if functions below have nearly all of a caller's change.
fn is_most(of_caller: &Interval, of_callees: &[Interval]) -> bool {
    let below: f64 = of_callees.iter().map(|change| change.value).sum();
    below > 0.0 && below >= EXPLAINED_MIN * of_caller.value
}

/// Folds findings of callers into those of their callees; what was folded is returned with its reason.
pub(crate) fn fold(
    findings: &mut Vec<Finding>,
    compared: &[Compared<'_>],
    graph: &Graph,
    history: &History,
    thresholds: Thresholds,
) -> Vec<Filtered> {
    let mut folded = Vec::new();
    // Innermost first: what is below has the smaller share.
    findings.sort_by(|a, b| a.after.total_cmp(&b.after));
    let mut kept: Vec<Finding> = Vec::new();
    for one in findings.drain(..) {
        let below = outermost_below(&one, &kept, graph, history);
        let changes = below
            .iter()
            .map(|at| change_in(&one, &kept[*at], compared, history));
        let changes: Vec<Interval> = changes.collect();
        // What is called more often, with several functions below, is a cause of its own as long as one of these is not nearly all of it.
        let is_explained = match one.parts.is_empty() {
            true => is_of_callees(&one.change, &changes, thresholds.least_share),
            false => is_most(&one.change, &changes),
        };
        if one.measure == Measure::Own || !is_explained {
            kept.push(one);
            continue;
        }
        let by = below.iter().map(|at| kept[*at].function.clone()).collect();
        let largest = below.iter().zip(&changes);
        let largest = largest.max_by(|a, b| a.1.value.total_cmp(&b.1.value));
        if let Some((at, _)) = largest {
            kept[*at].take_caller(&one);
        }
        let why = Why::Explained { by };
        folded.push(Filtered { finding: one, why });
    }
    *findings = kept;
    folded
}

/// Returns the findings below a function, without those that are below another one of them.
fn outermost_below(
    one: &Finding,
    kept: &[Finding],
    graph: &Graph,
    history: &History,
) -> Vec<usize> {
    let Some(function) = history.number_of(&one.function) else {
        return Vec::new();
    };
    let numbers: Vec<Option<u32>> = kept
        .iter()
        .map(|finding| history.number_of(&finding.function))
        .collect();
    let above: Vec<FxHashSet<u32>> = numbers
        .iter()
        .map(|number| number.map_or_else(FxHashSet::default, |number| graph.ancestors(number)))
        .collect();
    let below: Vec<usize> = (0..kept.len())
        .filter(|at| above[*at].contains(&function))
        .collect();
    let is_inner = |at: &usize| {
        let mut others = below.iter().filter(|other| *other != at);
        others.any(|other| numbers[*other].is_some_and(|number| above[*at].contains(&number)))
    };
    let outermost: Vec<usize> = below.iter().copied().filter(|at| !is_inner(at)).collect();
    // Functions that call each other are below each other.
    if outermost.is_empty() {
        below
    } else {
        outermost
    }
}

/// Returns the change of a callee in the comparison that has the caller.
fn change_in(
    caller: &Finding,
    callee: &Finding,
    compared: &[Compared<'_>],
    history: &History,
) -> Interval {
    let is_same =
        |a: &Evidence, b: &Evidence| std::mem::discriminant(a) == std::mem::discriminant(b);
    if is_same(&caller.evidence, &callee.evidence) {
        return callee.change;
    }
    let of_caller = compared
        .iter()
        .find(|compared| is_same(&compared.evidence, &caller.evidence));
    let column = history
        .number_of(&callee.function)
        .map(|number| 2 * number as usize + usize::from(callee.measure == Measure::Inclusive));
    let effect = of_caller
        .zip(column)
        .and_then(|(compared, column)| compared.effects.get(column));
    effect.map_or(callee.change, Effect::interval)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{change, finding};

    #[test]
    fn a_caller_is_explained_unless_it_surely_has_more_than_its_callees() {
        let least = 0.0005;
        let callee = change(0.010, 0.001);
        assert!(is_of_callees(&change(0.012, 0.002), &[callee], least));
        // Not by 70 %, but by no more than both may be wrong.
        assert!(is_of_callees(&change(0.016, 0.003), &[callee], least));
        assert!(!is_of_callees(&change(0.016, 0.0005), &[callee], least));
        assert!(is_of_callees(
            &change(0.020, 0.0005),
            &[callee, callee],
            least
        ));
        assert!(!is_of_callees(&change(0.001, 0.002), &[], least));
    }

    /// Folds findings of functions that call each other in this order, the outermost first; returns what is left, and what was folded.
    fn folded(calls: &[&str], mut findings: Vec<Finding>) -> (Vec<Finding>, Vec<String>) {
        let mut history = History {
            functions: calls.iter().map(|&name| name.to_owned()).collect(),
            ..History::default()
        };
        for caller in 1..calls.len() as u32 {
            history.calls.insert((caller - 1, caller), 1.0);
        }
        let graph = Graph::of(&history);
        let folded = fold(&mut findings, &[], &graph, &history, Thresholds::default());
        let names = folded.into_iter().map(|folded| folded.finding.function);
        (findings, names.collect())
    }

    #[test]
    fn callers_are_folded_into_their_callee_also_where_it_was_found_between_builds() {
        let (old, new) = ("aa".into(), "bb".into());
        let parse = Finding {
            evidence: Evidence::SideBySide { old, new },
            ..finding("parse", 0.1, change(0.01, 0.001))
        };
        let all = vec![
            finding("main", 1.0, change(0.015, 0.004)),
            finding("serve", 0.5, change(0.012, 0.002)),
            parse,
        ];
        let (left, folded) = folded(&["main", "serve", "parse"], all);
        assert_eq!(folded, ["serve", "main"]);
        let [left] = &left[..] else {
            panic!("{left:?}")
        };
        assert_eq!(
            (&*left.function, &left.callers[..]),
            ("parse", &["serve".to_owned(), "main".to_owned()][..])
        );
    }

    #[test]
    fn a_caller_with_parts_is_called_more_often_and_stays() {
        let serve = |parts: &[&str]| Finding {
            parts: parts.iter().map(|&part| part.to_owned()).collect(),
            ..finding("serve", 0.5, change(0.016, 0.003))
        };
        for (parts, left) in [(&[][..], 1), (&["read", "write"], 2)] {
            let all = vec![serve(parts), finding("parse", 0.1, change(0.01, 0.001))];
            assert_eq!(folded(&["serve", "parse"], all).0.len(), left);
        }
    }

    #[test]
    fn a_caller_that_surely_has_more_stays_and_takes_its_own_callers() {
        let all = vec![
            finding("main", 1.0, change(0.031, 0.003)),
            finding("serve", 0.5, change(0.03, 0.002)),
            finding("parse", 0.1, change(0.01, 0.001)),
            finding("other", 0.2, change(0.05, 0.001)),
        ];
        let (left, folded) = folded(&["main", "serve", "parse"], all);
        assert_eq!(folded, ["main"]);
        let callers: Vec<(&str, usize)> = left
            .iter()
            .map(|finding| (&*finding.function, finding.callers.len()))
            .collect();
        assert_eq!(callers, [("parse", 0), ("other", 0), ("serve", 1)]);
    }
}
