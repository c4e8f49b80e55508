//! What of the groups of samples is asked for, and what there is instead.

use std::collections::BTreeSet;
use std::fmt;

use hone_batch::Group;

use super::{NoAnswer, Question};

/// Values of each kind that are remembered for a refusal.
const REMEMBERED_MAX: usize = 1000;

/// What samples are chosen by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Build id of the program.
    Build,
    /// Host.
    Host,
    /// Id of the container.
    Container,
    /// Name of the thread.
    Thread,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Build => "build",
            Self::Host => "host",
            Self::Container => "container",
            Self::Thread => "thread",
        })
    }
}

/// The wanted values of one kind, and those that there are.
struct Wanted<'q> {
    kind: Kind,
    wanted: &'q [String],
    /// True if the beginning of a value is enough.
    by_beginning: bool,
    there: BTreeSet<String>,
    is_found: bool,
}

impl Wanted<'_> {
    fn pass(&mut self, value: &str) -> bool {
        if self.wanted.is_empty() {
            return true;
        }
        let is_wanted = |wanted: &String| match self.by_beginning {
            true => value.starts_with(wanted.as_str()),
            false => value == wanted,
        };
        let passes = self.wanted.iter().any(is_wanted);
        self.is_found |= passes;
        if !self.is_found && self.there.len() < REMEMBERED_MAX && !self.there.contains(value) {
            self.there.insert(value.to_owned());
        }
        passes
    }
}

/// What is asked of groups.
pub(super) struct Filter<'q>([Wanted<'q>; 4]);

impl<'q> Filter<'q> {
    pub(super) fn new(question: &'q Question) -> Self {
        let wanted = |kind, wanted, by_beginning| Wanted {
            kind,
            wanted,
            by_beginning,
            there: BTreeSet::new(),
            is_found: false,
        };
        Self([
            wanted(Kind::Build, &question.builds, true),
            wanted(Kind::Host, &question.hosts, false),
            wanted(Kind::Container, &question.containers, true),
            wanted(Kind::Thread, &question.threads, false),
        ])
    }

    /// Returns the group if it is asked for.
    pub(super) fn pass(&mut self, group: Group) -> Option<Group> {
        let values = [&group.build, &group.host, &group.container, &group.thread];
        let mut passes = true;
        for (wanted, value) in self.0.iter_mut().zip(values) {
            // Each kind looks at all groups, so that a refusal can tell what there is of it.
            passes &= wanted.pass(value);
        }
        passes.then_some(group)
    }

    /// Says why nothing passed.
    pub(super) fn refusal(self) -> NoAnswer {
        let is_missing = |wanted: &Wanted<'_>| !wanted.wanted.is_empty() && !wanted.is_found;
        match self.0.into_iter().find(is_missing) {
            Some(wanted) => NoAnswer::Nothing {
                kind: wanted.kind,
                asked: wanted.wanted.to_vec(),
                there: wanted.there.into_iter().collect(),
            },
            None => NoAnswer::Together,
        }
    }
}
