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
    if let Ok(Some(same)) = compared(run, &measured, built) {
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

/// Compares two builds; `None` if one of them is stripped, as the user's own may be.
fn compared(run: &Run, measured: &Built, built: &Built) -> Result<Option<SameCode>> {
    let images = [
        fs::read(run.binary(measured))?,
        fs::read(run.binary(built))?,
    ];
    let [measured, built] = [
        Binary::parse(&images[0][..])?,
        Binary::parse(&images[1][..])?,
    ];
    let is_stripped = |binary: &Binary<'_>| binary.functions().only_exported();
    Ok((!is_stripped(&measured) && !is_stripped(&built)).then(|| same_code(&measured, &built)))
}
