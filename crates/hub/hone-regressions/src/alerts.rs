//! Findings over looks: what is told, once, and what has gone away since.
//!
//! A finding is told after two looks in a row have it: most of what is chance, or goes away again, never is. A function whose change was told is
//! not told again while it stands, and stands until the share is down again. After a week the days before have the new share too, and nothing
//! can be compared with what was before: the finding is over then.
//!
//! Of a chain of callers one look may name the callee and the next one a caller, as both are estimates. A finding of a function that calls one
//! whose finding is open, or is called by it, belongs to that one unless it surely is more.

use serde::{Deserialize, Serialize};

use crate::finding::{Finding, Look, Measure};
use crate::fold::is_of_callees;

/// Looks in a row after which a finding is told.
const LOOKS: u32 = 2;
/// Part of the change that must be left for it to stand.
const LEFT_MIN: f64 = 0.3;
/// Seconds after which a finding is over, and after which it is forgotten.
const OVER_S: u64 = 7 * 86_400;
const FORGOTTEN_S: u64 = 30 * 86_400;
/// Seconds for which callers and callees of a finding that was told belong to it: later their changes are compared with other days.
const SAME_CAUSE_S: u64 = 3 * 86_400;
/// Findings of a service that are kept.
const STANDING_MAX: usize = 200;

/// How it is with a finding.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Seen in one look, and not told.
    Seen,
    /// Told; the share is as high as it was found.
    Stands,
    /// Told; the share is down again.
    WentAway,
    /// Told more than a week ago.
    Over,
}

/// A finding over looks.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Standing {
    /// Number that is the same as long as the finding is kept: `FUNCTION@SECONDS`.
    pub id: String,
    /// How it is with the finding.
    pub status: Status,
    /// First look that had it, in seconds since 1970.
    pub first_s: u64,
    /// Last look that had it.
    pub last_s: u64,
    /// Looks in a row that had it.
    pub looks: u32,
    /// The finding, as the last look had it.
    pub finding: Finding,
    /// What somebody said of the finding, who knows of it.
    #[serde(default)]
    pub acknowledged: Option<Acknowledged>,
}

/// What somebody says of a finding.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Acknowledged {
    /// Why it is known, for people.
    pub word: String,
    /// When that was said, in seconds since 1970.
    pub at_s: u64,
}

/// All findings of a service.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Standings {
    /// End of the last look.
    pub at_s: u64,
    /// The findings, the newest first.
    pub list: Vec<Standing>,
}

impl Standings {
    /// Adds a look, and returns what is to be told. A look that is no later than the last one changes nothing.
    pub fn add(&mut self, look: &Look) -> Vec<Standing> {
        if look.at_s <= self.at_s {
            return Vec::new();
        }
        self.at_s = look.at_s;
        for standing in &mut self.list {
            standing.look(look);
        }
        for finding in &look.findings {
            self.take(finding, look);
        }
        self.list.retain(|standing| {
            let is_lost = standing.status == Status::Seen && standing.last_s < look.at_s;
            !is_lost && look.at_s < standing.first_s + FORGOTTEN_S
        });
        self.list.truncate(STANDING_MAX);
        let mut told = Vec::new();
        for standing in &mut self.list {
            if standing.status == Status::Seen && standing.looks >= LOOKS {
                standing.status = Status::Stands;
                told.push(standing.clone());
            }
        }
        told.sort_by(|a, b| {
            let size = |standing: &Standing| standing.finding.change.value;
            size(b).total_cmp(&size(a))
        });
        told
    }

    /// Puts a finding of a look to the open one that has the same cause, or begins a new one.
    fn take(&mut self, finding: &Finding, look: &Look) {
        let is_same = |standing: &Standing| standing.finding.function == finding.function;
        let open = |standing: &&mut Standing| standing.is_open();
        if (self.list.iter()).any(|standing| standing.is_open() && is_same(standing)) {
            return;
        }
        let mut open = self.list.iter_mut().filter(open);
        match open.find(|standing| standing.has_cause_of(finding, look)) {
            Some(standing) => standing.take(finding, look),
            None => self.list.insert(0, Standing::of(finding, look.at_s)),
        }
    }

    /// Returns the findings that were told.
    pub fn told(&self) -> impl Iterator<Item = &Standing> {
        self.list
            .iter()
            .filter(|standing| standing.status != Status::Seen)
    }
}

impl Standing {
    fn of(finding: &Finding, at_s: u64) -> Self {
        Self {
            id: format!("{}@{at_s}", finding.function),
            status: Status::Seen,
            first_s: at_s,
            last_s: at_s,
            looks: 1,
            finding: finding.clone(),
            acknowledged: None,
        }
    }

    /// True if a finding of a function above or below is this one by another name. A look that has both says that they are two.
    fn has_cause_of(&self, finding: &Finding, look: &Look) -> bool {
        let own = &self.finding;
        let is_in_look = self.last_s >= look.at_s;
        let is_late = self.status == Status::Stands && look.at_s > self.first_s + SAME_CAUSE_S;
        let is_kin = look.is_above(&finding.function, &own.function)
            || look.is_above(&own.function, &finding.function);
        // What is surely larger has a cause of its own.
        let is_larger = !is_of_callees(&finding.change, &[own.change], 0.0);
        !is_in_look && !is_late && is_kin && !is_larger
    }

