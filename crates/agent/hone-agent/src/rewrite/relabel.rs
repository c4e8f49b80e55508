//! Relabelling as Prometheus' `metric_relabel_configs` have it: rules that look at labels and set, keep or drop.
//!
//! Source: "relabel_config" in Prometheus' documentation of its configuration. `hashmod` is left out, which shares out the targets
//! of a scraper. The metric is the label `__name__`, which no rule on names of labels touches.

use super::template::{NoGroup, Template};
use super::{Changed, NAME};
use regex::Regex;
use serde::Deserialize;
use std::collections::BTreeMap;

/// A rule of relabelling.
#[derive(Clone, Debug)]
pub struct Relabel {
    /// Labels whose values are looked at, one after the other.
    source: Vec<String>,
    /// Text between the values.
    separator: String,
    /// Expression that all of the text must match.
    regex: Regex,
    act: Act,
}

/// Action of a rule, with what it needs.
#[derive(Clone, PartialEq, Debug)]
enum Act {
    Replace { target: Template, with: Template },
    Keep,
    Drop,
    KeepEqual { target: String },
    DropEqual { target: String },
    Lowercase { target: String },
    Uppercase { target: String },
    LabelMap { with: Template },
    LabelDrop,
    LabelKeep,
}

/// A rule as it is written.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Written {
    /// `source_labels`.
    pub source_labels: Vec<String>,
    /// `separator`.
    pub separator: String,
    /// `regex`.
    pub regex: String,
    /// `target_label`.
    pub target_label: String,
    /// `replacement`.
    pub replacement: String,
    /// `action`.
    pub action: String,
}

impl Default for Written {
    fn default() -> Self {
        Self {
            source_labels: Vec::new(),
            separator: ";".to_owned(),
            regex: "(.*)".to_owned(),
            target_label: String::new(),
            replacement: "$1".to_owned(),
            action: "replace".to_owned(),
        }
    }
}

