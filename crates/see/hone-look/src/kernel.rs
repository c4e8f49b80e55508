//! Names of kernel functions, from the running kernel's own table.

use std::fs;

use anyhow::{Context, Result, anyhow};
use hone_host::kernel_symbols::KernelSymbols;
use hone_profile::{Binary, BuildId, Profile};
use hone_views::{NamedFrame, Names, Place};

const SYMBOLS: &str = "/proc/kallsyms";

/// What tells the running kernel from others.
struct Running {
    release: String,
    build_id: Option<BuildId>,
}

impl Running {
    fn now() -> Self {
        Self {
            release: hone_record::kernel_release(),
            build_id: hone_record::kernel_build_id(),
        }
    }
}

/// Returns an error if the recorded kernel is not the running one, as far as the recording tells. The release alone is
/// believed, because most perf.data files have no more.
fn of_this_kernel(release: &str, recorded: &Binary, running: &Running) -> Result<()> {
    let other = |recorded: &str, running: &str| {
        Err(anyhow!(
            "another kernel was recorded ({recorded}) than the one that runs ({running}), whose names are the only ones \
             here; see the recording on the machine that recorded"
        ))
    };
    if release.is_empty() && recorded.build_id.is_none() {
        return Err(anyhow!(
            "the recording does not tell of which kernel it is, and the names of the one that runs would be a guess"
        ));
    }
    if !release.is_empty() && release != running.release {
        return other(release, &running.release);
    }
    match (&recorded.build_id, &running.build_id) {
        (Some(was), Some(is)) if was != is => other(&was.to_string(), &is.to_string()),
        (Some(was), None) => other(&was.to_string(), "of an unknown build"),
        _ => Ok(()),
    }
}

/// Returns the names of these places, if the running kernel is the one that was recorded.
pub(super) fn names(profile: &Profile, recorded: &Binary, places: &[Place]) -> Result<Names> {
    let is_kept_back = |place: &Place| profile.location(place.location).offset.0 == 0;
    if places.iter().all(is_kept_back) {
        return Err(anyhow!(
            "the hosts that recorded could not name them, and keep the kernel's addresses to themselves; let them record as root"
        ));
    }
    of_this_kernel(&profile.meta.kernel, recorded, &Running::now())?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use hone_profile::BinaryKind;

    #[test]
    fn only_the_kernel_that_was_recorded_gives_names() {
        let [own, other] = ["0a", "0b"].map(|id| BuildId::from_hex(&id.repeat(20)));
        let running = Running {
            release: "6.1.0-40-amd64".to_owned(),
            build_id: own.clone(),
        };
        let refused = |release: &str, build_id: &Option<BuildId>| {
            let recorded = Binary {
                path: "[kernel.kallsyms]".to_owned(),
                build_id: build_id.clone(),
                kind: BinaryKind::Kernel,
            };
            let error = of_this_kernel(release, &recorded, &running).err();
            error.map(|error| error.to_string())
        };
        for release in ["", &running.release] {
            assert_eq!(refused(release, &own), None);
            let reason = refused(release, &other).unwrap();
            assert!(
                reason.contains("another kernel was recorded (0b0b"),
                "{reason}"
            );
        }
        assert_eq!(refused(&running.release, &None), None);
        // The machine that recorded may have left out build ids, as perf record -B does.
        for id in [None, own] {
            let reason = refused("5.4.0-72-generic", &id).unwrap();
            assert!(reason.contains("5.4.0-72-generic) than"), "{reason}");
        }
        let reason = refused("", &None).unwrap();
        assert!(reason.contains("does not tell"), "{reason}");
    }
}
