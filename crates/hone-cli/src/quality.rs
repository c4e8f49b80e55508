//! `hone quality`: judges whether a profile is fit to use. The exit status is 1 if it is not, so that a pipeline can stop.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow};
use hone_build::quantity::share;
use hone_fdo::merge::is_fdata;
use hone_fdo::overlap::overlap;
use hone_fdo::quality::{
    Figure, Limits, Quality, Verdict, of_overlap, of_profile, of_recording, of_staleness,
    stale_lines, stale_probes,
};
use hone_fdo::{Code, Converted, SampleProfile, read_sample_profile};
use hone_profile::Kind;
use hone_symbols::{Binary, DebugInfo, Probes};
use serde::Serialize;

use crate::event::EventArgs;
use crate::output::print;
use hone_inputs::debug_file::Loaded;
use hone_inputs::recording::{EventChoice, compressed, kind_of_file};
use hone_run::advice::Advise;
use hone_run::files::AdviseReading;

/// Say whether a profile is fit to use: exit 1 if it is not
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    hone quality server.prof\n  \
    hone quality hone.data --binary ./server\n  \
    hone quality server.prof --for-build ./server-new    # is it stale?\n  \
    hone quality today.prof --against yesterday.prof --json\n\n\
    Every figure has a verdict: good, poor (use it where there is no better one) or unfit.")]
pub(crate) struct Args {
    /// A sample profile (text or binary), or a recording, such as hone convert takes
    profile: PathBuf,
    /// Of a recording, the binary that was recorded
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// Of a profile, the build that shall use it: how much of the profile is stale?
    #[arg(long, value_name = "FILE")]
    for_build: Option<PathBuf>,
    /// Another profile, or recording of the same binary, to compare with
    #[arg(long, value_name = "OTHER")]
    against: Option<PathBuf>,
    #[command(flatten)]
    events: EventArgs,
    /// Print the figures as JSON
    #[arg(long)]
    json: bool,
    /// Unfit below this density: executions per place of hot code [default: 5]
    #[arg(long, value_name = "N")]
    min_density: Option<f64>,
    /// Unfit below this block overlap [default: 50%]
    #[arg(long, value_name = "SHARE", value_parser = share)]
    min_overlap: Option<f64>,
    /// Unfit above this share of stale weight [default: 40%]
    #[arg(long, value_name = "SHARE", value_parser = share)]
    max_stale: Option<f64>,
    /// Unfit above this share of samples outside the binary [default: 95%]
    #[arg(long, value_name = "SHARE", value_parser = share)]
    max_outside: Option<f64>,
    /// Unfit above this share of broken ranges [default: 30%]
    #[arg(long, value_name = "SHARE", value_parser = share)]
    max_broken: Option<f64>,
}

pub(crate) fn run(args: Args) -> Result<ExitCode> {
    let limits = limits(&args);
    let binary = args.binary.as_deref();
    let subject = load(&args.profile, binary, &args.events.choice())?;
    let other = args.against.as_deref();
    let other = other
        .map(|other| load(other, binary, &args.events.choice()))
        .transpose()?;
    let is_profile = |subject: &Subject| matches!(subject, Subject::Profile(_));
    // A recording to compare with has a binary too.
    let takes_binary = !is_profile(&subject) || other.as_ref().is_some_and(|of| !is_profile(of));
    check_meaning(&args, is_profile(&subject), takes_binary)?;
    let mut figures = match &subject {
        Subject::Profile(samples) => of_profile(samples, &limits),
        Subject::Recording(converted) => of_recording(converted, code_bytes(binary)?, &limits),
    };
    if let Subject::Profile(samples) = &subject
        && let Some(build) = &args.for_build
    {
        figures.extend(stale(samples, build, &limits)?);
    }
    if let Some(other) = &other {
        let (own, other) = (subject.samples(), other.samples());
        if own.is_probe_based() != other.is_probe_based() {
            return Err(anyhow!("one is keyed by lines, the other by pseudo probes"))
                .next("compare profiles of one kind");
        }
        figures.extend(of_overlap(&overlap(own, other), &limits));
    }
    let quality = Quality { figures };
    let judged = Judged {
        profile: args.profile.display().to_string(),
        verdict: quality.verdict(),
        quality: &quality,
    };
    print(&judged, args.json, || describe(&quality))?;
    Ok(match judged.verdict {
        Verdict::Unfit => ExitCode::from(1),
        Verdict::Poor | Verdict::Good => ExitCode::SUCCESS,
    })
}

/// Returns an error if an option was given that applies only to the other kind of input.
fn check_meaning(args: &Args, is_profile: bool, takes_binary: bool) -> Result<()> {
    let (fact, step) = match (is_profile, &args.binary, &args.for_build) {
        (_, Some(binary), _) if !takes_binary => (
            "it is a profile, and --binary is what was recorded",
            format!(
                "name the build that shall use it: --for-build {}",
                binary.display()
            ),
        ),
        (false, _, Some(build)) => (
            "it is a recording, and --for-build is of profiles",
            format!(
                "name the binary that was recorded: --binary {}",
                build.display()
            ),
        ),
        _ => return Ok(()),
    };
    Err(anyhow!(fact))
        .with_context(|| args.profile.display().to_string())
        .next(step)
}

