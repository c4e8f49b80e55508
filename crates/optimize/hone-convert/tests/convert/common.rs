//! A place for the files of a test, and conversions as the command makes them, with errors as users read them.

use std::fs;
use std::path::{Path, PathBuf};

use hone_convert::{Form, Profile, Program, Request, convert};
use hone_files::advice::render;
use hone_profile::Avma;
use testkit::recorded;
use testkit::recording::{self, Recording};

/// Every kind of form: by source in text and bytes, for GCC, by address, for linkers, for people.
pub(crate) const FORMS: [Form; 8] = [
    Form::AutofdoText,
    Form::AutofdoExtbinary,
    Form::GccGcov,
    Form::BoltFdata,
    Form::BoltPreaggregated,
    Form::SymbolOrder,
    Form::Text,
    Form::Json,
];

/// A committed program.
pub(crate) fn program(name: &str) -> recording::Program {
    recording::Program::read(&recorded("programs").join(name))
}

/// Conversions of one binary, and a directory for their input.
pub(crate) struct Case {
    directory: tempfile::TempDir,
    pub(crate) binary: PathBuf,
}

impl Case {
    /// Conversions of a committed program.
    pub(crate) fn of(name: &str) -> Self {
        Self::of_file(&recorded("programs").join(name))
    }

    pub(crate) fn of_file(binary: &Path) -> Self {
        Self {
            directory: tempfile::tempdir().unwrap(),
            binary: binary.to_owned(),
        }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        fs::write(self.path(name), content).unwrap();
        self.path(name)
    }

    /// The request for a file that was written here, or lies elsewhere.
    pub(crate) fn request(&self, input: impl AsRef<Path>, to: Form) -> Request {
        let input = self.directory.path().join(input);
        Request::new(&[input], &Program::alone(&self.binary), to)
    }

    /// Converts; the error is what the command would say.
    pub(crate) fn try_convert(&self, input: impl AsRef<Path>, to: Form) -> Result<Profile, String> {
        try_convert(&self.request(input, to))
    }

    #[track_caller]
    pub(crate) fn convert(&self, input: impl AsRef<Path>, to: Form) -> (String, String) {
        text(self.try_convert(input, to))
    }

    /// The profile of a form.
    #[track_caller]
    pub(crate) fn profile(&self, input: impl AsRef<Path>, to: Form) -> String {
        self.convert(input, to).0
    }

    /// Expects an error of one line with a next step; both.
    #[track_caller]
    pub(crate) fn refused(&self, input: impl AsRef<Path>, to: Form) -> String {
        refusal(self.try_convert(input, to))
    }
}

pub(crate) fn try_convert(request: &Request) -> Result<Profile, String> {
    convert(request).map_err(|error| render(&error))
}

/// A profile and what is said of it.
#[track_caller]
pub(crate) fn text(made: Result<Profile, String>) -> (String, String) {
    let made = made.unwrap_or_else(|error| panic!("{error}"));
    let profile = String::from_utf8_lossy(&made.bytes).into_owned();
    (profile, made.said)
}

#[track_caller]
pub(crate) fn refusal<T>(made: Result<T, String>) -> String {
    let Err(said) = made else {
        panic!("it was not refused")
    };
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 2, "{said}");
    assert!(lines[0].starts_with("hone: "), "{said}");
    assert!(lines[1].starts_with("next: "), "{said}");
    said
}

/// How often the first line of a function ran, in a text profile.
pub(crate) fn first_count<'p>(profile: &'p str, function: &str) -> Option<&'p str> {
    let mut lines = profile.lines();
    lines.find(|line| line.starts_with(&format!("{function}:")))?;
    lines.next()?.strip_prefix(" 0: ")
}

/// A recording in which one function of `steps` jumps to the other and back, so many times.
pub(crate) fn jumps(program: &recording::Program, times: u64) -> Recording {
    let mut recording = Recording::with_branches(program, "cycles:u");
    jump(&mut recording, program, 0, times);
    recording
}

/// Adds samples of such jumps to an event.
pub(crate) fn jump(
    recording: &mut Recording,
    program: &recording::Program,
    event: usize,
    times: u64,
) {
    let [step, turn] = ends(recording, program);
    let stack = [(turn, step), (step, turn), (turn, step)];
    recording.branches(event, times, turn, &stack);
}

fn ends(recording: &Recording, program: &recording::Program) -> [Avma; 2] {
    ["step", "turn"].map(|name| recording.at(program.function(name)))
}
