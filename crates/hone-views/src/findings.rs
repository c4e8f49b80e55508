//! What the page says of findings: plain data, whoever found them.

use serde::Serialize;

/// The panel of findings beside the graph.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PageFindings {
    /// What was looked at and how much was found, in a line.
    pub summary: String,
    /// The findings, in the order in which they are shown.
    pub findings: Vec<PageFinding>,
}

/// One finding.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PageFinding {
    /// A short unique name, which also stands in the page's address.
    pub rule: String,
    /// What it says, in a line.
    pub title: String,
    /// How much of the time it is about, 0 to 1, with the ends of the 95 % interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<[f64; 3]>,
    /// What can be gained, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gain: Option<String>,
    /// Where, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// A command to try.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// What to do.
    pub advice: String,
    /// When it does not apply.
    pub unless: String,
    /// What was seen, each with its share of the time where it has one.
    pub seen: Vec<(Option<f64>, String)>,
    /// The functions that it is about, by the names of their frames.
    pub functions: Vec<String>,
}
