//! Time in red-black trees.

use super::{Rule, Saves, source};
use crate::finding::{Confidence, Finding};
use crate::subject::{Inspected, Where};

const FUNCTIONS: &[&str] = &[
    "std::_Rb_tree*",
    "std::local_Rb_tree*",
    "std::map::*",
    "std::set::*",
    "std::multimap::*",
    "std::multiset::*",
    "std::__1::__tree*",
    "std::__1::map::*",
    "std::__1::set::*",
];

pub(super) const RULE: Rule = Rule {
    name: "trees",
    title: "Much time goes into std::map or std::set",
    needs: &[],
    threshold: 0.05,
    source: source::TAX,
    factor: 3.0,
    factor_max: f64::INFINITY,
    assumption: "with a sorted array, a B-tree or a hash table",
    saves: Saves::Calls,
    confidence: Confidence::Medium,
    levers: &[],
    change: "Use a sorted vector or a B-tree (std::flat_map, absl::btree_map), or a hash table where order does not matter.",
    not_when: "Elements must stay where they are while others come and go.",
    look,
};

fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    rule.of_group(&inspected.named(Where::Anywhere, FUNCTIONS))
}
