//! Rules that rename, relabel and drop series: once for each new raw form, never for each sample.
//!
//! A mapping ([`mapping`], the rules of statsd_exporter) comes first, then relabelling ([`relabel`], Prometheus' rules). Both
//! apply to what clients send, before limits count it, and to neither the agent's own figures nor what another agent relays,
//! whose own rules were applied where it came in.

pub mod mapping;
pub mod relabel;
pub mod template;

use crate::canonical::{Meant, Refused};
use crate::limits::{METRIC_BYTES_MAX, TAGS_BYTES_MAX, TAGS_MAX};
use crate::sample::Kind;
use mapping::Mapping;
use relabel::Relabel;
use std::collections::BTreeMap;

/// Name under which relabelling sees the metric.
pub const NAME: &str = "__name__";

/// All rules, in their order.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Rewrite {
    /// Rules of a mapping file; the first that matches applies.
    pub mapping: Mapping,
    /// Rules of relabelling; each applies to what those before it left.
    pub relabel: Vec<Relabel>,
}

/// A series while rules change it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Changed {
    /// Kind of the values.
    pub kind: Kind,
    /// The metric's name.
    pub metric: String,
    /// Keys and values.
    pub tags: BTreeMap<String, String>,
}

/// Result of the rules for a series.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// No rule changed it.
    AsSent,
    /// The series that it becomes.
    Changed(Changed),
    /// A rule dropped it.
    Dropped,
}

impl Rewrite {
    /// Applies the rules to a series.
    pub fn apply(&self, series: &Meant<'_>) -> Outcome {
        if self.mapping.is_empty() && self.relabel.is_empty() {
            return Outcome::AsSent;
        }
        let mut changed = Changed::from(series);
        if !self.mapping.apply(&mut changed) {
            return Outcome::Dropped;
        }
        for rule in &self.relabel {
            if !rule.apply(&mut changed) {
                return Outcome::Dropped;
            }
        }
        match changed.is(series) {
            true => Outcome::AsSent,
            false => Outcome::Changed(changed),
        }
    }
}

impl From<&Meant<'_>> for Changed {
    fn from(series: &Meant<'_>) -> Self {
        let owned = |(key, value): &(&str, &str)| ((*key).to_owned(), (*value).to_owned());
        Self {
            kind: series.kind,
            metric: series.metric.to_owned(),
            tags: series.tags.iter().map(owned).collect(),
        }
    }
}

impl Changed {
    fn is(&self, series: &Meant<'_>) -> bool {
        let tags = self.tags.iter();
        self.kind == series.kind
            && self.metric == series.metric
            && tags
                .map(|(key, value)| (&**key, &**value))
                .eq(series.tags.iter().copied())
    }

    /// Returns the series as a packet could have named it.
    ///
    /// # Errors
    /// If the rules left no name, or made it longer than a client's may be.
    pub fn meant(&self) -> Result<Meant<'_>, Refused> {
        let bytes = self.tags.iter().map(|(key, value)| key.len() + value.len());
        match () {
            () if self.metric.is_empty() => Err(Refused::NoMetric),
            () if self.metric.len() > METRIC_BYTES_MAX => Err(Refused::LongMetric),
            () if self.tags.len() > TAGS_MAX => Err(Refused::ManyTags),
            () if bytes.sum::<usize>() > TAGS_BYTES_MAX => Err(Refused::LongTags),
            () => Ok(Meant {
                kind: self.kind,
                metric: &self.metric,
                tags: self
                    .tags
                    .iter()
                    .map(|(key, value)| (&**key, &**value))
                    .collect(),
            }),
        }
    }

    /// Sets a tag; an empty value removes it, as in Prometheus.
    fn set(&mut self, key: &str, value: String) {
        match value.is_empty() {
            true => self.tags.remove(key),
            false => self.tags.insert(key.to_owned(), value),
        };
    }
}
