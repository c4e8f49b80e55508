//! `std::vector<bool>`, also where its operators are inlined, with the copies and allocations that it makes.

use super::{Rule, Saves, source};
use crate::finding::{Confidence, Finding};
use crate::subject::{Inspected, Where};

/// References to single bits and iterators over them, of libstdc++ and of libc++.
const BITS: &[&str] = &[
    "std::_Bit_reference*",
    "std::_Bit_iterator*",
    "std::_Bit_const_iterator*",
    "std::_Bvector_base*",
    "std::__1::__bit_reference*",
    "std::__1::__bit_const_reference*",
    "std::__1::__bit_iterator*",
];

pub(super) const RULE: Rule = Rule {
    name: "vector-bool",
    title: "Much time goes into std::vector<bool>",
    needs: &[],
    threshold: 0.03,
    source: source::OURS,
    factor: 4.0,
    factor_max: 16.0,
    assumption: "if bytes or whole words, and no copies, took a quarter of the time",
    saves: Saves::Around,
    confidence: Confidence::High,
    levers: &["o3", "thinlto"],
    change: "Use std::vector<char>, std::bitset or words with explicit masks for it there, and do not copy it per step.",
    not_when: "The bits must be packed to fit the cache; even then, go by words and not by bits.",
    look,
};

fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    let group = inspected.group(Where::Anywhere, |frame| {
        let is_vector = frame.is_one_of(&["std::vector::*", "std::__1::vector::*"]);
        frame.is_one_of(BITS) || (is_vector && frame.name.contains("vector<bool"))
    });
    rule.of_group(&group)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnose;
    use crate::testing::inspected;

    /// A loop that reads bits gains more than the time at the bits: the rest of it is compiled anew without them.
    #[test]
    fn the_code_around_is_told_and_the_bound_includes_it() {
        let bits = "main;walk;~std::_Bit_reference::operator bool() const";
        let inspected = inspected(&[(bits, 200), ("main;walk", 500), ("main;rest", 300)]);
        let gain = diagnose(&inspected).findings.remove(0).gain.unwrap();
        let touched = gain.touched.unwrap();
        assert!((touched.share - 0.7).abs() < 1e-9, "{touched:?}");
        let words = gain.in_words();
        // All of walk sixteen times as fast would be 2.91x; by the upper end of its interval, 3.15x.
        assert!(
            words.starts_with("at most 3.15x; about 1.18x, if "),
            "{words}"
        );
        assert!(words.contains("70.0 % of the time"), "{words}");
    }

    /// Debug information with line tables alone gives bare names.
    #[test]
    fn a_bare_name_is_known_by_its_header() {
        let of = |hot: &str| look(&RULE, &inspected(&[(hot, 300), ("main;rest", 700)]));
        let finding = of("main;walk;~_M_incr [bits/stl_bvector.h]").unwrap();
        assert_eq!(finding.functions, ["std::_Bvector_base::_M_incr"]);
        assert_eq!(of("main;walk;~operator= [src/text.h]"), None);
    }

    #[test]
    fn inlined_operators_count_and_a_parameter_of_that_type_does_not() {
        let inlined = "main;walk;~std::_Bit_reference::operator bool() const";
        let inspected_with = |hot: &str| inspected(&[(hot, 300), ("main;rest", 700)]);
        let finding = look(&RULE, &inspected_with(inlined)).unwrap();
        assert_eq!(finding.share.samples, 300);
        assert_eq!(
            finding.gain.unwrap().touched,
            None,
            "nothing else runs in walk"
        );
        let parameter = "main;walk(std::vector<bool, std::allocator<bool> >&)";
        assert_eq!(look(&RULE, &inspected_with(parameter)), None);
        let member =
            "main;walk;~std::vector<bool, std::allocator<bool> >::operator[](unsigned long)";
        assert!(look(&RULE, &inspected_with(member)).is_some());
    }
}