    /// Goes on with a finding that has the same cause: what was not told yet takes its name.
    fn take(&mut self, finding: &Finding, look: &Look) {
        self.last_s = look.at_s;
        self.looks += 1;
        if self.status == Status::Seen {
            self.id = format!("{}@{}", finding.function, self.first_s);
            self.finding = finding.clone();
            return;
        }
        if look.is_above(&finding.function, &self.finding.function) {
            self.finding.take_caller(finding);
        } else if !self.finding.parts.contains(&finding.function) {
            self.finding.parts.push(finding.function.clone());
        }
    }

    fn is_open(&self) -> bool {
        matches!(self.status, Status::Seen | Status::Stands)
    }

    fn look(&mut self, look: &Look) {
        let mut findings = look.findings.iter();
        let found = findings.find(|finding| finding.function == self.finding.function);
        match found {
            Some(found) if self.is_open() => {
                // The first estimate of a change that was told is from before it came to be usual.
                if self.status == Status::Seen || found.change.value > self.finding.change.value {
                    let before = std::mem::replace(&mut self.finding, found.clone());
                    self.finding.take_names(before);
                }
                self.last_s = look.at_s;
                self.looks += 1;
            }
            _ if self.status == Status::Stands && self.is_down(look) => {
                self.status = Status::WentAway
            }
            _ => {}
        }
        if self.status == Status::Stands && look.at_s >= self.first_s + OVER_S {
            self.status = Status::Over;
        }
    }

    fn is_down(&self, look: &Look) -> bool {
        let shares = look
            .now
            .get(&self.finding.function)
            .copied()
            .unwrap_or_default();
        let now = match self.finding.measure {
            Measure::Own => shares[0],
            Measure::Inclusive => shares[1],
        };
        now < self.finding.before + LEFT_MIN * self.finding.change.value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    const STEP_S: u64 = 6 * 3600;

    fn finding(function: &str, rise: f64) -> Finding {
        testing::finding(function, 0.1 + rise, testing::change(rise, 0.001))
    }

    /// A look after so many steps: `main` calls `serve`, which calls `parse`, and all of them stay as high as they are.
    fn look(steps: u64, findings: Vec<Finding>) -> Look {
        let calls = [("parse", "serve"), ("serve", "main")];
        let callers = calls.map(|(callee, caller)| (callee.to_owned(), vec![caller.to_owned()]));
        let names = ["main", "serve", "parse"];
        Look {
            at_s: 1_800_000_000 + steps * STEP_S,
            findings,
            now: names.map(|name| (name.to_owned(), [1.0, 1.0])).into(),
            callers: callers.into(),
            ..Look::default()
        }
    }

    /// Returns what is told by these looks, one after the other.
    fn told(looks: &[&[(&str, f64)]]) -> (Vec<String>, Standings) {
        let mut standings = Standings::default();
        let mut told = Vec::new();
        for (steps, found) in (1..).zip(looks) {
            let findings = found.iter().map(|(name, change)| finding(name, *change));
            let new = standings.add(&look(steps, findings.collect()));
            told.extend(new.into_iter().map(|standing| standing.finding.function));
        }
        (told, standings)
    }

    #[test]
    fn callers_of_what_was_told_are_not_told_when_a_later_look_has_them_instead() {
        let (told, standings) = told(&[
            &[("parse", 0.01)],
            &[("parse", 0.01)],
            &[("serve", 0.011)],
            &[("main", 0.009)],
            &[("main", 0.009)],
        ]);
        assert_eq!(told, ["parse"]);
        assert_eq!(standings.list.len(), 1);
        let standing = &standings.list[0];
        assert_eq!(standing.finding.callers, ["serve", "main"]);
        assert_eq!((standing.status, standing.looks), (Status::Stands, 5));
    }

    #[test]
    fn looks_that_name_caller_and_callee_in_turn_tell_one_of_them_as_soon_as_two_looks_of_one() {
        let (told, standings) = told(&[
            &[("serve", 0.011)],
            &[("parse", 0.01)],
            &[("serve", 0.011)],
            &[("parse", 0.01)],
        ]);
        assert_eq!(told, ["parse"]);
        let id = &standings.list[0].id;
        assert_eq!(*id, format!("parse@{}", 1_800_000_000 + STEP_S));
    }

    #[test]
    fn a_caller_that_surely_has_more_is_told_and_so_is_one_of_a_later_week() {
        let twice = |later: &'static [(&str, f64)]| {
            told(&[&[("parse", 0.01)], &[("parse", 0.01)], later, later]).0
        };
        assert_eq!(twice(&[("serve", 0.03)]), ["parse", "serve"]);
        assert_eq!(
            twice(&[("parse", 0.01), ("serve", 0.011)]),
            ["parse", "serve"]
        );
        let mut standings = Standings::default();
        for steps in [1, 2] {
            standings.add(&look(steps, vec![finding("parse", 0.01)]));
        }
        let late = [20, 21].map(|steps| standings.add(&look(steps, vec![finding("serve", 0.01)])));
        assert_eq!(late.map(|told| told.len()), [0, 1]);
    }
}
