//! What the rows of `hone top` and `hone diff` stand for.

use std::ffi::OsStr;
use std::path::Path;

use anyhow::Result;
use clap::ValueEnum;
use clap::builder::{EnumValueParser, PossibleValue, TypedValueParser};
use hone_views::{By, Stacks, Table, table};

use super::LabelKeys;

/// The kinds of rows.
#[derive(Clone, Copy, ValueEnum)]
enum Subject {
    Function,
    File,
    Line,
    Binary,
    Thread,
    Process,
    /// All processes of a name
    Command,
    /// All samples with the same pprof labels; label:KEY,KEY looks only at these keys
    Label,
}

/// The kind of rows that the user chose.
#[derive(Clone)]
pub(crate) struct Rows {
    subject: Subject,
    keys: LabelKeys,
}

impl Rows {
    /// Returns the table of the stacks of a recording.
    ///
    /// # Errors
    ///
    /// Returns an error if rows are labels that the recording does not have.
    pub(crate) fn table(&self, stacks: &Stacks, recording: &Path) -> Result<Table> {
        let by = match self.subject {
            Subject::Function => By::Function,
            Subject::File => By::File,
            Subject::Line => By::Line,
            Subject::Binary => By::Binary,
            Subject::Thread => By::Thread,
            Subject::Process => By::Process,
            Subject::Command => By::Command,
            Subject::Label => {
                self.keys.must_be_in(stacks, recording)?;
                By::Label(&self.keys.0)
            }
        };
        Ok(table(stacks, by))
    }

    /// Returns the heading of the rows' names.
    pub(crate) fn header(&self) -> &'static str {
        match self.subject {
            Subject::Function => "function",
            Subject::File => "file",
            Subject::Line => "line",
            Subject::Binary => "binary",
            Subject::Thread => "thread",
            Subject::Process => "process",
            Subject::Command => "command",
            Subject::Label => "label",
        }
    }
}

/// Parser of [`Rows`]: one of the kinds, or `label:KEY,...`.
#[derive(Clone)]
pub(crate) struct RowsParser;

impl TypedValueParser for RowsParser {
    type Value = Rows;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<Rows, clap::Error> {
        if let Some(keys) = value.to_str().and_then(LabelKeys::of) {
            let subject = Subject::Label;
            return Ok(Rows { subject, keys });
        }
        let subject = EnumValueParser::<Subject>::new().parse_ref(command, argument, value)?;
        let keys = LabelKeys::default();
        Ok(Rows { subject, keys })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let kinds = Subject::value_variants().iter();
        Some(Box::new(kinds.filter_map(ValueEnum::to_possible_value)))
    }
}
