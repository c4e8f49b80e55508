//! What of the groups of samples is asked for, and what there is instead.

use std::collections::BTreeSet;
use std::fmt;

use hone_batch::{Group, GroupField};
use hone_profile::Label;

use super::{NoAnswer, Question};

/// Values of each kind that are remembered for a refusal.
const REMEMBERED_MAX: usize = 1000;

/// What samples are chosen by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A part of the group.
    Field(GroupField),
    /// A label.
    Label,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field(field) => field.fmt(f),
            Self::Label => f.write_str("label"),
        }
    }
}

/// The wanted values of one kind, and those that there are.
struct Wanted<'q> {
    kind: Kind,
    /// Key of a label.
    key: &'q str,
    wanted: Vec<&'q str>,
    /// True if the beginning of a value is enough.
    by_beginning: bool,
    there: BTreeSet<String>,
    is_found: bool,
}

impl<'q> Wanted<'q> {
    fn of(kind: Kind, wanted: &'q [String], by_beginning: bool) -> Self {
        Self {
            kind,
            key: "",
            wanted: wanted.iter().map(String::as_str).collect(),
            by_beginning,
            there: BTreeSet::new(),
            is_found: false,
        }
    }

    fn of_label(key: &'q str, question: &'q Question) -> Self {
        let labels = question.labels.iter();
        let values = labels.filter(|(other, _)| other == key);
        Self {
            key,
            wanted: values.map(|(_, value)| value.as_str()).collect(),
            ..Self::of(Kind::Label, &[], false)
        }
    }

    /// Returns the group's value of this kind; empty if it has none.
    fn value<'g>(&self, group: &'g Group) -> &'g str {
        let label = |label: &&Label| *label.key == *self.key;
        match self.kind {
            Kind::Field(field) => field.of(group),
            Kind::Label => {
                let label = group.labels.iter().find(label);
                label.map_or("", |label| &label.value)
            }
        }
    }

    fn pass(&mut self, group: &Group) -> bool {
        if self.wanted.is_empty() {
            return true;
        }
        let value = self.value(group);
        let is_wanted = |wanted: &&str| match self.by_beginning {
            true => value.starts_with(wanted),
            false => value == *wanted,
        };
        let passes = self.wanted.iter().any(is_wanted);
        self.is_found |= passes;
        if !self.is_found && self.there.len() < REMEMBERED_MAX && !self.there.contains(value) {
            self.there.insert(value.to_owned());
        }
        passes
    }

    /// Returns a value as it is asked for.
    fn as_asked(&self, value: &str) -> String {
        match self.kind {
            Kind::Label => format!("{}:{value}", self.key),
            _ => value.to_owned(),
        }
    }
}

/// What is asked of groups.
pub(super) struct Filter<'q>(Vec<Wanted<'q>>);

impl<'q> Filter<'q> {
    pub(super) fn new(question: &'q Question) -> Self {
        let mut wanted = vec![
            Wanted::of(Kind::Field(GroupField::Build), &question.builds, true),
            Wanted::of(Kind::Field(GroupField::Host), &question.hosts, false),
            Wanted::of(
                Kind::Field(GroupField::Container),
                &question.containers,
                true,
            ),
            Wanted::of(Kind::Field(GroupField::Thread), &question.threads, false),
        ];
        let keys: BTreeSet<&str> = question.labels.iter().map(|(key, _)| &**key).collect();
        wanted.extend(keys.iter().map(|key| Wanted::of_label(key, question)));
        Self(wanted)
    }

    /// Returns the group if it is asked for.
    pub(super) fn pass(&mut self, group: Group) -> Option<Group> {
        let mut passes = true;
        for wanted in &mut self.0 {
            // Each kind looks at all groups, so that a refusal can tell what there is of it.
            passes &= wanted.pass(&group);
        }
        passes.then_some(group)
    }

    /// Says why nothing passed.
    pub(super) fn refusal(self) -> NoAnswer {
        let is_missing = |wanted: &Wanted<'_>| !wanted.wanted.is_empty() && !wanted.is_found;
        match self.0.into_iter().find(is_missing) {
            Some(wanted) => {
                let asked = wanted.wanted.iter().map(|value| wanted.as_asked(value));
                let there = wanted.there.iter().map(|value| wanted.as_asked(value));
                NoAnswer::Nothing {
                    kind: wanted.kind,
                    asked: asked.collect(),
                    there: there.collect(),
                }
            }
            None => NoAnswer::Together,
        }
    }
}
