//! `hone convert`: recordings in, compiler profiles out. The work is hone-fdo's; here are files, names and
//! words for people.

mod by_address;
mod counters;
mod go_pgo;
mod joined;
mod memops;
mod propeller;
mod words;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow, bail};
use clap::ValueEnum;
use hone_fdo::devirtualise::{self, Reach};
use hone_fdo::indirect::IndirectCalls;
use hone_fdo::{
    Converted, Evidence, FdoError, Recorded, autofdo_text, check, extbinary, gcov, quality,
    vectorised,
};
use hone_symbols::{Binary, DebugInfo, VirtualFunctions};
use indicatif::HumanCount;

pub(crate) use self::counters::{counters_of, merge_counters};
use self::joined::{Joined, joined};
pub(crate) use self::memops::headers_into as memops_headers;
pub(crate) use self::propeller::lay_out;
use self::words::{explain, explain_of, notes};
pub(crate) use self::words::{must_be_whole, next_step, sentence};
use crate::debug_file::Loaded;
use crate::output::to_stdout;
use crate::recording::{EventChoice, Reading, read, read_all};
use hone_run::advice::Advise;
use hone_run::files::{must_be_writable, write_whole};

/// Turn a recording with branch stacks into a profile for the compiler
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  hone convert hone.data --binary ./server --to autofdo-extbinary -o server.prof\n  \
    clang++ -fprofile-sample-use=server.prof ..."
)]
pub(crate) struct Args {
    /// Recordings: perf.data of Hone or perf, text of perf script, pprof, BOLT's pre-aggregated text, text of
    /// llvm-profgen --skip-symbolization
    #[arg(required = true)]
    recordings: Vec<PathBuf>,
    /// The binary that was recorded; with debug info, where the form names source lines
    #[arg(long, value_name = "FILE")]
    binary: PathBuf,
    /// A library of the same program, whose functions the profile shall hold too: for the forms of AutoFDO and GCC, and sizes.
    /// May be repeated
    #[arg(long, value_name = "FILE")]
    library: Vec<PathBuf>,
    /// Its debug file or split package (.dwp), where that does not lie where debuggers look
    #[arg(long, value_name = "FILE")]
    debug_file: Option<PathBuf>,
    /// The form of the profile
    #[arg(long, value_enum)]
    to: Form,
    /// Where it goes, for propeller and memops-headers a directory; standard output where not given
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    events: EventChoice,
    /// Use plain samples even where there are branch records
    #[arg(long)]
    ip_samples: bool,
    /// Key an AutoFDO profile by pseudo probes, for builds with -fpseudo-probe-for-profiling
    #[arg(long, conflicts_with = "ip_samples")]
    probes: bool,
    /// For profdata: the IR of the program's sources, from hone wrap --ir DIR
    #[arg(long, value_name = "DIR")]
    ir: Option<PathBuf>,
    /// Leave the list of functions without samples out of an extended binary profile
    #[arg(long)]
    no_symbol_list: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// LLVM sample profile, text
    AutofdoText,
    /// LLVM sample profile, extended binary
    AutofdoExtbinary,
    /// Counters of instrumented PGO for -fprofile-use, from a recording of a build with probes; needs --probes and --ir. Use
    /// it with -mllvm -disable-preinline
    Profdata,
    /// GCC's profile for -fauto-profile, made for GCC 12
    GccGcov,
    /// BOLT's fdata, for llvm-bolt -data; also from plain samples
    BoltFdata,
    /// BOLT's pre-aggregated branches and ranges, for perf2bolt -pa
    BoltPreaggregated,
    /// Functions in the order in which they should lie, for lld's --symbol-ordering-file
    SymbolOrder,
    /// The same as sections, for gold's --section-ordering-file
    SectionOrder,
    /// Blocks and functions in the order in which they should lie, for clang and lld: a directory of two files. The
    /// binary must be built with -fbasic-block-address-map
    Propeller,
    /// default.pgo for Go, from a recording with branch records or call chains of a Go program
    GoPgo,
    /// Sizes of memcpy, memmove, memset and memcmp by place, from walked branches
    Memops,
    /// The same as headers that compare with the usual sizes first, for -isystem DIR
    MemopsHeaders,
    /// Functions, hottest branches and losses as JSON
    Json,
    /// The same as a table
    Text,
}

/// A profile, and what is said about it.
struct Output {
    bytes: Vec<u8>,
    said: String,
}

impl Args {
    /// What most of the command line has for a conversion within Hone.
    fn plain(recordings: &[PathBuf], program: &Program, to: Form) -> Self {
        Self {
            recordings: recordings.to_vec(),
            binary: program.binary.clone(),
            library: program.libraries.clone(),
            debug_file: None,
            to,
            output: None,
            events: EventChoice::default(),
            ip_samples: false,
            probes: false,
            ir: None,
            no_symbol_list: false,
        }
    }

