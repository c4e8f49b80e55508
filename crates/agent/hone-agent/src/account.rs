//! Counters of what became of every sample since the agent started, by stage and reason.
//!
//! ```text
//! sent by clients = packets of listeners + kernel drops
//! packets         = handled + truncated + dropped                       (receive)
//! points of the SDK + values of lines = values + malformed (protocol); events and checks are counted apart
//! values          = stored + refused + lost; overflowed values are among the stored or lost ones (store)
//! points sent     = delivered + lost + queued                            (send, for each endpoint)
//! ```
//!
//! A frame that another agent relays counts as one packet, and each point of the frame as one value.
//!
//! The counters are also sent as metrics of the agent itself, named `hone.agent.*`, and can be scraped.
//! [`Account::discrepancies`] checks the equations.

mod exposition;
mod figures;
mod self_usage;

pub use self_usage::Own;

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

/// Counters of the agent since its start; the module describes how they add up.
#[derive(Clone, Debug, Default)]
pub struct Account {
    /// Counts of parsed packets: values, malformed points, events, frames.
    pub parsed: Parsed,
    /// Counts of values: stored, refused, overflowed, lost.
    pub tally: Tally,
    /// Counts of each listener, by the listener's name.
    pub listeners: BTreeMap<String, Received>,
    /// Counts of each endpoint, by the endpoint's name.
    pub endpoints: BTreeMap<String, Outcome>,
    /// Series held now, as the limits on series count them.
    pub series: usize,
    /// Workers that did not answer in time at the end of an interval.
    pub late_workers: u64,
    /// Number of intervals that ended.
    pub flushes: u64,
    /// Time from the end of an interval until all of it was queued, summed over all intervals, in microseconds.
    pub flush_us: u64,
    /// New series that had the same name as another series at a kind of back end, and were added up with the other
    /// series.
    pub merged: u64,
    /// New series with such a name that were sent with the tag `hone_type` instead.
    pub told_apart: u64,
    /// CPU time and memory of the agent itself.
    pub own: Own,
    /// Figures of other work in the agent's process.
    pub others: Vec<Other>,
    /// Value of each figure when it was last sent.
    sent: HashMap<FigureName, f64>,
}

/// Figure of other work in the agent's process, which is told like the agent's own.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Other {
    /// Name of the metric, such as `hone.agent.profiles.samples`.
    pub metric: &'static str,
    /// Help text: what the figure counts.
    pub help: &'static str,
    /// True for a number that can also fall.
    pub can_fall: bool,
    /// The number itself.
    pub value: f64,
}

/// An equation of the account that does not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Discrepancy {
    /// The equation, in words.
    pub what: String,
    /// Value of the left side.
    pub left: u64,
    /// Value of the right side.
    pub right: u64,
}

impl fmt::Display for Discrepancy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, left, right } = self;
        write!(f, "{what}: {left} is not {right}")
    }
}

/// Name of a figure: metric and tag.
type FigureName = (&'static str, Option<(&'static str, String)>);

impl Account {
    /// Adds the counts of an interval.
    pub fn add(&mut self, flushed: &Flushed) {
        self.parsed.add(flushed.parsed);
        self.tally.add(&flushed.finished.tally);
        self.late_workers += flushed.late as u64;
        self.merged += flushed.finished.collided.merged;
        self.told_apart += flushed.finished.collided.told_apart;
    }

    /// Returns all equations that do not hold. Any such equation is a fault in the agent. The equations of listeners
    /// hold when no packet is under way, the others always.
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

    /// Returns the figures as points of the agent's own series, to be sent with an interval.
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
                is_new: false,
            };
            point(Kind::Counter, figure.metric, tag, value)
        });
        let gauges = gauges.into_iter().filter_map(|(metric, _, value)| {
            point(Kind::Gauge, metric, None, Aggregate::Gauge(value))
        });
        counters.chain(gauges).collect()
    }
}

/// Writes the account for people, when the agent ends; figures that are zero are left out.
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
    fn figures_of_others_are_told_like_its_own() {
        let other = |metric, can_fall, value| Other {
            metric,
            help: "Of others.",
            can_fall,
            value,
        };
        let account = &mut Account::default();
        account.others = vec![
            other("hone.agent.x.done", false, 3.0),
            other("hone.agent.x.share", true, 0.25),
        ];
        let told = account.exposition();
        for line in [
            "# TYPE hone_agent_x_done_total counter\nhone_agent_x_done_total 3\n",
            "# TYPE hone_agent_x_share gauge\nhone_agent_x_share 0.25\n",
        ] {
            assert!(told.contains(line), "{told}");
        }
        let points = account.points();
        let value = |metric: &str| {
            let mut points = points.iter();
            let point = points.find(|point| point.series.metric() == metric);
            point.unwrap().value.clone()
        };
        assert_eq!(value("hone.agent.x.share"), Aggregate::Gauge(0.25));
        let done = Aggregate::Counter {
            total: 3.0,
            delta: 3.0,
            since_ms: 0,
            is_new: false,
        };
        assert_eq!(value("hone.agent.x.done"), done);
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
            is_new: false,
        };
        assert_eq!(values(10), counter(10.0, 10.0));
        assert_eq!(values(15), counter(15.0, 5.0));
    }
}
