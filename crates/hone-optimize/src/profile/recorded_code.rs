//! Tells how far a build that is recorded has the code that it stands for: of the user's own build, or of the rung below.

use std::fs;

use anyhow::Result;
use hone_build::{BuildKey, Purpose, Variant};
use hone_fdo::same_code::{SameCode, same_code};
use hone_report::note::BuildNote;
use hone_symbols::Binary;

use crate::run::Run;
use crate::workspace::state::Built;

/// Compares a recorded build of a variant with what is measured, if both have the same compiler. A failure costs the figure alone.
pub(crate) fn tell(run: &mut Run, base: &Variant, built: &Built) {
    let Some(measured) = measured(run, base) else {
        return;
    };
    if measured.key == built.key {
        return;
    }
    if let Ok(same) = compared(run, &measured, built) {
        run.tell(BuildNote::RecordedCode {
            build: built.name(),
            measured: measured.name(),
            functions: same.functions,
            changed: same.changed,
        });
    }
}

/// Returns the build whose profile is wanted.
fn measured(run: &Run, base: &Variant) -> Option<Built> {
    let key = match base.levers.is_empty() {
        true if run.inputs.takes_own_objects => BuildKey::baseline(),
        _ => BuildKey::new(base, Purpose::Use),
    };
    run.built(&key).cloned()
}

fn compared(run: &Run, measured: &Built, built: &Built) -> Result<SameCode> {
    let images = [
        fs::read(run.binary(measured))?,
        fs::read(run.binary(built))?,
    ];
    let [measured, built] = &images;
    Ok(same_code(
        &Binary::parse(&measured[..])?,
        &Binary::parse(&built[..])?,
    ))
}
