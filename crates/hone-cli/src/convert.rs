//! `hone convert`: recordings in, compiler profiles out. The work is hone-fdo's; here are files, names and
//! words for people.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow, bail};
use clap::ValueEnum;
use hone_fdo::indirect::IndirectCalls;
use hone_fdo::{
    Converted, Evidence, FdoError, Recorded, Tally, Warning, autofdo_text, bolt_preaggregated,
    check, extbinary,
};
use hone_profile::perf_data;
use indicatif::HumanCount;

use crate::advice::{Advice, Advise};
use crate::files::write_whole;

/// Turn a recording with branch stacks into a profile for the compiler
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  hone convert hone.data --binary ./server --to autofdo-extbinary -o server.prof\n  \
    clang++ -fprofile-sample-use=server.prof ..."
)]
pub(crate) struct Args {
    /// perf.data files: Hone's own or perf's
    #[arg(required = true)]
    recordings: Vec<PathBuf>,
    /// The binary that was recorded, with debug info
    #[arg(long, value_name = "FILE")]
    binary: PathBuf,
    /// The form of the profile
    #[arg(long, value_enum)]
    to: Form,
    /// Where it goes; standard output where not given
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Use plain samples even where there are branch records
    #[arg(long)]
    ip_samples: bool,
    /// Key an AutoFDO profile by pseudo probes, for builds with -fpseudo-probe-for-profiling
    #[arg(long, conflicts_with = "ip_samples")]
    probes: bool,
    /// Leave the list of functions without samples out of an extended binary profile
    #[arg(long)]
    no_symbol_list: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// LLVM sample profile, text
    AutofdoText,
    /// LLVM sample profile, extended binary
    AutofdoExtbinary,
    /// BOLT's pre-aggregated branches and ranges, for perf2bolt -pa
    BoltPreaggregated,
}

pub(crate) fn run(args: Args) -> Result<ExitCode> {
    let evidence = if args.ip_samples {
        Evidence::IpSamples
    } else {
        Evidence::Branches
    };
    if args.probes && args.to == Form::BoltPreaggregated {
        return Err(anyhow!("--probes is for AutoFDO profiles"))
            .next("leave it out, or choose --to autofdo-extbinary");
    }
    let keys = if args.probes {
        Keys::Probes
    } else {
        Keys::Lines
    };
    let converted = load_keyed(&args.recordings, &args.binary, evidence, keys)?;
    let profile = &converted.attribution.samples;
    let bytes = match args.to {
        Form::AutofdoText => autofdo_text::write(profile).into_bytes(),
        Form::AutofdoExtbinary if args.no_symbol_list => extbinary::write(profile, None),
        Form::AutofdoExtbinary => autofdo_extbinary(&converted)?,
        Form::BoltPreaggregated => bolt_preaggregated::write(&converted.counts).into_bytes(),
    };
    match &args.output {
        Some(path) => write_whole(path, &bytes)?,
        None => {
            std::io::Write::write_all(&mut std::io::stdout(), &bytes).context("standard output")?
        }
    }
    eprint!("{}", describe(&converted, keys));
    Ok(ExitCode::SUCCESS)
}

/// By what a profile names the places in the source.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keys {
    Lines,
    Probes,
}

/// Reads recordings and converts what they say of the binary, by lines.
pub(crate) fn load(recordings: &[PathBuf], binary: &Path, evidence: Evidence) -> Result<Converted> {
    load_keyed(recordings, binary, evidence, Keys::Lines)
}

fn load_keyed(
    recordings: &[PathBuf],
    binary: &Path,
    evidence: Evidence,
    keys: Keys,
) -> Result<Converted> {
    let recorded: Vec<Recorded> = recordings
        .iter()
        .map(|path| read(path))
        .collect::<Result<_>>()?;
    let bytes = fs::read(binary)
        .with_context(|| binary.display().to_string())
        .next("name the binary that was recorded with --binary")?;
    let converted = match keys {
        Keys::Lines => hone_fdo::convert(&recorded, evidence, binary.to_str(), &bytes),
        Keys::Probes => hone_fdo::convert_probes(&recorded, binary.to_str(), &bytes),
    };
    converted
        .map_err(|error| {
            let step = next_step(&error);
            Advice::error(error, step)
        })
        .with_context(|| format!("{} with {}", list(recordings), binary.display()))
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
    let converted = load(recordings, binary, Evidence::Branches)?;
    let bytes = fs::read(binary).with_context(|| binary.display().to_string())?;
    let parsed = hone_symbols::Binary::parse(&bytes)?;
    let debug = hone_symbols::DebugInfo::parse(&parsed, None)?;
    let code = hone_fdo::Code::new(&parsed);
    Ok(hone_fdo::indirect::indirect_calls(
        &converted.counts,
        &code,
        Some(&debug),
    ))
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
            .next("name the recorded binary with --profile-binary FILE");
    }
    Ok(path.into())
}

