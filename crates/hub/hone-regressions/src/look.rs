//! A look at a service: all comparisons, and one list of findings.

use serde::{Deserialize, Serialize};

use crate::builds::side_by_side;
use crate::finding::{Look, NoClaim};
use crate::fold::fold;
use crate::graph::Graph;
use crate::history::History;
use crate::judge::{Compared, judge};
use crate::over_time::over_time;

/// From where on a change is told.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Thresholds {
    /// Rate of false findings among those of a comparison.
    pub rate: f64,
    /// Least change of a share of the service's CPU time: the interval must be above.
    pub least_share: f64,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self {
            rate: 0.01,
            least_share: 0.0005,
        }
    }
}

/// Looks at the last day of a service.
pub fn look(history: &History, thresholds: Thresholds) -> Look {
    let Some(last) = history.last() else {
        return Look::default();
    };
    let graph = Graph::of(history);
    let mut look = Look {
        at_s: (last + 1) * history.step_s,
        now: shares_of(history, last),
        callers: graph.named(history),
        ..Look::default()
    };
    let builds = side_by_side(history);
    let both = [builds, Some(over_time(history))];
    let mut done = Vec::new();
    for (compared, at) in both.into_iter().zip(0..) {
        match compared {
            Some(Ok(compared)) => {
                look.add(&compared, &graph, thresholds);
                done.push(compared);
            }
            Some(Err(why)) => *look.no_claim(at) = Some(why),
            None => {}
        }
    }
    let folded = fold(&mut look.findings, &done, &graph, history, thresholds);
    look.filtered.extend(folded);
    look.findings
        .sort_by(|a, b| b.change.value.total_cmp(&a.change.value));
    look
}

impl Look {
    fn no_claim(&mut self, at: usize) -> &mut Option<NoClaim> {
        match at {
            0 => &mut self.no_claim_of_builds,
            _ => &mut self.no_claim_over_time,
        }
    }

    /// Adds what a comparison says; of a function that was told already, nothing more.
    fn add(&mut self, compared: &Compared<'_>, graph: &Graph, thresholds: Thresholds) {
        let judged = judge(compared, graph, thresholds);
        self.tested += judged.tested;
        self.filtered.extend(judged.filtered);
        for finding in judged.findings {
            let is_told = self
                .findings
                .iter()
                .any(|told| told.function == finding.function);
            if !is_told {
                self.findings.push(finding);
            }
        }
    }
}

fn shares_of(history: &History, step: u64) -> std::collections::BTreeMap<String, [f64; 2]> {
    let mut sums = vec![[0.0; 2]; history.functions.len()];
    let mut whole = 0.0;
    for (_, cell) in history.cells(step, step + 1) {
        whole += cell.weight;
        for (function, own, inclusive) in &cell.rows {
            let sum = &mut sums[*function as usize];
            *sum = [sum[0] + own, sum[1] + inclusive];
        }
    }
    let shares = history.functions.iter().zip(sums);
    let seen = shares.filter(|(_, sum)| sum[1] > 0.0);
    seen.map(|(name, sum)| (name.clone(), sum.map(|sum| sum / f64::max(whole, 1.0))))
        .collect()
}
