//! Warns of a baseline that was compiled without optimisation: any figure against it says more about the missing `-O2` than
//! about a lever, and the largest gain is one flag away. So the warning comes before anything is measured.

use std::fs;

use anyhow::Result;
use hone_diagnose::Optimisation;
use hone_report::note::BaselineNote;
use hone_symbols::{Binary, DebugInfo};

use crate::run::Run;
use crate::workspace::state::Built;

/// Part of the program's code from which the build counts as unoptimised, not only a file of it, as in `hone diagnose`.
const WHOLE_BUILD: f64 = 0.5;

/// Warns, on the terminal and as the report's first note, if the program's code is unoptimised. Reports nothing if the code
/// cannot be read: other phases report that.
pub(super) fn warn(run: &mut Run, baseline: &Built) {
    let bytes = fs::read(run.binary(baseline));
    let part = bytes.ok().and_then(|bytes| part(&bytes).ok());
    let Some(note) = part.and_then(note) else {
        return;
    };
    run.progress.line(&format!("warning: {note}"));
    run.tell(note);
}

fn part(bytes: &[u8]) -> Result<f64> {
    let binary = Binary::parse(bytes)?;
    let debug = DebugInfo::parse(&binary)?;
    Ok(Optimisation::of_file(&binary, &debug).unoptimised_part())
}

fn note(part: f64) -> Option<BaselineNote> {
    (part >= WHOLE_BUILD).then_some(BaselineNote::Unoptimised(part))
}

#[cfg(test)]
mod tests {
    use super::note;

    #[test]
    fn only_a_build_that_is_mostly_unoptimised_is_warned_of() {
        assert_eq!(note(0.49), None);
        assert!(note(0.8).unwrap().to_string().contains("80 % of"));
    }
}