    /// The program, then its libraries.
    fn loaded(&self) -> Result<Vec<Loaded>> {
        let libraries = self
            .library
            .iter()
            .map(|library| Loaded::read(library, None));
        std::iter::once(self.loaded_binary())
            .chain(libraries)
            .collect()
    }

    fn loaded_binary(&self) -> Result<Loaded> {
        Loaded::read(&self.binary, self.debug_file.as_deref())
    }

    fn evidence(&self) -> Evidence {
        if self.ip_samples {
            Evidence::IpSamples
        } else {
            Evidence::Branches
        }
    }
}

pub(crate) fn run(args: Args) -> Result<ExitCode> {
    let is_directory = matches!(args.to, Form::MemopsHeaders | Form::Propeller);
    if let Some(path) = args.output.as_deref().filter(|_| !is_directory) {
        must_be_writable(path)?;
    }
    if args.to == Form::MemopsHeaders {
        eprint!("{}", memops::write_headers(&args)?);
        return Ok(ExitCode::SUCCESS);
    }
    if args.to == Form::Propeller && args.library.is_empty() {
        return propeller::run(&args);
    }
    let output = make(&args)?;
    match &args.output {
        Some(path) => write_whole(path, &output.bytes)?,
        None => to_stdout(&output.bytes)?,
    }
    eprint!("{}", output.said);
    Ok(ExitCode::SUCCESS)
}

/// The files of a program that a profile is of.
pub(crate) struct Program {
    pub(crate) binary: PathBuf,
    /// Those that its own build made.
    pub(crate) libraries: Vec<PathBuf>,
}

impl Program {
    /// Without libraries.
    pub(crate) fn alone(binary: &Path) -> Self {
        Self {
            binary: binary.to_owned(),
            libraries: Vec::new(),
        }
    }
}

/// What the recordings say of a program, in one form.
pub(crate) fn made(
    recordings: &[PathBuf],
    program: &Program,
    to: Form,
    probes: bool,
) -> Result<Vec<u8>> {
    let args = Args {
        probes,
        ..Args::plain(recordings, program, to)
    };
    Ok(make(&args)?.bytes)
}

fn make(args: &Args) -> Result<Output> {
    match args.to {
        to if args.ir.is_some() && to != Form::Profdata => {
            Err(anyhow!("--ir is for counters")).next("leave it out, or choose --to profdata")
        }
        Form::AutofdoText | Form::AutofdoExtbinary => by_source(args),
        Form::Profdata if !args.probes => Err(anyhow!("counters are found by probes"))
            .next("record a build with -fpseudo-probe-for-profiling, and add --probes"),
        Form::Profdata => counters::convert(args),
        _ if args.probes => Err(anyhow!(
            "--probes is for AutoFDO profiles of LLVM and for counters"
        ))
        .next("leave it out, or choose --to autofdo-extbinary"),
        Form::GccGcov => by_source(args),
        Form::Memops | Form::MemopsHeaders => memops::convert(args),
        _ if !args.library.is_empty() => Err(anyhow!("a profile of this form is of one file"))
            .next("leave --library out, or name the library with --binary"),
        Form::GoPgo => go_pgo::convert(args),
        _ => by_address::convert(args),
    }
}