fn limits(args: &Args) -> Limits {
    let mut limits = Limits::default();
    let given = [
        (&mut limits.density, args.min_density),
        (&mut limits.overlap, args.min_overlap),
        (&mut limits.stale, args.max_stale),
        (&mut limits.outside, args.max_outside),
        (&mut limits.broken, args.max_broken),
    ];
    for (threshold, limit) in given {
        if let Some(limit) = limit {
            *threshold = threshold.unfit_at(limit);
        }
    }
    limits
}

/// The profile or the recording that is judged.
enum Subject {
    Profile(SampleProfile),
    Recording(Box<Converted>),
}

impl Subject {
    fn samples(&self) -> &SampleProfile {
        match self {
            Self::Profile(samples) => samples,
            Self::Recording(converted) => &converted.attribution.samples,
        }
    }
}

fn load(path: &Path, binary: Option<&Path>, events: &EventChoice) -> Result<Subject> {
    let kind = fs::File::open(path)
        .and_then(|file| kind_of_file(&file))
        .next_read("name a profile or a recording that exists")
        .with_context(|| path.display().to_string())?;
    if let Kind::Compressed(compression) = kind {
        return Err(compressed(compression, path)).with_context(|| path.display().to_string());
    }
    let is_recording = matches!(
        kind,
        Kind::PerfData | Kind::Pprof | Kind::BoltPreaggregated | Kind::LlvmUnsymbolized
    );
    if is_recording {
        return load_recording(path, binary, events);
    }
    let bytes = fs::read(path).with_context(|| path.display().to_string())?;
    if is_fdata(&bytes) {
        return Err(anyhow!("it is fdata for BOLT, whose quality is not judged"))
            .with_context(|| path.display().to_string())
            .next("judge the recording that it was made from");
    }
    match read_sample_profile(&bytes) {
        Ok(read) => Ok(Subject::Profile(read.samples)),
        // Some lines of a sample profile can look like text of perf script, but not all of them.
        Err(error) if kind == Kind::PerfScript => load_recording(path, binary, events)
            .with_context(|| format!("it is not a sample profile: {error:#}")),
        Err(error) => Err(error)
            .with_context(|| path.display().to_string())
            .next("name an LLVM sample profile, such as hone convert writes, or a recording"),
    }
}

fn load_recording(path: &Path, binary: Option<&Path>, events: &EventChoice) -> Result<Subject> {
    let binary = binary
        .ok_or_else(|| anyhow!("it is a recording, which says nothing without its binary"))
        .with_context(|| path.display().to_string())
        .next("name the binary that was recorded with --binary")?;
    let converted = hone_convert::load_event(path, binary, events)?;
    Ok(Subject::Recording(Box::new(converted)))
}

fn code_bytes(binary: Option<&Path>) -> Result<u64> {
    let Some(path) = binary else { return Ok(0) };
    let loaded = Loaded::read(path, None)?;
    Ok(Binary::parse(loaded.image())?.text_size())
}

/// Returns figures on how much of the profile's content the build still has.
fn stale(samples: &SampleProfile, path: &Path, limits: &Limits) -> Result<Vec<Figure>> {
    let loaded = Loaded::read(path, None)?;
    let found = if samples.is_probe_based() {
        let binary = parse(&loaded, path)?;
        let probes = Probes::parse(&binary)?
            .ok_or_else(|| anyhow!("the profile is keyed by pseudo probes, the binary has none"))
            .with_context(|| path.display().to_string())
            .next("build with -g1 -fpseudo-probe-for-profiling")?;
        stale_probes(samples, &probes)
    } else {
        let binary = parse(&loaded, path)?;
        let debug = DebugInfo::parse(&binary)?;
        if !debug.has_debug_info() {
            return Err(anyhow!(
                "the binary has no debug info to compare lines with"
            ))
            .with_context(|| path.display().to_string())
            .next("build with -gline-tables-only -fdebug-info-for-profiling");
        }
        let found = stale_lines(samples, &Code::new(&binary), &debug);
        hone_convert::must_be_whole(&debug)?;
        found
    };
    Ok(of_staleness(&found, limits))
}

fn parse<'b>(loaded: &'b Loaded, path: &Path) -> Result<Binary<'b>> {
    Binary::parse(loaded.image())
        .with_context(|| path.display().to_string())
        .next("name an ELF program or shared library for x86-64")
}

fn describe(quality: &Quality) -> String {
    let mut text = String::new();
    for figure in &quality.figures {
        let verdict = match figure.threshold {
            None if figure.verdict == Verdict::Good => String::new(),
            _ => figure.verdict.to_string(),
        };
        let _ = write!(text, "{verdict:5} {:17} {}", figure.name, figure.shown);
        let _ = match figure.threshold {
            Some(threshold) => writeln!(text, " ({threshold})"),
            None => writeln!(text),
        };
        for detail in &figure.details {
            let _ = writeln!(text, "{:24}{detail}", "");
        }
        if let Some(advice) = &figure.advice {
            let _ = writeln!(text, "{:6}-> {advice}", "");
        }
    }
    let _ = writeln!(text, "verdict: {}", quality.verdict());
    text
}

#[derive(Serialize)]
struct Judged<'q> {
    profile: String,
    verdict: Verdict,
    #[serde(flatten)]
    quality: &'q Quality,
}
