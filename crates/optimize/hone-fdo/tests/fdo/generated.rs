//! Profiles made from random bytes, with few names and places, so that they meet.

use hone_fdo::{FunctionSamples, LineKey, LineSamples, ReadProfile, SampleProfile, autofdo_text};
use std::path::Path;
use std::process::Command;
use testkit::arbitrary::{Result, Unstructured};

const NAMES: [&str; 6] = [
    "main",
    "_Z3fooi",
    "_Z3bari",
    "_ZL1sv.__uniq.123",
    "std::vector<char *>::at",
    "plain_c",
];

/// A profile keyed by lines, or by probes where there are checksums to choose from.
pub(crate) fn profile(u: &mut Unstructured<'_>, checksums: u64) -> Result<SampleProfile> {
    let mut profile = SampleProfile::default();
    for _ in 0..u.int_in_range(0..=5)? {
        let mut function = function(u, checksums, 3)?;
        function.head = count(u)?;
        profile.functions.insert(name(u)?, function);
    }
    Ok(profile)
}

fn function(u: &mut Unstructured<'_>, checksums: u64, depth: usize) -> Result<FunctionSamples> {
    let mut function = FunctionSamples {
        total: count(u)?,
        ..FunctionSamples::default()
    };
    if checksums > 0 {
        function.checksum = Some(u.int_in_range(1..=checksums)?);
    }
    for _ in 0..u.int_in_range(0..=4)? {
        let mut line = LineSamples {
            count: count(u)?,
            ..LineSamples::default()
        };
        for _ in 0..u.int_in_range(0..=2)? {
            line.targets.insert(name(u)?, count(u)?);
        }
        function.body.insert(key(u)?, line);
    }
    if depth > 0 {
        for _ in 0..u.int_in_range(0..=2)? {
            let callees = function.callsites.entry(key(u)?).or_default();
            callees.insert(name(u)?, self::function(u, checksums, depth - 1)?);
        }
    }
    Ok(function)
}

fn name(u: &mut Unstructured<'_>) -> Result<String> {
    Ok((*u.choose(&NAMES)?).to_owned())
}

fn key(u: &mut Unstructured<'_>) -> Result<LineKey> {
    Ok(LineKey {
        line_offset: u.int_in_range(0..=4)?,
        discriminator: *u.choose(&[0, 0, 1, 7])?,
    })
}

/// Mostly small, sometimes near the largest number.
fn count(u: &mut Unstructured<'_>) -> Result<u64> {
    let small = u.int_in_range(0..=1000)?;
    Ok(match u.int_in_range(0..=60)? {
        0 => u64::MAX - small,
        1 => small << 45,
        _ => small,
    })
}

/// The same as a profile that was read.
pub(crate) fn read(samples: SampleProfile) -> ReadProfile {
    ReadProfile {
        samples,
        ..ReadProfile::default()
    }
}

/// Bytes for the generator, different for each seed.
pub(crate) fn bytes(seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    std::iter::repeat_with(next).take(4000).collect()
}

/// Writes the profile as text.
pub(crate) fn write(profile: &SampleProfile, path: &Path) {
    std::fs::write(path, autofdo_text::write(profile)).unwrap();
}

/// Runs `llvm-profdata merge --sample` and returns what it wrote, or its complaint.
pub(crate) fn llvm_merge(
    tool: &str,
    arguments: &[&str],
    dir: &Path,
) -> std::result::Result<Vec<u8>, String> {
    let output = Command::new(tool)
        .args(["merge", "--sample", "-o", "merged"])
        .args(arguments)
        .current_dir(dir)
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    if !output.status.success() {
        return Err(errors);
    }
    Ok(std::fs::read(dir.join("merged")).unwrap())
}