/// Counts a recording sample by sample: it may be longer than memory.
fn read(path: &Path) -> Result<Recorded> {
    let file = fs::File::open(path)
        .with_context(|| path.display().to_string())
        .next("name a recording, such as hone.data from hone record")?;
    let mut tally = Tally::default();
    let profile = perf_data::stream(file, |profile, sample, branches| {
        tally.add(profile, sample, branches);
    })
    .with_context(|| path.display().to_string())
    .next("hone record and perf record make such files")?;
    Ok(Recorded::new(profile, tally))
}

fn list(recordings: &[PathBuf]) -> String {
    let names: Vec<_> = recordings
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    names.join(", ")
}

fn next_step(error: &FdoError) -> &'static str {
    match error {
        FdoError::NoSamples => "record for longer, or while the program is at work",
        FdoError::NoSamplesInBinary { .. } => {
            "name the file that the samples fell in with --binary"
        }
        FdoError::BuildIdDiffers { .. } => "name the binary that was recorded, or record this one",
        FdoError::NoFunctions | FdoError::NoDebugInfo => {
            "build with -gline-tables-only -fdebug-info-for-profiling, unstripped, and record that build"
        }
        FdoError::NoProbes => "build with -g1 -fpseudo-probe-for-profiling, and record that build",
        FdoError::ProbesNeedBranches => "record with --branches auto, or leave out --probes",
        FdoError::SplitDebugInfo { .. } => "build without -gsplit-dwarf, and record that build",
        FdoError::NothingAttributed { .. } => {
            "build all of the program with -gline-tables-only -fdebug-info-for-profiling"
        }
        FdoError::Symbols(_) => "name an ELF program or shared library for x86-64",
    }
}

/// A warning as a sentence with its next step.
pub(crate) fn sentence(warning: &Warning) -> String {
    match warning {
        Warning::MatchedByName { path } => format!(
            "The recorded {path} has no build id to compare, so it was matched by its name; link with \
             -Wl,--build-id."
        ),
        Warning::NotBuiltForProfiling => {
            "The binary was built without -fdebug-info-for-profiling: blocks \
             on one line cannot be told apart, which costs part of the gain."
                .into()
        }
        Warning::NoBranches => {
            "There are no branch records: plain samples make a poor profile. Record with \
             --branches auto."
                .into()
        }
        Warning::BrokenRanges { dropped, used } => format!(
            "{dropped} of {} ranges between branches were impossible and were dropped.",
            dropped + used
        ),
        Warning::SplitDebugInfo { units } => {
            format!(
                "The debug info of {units} compilation units is in .dwo files, which are not read."
            )
        }
        Warning::NoCallProbes => {
            "The binary has pseudo probes for blocks but none for calls, so there are no call targets; \
             build with -g1 too."
                .into()
        }
        Warning::UnusedProbes { losses, used } => format!(
            "{} of {} pseudo probes are not used: {} of names that several functions have (build with \
             -funique-internal-linkage-names), {} without a symbol, {} after the end of their function, {} \
             without a description.",
            losses.sum(),
            losses.sum() + used,
            losses.of_shared_names,
            losses.without_symbol,
            losses.outside,
            losses.without_description,
        ),
    }
}

/// What went in and what came out, for people.
fn describe(converted: &Converted, keys: Keys) -> String {
    let counts = &converted.counts.report;
    let attributed = &converted.attribution.report;
    let profile = &converted.attribution.samples;
    let mut text = format!(
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
    for warning in &converted.warnings {
        let _ = writeln!(text, "note: {}", sentence(warning));
    }
    text
}