/// Reasons to refuse a rule.
#[derive(Debug, thiserror::Error)]
pub enum Wrong {
    /// An expression that is none.
    #[error("regex: {0}")]
    Regex(Box<regex::Error>),
    /// A group that the expression has not.
    #[error("{0}: {1}")]
    Group(&'static str, NoGroup),
    /// An unknown action.
    #[error(
        "action is {0:?}; replace, keep, drop, keepequal, dropequal, lowercase, uppercase, labelmap, labeldrop or labelkeep is wanted"
    )]
    Action(String),
    /// Prometheus' action that shares out targets.
    #[error(
        "action is \"hashmod\", which shares out what a scraper asks; the agent has nothing to share out"
    )]
    Hashmod,
    /// No label to write to.
    #[error("target_label is missing; name the label that {0} writes to or compares with")]
    NoTarget(String),
    /// A key that the action does not look at.
    #[error("{0} has no meaning where action is {1:?}; remove it")]
    Meaningless(&'static str, String),
    /// Text that no series may have.
    #[error("{0} has control characters; remove them")]
    Control(&'static str),
}

impl TryFrom<Written> for Relabel {
    type Error = Wrong;

    fn try_from(written: Written) -> Result<Self, Wrong> {
        let regex = Regex::new(&format!("^(?s:{})$", written.regex));
        let regex = regex.map_err(|error| Wrong::Regex(Box::new(error)))?;
        for (key, text) in [
            ("separator", &written.separator),
            ("target_label", &written.target_label),
            ("replacement", &written.replacement),
        ] {
            if text.chars().any(|c| c.is_ascii_control()) {
                return Err(Wrong::Control(key));
            }
        }
        Ok(Self {
            act: act(&written, &regex)?,
            source: written.source_labels,
            separator: written.separator,
            regex,
        })
    }
}

fn act(written: &Written, regex: &Regex) -> Result<Act, Wrong> {
    let default = Written::default();
    let template = |key, text: &str| {
        let group = |name: &str| match name.parse() {
            // The default is written for an expression with a group, and stands for nothing where there is none.
            Ok(1) if text == default.replacement => Some(1),
            Ok(number) => Some(number).filter(|number| *number < regex.captures_len()),
            Err(_) => regex.capture_names().position(|own| own == Some(name)),
        };
        Template::new(text, group).map_err(|error| Wrong::Group(key, error))
    };
    let with = || template("replacement", &written.replacement);
    let target = || match written.target_label.is_empty() {
        true => Err(Wrong::NoTarget(written.action.clone())),
        false => Ok(written.target_label.clone()),
    };
    let has_target = ("target_label", !written.target_label.is_empty());
    let has_source = ("source_labels", !written.source_labels.is_empty());
    let has_with = ("replacement", written.replacement != default.replacement);
    let has_regex = ("regex", written.regex != default.regex);
    let meaningless: &[(&'static str, bool)] = match &*written.action {
        "keep" | "drop" => &[has_target, has_with],
        "keepequal" | "dropequal" => &[has_with, has_regex],
        "labelmap" => &[has_target, has_source],
        "labeldrop" | "labelkeep" => &[has_target, has_source, has_with],
        _ => &[],
    };
    if let Some((key, _)) = meaningless.iter().find(|(_, is_set)| *is_set) {
        return Err(Wrong::Meaningless(key, written.action.clone()));
    }
    Ok(match &*written.action {
        "replace" => Act::Replace {
            target: template("target_label", &target()?)?,
            with: with()?,
        },
        "keep" => Act::Keep,
        "drop" => Act::Drop,
        "keepequal" => Act::KeepEqual { target: target()? },
        "dropequal" => Act::DropEqual { target: target()? },
        "lowercase" => Act::Lowercase { target: target()? },
        "uppercase" => Act::Uppercase { target: target()? },
        "labelmap" => Act::LabelMap { with: with()? },
        "labeldrop" => Act::LabelDrop,
        "labelkeep" => Act::LabelKeep,
        "hashmod" => return Err(Wrong::Hashmod),
        other => return Err(Wrong::Action(other.to_owned())),
    })
}

impl PartialEq for Relabel {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source
            && self.separator == other.separator
            && self.regex.as_str() == other.regex.as_str()
            && self.act == other.act
    }
}

impl Relabel {
    /// Applies the rule. Returns false if it drops the series.
    pub(super) fn apply(&self, series: &mut Changed) -> bool {
        let is_match = |text: &str| self.regex.is_match(text);
        match &self.act {
            Act::Replace { target, with } => {
                let text = self.looked_at(series);
                if let Some(found) = self.regex.captures(&text) {
                    let group = |number| found.get(number).map(|group| group.as_str());
                    set(series, &target.expand(group), with.expand(group));
                }
            }
            Act::Keep => return is_match(&self.looked_at(series)),
            Act::Drop => return !is_match(&self.looked_at(series)),
            Act::KeepEqual { target } => return self.looked_at(series) == value(series, target),
            Act::DropEqual { target } => return self.looked_at(series) != value(series, target),
            Act::Lowercase { target } => {
                let text = self.looked_at(series).to_lowercase();
                set(series, target, text);
            }
            Act::Uppercase { target } => {
                let text = self.looked_at(series).to_uppercase();
                set(series, target, text);
            }
            Act::LabelMap { with } => self.map_labels(series, with),
            Act::LabelDrop => series.tags.retain(|key, _| !is_match(key)),
            Act::LabelKeep => series.tags.retain(|key, _| is_match(key)),
        }
        true
    }

    /// Returns the values that the rule looks at, as one text.
    fn looked_at(&self, series: &Changed) -> String {
        let values: Vec<&str> = self.source.iter().map(|key| value(series, key)).collect();
        values.join(&self.separator)
    }

    fn map_labels(&self, series: &mut Changed, with: &Template) {
        let mapped: BTreeMap<String, String> = series
            .tags
            .iter()
            .filter_map(|(key, value)| {
                let found = self.regex.captures(key)?;
                let key = with.expand(|number| found.get(number).map(|group| group.as_str()));
                Some((key, value.clone()))
            })
            .collect();
        for (key, value) in mapped {
            set(series, &key, value);
        }
    }
}

fn value<'s>(series: &'s Changed, key: &str) -> &'s str {
    match key {
        NAME => &series.metric,
        _ => series.tags.get(key).map_or("", String::as_str),
    }
}

