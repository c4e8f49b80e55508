//! Time in regular expressions that backtrack.

use super::{Rule, Saves, source};
use crate::finding::{Confidence, Finding};
use crate::subject::{Inspected, Where};

const FUNCTIONS: &[&str] = &[
    "std::__detail::_Executor*",
    "std::__detail::_Compiler*",
    "std::__detail::_NFA*",
    "std::__detail::_Scanner*",
    "std::__detail::_StateSeq*",
    "std::__detail::_BracketMatcher*",
    "std::__detail::_RegexTranslator*",
    "std::__detail::__regex_algo*",
    "std::__cxx11::basic_regex*",
    "std::__cxx11::regex_traits*",
    "std::__cxx11::match_results*",
    "std::__cxx11::regex_*",
    "std::regex_*",
    "regexec",
    "re_search_internal",
    "boost::re_detail*",
];

pub(super) const RULE: Rule = Rule {
    name: "regex",
    title: "Much time goes into a slow regular expression engine",
    needs: &[],
    threshold: 0.05,
    source: source::OURS,
    factor: 10.0,
    factor_max: f64::INFINITY,
    assumption: "with an engine that compiles to automata",
    saves: Saves::Calls,
    confidence: Confidence::High,
    levers: &[],
    change: "Match with RE2, Hyperscan, CTRE or by hand; compile each expression once.",
    not_when: "The expressions need back references, which fast engines leave out.",
    look,
};

fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    rule.of_group(&inspected.named(Where::Anywhere, FUNCTIONS))
}
