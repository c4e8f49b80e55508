//! Exceptions as control flow.

use super::{Rule, Saves, source};
use crate::finding::{Confidence, Finding};
use crate::subject::{Inspected, NamedFrame, Where};
use hone_symbols::section_of_made_name;

/// Functions that throw, unwind and catch. A frame in brackets is code of libgcc_s without a name, which unwinds;
/// functions of libgcc_s for other purposes are exported and have names.
const FUNCTIONS: &[&str] = &[
    "[libgcc_s.so*",
    "std::runtime_error::*",
    "std::logic_error::*",
    "std::out_of_range::*",
    "std::invalid_argument::*",
    "std::length_error::*",
    "std::range_error::*",
    "std::overflow_error::*",
    "std::system_error::*",
    "std::exception::*",
    "std::__throw_*",
    "std::__cow_string::*",
    "std::rethrow_exception",
    "std::current_exception",
    "__cxa_throw",
    "__cxa_rethrow",
    "__cxa_begin_catch",
    "__cxa_end_catch",
    "__cxa_allocate_exception",
    "__cxa_free_exception",
    "_Unwind_*",
    "__gxx_personality_v0",
    "_dl_find_object*",
    "__dl_find_object*",
    "dl_iterate_phdr",
    "__dl_iterate_phdr",
    "uw_*",
    "execute_cfa_program*",
    "rust_panic*",
    "__rust_start_panic",
    "panic_unwind::*",
    // Not all of std::panicking: catch_unwind is on the stack below main and below each thread of every Rust program.
    "std::panicking::begin_panic*",
    "std::panicking::panic_handler*",
    "std::panicking::panic_with_hook*",
    "std::panicking::rust_panic*",
    "std::panicking::default_hook*",
    "std::panicking::try::cleanup*",
    "std::panicking::catch_unwind::cleanup*",
];

pub(super) const RULE: Rule = Rule {
    name: "exceptions",
    title: "Exceptions are thrown in hot code",
    needs: &[],
    threshold: 0.02,
    source: source::OURS,
    factor: f64::INFINITY,
    factor_max: f64::INFINITY,
    assumption: "if nothing was thrown",
    saves: Saves::Calls,
    confidence: Confidence::High,
    levers: &[],
    change: "Return std::optional, std::expected or an error code where failure is usual; libgcc of GCC 13 with glibc 2.35 at least takes no lock while unwinding.",
    not_when: "The recording is of a moment of failure.",
    look,
};

fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    let group = inspected.group(Where::Anywhere, |frame| {
        frame.is_one_of(FUNCTIONS) || is_inside_libgcc(frame)
    });
    rule.of_group(&group)
}

/// True for a function of libgcc_s that is not exported: its name was made from its place, and it unwinds.
fn is_inside_libgcc(frame: &NamedFrame<'_>) -> bool {
    let file_name = frame.binary.rsplit('/').next().unwrap_or_default();
    file_name.starts_with("libgcc_s.so") && section_of_made_name(frame.name).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::inspected;

    /// Without frame pointers in libgcc the unwinder's functions are all that is known, and these are not exported.
    #[test]
    fn functions_of_libgcc_without_names_unwind() {
        let inside = inspected(&[("g:[unnamed, 1634 bytes at 0x154a0]", 300), ("main", 700)]);
        assert_eq!(look(&RULE, &inside).unwrap().share.samples, 300);
        let other = inspected(&[("g:__udivti3", 300), ("main", 700)]);
        assert_eq!(look(&RULE, &other), None);
    }

    #[test]
    fn what_stands_below_every_rust_main_is_no_exception() {
        let ordinary = "main;std::rt::lang_start_internal;\
            ~std::panicking::catch_unwind::do_call::<F, isize>;r::main";
        assert_eq!(look(&RULE, &inspected(&[(ordinary, 1000)])), None);
        let thrown = "main;r::main;std::panicking::begin_panic::<&str>";
        let mixed = inspected(&[(ordinary, 500), (thrown, 500)]);
        assert_eq!(look(&RULE, &mixed).unwrap().share.samples, 500);
    }
}
