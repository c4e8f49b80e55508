//! Shared arguments and words of `hone top`, `callers`, `callees`, `diff` and others. hone-look opens the recording.

mod columns;
mod labels;
mod notes;
mod rows;
mod sides;

use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};
use hone_look::binaries::Binaries;
use hone_look::names;
use hone_look::recording::Recording;
use hone_look::selection::Selection;
use hone_views::Stacks;
use regex::Regex;

use crate::event::EventArgs;
pub(crate) use columns::{Columns, binary_in_brackets, header, percent, samples_in_words};
pub(crate) use labels::LabelKeys;
pub(crate) use notes::Notes;
pub(crate) use rows::{Rows, RowsParser};
pub(crate) use sides::SideNames;

/// Which samples, and where their names come from.
#[derive(clap::Args)]
pub(crate) struct SelectionArgs {
    #[command(flatten)]
    events: EventArgs,
    /// Only stacks with a function that this pattern matches
    #[arg(long, value_name = "REGEX")]
    focus: Option<Regex>,
    /// No stacks with a function that this pattern matches
    #[arg(long, value_name = "REGEX")]
    ignore: Option<Regex>,
    /// Only samples with a label that this pattern matches, written as key=value
    #[arg(long, value_name = "REGEX")]
    focus_label: Option<Regex>,
    /// No samples with a label that this pattern matches
    #[arg(long, value_name = "REGEX")]
    ignore_label: Option<Regex>,
    /// The binary that was recorded, where it is not where the recording says: a program or library of that build, or of that
    /// name
    #[arg(long, value_name = "FILE")]
    binary: Vec<PathBuf>,
    /// The debug file of those, where it does not lie where debuggers look
    #[arg(long, value_name = "FILE", requires = "binary")]
    debug_file: Option<PathBuf>,
}

impl SelectionArgs {
    pub(crate) fn selection(&self) -> Selection {
        Selection {
            event: self.events.name().map(str::to_owned),
            focus: self.focus.clone(),
            ignore: self.ignore.clone(),
            focus_label: self.focus_label.clone(),
            ignore_label: self.ignore_label.clone(),
            binaries: self.binary.clone(),
            debug_file: self.debug_file.clone(),
        }
    }
}

/// The stacks of a recording, and notes about them.
pub(crate) struct Viewed {
    pub(crate) stacks: Stacks,
    /// Text on how the stacks end, if the samples have stacks.
    pub(crate) quality: Option<String>,
    /// Notes for standard error.
    pub(crate) notes: Notes,
}

impl Viewed {
    /// Prints the notes, some of which may say why, and returns the error that no `what` (a sample, say) is in a function.
    pub(crate) fn none_in(&self, what: &str, function: &str) -> anyhow::Error {
        self.notes.say();
        let known = match self.stacks.unknown.by_binary.is_empty() {
            true => "",
            false => ", as far as names are known",
        };
        anyhow!("no {what} is in a function {function}{known}")
    }
}

/// Reads a recording and names its stacks.
pub(crate) fn view(path: &Path, args: &SelectionArgs) -> Result<Viewed> {
    let selection = args.selection();
    let binaries = Binaries::of(&selection);
    named_stacks(&Recording::read(path, &selection, &binaries)?, &selection)
}

/// Reads two recordings and names their stacks.
pub(crate) fn view_both(paths: [&Path; 2], args: &SelectionArgs) -> Result<[Viewed; 2]> {
    let selection = args.selection();
    let binaries = Binaries::of(&selection);
    let view = |path| named_stacks(&Recording::read(path, &selection, &binaries)?, &selection);
    let [old, new] = paths;
    Ok([view(old)?, view(new)?])
}

/// Names the stacks of a recording.
pub(crate) fn named_stacks(recording: &Recording<'_>, selection: &Selection) -> Result<Viewed> {
    let named = names::named(recording, selection)?;
    Ok(Viewed {
        quality: notes::quality(&named),
        notes: Notes::on(&named, recording),
        stacks: named.stacks,
    })
}
