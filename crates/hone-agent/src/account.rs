//! What became of every sample, by stage and reason, since the agent started.
//!
//! ```text
//! sent by clients = packets of listeners + kernel drops
//! packets         = handled + truncated + dropped                       (receive)
//! points of the SDK, values of lines = values + malformed (protocol), beside events and checks
//! values          = stored + refused + lost; overflowed are among those stored (store)
//! points sent     = delivered + lost + queued                            (send, for each endpoint)
//! ```
//!
//! What other agents relay are packets that are frames, and values, one for each point.
//!
//! The same figures are sent as metrics of the agent itself, named `hone.agent.*`, and can be scraped.
//! [`Account::discrepancies`] holds them against each other.

mod exposition;
mod figures;
mod own;

pub use own::Own;

use crate::aggregate::{Aggregate, Point};
use crate::aggregator::Flushed;
use crate::protocol::Parsed;
use crate::receive::Received;
use crate::sample::Kind;
use crate::send::{Outcome, Reason};
use crate::series::Series;
use crate::store::Tally;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::Arc;

/// See the module.
#[derive(Clone, Debug, Default)]
pub struct Account {
    /// What came of packets.
    pub parsed: Parsed,
    /// What came of values.
    pub tally: Tally,
    /// Of each listener, by its name.
    pub listeners: BTreeMap<String, Received>,
    /// Of each endpoint, by its name.
    pub endpoints: BTreeMap<String, Outcome>,
    /// Series held now, as the caps count them.
    pub series: usize,
    /// Workers that did not answer in time at the end of an interval.
    pub late_workers: u64,
    /// Intervals that ended, and how long it took to make of them what is queued, in microseconds.
    pub flushes: u64,
    /// See `flushes`.
    pub flush_us: u64,
    /// Series whose names a kind of back end knew when they came, and that were added up with those that had them.
    pub merged: u64,
    /// The same, that got another name.
    pub told_apart: u64,
    /// What the agent itself takes.
    pub own: Own,
    /// What was sent of each figure last.
    sent: HashMap<FigureName, f64>,
}

/// An equation of the account that does not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Discrepancy {
    /// Which.
    pub what: String,
    /// What its left side is.
    pub left: u64,
    /// What its right side is.
    pub right: u64,
}

impl fmt::Display for Discrepancy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, left, right } = self;
        write!(f, "{what}: {left} is not {right}")
    }
}

/// Metric and tag.
type FigureName = (&'static str, Option<(&'static str, String)>);

impl Account {
    /// Adds an interval.
    pub fn add(&mut self, flushed: &Flushed) {
        self.parsed.add(flushed.parsed);
        self.tally.add(&flushed.finished.tally);
        self.late_workers += flushed.late as u64;
        self.merged += flushed.finished.collided.merged;
        self.told_apart += flushed.finished.collided.told_apart;
    }

    /// All equations that do not hold: none, or there is a fault in the agent. Those of listeners hold when nothing is
    /// under way, the others always.
    pub fn discrepancies(&self) -> Vec<Discrepancy> {
        let mut found = Vec::new();
        let mut equal = |what: &dyn fmt::Display, left: u64, right: u64| {
            if left != right {
                let what = what.to_string();
                found.push(Discrepancy { what, left, right });
            }
        };
        for (name, received) in &self.listeners {
            let became = received.handled + received.truncated + received.dropped;
            let what = format!("packets = handled + truncated + dropped at {name}");
            equal(&what, received.packets, became);
        }
        let Tally { stored, .. } = self.tally;
        let what = "values = stored + refused + lost";
        equal(&what, self.parsed.values, self.tally.values());
        let overflowed: u64 = self.tally.overflowed.values().sum();
        let what = "overflowed are among those stored and lost";
        equal(&what, overflowed.min(stored + self.tally.lost), overflowed);
        for (name, outcome) in &self.endpoints {
            let became = outcome.delivered + outcome.losses.total() + outcome.queued;
            let what = format!("accepted + restored = delivered + lost + queued at {name}");
            equal(&what, outcome.accepted + outcome.restored, became);
        }
        found
    }

