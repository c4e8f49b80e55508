//! Makes profiles from recordings of the rung below, in the form that the lever's compiler or linker reads.

use std::path::PathBuf;

use anyhow::Result;
use hone_build::{ProfileSource, Toolchain, Variant, variant::Purpose};
use hone_fdo::{Evidence, Warning};

use super::Run;
use super::build::{Order, build};
use super::enough;
use super::own_libraries;
use super::profile::{name_of, recordable};
use super::workspace::Built;
use hone_convert::{Form, Program, Request};
use hone_run::files::write_whole;

/// Suffix of the names of builds that were made with pseudo-probes to be recorded.
pub(super) const PROBED: &str = ".probed";
/// Suffix of the names of builds whose IR is kept.
const WITH_IR: &str = ".ir";
/// Suffix of the names of builds that were made with a map of their blocks to be recorded.
pub(super) const MAPPED: &str = ".mapped";

/// Error for a lever that has nothing to do: a build with it would be the same.
#[derive(Debug, thiserror::Error)]
#[error("{reason}")]
pub(super) struct Idle {
    reason: &'static str,
}

/// Makes the profile on top of `base`; returns its file, relative to `.hone/`. A layout of blocks is a directory.
pub(super) fn make(
    run: &mut Run,
    base: &Variant,
    source: ProfileSource,
    name: &str,
) -> Result<PathBuf> {
    let brought = run.brought_profile.clone();
    // The names and blocks to be ordered are those of the build that is made here.
    let is_of_this_build = matches!(
        source,
        ProfileSource::FunctionOrder | ProfileSource::BlockLayout
    );
    let (recordings, program) = match brought.filter(|_| !is_of_this_build) {
        Some(brought) => {
            enough::judge_brought(run, &brought, name);
            (vec![brought.recording], Program::alone(&brought.binary))
        }
        None => {
            let built = recorded_build(run, base, source)?;
            let recordings = enough::record(run, &built)?;
            if source != ProfileSource::IpSamples {
                enough::remember(run, name, &built.name);
            }
            let program = match is_of_this_build || base.toolchain() == Toolchain::Go {
                true => Program::alone(&run.workspace.tree(&built.name).join(&run.project.binary)),
                false => own_libraries::program(run, &built, &recordings)?,
            };
            (recordings, program)
        }
    };
    if source == ProfileSource::CallSizes {
        let directory = PathBuf::from(format!("profiles/{name}.headers"));
        let into = run.workspace.path(&directory);
        if let Some(reason) = hone_convert::memops_headers(&recordings, &program, &into)? {
            return Err(Idle { reason }.into());
        }
        return Ok(directory);
    }
    if source == ProfileSource::BlockLayout {
        let directory = PathBuf::from(format!("profiles/{name}"));
        hone_convert::lay_out(
            &recordings,
            &program.binary,
            &run.workspace.path(&directory),
        )?;
        return Ok(directory);
    }
    if source == ProfileSource::ProbedCounters {
        return counters(run, base, &recordings, &program, name);
    }
    let file = PathBuf::from(format!("profiles/{name}.prof"));
    let made = |to, probes| {
        let request = Request {
            probes,
            ..Request::new(&recordings, &program, to)
        };
        hone_convert::convert(&request).map(|profile| profile.bytes)
    };
    let bytes = match (source, base.toolchain()) {
        (ProfileSource::FunctionOrder, _) => made(Form::SymbolOrder, false)?,
        (ProfileSource::ProbedBranchRecords, _) => made(Form::AutofdoExtbinary, true)?,
        (_, Toolchain::Go) => made(Form::GoPgo, false)?,
        (_, Toolchain::Gcc) => made(Form::GccGcov, false)?,
        (_, Toolchain::Clang | Toolchain::Rust) => {
            let evidence = match source {
                ProfileSource::IpSamples => Evidence::IpSamples,
                _ => Evidence::Branches,
            };
            let converted = hone_convert::load_program(&recordings, &program, evidence)?.converted;
            for warning in &converted.warnings {
                let expected = evidence == Evidence::IpSamples && *warning == Warning::NoBranches;
                if !expected {
                    run.note_of_build(hone_convert::sentence(warning));
                }
            }
            hone_convert::autofdo_extbinary(&converted)?
        }
    };
    write_whole(&run.workspace.path(&file), &bytes)?;
    Ok(file)
}

fn recorded_build(run: &mut Run, base: &Variant, source: ProfileSource) -> Result<Built> {
    let (suffix, purpose) = match source {
        ProfileSource::ProbedBranchRecords | ProfileSource::ProbedCounters => {
            (PROBED, Purpose::Probe)
        }
        ProfileSource::BlockLayout => (MAPPED, Purpose::MapBlocks),
        _ => return recordable(run, base),
    };
    let order = Order {
        name: format!("{}{suffix}", name_of(base)),
        flags: base.flags(purpose, &run.inputs),
        purpose,
        layout_seed: None,
    };
    build(run, &order)
}

/// Makes counters of instrumented PGO; a build that is never run tells where they lie.
fn counters(
    run: &mut Run,
    base: &Variant,
    recordings: &[PathBuf],
    program: &Program,
    name: &str,
) -> Result<PathBuf> {
    let order = Order {
        name: format!("{}{WITH_IR}", name_of(base)),
        flags: base.flags(Purpose::KeepIr, &run.inputs),
        purpose: Purpose::KeepIr,
        layout_seed: None,
    };
    let ir = run.workspace.ir(&order.name);
    if !ir.is_dir() {
        // The IR is not kept from run to run, and the build may be.
        run.workspace.state.built.remove(&order.name);
    }
    build(run, &order)?;
    let (bytes, notes) = hone_convert::counters_of(recordings, program, &ir)?;
    notes.into_iter().for_each(|note| run.note_of_build(note));
    let file = PathBuf::from(format!("profiles/{name}.profdata"));
    write_whole(&run.workspace.path(&file), &bytes)?;
    Ok(file)
}
