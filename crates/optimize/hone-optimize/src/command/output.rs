//! Compares the results of a variant with the baseline's. By default the results are all of standard output; if the output
//! holds times or depends on chance, hone.toml names an expression that captures the results, or turns the comparison off.

use anyhow::{Result, anyhow};
use hone_build::config::{Compare, Workload};
use regex::Regex;

use crate::run::Run;
use crate::workspace::BASELINE;
use crate::workspace::state::Output;
use hone_files::advice::Advise;
use hone_run::process::Measured;
use hone_run::process::captured::{Captured, captured};

const MEND_PATTERN: &str = "mend it in hone.toml: it is matched line by line, and its groups must hold what \
    every variant has to write alike";
const DIFFERS: &str = "if two runs of the baseline differ there too, let compare_pattern capture less; else the \
    variant computes something else, perhaps by undefined behaviour";

impl Output {
    pub(crate) fn of(measured: &Measured) -> Self {
        Self {
            sha256: measured.stdout_sha256.clone(),
            captured: measured.captured.clone(),
        }
    }

    /// Returns an error if the expression finds nothing, since all variants would then be equal.
    pub(crate) fn can_be_compared(&self, workload: &Workload) -> Result<()> {
        match (&workload.compare, &self.captured) {
            (Compare::Captures(expression), Some(captured)) => {
                let output = format!("the standard output of workload {}", workload.name);
                must_hold(captured, expression, &output)
            }
            _ => Ok(()),
        }
    }

    /// Returns an error if the output is not what the baseline wrote.
    pub(crate) fn equals(&self, expected: &Self, workload: &Workload, built: &str) -> Result<()> {
        let writes = match built {
            BASELINE => format!(
                "workload {} writes other output in each run of the baseline",
                workload.name
            ),
            _ => format!(
                "workload {} writes other output under {built} than under the baseline",
                workload.name
            ),
        };
        match (&workload.compare, &self.captured, &expected.captured) {
            (Compare::Captures(_), Some(found), Some(expected)) => {
                must_equal(found, expected, &writes)
            }
            (Compare::Whole, ..) if self.sha256 != expected.sha256 => {
                Err(anyhow!(writes)).next(
                    "if the output holds times or addresses, say by compare_pattern what must be the same, or \
                     set compare_output = false for it",
                )
            }
            _ => Ok(()),
        }
    }
}

/// Returns an error if the check of a build did not write what the baseline's check did; both outputs are in their logs.
pub(crate) fn of_check(run: &Run, name: &str) -> Result<()> {
    let check = run.project.check.as_ref();
    let Some(expression) = check.and_then(|check| check.compare.as_ref()) else {
        return Ok(());
    };
    let written = |name: &str| {
        let log = run.workspace.path(format!("logs/{name}.check.log"));
        captured(expression, &log)
    };
    let expected = written(BASELINE)?;
    must_hold(&expected, expression, "the output of the check command")?;
    must_equal(
        &written(name)?,
        &expected,
        "the check command writes other output than under the baseline",
    )
}

fn must_hold(captured: &Captured, expression: &Regex, output: &str) -> Result<()> {
    if !captured.is_nothing() {
        return Ok(());
    }
    let expression = expression.as_str();
    Err(anyhow!(
        "compare_pattern = '{expression}' captures nothing in {output}"
    ))
    .next(MEND_PATTERN)
}

fn must_equal(found: &Captured, expected: &Captured, writes: &str) -> Result<()> {
    found.difference(expected).map_or(Ok(()), |difference| {
        Err(anyhow!("{writes}: compare_pattern captures {difference}")).next(DIFFERS)
    })
}

#[cfg(test)]
mod tests {
    use sha2::{Digest, Sha256};

    use super::*;

    fn output(text: &str, expression: &Regex) -> Output {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("out");
        std::fs::write(&file, text).unwrap();
        Output {
            sha256: format!("{:?}", Sha256::digest(text)),
            captured: Some(captured(expression, &file).unwrap()),
        }
    }

    fn workload(compare: Compare) -> Workload {
        let project = hone_build::Project::parse(
            "[program]\nname = \"p\"\nbinary = \"p\"\n[build]\ncommand = \"make\"\n\
             [[train]]\nname = \"t\"\ncommand = \"a\"\n[[measure]]\nname = \"m\"\ncommand = \"b\"\n",
        );
        let workload = project.unwrap().measure[0].clone();
        Workload {
            compare,
            ..workload
        }
    }

    #[test]
    fn what_is_captured_decides_where_the_output_holds_times() {
        let sum = Regex::new(r"^(\d{1,10})$").unwrap();
        let with = |text: &str| output(text, &sum);
        let captures = workload(Compare::Captures(sum.clone()));
        let baseline = with("4711\n1700000000123456789\n");
        baseline.can_be_compared(&captures).unwrap();
        let later = with("4711\n1700000000987654321\n");
        later.equals(&baseline, &captures, "thinlto").unwrap();
        let other = with("4712\n1700000000123456789\n").equals(&baseline, &captures, "thinlto");
        let other = format!("{:#}", other.unwrap_err());
        assert!(
            other.contains("compare_pattern captures '4712' instead of '4711'"),
            "{other}"
        );
        let nothing = with("no sum\n").can_be_compared(&captures);
        let nothing = format!("{:#}", nothing.unwrap_err());
        assert!(nothing.contains("captures nothing"), "{nothing}");
    }

    #[test]
    fn the_whole_output_or_nothing_decides_without_an_expression() {
        let any = Regex::new("x").unwrap();
        let [one, other] = ["one", "other"].map(|text| output(text, &any));
        let whole = other.equals(&one, &workload(Compare::Whole), "thinlto");
        let whole = format!("{:#}", whole.unwrap_err());
        assert!(
            whole.contains("writes other output under thinlto"),
            "{whole}"
        );
        let unsteady = other.equals(&one, &workload(Compare::Whole), BASELINE);
        let unsteady = format!("{:#}", unsteady.unwrap_err());
        assert!(
            unsteady.contains("in each run of the baseline"),
            "{unsteady}"
        );
        other
            .equals(&one, &workload(Compare::Nothing), "thinlto")
            .unwrap();
    }
}