    /// The figures as series of the agent's own, to be sent with an interval.
    pub fn points(&mut self) -> Vec<Point> {
        let point = |kind, metric: &str, tag: Option<(&str, &str)>, value| {
            let tags: Vec<_> = tag.into_iter().collect();
            let series = Arc::new(Series::new(kind, metric, &tags)?);
            Some(Point { series, value })
        };
        let gauges = self.gauges();
        let figures = self.figures().into_iter();
        let counters = figures.filter_map(|figure| {
            let before = self.sent.insert(figure.name(), figure.value).unwrap_or(0.0);
            let tag = figure.tag.as_ref();
            let tag = tag.map(|(key, value)| (*key, value.as_str()));
            let value = Aggregate::Counter {
                total: figure.value,
                delta: (figure.value - before).max(0.0),
                since_ms: 0,
            };
            point(Kind::Counter, figure.metric, tag, value)
        });
        let gauges = gauges.into_iter().filter_map(|(metric, _, value)| {
            point(Kind::Gauge, metric, None, Aggregate::Gauge(value as f64))
        });
        counters.chain(gauges).collect()
    }
}

/// For people, at the end: only what is not zero.
impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for figure in self.figures().iter().filter(|figure| figure.value > 0.0) {
            let tag = figure.tag.as_ref();
            let tag = tag.map_or(String::new(), |(key, value)| format!(" {key}={value}"));
            writeln!(f, "{}{tag} {}", figure.metric, figure.value)?;
        }
        for (name, outcome) in &self.endpoints {
            for reason in Reason::ALL {
                let points = outcome.losses.of(reason);
                if points != 0 {
                    writeln!(f, "lost at {name}: {points} points, {}", reason.word())?;
                }
            }
            if let Some(error) = &outcome.last_error {
                writeln!(f, "last error at {name}: {error}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::canonical::Refused;
    use crate::store::Over;

    #[test]
    fn what_is_neither_stored_nor_refused_is_a_discrepancy() {
        let mut account = Account::default();
        account.parsed.values = 10;
        account.tally.stored = 7;
        account.tally.refused.insert(Refused::NoKey, 2);
        assert_eq!(account.discrepancies().len(), 1);
        let points = account.points();
        let refused = points
            .iter()
            .find(|point| point.series.metric() == "hone.agent.values.refused");
        let refused = refused.unwrap();
        assert_eq!(refused.series.tag("reason"), Some("a tag has no key"));
        assert!(account.to_string().contains("hone.agent.values 10\n"));
        let outcome = Outcome {
            last_error: Some("status 503".into()),
            ..Outcome::default()
        };
        account.endpoints.insert("http://b".into(), outcome);
        let said = account.to_string();
        assert!(
            said.contains("last error at http://b: status 503\n"),
            "{said}"
        );
    }

    #[test]
    fn what_does_not_add_up_is_named() {
        let mut account = Account::default();
        account.parsed.values = 10;
        account.tally.stored = 5;
        account.tally.lost = 3;
        account.tally.refused.insert(Refused::NoKey, 2);
        account.tally.overflowed.insert(Over::Text, 8);
        let received = Received {
            packets: 6,
            handled: 3,
            truncated: 2,
            dropped: 1,
            ..Received::default()
        };
        account.listeners.insert("l".into(), received);
        let outcome = Outcome {
            accepted: 4,
            restored: 1,
            delivered: 2,
            queued: 3,
            ..Outcome::default()
        };
        account.endpoints.insert("e".into(), outcome);
        assert_eq!(account.discrepancies(), []);
        account.parsed.values += 1;
        account.tally.overflowed.insert(Over::Metric, 1);
        account.listeners.get_mut("l").unwrap().packets += 1;
        account.endpoints.get_mut("e").unwrap().queued += 1;
        let said: Vec<_> = account
            .discrepancies()
            .iter()
            .map(Discrepancy::to_string)
            .collect();
        let expected = [
            "packets = handled + truncated + dropped at l: 7 is not 6",
            "values = stored + refused + lost: 11 is not 10",
            "overflowed are among those stored and lost: 8 is not 9",
            "accepted + restored = delivered + lost + queued at e: 5 is not 6",
        ];
        assert_eq!(said, expected);
    }

    #[test]
    fn figures_tell_their_sum_and_by_how_much_they_grew() {
        let mut account = Account::default();
        let mut values = |values| {
            account.parsed.values = values;
            let points = account.points().into_iter();
            let mut points = points.filter(|point| point.series.metric() == "hone.agent.values");
            points.next().unwrap().value
        };
        let counter = |total, delta| Aggregate::Counter {
            total,
            delta,
            since_ms: 0,
        };
        assert_eq!(values(10), counter(10.0, 10.0));
        assert_eq!(values(15), counter(15.0, 5.0));
    }
}
