//! Names of kernel functions, from the running kernel's own table.

use std::fs;

use anyhow::{Context, Result, anyhow};
use hone_host::kernel_symbols::KernelSymbols;
use hone_profile::{Binary, Profile};
use hone_views::{NamedFrame, Names, Place};

const SYMBOLS: &str = "/proc/kallsyms";

/// Returns the names of these places, if the running kernel is the one that was recorded.
pub(super) fn names(profile: &Profile, recorded: &Binary, places: &[Place]) -> Result<Names> {
    let is_kept_back = |place: &Place| profile.location(place.location).offset.0 == 0;
    if places.iter().all(is_kept_back) {
        return Err(anyhow!(
            "the hosts that recorded could not name them, and keep the kernel's addresses to themselves; let them record as root"
        ));
    }
    if recorded.build_id.is_some() && recorded.build_id != hone_record::kernel_build_id() {
        return Err(anyhow!(
            "another kernel was recorded than the one that runs"
        ));
    }
    let text = fs::read_to_string(SYMBOLS).context(SYMBOLS)?;
    let symbols = KernelSymbols::parse(&text);
    if symbols.are_hidden() {
        return Err(anyhow!(
            "{SYMBOLS} shows no addresses to you; see as root, or set kernel.kptr_restrict to 0"
        ));
    }
    let named = places.iter().filter_map(|&place| {
        let address = profile.location(place.location).offset.0;
        let function = symbols.at(address.saturating_sub(u64::from(place.is_return)))?;
        let frame = NamedFrame {
            function: function.to_owned(),
            ..NamedFrame::default()
        };
        Some((place, vec![frame]))
    });
    Ok(named.collect())
}
