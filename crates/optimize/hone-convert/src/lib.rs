//! Converts recordings to compiler profiles: opens the files, runs hone-fdo on them, writes the form that was asked for, and
//! describes the result in words. Also adds profiles up ([`merged`]) and judges them ([`judged`]).
#![forbid(unsafe_code)]

mod address_forms;
mod counters;
pub mod fitness;
mod form;
mod go_pgo;
pub mod ir;
mod join;
mod memops;
pub mod merged;
mod messages;
mod propeller;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use hone_fdo::devirtualise::{self, Reach};
use hone_fdo::indirect::IndirectCalls;
use hone_fdo::{
    Code, Converted, Counted, Evidence, FdoError, Recorded, SampleProfile, autofdo_text, check,
    convert_parsed, count_binary, extbinary, gcov, quality, vectorised,
};
use hone_files::advice::Advise;
use hone_inputs::debug_file::Loaded;
use hone_inputs::recording::{EventChoice, Reading, read, read_all};
use hone_symbols::{Binary, DebugInfo, VirtualFunctions};
use indicatif::HumanCount;

pub use self::counters::{counters_of, merge_counters};
pub use self::form::Form;
pub use self::join::Joined;
use self::join::joined;
pub use self::memops::{headers_into as memops_headers, write_headers};
use self::messages::{evidence_used, explain, explain_of, notes};
pub use self::messages::{must_be_whole, next_step, sentence};
pub use self::propeller::{lay_out, layout_into};

/// Input of a conversion, and the form to convert to.
#[derive(Clone)]
pub struct Request {
    /// Recordings of every kind that [`hone_inputs::recording`] reads.
    pub recordings: Vec<PathBuf>,
    /// The files that were recorded.
    pub program: Program,
    /// Debug file or split package of the program's binary, if it does not lie where debuggers look.
    pub debug_file: Option<PathBuf>,
    /// The form of the profile.
    pub to: Form,
    /// Events that count.
    pub events: EventChoice,
    /// Kind of evidence: branch records, or plain samples even where there are branch records.
    pub evidence: Evidence,
    /// True if pseudo-probes name the places in the source, instead of lines.
    pub probes: bool,
    /// The IR of the program's sources, for [`Form::Profdata`].
    pub ir: Option<PathBuf>,
    /// True if an extended binary profile lists the functions without samples.
    pub symbol_list: bool,
}

impl Request {
    /// Creates a request for all events of the recordings, by branch records and lines.
    pub fn new(recordings: &[PathBuf], program: &Program, to: Form) -> Self {
        Self {
            recordings: recordings.to_vec(),
            program: program.clone(),
            debug_file: None,
            to,
            events: EventChoice::default(),
            evidence: Evidence::Branches,
            probes: false,
            ir: None,
            symbol_list: true,
        }
    }

    /// Reads the program, then its libraries.
    fn loaded(&self) -> Result<Vec<Loaded>> {
        let libraries = self.program.libraries.iter();
        let libraries = libraries.map(|library| Loaded::read(library, None));
        std::iter::once(self.loaded_binary())
            .chain(libraries)
            .collect()
    }

    fn loaded_binary(&self) -> Result<Loaded> {
        Loaded::read(&self.program.binary, self.debug_file.as_deref())
    }

    /// Counts what the recordings say of the program's code.
    fn counted(&self, recorded: &[Recorded], code: &Code<'_>) -> Result<Counted> {
        let binary = self.program.binary.to_str();
        let counted = count_binary(recorded, self.evidence, binary, code);
        counted.map_err(|error| explain(error, self))
    }
}

/// A profile and its description.
pub struct Profile {
    /// The file's content.
    pub bytes: Vec<u8>,
    /// Lines on the input, the output, and what lowers the profile's worth.
    pub said: String,
}

/// Files of a program that is profiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The file that is run.
    pub binary: PathBuf,
    /// Libraries that the program's own build made.
    pub libraries: Vec<PathBuf>,
}

impl Program {
    /// Creates a program without libraries.
    pub fn alone(binary: &Path) -> Self {
        Self {
            binary: binary.to_owned(),
            libraries: Vec::new(),
        }
    }
}

