//! Recordings of committed programs, and looks at them.

use std::path::{Path, PathBuf};

use hone_files::advice::render;
use hone_look::binaries::Binaries;
use hone_look::names::{Named, named};
use hone_look::recording::Recording;
use hone_look::selection::Selection;
use hone_views::{By, Row, Table, folded, table};
use regex::Regex;
use testkit::recorded;
use testkit::recording::{self, Program};

/// A committed program.
pub(crate) fn program(name: &str) -> Program {
    Program::read(&recorded("programs").join(name))
}

/// A hundred samples of `views`, as [`recording::Recording::views`] says.
pub(crate) fn views(program: &Program) -> recording::Recording {
    let mut made = recording::Recording::of(program);
    made.views(program);
    made
}

/// A place for a recording.
pub(crate) struct Case {
    directory: tempfile::TempDir,
}

impl Case {
    pub(crate) fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        Self { directory }
    }

    /// With this recording as `p.data`.
    pub(crate) fn with(recording: &recording::Recording) -> Self {
        let case = Self::new();
        recording.write(&case.path("p.data"));
        case
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// The stacks of `p.data`; the error is what the command would say.
    pub(crate) fn named(&self, selection: &Selection) -> Result<Named, String> {
        stacks_of(&self.path("p.data"), selection)
    }

    #[track_caller]
    pub(crate) fn table(&self, selection: &Selection, by: By<'_>) -> Table {
        let named = self.named(selection);
        let named = named.unwrap_or_else(|error| panic!("{error}"));
        table(&named.stacks, by)
    }
}

pub(crate) fn stacks_of(path: &Path, selection: &Selection) -> Result<Named, String> {
    look(path, selection, |recording| named(recording, selection))
}

/// Opens a recording and looks at it.
pub(crate) fn look<T>(
    path: &Path,
    selection: &Selection,
    look: impl FnOnce(&Recording<'_>) -> anyhow::Result<T>,
) -> Result<T, String> {
    let binaries = Binaries::of(selection);
    let recording = Recording::read(path, selection, &binaries);
    let looked = recording.and_then(|recording| look(&recording));
    looked.map_err(|error| render(&error))
}

/// Looks at all, through these files where the recorded ones are not.
pub(crate) fn given(files: &[&Path]) -> Selection {
    Selection {
        binaries: files.iter().map(|file| (*file).to_owned()).collect(),
        ..Selection::default()
    }
}

pub(crate) fn pattern(text: &str) -> Option<Regex> {
    Some(Regex::new(text).unwrap())
}

/// The row of a name.
#[track_caller]
pub(crate) fn row<'t>(table: &'t Table, name: &str) -> &'t Row {
    let found = table.rows.iter().find(|row| row.name == name);
    found.unwrap_or_else(|| panic!("no {name} in {:#?}", table.rows))
}

/// Self and total share of a row, in per cent.
#[track_caller]
pub(crate) fn shares(table: &Table, name: &str) -> (f64, f64) {
    let row = row(table, name);
    let percent = |share: f64| (share * 1e4).round() / 1e2;
    (percent(row.self_share), percent(row.total_share))
}

/// The stacks as lines of text, outermost frame first.
pub(crate) fn folded_lines(named: &Named) -> Vec<String> {
    folded(&named.stacks).lines().map(str::to_owned).collect()
}