/// The forms that name places in the source.
fn by_source(args: &Args) -> Result<Output> {
    let keys = if args.probes {
        Keys::Probes
    } else {
        Keys::Lines
    };
    let Joined { converted, notes } = joined(args, keys)?;
    let profile = &converted.attribution.samples;
    let bytes = match args.to {
        Form::AutofdoText => autofdo_text::write(profile).into_bytes(),
        Form::GccGcov => gcov::write(profile),
        _ if args.no_symbol_list => extbinary::write(profile, None),
        _ => autofdo_extbinary(&converted)?,
    };
    Ok(Output {
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

/// By what a profile names the places in the source.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keys {
    Lines,
    Probes,
}

/// Reads recordings and converts what they say of the binary, by lines.
pub(crate) fn load(recordings: &[PathBuf], binary: &Path, evidence: Evidence) -> Result<Converted> {
    let binary = Loaded::read(binary, None)?;
    let all = EventChoice::default();
    load_keyed(recordings, &binary, &all, evidence, Keys::Lines)
}

/// The same of a program with its libraries, and what is to be said of these.
pub(crate) fn load_program(
    recordings: &[PathBuf],
    program: &Program,
    evidence: Evidence,
) -> Result<Joined> {
    let args = Args {
        ip_samples: evidence == Evidence::IpSamples,
        ..Args::plain(recordings, program, Form::AutofdoText)
    };
    joined(&args, Keys::Lines)
}

/// The same of the branch stacks of one event of a recording.
pub(crate) fn load_event(
    recording: &Path,
    binary: &Path,
    events: &EventChoice,
) -> Result<Converted> {
    let recordings = [recording.to_owned()];
    let binary = Loaded::read(binary, None)?;
    load_keyed(
        &recordings,
        &binary,
        events,
        Evidence::Branches,
        Keys::Lines,
    )
}

fn load_keyed(
    recordings: &[PathBuf],
    binary: &Loaded,
    events: &EventChoice,
    evidence: Evidence,
    keys: Keys,
) -> Result<Converted> {
    let recorded = read_all(recordings, binary, events)?;
    converted(&recorded, binary, evidence, keys)
        .map_err(|error| explain_of(error, recordings, binary.path()))
}

fn converted(
    recorded: &[Recorded],
    binary: &Loaded,
    evidence: Evidence,
    keys: Keys,
) -> Result<Converted, FdoError> {
    let (image, path) = (binary.image(), binary.path());
    match keys {
        Keys::Lines => hone_fdo::convert(recorded, evidence, path.to_str(), image),
        Keys::Probes => hone_fdo::convert_probes(recorded, path.to_str(), image),
    }
}

/// The extended binary form with the list of all functions, read back by the independent checker before
/// anybody relies on it.
pub(crate) fn autofdo_extbinary(converted: &Converted) -> Result<Vec<u8>> {
    let profile = &converted.attribution.samples;
    let bytes = extbinary::write(profile, Some(&converted.symbols));
    let read = check::read_extbinary(&bytes)
        .context("the profile that was written cannot be read back")?;
    let differences = check::compare(profile, &read);
    if let Some(first) = differences.first() {
        bail!(
            "the profile that was written reads back with another {} of {:?}",
            first.what,
            first.path
        );
    }
    Ok(bytes)
}

/// Counts the indirect calls that the recordings saw in the binary.
pub(crate) fn indirect_calls(recordings: &[PathBuf], binary: &Path) -> Result<IndirectCalls> {
    let binary = Loaded::read(binary, None)?;
    calls_in(recordings, &binary, &Binary::parse(binary.image())?)
}

fn calls_in(recordings: &[PathBuf], loaded: &Loaded, binary: &Binary) -> Result<IndirectCalls> {
    let all = EventChoice::default();
    let converted = load_keyed(recordings, loaded, &all, Evidence::Branches, Keys::Lines)?;
    let debug = DebugInfo::parse(binary)?;
    let code = hone_fdo::Code::new(binary);
    Ok(hone_fdo::indirect::indirect_calls(
        &converted.counts,
        &code,
        Some(&debug),
    ))
}

/// The source lines that plain samples of the binary fell on, and how much of it on vector arithmetic.
pub(crate) fn lines(recordings: &[PathBuf], binary: &Path) -> Result<vectorised::Lines> {
    let loaded = Loaded::read(binary, None)?;
    let converted = load_keyed(
        recordings,
        &loaded,
        &EventChoice::default(),
        Evidence::IpSamples,
        Keys::Lines,
    )?;
    let binary = Binary::parse(loaded.image())?;
    let debug = DebugInfo::parse(&binary)?;
    Ok(vectorised::by_line(&converted.counts, &binary, &debug))
}

/// What whole-program devirtualisation could reach of the calls that the recordings saw in the binary.
pub(crate) fn devirtualisable(recordings: &[PathBuf], binary: &Path) -> Result<Reach> {
    let loaded = Loaded::read(binary, None)?;
    let binary = Binary::parse(loaded.image())?;
    let calls = calls_in(recordings, &loaded, &binary)?;
    let functions = VirtualFunctions::read(&binary)?;
    Ok(devirtualise::reach(&calls, &binary, &functions))
}

/// The binary that a recording's samples mostly fell in, at the path where it was recorded.
pub(crate) fn recorded_binary(recording: &Path) -> Result<PathBuf> {
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

/// What went in and what came out, for people.
fn describe(converted: &Converted, keys: Keys) -> String {
    let counts = &converted.counts.report;
    let attributed = &converted.attribution.report;
    let profile = &converted.attribution.samples;
    let text = format!(
        "{} samples, {} branch records, {} ranges used -> {} functions, {} of {} executed instructions \
         {}\n",
        HumanCount(counts.samples),
        HumanCount(counts.branches),
        HumanCount(counts.ranges_used),
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
