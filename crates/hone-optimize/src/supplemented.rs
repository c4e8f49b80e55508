//! Counts of an instrumented build, corrected by branch records.
//!
//! The counts are exact, but only for what the training ran; branch records of production are few, but of real work.
//! llvm-profdata raises the counts of functions that are cold by the counts and hot by the records.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::{Context, Result};
use hone_build::{Variant, lever};

use super::Run;
use super::instrumented::merge;
use super::profile::prepare;

/// The levers whose profiles are merged.
const COUNTS: &str = "pgo";
const SAMPLES: &str = "autofdo";

/// Makes the profile on top of `base`; returns its file, relative to `.hone/`.
pub(super) fn make(run: &mut Run, base: &Variant, name: &str) -> Result<PathBuf> {
    for id in [COUNTS, SAMPLES] {
        let lever = lever::by_id(id).with_context(|| format!("there is no lever {id}"))?;
        prepare(run, base, lever)?;
    }
    let file = PathBuf::from(format!("profiles/{name}.profdata"));
    let profile = |id: &str| {
        run.inputs
            .profiles
            .get(id)
            .context("a profile that was made")
    };
    let mut supplement = OsString::from("--supplement-instr-with-sample=");
    supplement.push(profile(SAMPLES)?);
    let parts = [supplement.as_os_str(), profile(COUNTS)?.as_os_str()];
    merge(run, base.toolchain(), parts, &run.workspace.path(&file))?;
    Ok(file)
}
