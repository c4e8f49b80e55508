//! The JSON form: the model itself, and the way back.

use crate::model::{FORMAT, LadderReport};
use serde::Deserialize;

/// Why a text is not a report that can be read.
#[derive(Debug, thiserror::Error)]
pub enum ParseError {
    /// Not JSON, or not of this model; a number that was not finite is written as `null` and ends up here.
    #[error("not a report of hone: {0}")]
    NotAReport(#[from] serde_json::Error),
    /// Written by a newer Hone.
    #[error("the report has format {found}, this version of hone reads up to format {known}")]
    NewerFormat {
        /// The report's format.
        found: u32,
        /// The newest format known here.
        known: u32,
    },
}

/// Only what must be known before the rest can be read.
#[derive(Deserialize)]
struct Head {
    format: u32,
}

/// The report as indented JSON, with a line end.
pub fn render(report: &LadderReport) -> String {
    let mut out = serde_json::to_string_pretty(report)
        .expect("the model has neither maps nor serialisers that can fail");
    out.push('\n');
    out
}

/// The report as one line, for embedding.
pub(crate) fn compact(report: &LadderReport) -> String {
    serde_json::to_string(report).expect("the model has neither maps nor serialisers that can fail")
}

/// Reads back what [`render`] wrote.
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
