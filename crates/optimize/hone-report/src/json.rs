//! The JSON form of a report: writing and parsing the model.

use crate::model::{FORMAT, LadderReport};
use serde::Deserialize;

/// Reason why a text cannot be read as a report.
#[derive(Debug, thiserror::Error)]
pub enum ParseError {
    /// Text that is not JSON, or not of this model; a number that is not finite is written as `null` and leads to this error.
    #[error("not a report of hone: {0}")]
    NotAReport(#[from] serde_json::Error),
    /// Report of a newer Hone.
    #[error("the report has format {found}, this version of hone reads up to format {known}")]
    NewerFormat {
        /// Format of the report.
        found: u32,
        /// Newest format that this Hone knows.
        known: u32,
    },
}

/// Part of a report that must be known before the rest can be read.
#[derive(Deserialize)]
struct Head {
    format: u32,
}

/// Returns the report as indented JSON, with a newline at the end.
pub fn render(report: &LadderReport) -> String {
    let mut out = serde_json::to_string_pretty(report)
        .expect("the model has neither maps nor serialisers that can fail");
    out.push('\n');
    out
}

/// Returns the report as one line, for embedding.
pub(crate) fn compact(report: &LadderReport) -> String {
    serde_json::to_string(report).expect("the model has neither maps nor serialisers that can fail")
}

/// Parses the output of [`render`].
pub fn parse(text: &str) -> Result<LadderReport, ParseError> {
    let head: Head = serde_json::from_str(text)?;
    if head.format > FORMAT {
        return Err(ParseError::NewerFormat {
            found: head.format,
            known: FORMAT,
        });
    }
    Ok(serde_json::from_str(text)?)
}
