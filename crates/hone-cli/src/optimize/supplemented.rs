//! Counts of an instrumented build, corrected by branch records.
//!
//! The counts are exact, but only for what the training ran; records of production are few, but of what is really run.
//! llvm-profdata raises the counts of functions that the former hold for cold and the latter for hot.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use hone_build::{Variant, lever};

use super::Run;
use super::profile::{prepare, run_tool};

/// The levers whose profiles are merged.
const COUNTS: &str = "pgo";
const SAMPLES: &str = "autofdo";

/// Makes the profile on top of `base`; gives its file, relative to `.hone/`.
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
    merge(
        run,
        profile(COUNTS)?,
        profile(SAMPLES)?,
        &run.workspace.path(&file),
    )?;
    Ok(file)
}

fn merge(run: &Run, counts: &Path, samples: &Path, output: &Path) -> Result<()> {
    let profdata = run.tools.llvm_profdata.as_ref();
    let profdata = profdata.context("llvm-profdata is not there")?;
    let mut supplement = OsString::from("--supplement-instr-with-sample=");
    supplement.push(samples);
    let mut merge = Command::new(&profdata.path);
    merge
        .arg("merge")
        .arg(supplement)
        .arg("-o")
        .arg(output)
        .arg(counts);
    run_tool(merge, "llvm-profdata merge")?;
    Ok(())
}
