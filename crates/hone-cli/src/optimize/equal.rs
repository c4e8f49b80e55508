//! Whether a variant gives the baseline's results: what these are is the user's to say. By default it is all of
//! standard output; where it holds times, or is left to chance, it is what an expression captures, or nothing.

use anyhow::{Result, anyhow};
use hone_build::config::{Compare, Workload};
use serde::{Deserialize, Serialize};

use super::Run;
use crate::advice::Advise;
use crate::process::Measured;
use crate::process::captured::{Captured, captured};

/// The build that all others are compared with.
pub(super) const BASELINE: &str = "baseline";

const MEND_PATTERN: &str = "mend it in hone.toml: it is matched line by line, and its groups must hold what \
    every variant has to write alike";
const DIFFERS: &str = "if two runs of the baseline differ there too, let compare_pattern capture less; else the \
    variant computes something else, perhaps by undefined behaviour";

/// What one run of a workload wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Output {
    sha256: String,
    captured: Option<Captured>,
}

impl Output {
    pub(super) fn of(measured: &Measured) -> Self {
        Self {
            sha256: measured.stdout_sha256.clone(),
            captured: measured.captured.clone(),
        }
    }

    /// An expression that finds nothing would find all variants equal.
    pub(super) fn can_be_compared(&self, workload: &Workload) -> Result<()> {
        match (&workload.compare, &self.captured) {
            (Compare::Captures(expression), Some(captured)) if captured.is_nothing() => {
                Err(anyhow!(
                    "compare_pattern = '{}' captures nothing in the standard output of workload {}",
                    expression.as_str(),
                    workload.name
                ))
                .next(MEND_PATTERN)
            }
            _ => Ok(()),
        }
    }

    /// Fails where it is not what the baseline wrote.
    pub(super) fn equals(&self, expected: &Self, workload: &Workload, built: &str) -> Result<()> {
        let name = &workload.name;
        let difference = match (&workload.compare, &self.captured, &expected.captured) {
            (Compare::Captures(_), Some(found), Some(expected)) => found.difference(expected),
            (Compare::Whole, ..) if self.sha256 != expected.sha256 => {
                return Err(anyhow!(
                    "workload {name} writes other output under {built} than under the baseline"
                ))
                .next(
                    "if the output holds times or addresses, say by compare_pattern what must be the same, or \
                     set compare_output = false for it",
                );
            }
            _ => None,
        };
        difference.map_or(Ok(()), |difference| {
            Err(anyhow!(
                "workload {name} writes other output under {built} than under the baseline: \
                 compare_pattern captures {difference}"
            ))
            .next(DIFFERS)
        })
    }
}

/// Fails where the check of a build did not write what the baseline's did; both are in their logs.
pub(super) fn of_check(run: &Run, name: &str) -> Result<()> {
    let check = run.project.check.as_ref();
    let Some(expression) = check.and_then(|check| check.compare.as_ref()) else {
        return Ok(());
    };
    let written = |name: &str| {
        let log = run.workspace.path(format!("logs/{name}.check.log"));
        captured(expression, &log)
    };
    let expected = written(BASELINE)?;
    if expected.is_nothing() {
        return Err(anyhow!(
            "compare_pattern = '{}' captures nothing in the output of the check command",
            expression.as_str()
        ))
        .next(MEND_PATTERN);
    }
    written(name)?
        .difference(&expected)
        .map_or(Ok(()), |difference| {
            Err(anyhow!(
                "the check command writes other output than under the baseline: compare_pattern captures \
                 {difference}"
            ))
            .next(DIFFERS)
        })
}