/// Converts the recordings of a program to the form that the request names.
///
/// # Errors
///
/// Returns an error if a file cannot be read, if recordings and binary do not belong together, or if the form cannot hold
/// what was recorded. [`memops_headers`] and [`layout_into`] write the forms that are directories.
pub fn convert(request: &Request) -> Result<Profile> {
    match request.to {
        to if request.ir.is_some() && to != Form::Profdata => {
            Err(anyhow!("--ir is for counters")).next("leave it out, or choose --to profdata")
        }
        Form::AutofdoText | Form::AutofdoExtbinary => by_source(request),
        Form::Profdata if !request.probes => Err(anyhow!("counters are found by probes"))
            .next("record a build with -fpseudo-probe-for-profiling, and add --probes"),
        Form::Profdata => counters::convert(request),
        _ if request.probes => Err(anyhow!(
            "--probes is for AutoFDO profiles of LLVM and for counters"
        ))
        .next("leave it out, or choose --to autofdo-extbinary"),
        Form::GccGcov => by_source(request),
        Form::Memops | Form::MemopsHeaders => memops::convert(request),
        _ if !request.program.libraries.is_empty() => {
            Err(anyhow!("a profile of this form is of one file"))
                .next("leave --library out, or name the library with --binary")
        }
        Form::GoPgo => go_pgo::convert(request),
        _ => address_forms::convert(request),
    }
}

/// Converts to a form that names places in the source.
fn by_source(request: &Request) -> Result<Profile> {
    let keys = if request.probes {
        Keys::Probes
    } else {
        Keys::Lines
    };
    let Joined { converted, notes } = joined(request, keys)?;
    let profile = &converted.attribution.samples;
    let bytes = match request.to {
        Form::AutofdoText => autofdo_text::write(profile).into_bytes(),
        Form::GccGcov => gcov::write(profile),
        _ if !request.symbol_list => extbinary::write(profile, None),
        _ => autofdo_extbinary(&converted)?,
    };
    Ok(Profile {
        bytes,
        said: describe(&converted, keys) + &as_notes(&notes),
    })
}

fn as_notes(lines: &str) -> String {
    lines
        .lines()
        .map(|line| format!("note: {line}\n"))
        .collect()
}

/// Names of places in the source: line numbers or probe numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keys {
    Lines,
    Probes,
}

/// Reads recordings of a binary and converts them by source lines.
pub fn load(recordings: &[PathBuf], binary: &Path, evidence: Evidence) -> Result<Converted> {
    let loaded = Loaded::read(binary, None)?;
    let all = EventChoice::default();
    let recorded = read_all(recordings, &loaded, &all)?;
    by_lines(
        recordings,
        recorded,
        &loaded,
        evidence,
        |converted, _, _| Ok(converted),
    )
}

/// Reads recordings of a program with its libraries and converts them by source lines; the result has notes on the
/// libraries.
pub fn load_program(
    recordings: &[PathBuf],
    program: &Program,
    evidence: Evidence,
) -> Result<Joined> {
    let request = Request {
        evidence,
        ..Request::new(recordings, program, Form::AutofdoText)
    };
    joined(&request, Keys::Lines)
}

/// Converts recordings of a binary by source lines, and calls `look` with the result, the binary and its debug information.
fn by_lines<T>(
    recordings: &[PathBuf],
    recorded: Vec<Recorded>,
    loaded: &Loaded,
    evidence: Evidence,
    look: impl for<'b> FnOnce(Converted, &Binary<'b>, &DebugInfo<'b>) -> Result<T>,
) -> Result<T> {
    let failed = |error: FdoError| explain_of(error, recordings, loaded.path());
    let binary = Binary::parse(loaded.image()).map_err(|error| failed(error.into()))?;
    let debug = DebugInfo::parse(&binary).map_err(|error| failed(error.into()))?;
    let hint = loaded.path().to_str();
    let converted = convert_parsed(&recorded, evidence, hint, &binary, &debug).map_err(failed)?;
    // The recordings are large and have been counted.
    drop(recorded);
    look(converted, &binary, &debug)
}

