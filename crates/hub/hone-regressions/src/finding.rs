//! What is said of functions.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

/// Share of a function that is spoken of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// Samples whose own instruction is in the function.
    Own,
    /// Samples with the function anywhere in the stack.
    Inclusive,
}

/// What is compared.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Evidence {
    /// Two builds in the same hours.
    SideBySide {
        /// The old build.
        old: String,
        /// The new build.
        new: String,
    },
    /// The last day and the days before.
    OverTime {
        /// Number of the days before.
        days: usize,
    },
}

/// What goes with a change.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// A build that came at that time.
    NewBuild(String),
    /// No build came: load, data or surroundings are others.
    OverTime,
}

/// Unit of analysis.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// A host.
    Host,
    /// A group of hosts, in a large fleet.
    HostGroup,
}

/// A number with its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Interval {
    /// The number.
    pub value: f64,
    /// Low end.
    pub low: f64,
    /// High end.
    pub high: f64,
    /// Standard error.
    pub standard_error: f64,
}

impl Interval {
    /// Returns the interval of the number times a factor.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        Self {
            value: self.value * factor,
            low: self.low * factor,
            high: self.high * factor,
            standard_error: self.standard_error * factor,
        }
    }
}

/// A function that takes a larger share of the service's CPU time.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Finding {
    /// The function.
    pub function: String,
    /// Share that is spoken of.
    pub measure: Measure,
    /// What was compared.
    pub evidence: Evidence,
    /// What goes with the change.
    pub cause: Cause,
    /// Build that ran most before the one that is the cause.
    #[serde(default)]
    pub old_build: Option<String>,
    /// Begin of the change, in seconds since 1970.
    pub since_s: u64,
    /// Share before, of all CPU time of the service.
    pub before: f64,
    /// Share after.
    pub after: f64,
    /// Change of the share.
    pub change: Interval,
    /// The change in CPU cores.
    pub cores: Interval,
    /// Chance of such a change where there is none.
    pub p: f64,
    /// Rate of false findings among all that are as sure as this one.
    pub q: f64,
    /// Unit of analysis.
    pub unit: Unit,
    /// Number of units.
    pub units: usize,
    /// Functions below this one that have a part of the change each.
    pub parts: Vec<String>,
    /// Functions that call this one, whose own changes are this one's.
    #[serde(default)]
    pub callers: Vec<String>,
}

impl Finding {
    /// Adds the callers and the parts of an earlier estimate.
    pub(crate) fn take_names(&mut self, before: Self) {
        for (names, more) in [
            (&mut self.callers, before.callers),
            (&mut self.parts, before.parts),
        ] {
            let new: Vec<String> = more
                .into_iter()
                .filter(|name| !names.contains(name))
                .collect();
            names.extend(new);
        }
    }

    /// Notes that the change of a caller is this one's.
    pub(crate) fn take_caller(&mut self, caller: &Self) {
        let names = [&caller.function].into_iter().chain(&caller.callers);
        for name in names {
            if *name != self.function && !self.callers.contains(name) {
                self.callers.push(name.clone());
            }
        }
    }
}

/// Reason why a significant change is no finding.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// The last step has it no more.
    WentAway,
    /// Functions next to it took as much less.
    Moved {
        /// The functions.
        from: Vec<String>,
    },
    /// The change is that of functions below, which are told.
    Explained {
        /// The functions.
        by: Vec<String>,
    },
    /// It may be smaller than what is asked for.
    Small,
}

/// Reason why nothing can be said.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoClaim {
    /// Too few hosts.
    TooFewUnits {
        /// Hosts, or groups of hosts, that have both sides.
        units: usize,
        /// Number that is needed.
        needed: usize,
    },
    /// Too few days before.
    TooFewDays {
        /// Days.
        days: usize,
        /// Number that is needed.
        needed: usize,
    },
}

/// A significant change that is no finding.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Filtered {
    /// The change.
    pub finding: Finding,
    /// Why it is none.
    pub why: Why,
}

/// What a look at a service says.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Look {
    /// End of the last step, in seconds since 1970.
    pub at_s: u64,
    /// Regressions, the largest first.
    pub findings: Vec<Finding>,
    /// Significant increases that are none.
    pub filtered: Vec<Filtered>,
    /// Number of shares that were tested.
    pub tested: usize,
    /// Why nothing is said over time, if so.
    pub no_claim_over_time: Option<NoClaim>,
    /// Why nothing is said of builds that run side by side, if there are two.
    pub no_claim_of_builds: Option<NoClaim>,
    /// Shares of functions in the last step: own and inclusive.
    #[serde(skip)]
    pub(crate) now: BTreeMap<String, [f64; 2]>,
    /// Callers of functions, those that count.
    #[serde(skip)]
    pub(crate) callers: BTreeMap<String, Vec<String>>,
}

impl Look {
    /// True if a function is reached from another one, over callers that count.
    pub(crate) fn is_above(&self, caller: &str, callee: &str) -> bool {
        let mut seen = BTreeSet::from([callee]);
        let mut next = vec![callee];
        while let Some(function) = next.pop() {
            let callers = self.callers.get(function).into_iter().flatten();
            for above in callers.map(String::as_str) {
                if above == caller {
                    return true;
                }
                if seen.insert(above) {
                    next.push(above);
                }
            }
        }
        false
    }
}
