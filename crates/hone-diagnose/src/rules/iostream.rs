//! Time in C++ streams and locales.

use super::{Rule, source};
use crate::finding::{Confidence, Finding};
use crate::inspected::{Inspected, Where};

const FUNCTIONS: &[&str] = &[
    "std::ostream::*",
    "std::istream::*",
    "std::basic_ostream::*",
    "std::basic_istream::*",
    "std::basic_iostream::*",
    "std::operator<<",
    "std::operator>>",
    "std::__ostream_insert*",
    "std::num_put*",
    "std::num_get*",
    "std::locale*",
    "std::use_facet*",
    "std::has_facet*",
    "std::basic_streambuf*",
    "std::basic_filebuf*",
    "std::__cxx11::basic_stringbuf*",
    "std::__cxx11::basic_stringstream*",
    "std::__cxx11::basic_ostringstream*",
    "std::__cxx11::basic_istringstream*",
    "std::ios_base*",
    "std::basic_ios*",
    "std::__convert_to_v*",
];

pub(super) const RULE: Rule = Rule {
    name: "iostream",
    title: "Much time goes into iostreams and locales",
    threshold: 0.05,
    source: source::TAX,
    factor: 4.0,
    assumption: "with std::to_chars, std::from_chars or stdio",
    confidence: Confidence::Medium,
    levers: &[],
    change: "Leave streams out of hot code: std::to_chars into a buffer, one stream kept and not one per value, sync_with_stdio(false).",
    not_when: "The time is in writing to the device and not in the stream.",
    look,
};

fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    rule.of_group(&inspected.named(Where::Anywhere, FUNCTIONS))
}