/// Writes the extended binary form with the list of all functions.
pub fn autofdo_extbinary(converted: &Converted) -> Result<Vec<u8>> {
    checked_extbinary(&converted.attribution.samples, &converted.symbols)
}

/// Writes the extended binary form with a list of functions. The independent checker reads the bytes back before anybody
/// relies on them.
pub fn checked_extbinary(profile: &SampleProfile, symbols: &[String]) -> Result<Vec<u8>> {
    let bytes = extbinary::write(profile, Some(symbols));
    let read = check::read_extbinary(&bytes)
        .context("the profile that was written cannot be read back")?;
    if let Some(first) = check::compare(profile, &read).first() {
        bail!(
            "the profile that was written reads back with another {} of {:?}",
            first.what,
            first.path
        );
    }
    Ok(bytes)
}

/// Counts the indirect calls that the recordings saw in the binary.
pub fn indirect_calls(recordings: &[PathBuf], binary: &Path) -> Result<IndirectCalls> {
    calls_in(recordings, binary, |calls, _| Ok(calls))
}

/// Counts how many of the recorded indirect calls of the binary whole-program devirtualisation could reach.
pub fn devirtualisable(recordings: &[PathBuf], binary: &Path) -> Result<Reach> {
    calls_in(recordings, binary, |calls, binary| {
        let functions = VirtualFunctions::read(binary)?;
        Ok(devirtualise::reach(&calls, binary, &functions))
    })
}

fn calls_in<T>(
    recordings: &[PathBuf],
    binary: &Path,
    look: impl FnOnce(IndirectCalls, &Binary<'_>) -> Result<T>,
) -> Result<T> {
    let loaded = Loaded::read(binary, None)?;
    let recorded = read_all(recordings, &loaded, &EventChoice::default())?;
    by_lines(
        recordings,
        recorded,
        &loaded,
        Evidence::Branches,
        |converted, binary, debug| {
            let code = Code::new(binary);
            let calls = hone_fdo::indirect::indirect_calls(&converted.counts, &code, Some(debug));
            look(calls, binary)
        },
    )
}

/// Adds up plain samples of the binary by source line, and the samples on vector arithmetic.
pub fn lines(recordings: &[PathBuf], binary: &Path) -> Result<vectorised::Lines> {
    let loaded = Loaded::read(binary, None)?;
    let recorded = read_all(recordings, &loaded, &EventChoice::default())?;
    by_lines(
        recordings,
        recorded,
        &loaded,
        Evidence::IpSamples,
        |converted, binary, debug| Ok(vectorised::by_line(&converted.counts, binary, debug)),
    )
}

/// Finds the binary with the most samples of a recording, at the path where it was recorded.
pub fn recorded_binary(recording: &Path) -> Result<PathBuf> {
    let files = read(recording)?.files_by_samples();
    let hottest = files
        .into_iter()
        .next()
        .ok_or_else(|| anyhow!("it holds no samples"));
    let (path, _) = hottest
        .with_context(|| recording.display().to_string())
        .next("name another recording")?;
    if !Path::new(&path).exists() {
        return Err(anyhow!("its binary {path} is not on this machine"))
            .with_context(|| recording.display().to_string())
            .next("name the recorded binary with --binary FILE");
    }
    Ok(path.into())
}

fn list(recordings: &[PathBuf]) -> String {
    let names: Vec<_> = recordings
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    names.join(", ")
}

/// Describes input and output of a conversion for people.
fn describe(converted: &Converted, keys: Keys) -> String {
    let attributed = &converted.attribution.report;
    let profile = &converted.attribution.samples;
    let text = format!(
        "{} -> {} functions, {} of {} executed instructions {}\n",
        evidence_used(&converted.counts.report),
        HumanCount(profile.functions.len() as u64),
        HumanCount(attributed.attributed),
        HumanCount(attributed.weight),
        match keys {
            Keys::Lines => "have a source line",
            Keys::Probes => "are in functions with probes",
        },
    );
    let figures = quality::of_recording(converted, 0, &quality::Limits::default());
    text + &notes(&converted.warnings) + &quality::short(&quality::Quality { figures })
}
