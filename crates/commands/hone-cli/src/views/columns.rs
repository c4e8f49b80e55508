//! Numbers and columns for the terminal.

use std::path::Path;

use console::Term;
use hone_views::is_time;
use indicatif::HumanCount;

/// Smallest number of columns for a name that is cut; two letters of a name are no name.
const NAME_COLUMNS_MIN: usize = 20;

/// Formats a share as `12.3 %`.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// Returns the file of a row's binary in brackets, to put behind the row's name.
pub(crate) fn binary_in_brackets(name: &str, binary: &str) -> String {
    match binary.rsplit('/').next().unwrap_or_default() {
        "" => String::new(),
        // Code without a name is called by its file.
        file if name.starts_with('[') && name.contains(file) => String::new(),
        file => format!("  ({file})"),
    }
}

/// Returns the header of a view: the recording, the number of samples of the event, and their weight.
pub(crate) fn header(recording: &Path, event: &str, samples: u64, weight: u64) -> String {
    let what = samples_in_words(event, samples, weight);
    format!("{}: {what}", recording.display())
}

/// Describes the number of samples of an event and their weight.
pub(crate) fn samples_in_words(event: &str, samples: u64, weight: u64) -> String {
    let samples = match samples {
        1 => "1 sample".to_owned(),
        many => format!("{} samples", HumanCount(many)),
    };
    format!("{samples} of {event}, {}", weight_in_words(event, weight))
}

/// Describes the weight of samples: CPU time if a clock took them, else a number of events.
fn weight_in_words(event: &str, weight: u64) -> String {
    if is_time(event) {
        format!("{:.2} s of CPU time", weight as f64 / 1e9)
    } else {
        format!("about {} events", HumanCount(weight))
    }
}

/// Width of a line: that of the terminal, or unlimited.
pub(crate) struct Columns {
    width: Option<usize>,
}

impl Columns {
    /// Returns the width of standard output.
    pub(crate) fn of_stdout() -> Self {
        let term = Term::stdout();
        let size = term.is_term().then(|| term.size_checked()).flatten();
        Self {
            width: size.map(|(_, columns)| usize::from(columns)),
        }
    }

    /// Returns the name, cut if it does not fit behind `before` columns.
    pub(crate) fn fit(&self, name: &str, before: usize) -> String {
        match self.width {
            Some(width) => {
                let left = width.saturating_sub(before).max(NAME_COLUMNS_MIN);
                console::truncate_str(name, left, "...").into_owned()
            }
            None => name.to_owned(),
        }
    }
}
