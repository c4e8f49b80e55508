//! Numbers and columns for the terminal.

use std::path::Path;

use console::Term;
use hone_views::is_time;
use indicatif::HumanCount;

/// Two letters of a name are no name.
const NAME_COLUMNS_MIN: usize = 20;

/// A share, `12.3 %`.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// The file of a row's binary, in brackets behind its name.
pub(crate) fn binary_in_brackets(name: &str, binary: &str) -> String {
    match binary.rsplit('/').next().unwrap_or_default() {
        "" => String::new(),
        // Code without a name is called by its file.
        file if name.starts_with('[') && name.contains(file) => String::new(),
        file => format!("  ({file})"),
    }
}

/// What a view is of: the recording, how many samples of which event, and what those stand for.
pub(crate) fn header(recording: &Path, event: &str, samples: u64, weight: u64) -> String {
    let what = samples_in_words(event, samples, weight);
    format!("{}: {what}", recording.display())
}

/// How many samples of which event, and what those stand for.
pub(crate) fn samples_in_words(event: &str, samples: u64, weight: u64) -> String {
    let samples = match samples {
        1 => "1 sample".to_owned(),
        many => format!("{} samples", HumanCount(many)),
    };
    format!("{samples} of {event}, {}", weight_in_words(event, weight))
}

/// What samples stand for, in words: CPU time where a clock made them.
fn weight_in_words(event: &str, weight: u64) -> String {
    if is_time(event) {
        format!("{:.2} s of CPU time", weight as f64 / 1e9)
    } else {
        format!("about {} events", HumanCount(weight))
    }
}

/// How wide a line may be: as wide as the terminal, or as wide as it likes.
pub(crate) struct Columns {
    width: Option<usize>,
}

impl Columns {
    /// Those of standard output.
    pub(crate) fn of_stdout() -> Self {
        let term = Term::stdout();
        let size = term.is_term().then(|| term.size_checked()).flatten();
        Self {
            width: size.map(|(_, columns)| usize::from(columns)),
        }
    }

    /// The name, cut if it does not fit behind so many columns.
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
