//! Mapping of dotted names to names with tags, as statsd_exporter has it: `shop.*.requests` becomes `requests{service="$1"}`.
//!
//! Source: "Metric Mapping and Configuration" in statsd_exporter's documentation. The first rule that matches applies, and
//! rules with an expression come after all that match by parts. What no rule matches stays as it was sent.

use super::Changed;
use super::template::Template;
use crate::sample::Kind;
use regex::Regex;

/// Rules, of which the first that matches applies.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Mapping {
    by_parts: Vec<Rule>,
    by_regex: Vec<Rule>,
}

/// A rule.
#[derive(Clone, PartialEq, Debug)]
pub struct Rule {
    /// Names that the rule is for.
    pub pattern: Pattern,
    /// Kinds that the rule is for.
    pub kinds: Kinds,
    /// What becomes of the series; `None` drops it.
    pub becomes: Option<Becomes>,
}

/// Pattern of a metric's name.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// Parts between dots; `None` is any part, and a group.
    Parts(Vec<Option<String>>),
    /// Expression that is found somewhere in the name.
    Regex(Regex),
}

/// Kinds of metrics that a rule is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kinds {
    /// All kinds.
    All,
    /// Counters and rates.
    Counters,
    /// Gauges.
    Gauges,
    /// Timers, histograms and distributions.
    Observers,
}

/// Series that another becomes.
#[derive(Clone, PartialEq, Debug)]
pub struct Becomes {
    /// The metric's name.
    pub name: Template,
    /// Tags that are added.
    pub tags: Vec<(String, Template)>,
    /// Returns true if a tag that was sent goes before one of the rule.
    pub sent_tags_win: bool,
    /// Kind of observers; the one that was sent if there is none.
    pub observers: Option<Kind>,
}

impl Pattern {
    /// Reads a pattern of parts: `a.*.b`.
    pub fn parts(text: &str) -> Self {
        let part = |part: &str| (part != "*").then(|| part.to_owned());
        Self::Parts(text.split('.').map(part).collect())
    }

    /// Returns the number of a group by its name or number. Group 0 is all of the name.
    pub fn group(&self, name: &str) -> Option<usize> {
        let groups = match self {
            Self::Parts(parts) => parts.iter().filter(|part| part.is_none()).count(),
            Self::Regex(regex) => regex.captures_len() - 1,
        };
        match (name.parse(), self) {
            (Ok(number), _) => Some(number).filter(|number| *number <= groups),
            (Err(_), Self::Regex(regex)) => regex.capture_names().position(|own| own == Some(name)),
            (Err(_), Self::Parts(_)) => None,
        }
    }

    /// Returns the groups of a name; `None` if the pattern is not of this name.
    fn groups<'m>(&self, metric: &'m str) -> Option<Vec<&'m str>> {
        match self {
            Self::Parts(parts) => {
                let mut groups = vec![metric];
                let mut given = metric.split('.');
                for wanted in parts {
                    let part = given.next()?;
                    match wanted {
                        Some(wanted) if wanted != part => return None,
                        Some(_) => {}
                        None => groups.push(part),
                    }
                }
                given.next().is_none().then_some(groups)
            }
            Self::Regex(regex) => {
                let found = regex.captures(metric)?;
                let text =
                    |group: Option<regex::Match<'m>>| group.map_or("", |group| group.as_str());
                Some(found.iter().map(text).collect())
            }
        }
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Parts(own), Self::Parts(other)) => own == other,
            (Self::Regex(own), Self::Regex(other)) => own.as_str() == other.as_str(),
            _ => false,
        }
    }
}

impl Kinds {
    fn has(self, kind: Kind) -> bool {
        match self {
            Self::All => true,
            Self::Counters => matches!(kind, Kind::Counter | Kind::Rate),
            Self::Gauges => kind == Kind::Gauge,
            Self::Observers => is_observer(kind),
        }
    }
}

fn is_observer(kind: Kind) -> bool {
    matches!(kind, Kind::Timer | Kind::Histogram | Kind::Distribution)
}

impl FromIterator<Rule> for Mapping {
    fn from_iter<R: IntoIterator<Item = Rule>>(rules: R) -> Self {
        let is_by_parts = |rule: &Rule| matches!(rule.pattern, Pattern::Parts(_));
        let (by_parts, by_regex) = rules.into_iter().partition(is_by_parts);
        Self { by_parts, by_regex }
    }
}

impl Mapping {
    /// Returns true if there is no rule.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of rules.
    pub fn len(&self) -> usize {
        self.by_parts.len() + self.by_regex.len()
    }

    /// Applies the rules. Returns false if one drops the series.
    pub(super) fn apply(&self, series: &mut Changed) -> bool {
        let rules = self.by_parts.iter().chain(&self.by_regex);
        let of_kind = rules.filter(|rule| rule.kinds.has(series.kind));
        let metric = series.metric.clone();
        let mut matching = of_kind.filter_map(|rule| Some((rule, rule.pattern.groups(&metric)?)));
        let Some((rule, groups)) = matching.next() else {
            return true;
        };
        let Some(becomes) = &rule.becomes else {
            return false;
        };
        let group = |number: usize| groups.get(number).copied();
        for (key, value) in &becomes.tags {
            if !(becomes.sent_tags_win && series.tags.contains_key(key)) {
                series.set(key, value.expand(group));
            }
        }
        if let Some(kind) = becomes.observers.filter(|_| is_observer(series.kind)) {
            series.kind = kind;
        }
        series.metric = becomes.name.expand(group);
        true
    }
}
