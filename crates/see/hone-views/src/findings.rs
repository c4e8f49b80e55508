//! Findings on the page: plain data, independent of who found them.

use serde::Serialize;

/// The panel of findings beside the graph.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PageFindings {
    /// One line on what was examined and how much was found.
    pub summary: String,
    /// The findings, in the order in which they are shown.
    pub findings: Vec<PageFinding>,
    /// Sentences on who did not look, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_looked: Vec<String>,
}

/// A finding on the page.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PageFinding {
    /// Short unique name, which is also part of the page's address.
    pub rule: String,
    /// Statement of the finding in one line.
    pub title: String,
    /// Share of the time that the finding is about, 0 to 1, with the ends of the 95 % interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<[f64; 3]>,
    /// CPU cores that the share is of, with their standard error, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cores: Option<String>,
    /// Estimated gain in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gain: Option<String>,
    /// Place in the program in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// A command to try.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// Advice on what to do.
    pub advice: String,
    /// Circumstances in which the finding does not apply.
    pub unless: String,
    /// Observations, each with its share of the time if it has a share.
    pub seen: Vec<(Option<f64>, String)>,
    /// Functions that the finding is about, by the names of their frames.
    pub functions: Vec<String>,
}
