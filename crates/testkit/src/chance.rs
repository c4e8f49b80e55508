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
