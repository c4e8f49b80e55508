//! Chooses the sizes that are worth a comparison, by compilation unit.
//!
//! A comparison that fails costs about a cycle; a saved call of libc saves five or more (PLT, dispatch by
//! size). So a few sizes are compared, and only if most calls have these sizes. LLVM's pass for instrumented
//! profiles does the same by call site: at most 3 sizes, each 40 % of the remaining calls (`PGOMemOPSizeOpt.cpp`, LLVM 19).

use super::{Operation, Place, Sizes};
use std::collections::BTreeMap;

/// Maximum number of sizes of one operation in one unit.
const SIZES_MAX: usize = 3;
/// Minimum share of the calls for each size, in percent.
const SHARE_MIN_EACH: u64 = 10;
/// Minimum share of the calls for all chosen sizes together, in percent.
const SHARE_MIN_ALL: u64 = 50;
/// Minimum number of calls of a unit; fewer calls are no evidence.
const CALLS_MIN: u64 = 50;
/// Minimum share of a unit in all calls, in per mille.
const CALLS_SHARE_MIN: u64 = 5;
/// Largest size in bytes that compilers copy and set in a few instructions.
const COPY_BYTES_MAX: u64 = 64;
/// Largest size in bytes that is compared in a few instructions.
const COMPARE_BYTES_MAX: u64 = 32;

/// Chosen sizes of one operation in one compilation unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chosen {
    /// Compilation unit, as in [`Place::unit`].
    pub unit: String,
    /// Operation that is called.
    pub operation: Operation,
    /// Sizes in bytes, most frequent first.
    pub sizes: Vec<u64>,
    /// Number of calls with one of these sizes.
    pub calls: u64,
    /// Number of calls with any known size that the compiler may not have known.
    pub of: u64,
}

fn bytes_max(operation: Operation) -> u64 {
    match operation {
        Operation::Copy | Operation::Set => COPY_BYTES_MAX,
        Operation::Compare => COMPARE_BYTES_MAX,
    }
}

/// Returns true if the compiler may know the size: it leaves constant sizes to libc only if they are large.
fn may_be_constant(place: &Place) -> bool {
    let sizes = &place.sizes.by_size;
    match (sizes.len(), place.sizes.large) {
        (0, _) => true,
        (1, 0) => sizes.keys().all(|&size| size > bytes_max(place.operation)),
        _ => false,
    }
}

/// Chooses sizes of the units whose calls are frequent and mostly of a few small sizes.
pub fn choose(places: &[Place]) -> Vec<Chosen> {
    let mut by_unit: BTreeMap<(&str, Operation), Sizes> = BTreeMap::new();
    let known = |place: &&Place| !place.unit.is_empty() && !may_be_constant(place);
    for place in places.iter().filter(known) {
        let sizes = by_unit.entry((&place.unit, place.operation)).or_default();
        sizes.add_all(&place.sizes);
    }
    let all = by_unit
        .values()
        .fold(0u64, |sum, sizes| sum.saturating_add(sizes.known()));
    let chosen = |((unit, operation), sizes): ((&str, Operation), Sizes)| {
        let of = sizes.known();
        let percent = |calls: u64| calls.saturating_mul(100) / of.max(1);
        let is_rare =
            of < CALLS_MIN || of.saturating_mul(1000) < all.saturating_mul(CALLS_SHARE_MIN);
        if is_rare {
            return None;
        }
        let small: Vec<(u64, u64)> = sizes
            .most_frequent()
            .into_iter()
            .filter(|&(size, calls)| {
                size <= bytes_max(operation) && percent(calls) >= SHARE_MIN_EACH
            })
            .take(SIZES_MAX)
            .collect();
        let calls = small.iter().map(|(_, calls)| calls).sum();
        (percent(calls) >= SHARE_MIN_ALL).then(|| Chosen {
            unit: unit.to_owned(),
            operation,
            sizes: small.into_iter().map(|(size, _)| size).collect(),
            calls,
            of,
        })
    };
    by_unit.into_iter().filter_map(chosen).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(unit: &str, operation: Operation, sizes: &[(u64, u64)]) -> Place {
        Place {
            unit: unit.into(),
            operation,
            file: String::new(),
            line: 0,
            function: String::new(),
            sizes: Sizes {
                by_size: sizes.iter().copied().collect(),
                ..Sizes::default()
            },
        }
    }

    fn sizes_of(places: &[Place]) -> Vec<(String, Vec<u64>)> {
        let chosen = choose(places).into_iter();
        chosen.map(|chosen| (chosen.unit, chosen.sizes)).collect()
    }

    #[test]
    fn a_few_small_sizes_that_are_most_of_the_calls_are_chosen() {
        let copy = Operation::Copy;
        assert_eq!(
            sizes_of(&[place(
                "a.c",
                copy,
                &[(8, 500), (24, 300), (7, 120), (3, 80)]
            )]),
            [("a.c".to_string(), vec![8, 24, 7])]
        );
        // Two places of one unit count together.
        assert_eq!(
            sizes_of(&[
                place("a.c", copy, &[(8, 500), (300, 10)]),
                place("a.c", copy, &[(16, 490), (5, 1)])
            ]),
            [("a.c".to_string(), vec![8, 16])]
        );
    }

    #[test]
    fn scattered_large_rare_and_constant_sizes_are_not() {
        let copy = Operation::Copy;
        let scattered: Vec<_> = (1..=40).map(|size| (size, 25)).collect();
        assert!(sizes_of(&[place("a.c", copy, &scattered)]).is_empty());
        assert!(
            sizes_of(&[place("a.c", copy, &[(8, 49)])]).is_empty(),
            "too few"
        );
        assert!(sizes_of(&[place("a.c", copy, &[(65, 900), (64, 300)])]).is_empty());
        assert!(sizes_of(&[place("a.c", Operation::Compare, &[(33, 900), (8, 100)])]).is_empty());
        assert!(
            sizes_of(&[place("", copy, &[(8, 900)])]).is_empty(),
            "no unit"
        );
        // The place that always copies 4096 bytes is left alone, and does not hide the other place.
        assert_eq!(
            sizes_of(&[
                place("a.c", copy, &[(4096, 9000)]),
                place("a.c", copy, &[(8, 500), (9, 10)]),
                place("b.c", copy, &[(8, 3), (16, 50_000)]),
            ]),
            [("a.c".to_string(), vec![8]), ("b.c".to_string(), vec![16])]
        );
        assert_eq!(
            sizes_of(&[
                place("a.c", copy, &[(8, 200)]),
                place("b.c", copy, &[(8, 50_000)]),
            ]),
            [("b.c".to_string(), vec![8])],
            "a.c copies hardly anything"
        );
    }
}
