//! Time in C++ streams and locales.

use super::{Rule, Saves, source};
use crate::finding::{Confidence, Evidence, Finding};
use crate::subject::{Inspected, Where};

const FUNCTIONS: &[&str] = &[
    "std::endl",
    "std::flush",
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
    needs: &[],
    threshold: 0.05,
    source: source::TAX,
    factor: 4.0,
    factor_max: 20.0,
    assumption: "with std::to_chars, std::from_chars or stdio",
    saves: Saves::Calls,
    confidence: Confidence::Medium,
    levers: &[],
    change: "Leave streams out of hot code: std::to_chars into a buffer, one stream kept and not one per value, sync_with_stdio(false).",
    not_when: "The time is in writing to the device and not in the stream.",
    look,
};

/// Functions that write out the content of the buffer at once.
const FLUSHES: &[&str] = &[
    "std::endl",
    "std::flush",
    "std::ostream::flush",
    "std::basic_ostream::flush",
    "std::__1::endl",
    "std::__1::basic_ostream::flush",
];

/// Share of the time from which flushes are named: the time is the cost of the flushes, and most programs do not need them.
const FLUSHES_MIN: f64 = 0.01;

fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    let mut finding = rule.of_group(&inspected.named(Where::Anywhere, FUNCTIONS))?;
    let flushes = inspected.named(Where::Anywhere, FLUSHES).share;
    if flushes.low > FLUSHES_MIN {
        finding.evidence.insert(
            0,
            Evidence {
                what: "in std::endl and flushes, with the writes that they make".to_owned(),
                share: Some(flushes),
            },
        );
        finding.change = format!(
            "Write '\\n' in place of std::endl, and flush once at the end. {}",
            rule.change
        );
    }
    Some(finding)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::inspected;

    #[test]
    fn flushes_are_named_where_there_are_some() {
        let found = |line: &str| {
            let stacks = [
                (line, 200),
                ("main;std::ostream::operator<<(int)", 100),
                ("main", 700),
            ];
            look(&RULE, &inspected(&stacks)).unwrap()
        };
        let ended = "std::basic_ostream<char, std::char_traits<char> >& std::endl<char, std::char_traits<char> >(std::ostream&)";
        let finding = found(&format!("main;{ended};std::ostream::flush();write"));
        assert!(finding.evidence[0].what.contains("std::endl"));
        assert!((finding.evidence[0].share.unwrap().share - 0.2).abs() < 1e-9);
        assert!(
            finding
                .change
                .starts_with("Write '\\n' in place of std::endl")
        );
        let without = found("main;std::ostream::operator<<(double)");
        assert!(without.change.starts_with("Leave streams"));
    }
}
