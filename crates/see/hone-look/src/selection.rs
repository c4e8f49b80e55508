//! Which samples are looked at, and which files give the names.

use std::path::PathBuf;

use regex::Regex;

/// Samples to look at, and files that give the names.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Name of the event; without a name, time or cycles are looked at.
    pub event: Option<String>,
    /// Pattern of a function that each stack must go through.
    pub focus: Option<Regex>,
    /// Pattern of functions whose stacks are left out.
    pub ignore: Option<Regex>,
    /// Pattern of a label that each sample must have, as in `key=value`.
    pub focus_label: Option<Regex>,
    /// Pattern of labels whose samples are left out.
    pub ignore_label: Option<Regex>,
    /// Recorded files that are not where the recording says: files of the same build, or of the same name.
    pub binaries: Vec<PathBuf>,
    /// Debug file of these files, if it does not lie where debuggers look.
    pub debug_file: Option<PathBuf>,
}

impl Selection {
    /// Options with a pattern, which only some stacks pass.
    pub fn filters(&self) -> Vec<&'static str> {
        let patterns = [
            ("--focus", &self.focus),
            ("--ignore", &self.ignore),
            ("--focus-label", &self.focus_label),
            ("--ignore-label", &self.ignore_label),
        ];
        let given = patterns
            .into_iter()
            .filter(|(_, pattern)| pattern.is_some());
        given.map(|(option, _)| option).collect()
    }
}
