//! Makes profiles from a special build with the compiler's counters, run on the train workloads.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use hone_build::{ProfileSource, Toolchain, Variant, variant::Purpose};

use super::Run;
use super::build::{Order, build};
use super::profile::{empty_directory, files_in, name_of, train};
use super::workspace::utf8;

/// The lever whose counts a context-sensitive profile adds to.
const FIRST_PROFILE: &str = "pgo";

/// Makes the profile on top of `base`; returns its file, relative to `.hone/`. For gcc, the profile is a directory.
pub(super) fn make(
    run: &mut Run,
    base: &Variant,
    source: ProfileSource,
    name: &str,
) -> Result<PathBuf> {
    let (suffix, purpose) = match source {
        ProfileSource::ContextInstrumentation => ("context", Purpose::InstrumentContext),
        _ => ("instrumented", Purpose::Instrument),
    };
    let raw = run.workspace.path(format!("profiles/{name}.raw"));
    run.inputs.raw_profiles = Some(raw.clone());
    let order = Order {
        name: format!("{}.{suffix}", name_of(base)),
        flags: base.flags(purpose, &run.inputs),
        purpose,
        layout_seed: None,
    };
    let built = build(run, &order)?;
    // Programs that ran during the build, such as a generator of code, wrote counts too.
    empty_directory(&raw)?;
    let pattern = raw.join("%p-%m.profraw");
    train(run, &built, &[("LLVM_PROFILE_FILE", utf8(&pattern)?)])?;
    let raw_files = files_in(&raw)?;
    if base.toolchain() == Toolchain::Gcc {
        return Ok(PathBuf::from(format!("profiles/{name}.raw")));
    }
    let file = PathBuf::from(format!("profiles/{name}.profdata"));
    let first = match source {
        ProfileSource::ContextInstrumentation => run.inputs.profiles.get(FIRST_PROFILE).cloned(),
        _ => None,
    };
    let parts = raw_files.into_iter().chain(first);
    merge(run, base.toolchain(), parts, &run.workspace.path(&file))?;
    fs::remove_dir_all(&raw).context("profiles")?;
    Ok(file)
}

/// Merges profiles; `parts` may also hold options of llvm-profdata.
pub(super) fn merge(
    run: &Run,
    toolchain: Toolchain,
    parts: impl IntoIterator<Item = impl AsRef<OsStr>>,
    output: &Path,
) -> Result<()> {
    let tool = match toolchain {
        Toolchain::Rust => &run.tools.rust_profdata,
        _ => &run.tools.llvm_profdata,
    };
    let profdata = tool.as_ref().context("llvm-profdata is not there")?;
    hone_convert::merge_counters(profdata, parts, output)
}
