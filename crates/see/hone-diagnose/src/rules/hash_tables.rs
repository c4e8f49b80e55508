//! Time in hash tables made of nodes, or with a hash made against attackers.

use super::{Rule, Saves, source};
use crate::finding::{Confidence, Finding};
use crate::subject::{Inspected, Where};

const FUNCTIONS: &[&str] = &[
    "std::_Hash_bytes",
    "std::_Hashtable*",
    "std::__detail::_Hashtable*",
    "std::__detail::_Map_base*",
    "std::__detail::_Insert*",
    "std::__detail::_Prime_rehash*",
    "std::__detail::_Mod_range*",
    "std::unordered_map::*",
    "std::unordered_set::*",
    "std::__1::__hash_table*",
    "std::__1::unordered_map*",
    "core::hash::sip*",
    "<core::hash::sip*",
    "<std::hash::random*",
    "std::hash::random*",
    "<std::collections::hash*",
];

pub(super) const RULE: Rule = Rule {
    name: "hash-tables",
    title: "Much time goes into slow hash tables or hashes",
    needs: &[],
    threshold: 0.05,
    source: source::TAX,
    factor: 2.0,
    factor_max: 20.0,
    assumption: "with open addressing and a fast hash",
    saves: Saves::Calls,
    confidence: Confidence::Medium,
    levers: &[],
    change: "Use a table with open addressing (absl::flat_hash_map, ankerl::unordered_dense); in Rust another hasher (foldhash, rustc-hash) where keys are trusted.",
    not_when: "Keys come from attackers: keep a keyed hash.",
    look,
};

fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    rule.of_group(&inspected.named(Where::Anywhere, FUNCTIONS))
}
