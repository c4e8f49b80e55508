//! Inputs made by chance, which are the same in every run.

use arbtest::arbitrary::{Result, Unstructured};
use arbtest::arbtest;

/// Inputs of one test.
const CASES: u32 = 192;

/// Bytes that the first input is made of; arbtest's own number.
const BYTES_MIN: f64 = 32.0;

/// Bytes that the last input is made of, where a test says nothing else; arbtest's own number.
const BYTES_MAX: u32 = 1 << 16;

/// Asks a property of inputs of growing size, made of bytes by chance. They are the same in every run, so that it takes no luck to pass.
/// With `ARBTEST_BUDGET_MS` in the environment, as `bench/fuzz` sets it, other ones are tried for that long.
///
/// # Panics
///
/// If the property does, with the seed that makes the input again: `ARBTEST_SEED`. And if no input was large enough for it.
pub fn by_chance(property: impl FnMut(&mut Unstructured<'_>) -> Result<()>) {
    by_chance_of(BYTES_MAX, property);
}

/// The same of inputs that are made of no more than so many bytes.
pub fn by_chance_of(bytes_max: u32, mut property: impl FnMut(&mut Unstructured<'_>) -> Result<()>) {
    let is_set = |name: &str| std::env::var_os(name).is_some();
    if is_set("ARBTEST_BUDGET_MS") || is_set("ARBTEST_SEED") {
        arbtest(property).size_max(bytes_max).run();
        return;
    }
    let mut was_enough = false;
    for case in 0..CASES {
        let whole = |u: &mut Unstructured<'_>| {
            was_enough |= property(u).is_ok();
            Ok(())
        };
        arbtest(whole).seed(seed(case, bytes_max)).run();
    }
    assert!(was_enough, "no input was large enough");
}

/// The seed of an input: in its lower half how many bytes it is made of, in the upper one which.
fn seed(case: u32, bytes_max: u32) -> u64 {
    let grown = f64::from(case) / f64::from(CASES - 1);
    let bytes = BYTES_MIN * (f64::from(bytes_max) / BYTES_MIN).powf(grown);
    let which = u64::from(case + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    which & !u64::from(u32::MAX) | bytes as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sizes of the inputs and their first numbers.
    fn inputs(bytes_max: u32) -> Vec<(usize, u64)> {
        let mut all = Vec::new();
        by_chance_of(bytes_max, |u| {
            all.push((u.len(), u.arbitrary()?));
            Ok(())
        });
        all
    }

    #[test]
    fn inputs_are_the_same_each_time_and_differ_among_themselves() {
        let mut all = inputs(1 << 10);
        assert_eq!(all, inputs(1 << 10));
        assert_eq!((all[0].0, all[CASES as usize - 1].0), (32, 1 << 10));
        all.sort_unstable_by_key(|input| input.1);
        all.dedup_by_key(|input| input.1);
        assert_eq!(all.len(), CASES as usize);
    }

    #[test]
    #[should_panic = "no input was large enough"]
    fn a_property_that_no_input_is_large_enough_for_is_told() {
        by_chance_of(64, |u| u.bytes(65).map(drop));
    }
}
