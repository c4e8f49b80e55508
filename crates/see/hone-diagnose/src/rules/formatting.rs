//! Time in printf, scanf, strtod and their like in other languages.

use super::{Rule, Saves, source};
use crate::finding::{Confidence, Finding};
use crate::subject::{Inspected, Where};

const FUNCTIONS: &[&str] = &[
    "vfprintf*",
    "__vfprintf*",
    "__printf*",
    "printf",
    "fprintf",
    "sprintf",
    "snprintf",
    "vsnprintf",
    "vsprintf",
    "__vsnprintf*",
    "___vsnprintf*",
    "__snprintf*",
    "__sprintf*",
    "__vsprintf*",
    "_itoa_word",
    "sscanf",
    "fscanf",
    "scanf",
    "__isoc99_*",
    "__isoc23_*",
    "__vfscanf*",
    "strtod",
    "strtof",
    "strtol",
    "strtoul",
    "strtoll",
    "strtoull",
    "__strto*",
    "____strto*",
    "std::__cxx11::to_string",
    "std::to_string",
    "fmt::*",
    "std::format*",
    "core::fmt::*",
    "alloc::fmt::*",
    "fmt.*",
];

pub(super) const RULE: Rule = Rule {
    name: "formatting",
    title: "Much time goes into formatting and parsing text",
    needs: &[],
    threshold: 0.05,
    source: source::TAX,
    factor: 3.0,
    factor_max: 10.0,
    assumption: "with std::to_chars, std::from_chars or a library of that kind",
    saves: Saves::Work,
    confidence: Confidence::Medium,
    levers: &["thinlto"],
    change: "Format with std::to_chars or fmt, parse with std::from_chars; format once, or only what is printed.",
    not_when: "Text is what the program is for, and it uses a fast library already.",
    look,
};

fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    rule.of_group(&inspected.named(Where::Anywhere, FUNCTIONS))
}
