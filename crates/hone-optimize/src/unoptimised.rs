//! Warns of a baseline that was compiled without optimisation: any figure against it says more about the missing `-O2` than
//! about a lever, and the largest gain is one flag away. So the warning comes before anything is measured.

use std::fs;

use anyhow::Result;
use hone_diagnose::Optimisation;
use hone_symbols::{Binary, DebugInfo};

use super::Run;
use super::workspace::Built;

/// Part of the program's code from which the build counts as unoptimised, not only a file of it, as in `hone diagnose`.
const WHOLE_BUILD: f64 = 0.5;

/// Warns, on the terminal and as the report's first note, if the program's code is unoptimised. Reports nothing if the code
/// cannot be read: other phases report that.
pub(super) fn warn(run: &mut Run, baseline: &Built) {
    let tree = run.workspace.tree(&baseline.name);
    let bytes = fs::read(tree.join(&run.project.binary));
    let part = bytes.ok().and_then(|bytes| part(&bytes).ok());
    let Some(sentence) = part.and_then(sentence) else {
        return;
    };
    run.progress.line(&format!("warning: {sentence}"));
    run.note(sentence);
}

fn part(bytes: &[u8]) -> Result<f64> {
    let binary = Binary::parse(bytes)?;
    let debug = DebugInfo::parse(&binary)?;
    Ok(Optimisation::of_file(&binary, &debug).unoptimised_part())
}

fn sentence(part: f64) -> Option<String> {
    (part >= WHOLE_BUILD).then(|| {
        format!(
            "Your build compiles without optimisation: {:.0} % of the program's code shows it. Set -O2 first (in CFLAGS \
             and CXXFLAGS, or CMAKE_BUILD_TYPE=RelWithDebInfo) and start again: that gains more than any lever, and all \
             gains below are against an unoptimised build, those of a change of compiler too.",
            part * 100.0
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_build_that_is_mostly_unoptimised_is_warned_of() {
        assert_eq!(sentence(0.49), None);
        assert!(sentence(0.8).unwrap().contains("80 % of"));
    }
}
