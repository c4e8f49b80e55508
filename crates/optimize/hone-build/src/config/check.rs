//! `[check]`: the test that a variant must pass before it is measured.

use regex::Regex;
use serde::Deserialize;

use super::{ConfigError, limit, workload};
use crate::quantity::Seconds;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawCheck {
    command: String,
    compare_pattern: Option<String>,
    limit_seconds: Option<Seconds>,
}

/// The user's check.
#[derive(Clone, Debug)]
pub struct Check {
    /// Shell line; exit status 0 means that the variant works.
    pub command: String,
    /// Pattern for the command's output, standard output and standard error together. The captures must be the
    /// same under every variant.
    pub compare: Option<Regex>,
    /// Time limit of the command in seconds, if the file sets one.
    pub limit_s: Option<f64>,
}

pub(super) fn check(raw: RawCheck) -> Result<Check, ConfigError> {
    let pattern = raw.compare_pattern;
    Ok(Check {
        command: raw.command,
        compare: pattern
            .map(|pattern| workload::compiled("check.compare_pattern", &pattern))
            .transpose()?,
        limit_s: limit(raw.limit_seconds)?,
    })
}