/// Sets a label; one without a name is none.
fn set(series: &mut Changed, key: &str, value: String) {
    match key {
        "" => {}
        NAME => series.metric = value,
        _ => series.set(key, value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::Kind;

    fn rule(
        source: &[&str],
        action: &str,
        change: impl FnOnce(&mut Written),
    ) -> Result<Relabel, Wrong> {
        let mut written = Written {
            source_labels: source.iter().map(|key| (*key).to_owned()).collect(),
            action: action.to_owned(),
            ..Written::default()
        };
        change(&mut written);
        Relabel::try_from(written)
    }

    /// Returns what a rule makes of `jobs.done{zone="A-1",id="7"}`, as text; `None` if it drops it.
    fn made(rule: Result<Relabel, Wrong>) -> Option<String> {
        let tags = [("zone", "A-1"), ("id", "7")];
        let mut series = Changed {
            kind: Kind::Counter,
            metric: "jobs.done".to_owned(),
            tags: tags
                .map(|(key, value)| (key.to_owned(), value.to_owned()))
                .into(),
        };
        let is_kept = rule.unwrap().apply(&mut series);
        let tags: Vec<String> = series
            .tags
            .iter()
            .map(|(key, value)| format!("{key}={value}"))
            .collect();
        is_kept.then(|| format!("{} {}", series.metric, tags.join(",")))
    }

    #[test]
    fn each_action_does_what_it_does_in_prometheus() {
        let set = |target: &str, regex: &str, with: &str| {
            let (target, regex, with) = (target.to_owned(), regex.to_owned(), with.to_owned());
            move |written: &mut Written| {
                (written.target_label, written.regex, written.replacement) = (target, regex, with);
            }
        };
        let regex = |regex: &str| {
            let regex = regex.to_owned();
            move |written: &mut Written| written.regex = regex
        };
        let target = |target: &str| {
            let target = target.to_owned();
            move |written: &mut Written| written.target_label = target
        };
        let same = Some("jobs.done id=7,zone=A-1".to_owned());
        let becomes = |text: &str| Some(text.to_owned());
        assert_eq!(
            made(rule(
                &["zone"],
                "replace",
                set("zone", "([A-Z])-(.*)", "${1}${2}")
            )),
            becomes("jobs.done id=7,zone=A1")
        );
        assert_eq!(
            made(rule(&["zone", "id"], "replace", set("both", "(.*)", "$1"))),
            becomes("jobs.done both=A-1;7,id=7,zone=A-1")
        );
        assert_eq!(
            made(rule(
                &["__name__"],
                "replace",
                set("__name__", r"jobs\.(.*)", "work.$1")
            )),
            becomes("work.done id=7,zone=A-1")
        );
        assert_eq!(
            made(rule(&["zone"], "replace", set("n_$1", "(.).*", "x"))),
            becomes("jobs.done id=7,n_A=x,zone=A-1")
        );
        // An expression must match all of the text; an empty value is no label.
        assert_eq!(
            made(rule(&["zone"], "replace", set("zone", "A", "x"))),
            same
        );
        assert_eq!(
            made(rule(&["id"], "replace", set("id", "7", ""))),
            becomes("jobs.done zone=A-1")
        );
        assert_eq!(
            made(rule(&[], "replace", target("id"))),
            becomes("jobs.done zone=A-1")
        );
        assert_eq!(made(rule(&["__name__"], "keep", regex("jobs.*"))), same);
        assert_eq!(made(rule(&["__name__"], "keep", regex("job"))), None);
        assert_eq!(made(rule(&["missing"], "drop", regex(""))), None);
        assert_eq!(made(rule(&["zone"], "drop", regex("B.*"))), same);
        assert_eq!(made(rule(&["zone"], "keepequal", target("id"))), None);
        assert_eq!(made(rule(&["zone"], "dropequal", target("id"))), same);
        assert_eq!(
            made(rule(&["zone"], "lowercase", target("zone"))),
            becomes("jobs.done id=7,zone=a-1")
        );
        assert_eq!(
            made(rule(&["__name__"], "uppercase", target("__name__"))),
            becomes("JOBS.DONE id=7,zone=A-1")
        );
        let map = |written: &mut Written| {
            (written.regex, written.replacement) = ("z(.*)".to_owned(), "k_$1".to_owned())
        };
        assert_eq!(
            made(rule(&[], "labelmap", map)),
            becomes("jobs.done id=7,k_one=A-1,zone=A-1")
        );
        assert_eq!(
            made(rule(&[], "labeldrop", regex("i."))),
            becomes("jobs.done zone=A-1")
        );
        assert_eq!(
            made(rule(&[], "labelkeep", regex("i."))),
            becomes("jobs.done id=7")
        );
    }

    #[test]
    fn rules_that_could_not_do_what_they_say_are_refused() {
        let said = |rule: Result<Relabel, Wrong>| rule.unwrap_err().to_string();
        let none = |_: &mut Written| {};
        assert!(said(rule(&[], "erase", none)).starts_with("action is \"erase\"; replace,"));
        assert!(said(rule(&[], "hashmod", none)).contains("shares out"));
        assert!(said(rule(&["a"], "replace", none)).starts_with("target_label is missing"));
        assert!(
            said(rule(&["a"], "keep", |written| written.regex = "(".to_owned()))
                .starts_with("regex: ")
        );
        assert_eq!(
            said(rule(&["a"], "labeldrop", none)),
            "source_labels has no meaning where action is \"labeldrop\"; remove it"
        );
        let group = |written: &mut Written| {
            (written.target_label, written.replacement) = ("t".to_owned(), "$2x".to_owned())
        };
        assert_eq!(
            said(rule(&["a"], "replace", group)),
            "replacement: there is no group ${2x}; write ${2}x if group 2 is meant"
        );
        let control = |written: &mut Written| {
            (written.target_label, written.replacement) = ("t".to_owned(), "a\nb".to_owned())
        };
        assert_eq!(
            said(rule(&["a"], "replace", control)),
            "replacement has control characters; remove them"
        );
    }
}
