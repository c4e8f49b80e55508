//! Findings over looks: what is told, once, and what has gone away since.
//!
//! A finding is told after two looks in a row have it: most of what is chance, or goes away again, never is. A function whose change was told is
//! not told again while it stands, and stands until the share is down again. After a week the days before have the new share too, and nothing
//! can be compared with what was before: the finding is over then.

use serde::{Deserialize, Serialize};

use crate::finding::{Finding, Look, Measure};

/// Looks in a row after which a finding is told.
const LOOKS: u32 = 2;
/// Part of the change that must be left for it to stand.
const LEFT_MIN: f64 = 0.3;
/// Seconds after which a finding is over, and after which it is forgotten.
const OVER_S: u64 = 7 * 86_400;
const FORGOTTEN_S: u64 = 30 * 86_400;
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
        self.list.retain(|standing| {
            let is_lost = standing.status == Status::Seen && standing.last_s < look.at_s;
            !is_lost && look.at_s < standing.first_s + FORGOTTEN_S
        });
        let mut told = Vec::new();
        for finding in &look.findings {
            let open = |standing: &&mut Standing| {
                standing.finding.function == finding.function && standing.is_open()
            };
            if let Some(standing) = self.list.iter_mut().find(open) {
                if standing.status == Status::Seen && standing.looks >= LOOKS {
                    standing.status = Status::Stands;
                    told.push(standing.clone());
                }
            } else {
                self.list.insert(
                    0,
                    Standing {
                        id: format!("{}@{}", finding.function, look.at_s),
                        status: Status::Seen,
                        first_s: look.at_s,
                        last_s: look.at_s,
                        looks: 1,
                        finding: finding.clone(),
                    },
                );
            }
        }
        self.list.truncate(STANDING_MAX);
        told
    }

    /// Returns the findings that were told.
    pub fn told(&self) -> impl Iterator<Item = &Standing> {
        self.list
            .iter()
            .filter(|standing| standing.status != Status::Seen)
    }
}

impl Standing {
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
                    self.finding = found.clone();
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
