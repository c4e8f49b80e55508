//! Names of kernel functions, from the running kernel's own table.

use std::fs;

use anyhow::{Context, Result, anyhow};
use hone_profile::{Binary, Profile};
use hone_views::{NamedFrame, Names, Place};

const SYMBOLS: &str = "/proc/kallsyms";

/// Returns the names of these places, if the running kernel is the one that was recorded.
pub(super) fn names(profile: &Profile, recorded: &Binary, places: &[Place]) -> Result<Names> {
    if recorded.build_id.is_some() && recorded.build_id != hone_record::kernel_build_id() {
        return Err(anyhow!(
            "another kernel was recorded than the one that runs"
        ));
    }
    let text = fs::read_to_string(SYMBOLS).context(SYMBOLS)?;
    let symbols = parse(&text);
    // Without permission, all addresses are zero.
    if symbols.iter().all(|(address, _)| *address == 0) {
        return Err(anyhow!(
            "{SYMBOLS} shows no addresses to you; see as root, or set kernel.kptr_restrict to 0"
        ));
    }
    let named = places.iter().filter_map(|&place| {
        let address = profile.location(place.location).offset.0;
        let address = address.saturating_sub(u64::from(place.is_return));
        let next = symbols.partition_point(|(start, _)| *start <= address);
        let (_, function) = symbols[..next].last()?;
        let frame = NamedFrame {
            function: (*function).to_owned(),
            ..NamedFrame::default()
        };
        Some((place, vec![frame]))
    });
    Ok(named.collect())
}

/// Parses functions with their addresses, sorted by address.
fn parse(text: &str) -> Vec<(u64, &str)> {
    let mut symbols: Vec<(u64, &str)> = text
        .lines()
        .filter_map(|line| {
            let mut words = line.split_ascii_whitespace();
            let address = u64::from_str_radix(words.next()?, 16).ok()?;
            let kind = words.next()?;
            let name = words.next()?;
            matches!(kind, "t" | "T" | "w" | "W").then_some((address, name))
        })
        .collect();
    symbols.sort_unstable();
    symbols.dedup_by_key(|symbol| symbol.0);
    symbols
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_sorted_and_data_is_left_out() {
        let text = "ffffffff81000100 T second\nffffffff81000000 T _text\nffffffff82000000 D data\n\
                    ffffffffc0000000 t of_module\t[module]\n";
        let names: Vec<&str> = parse(text).into_iter().map(|(_, name)| name).collect();
        assert_eq!(names, ["_text", "second", "of_module"]);
    }
}
