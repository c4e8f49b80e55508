//! Profiles and recordings judged: whether they are fit to use.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use hone_fdo::check::CheckError;
use hone_fdo::merge::is_fdata;
use hone_fdo::overlap::overlap;
use hone_fdo::quality::{
    Figure, Limits, Quality, of_overlap, of_profile, of_recording, of_staleness, stale_lines,
    stale_probes,
};
use hone_fdo::{Code, Converted, Evidence, SampleProfile, read_sample_profile};
use hone_files::advice::Advise;
use hone_files::files::AdviseReading;
use hone_inputs::debug_file::Loaded;
use hone_inputs::hub::is_hub;
use hone_inputs::recording::{EventChoice, compressed, kind_of_file, read_halves};
use hone_profile::Kind;
use hone_symbols::{Binary, DebugInfo, Probes};

use super::{by_lines, must_be_whole};

/// What is judged, and by what.
pub struct Question<'q> {
    /// A sample profile, a recording, or what a hub has.
    pub profile: &'q Path,
    /// Of a recording, the binary that was recorded.
    pub binary: Option<&'q Path>,
    /// Of a profile, the build that shall use it.
    pub for_build: Option<&'q Path>,
    /// Another profile, or recording of the same binary, to compare with.
    pub against: Option<&'q Path>,
    /// Events of recordings that count.
    pub events: EventChoice,
    /// Limits of the figures.
    pub limits: Limits,
}

/// Judges a profile or a recording.
///
/// # Errors
///
/// Returns an error if a file cannot be read, or if the question has files for the other kind of input.
pub fn judge(question: &Question<'_>) -> Result<Quality> {
    let limits = &question.limits;
    let load = |path| load(path, question.binary, &question.events);
    let subject = load(question.profile)?;
    let other = question.against.map(load).transpose()?;
    let is_profile = |subject: &Subject| matches!(subject, Subject::Profile(_));
    // A recording to compare with has a binary too.
    let takes_binary = !is_profile(&subject) || other.as_ref().is_some_and(|of| !is_profile(of));
    check_meaning(question, is_profile(&subject), takes_binary)?;
    let mut figures = match &subject {
        Subject::Profile(samples) => of_profile(samples, limits),
        Subject::Recording(converted, code_bytes) => of_recording(converted, *code_bytes, limits),
    };
    if let Subject::Profile(samples) = &subject
        && let Some(build) = question.for_build
    {
        figures.extend(stale(samples, build, limits)?);
    }
    if let Some(other) = &other {
        let (own, other) = (subject.samples(), other.samples());
        if own.is_probe_based() != other.is_probe_based() {
            return Err(anyhow!("one is keyed by lines, the other by pseudo probes"))
                .next("compare profiles of one kind");
        }
        figures.extend(of_overlap(&overlap(own, other), limits));
    }
    Ok(Quality { figures })
}

/// Returns an error if an option was given that applies only to the other kind of input.
fn check_meaning(question: &Question<'_>, is_profile: bool, takes_binary: bool) -> Result<()> {
    let (fact, step) = match (is_profile, question.binary, question.for_build) {
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
        .with_context(|| question.profile.display().to_string())
        .next(step)
}

/// The profile or the recording that is judged.
enum Subject {
    Profile(SampleProfile),
    /// A converted recording, with the size of its binary's code.
    Recording(Box<Converted>, u64),
}

impl Subject {
    fn samples(&self) -> &SampleProfile {
        match self {
            Self::Profile(samples) => samples,
            Self::Recording(converted, _) => &converted.attribution.samples,
        }
    }
}

fn load(path: &Path, binary: Option<&Path>, events: &EventChoice) -> Result<Subject> {
    if is_hub(path) {
        return load_recording(path, binary, events);
    }
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
        Err(error) if kind == Kind::PerfScript && !matches!(error, CheckError::Refused(_)) => {
            load_recording(path, binary, events)
                .with_context(|| format!("it is not a sample profile: {error:#}"))
        }
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
    let loaded = Loaded::read(binary, None)?;
    let recordings = [path.to_owned()];
    let recorded = read_halves(&recordings, &loaded, events)?;
    by_lines(
        &recordings,
        recorded,
        &loaded,
        Evidence::Branches,
        |converted, binary, _| Ok(Subject::Recording(Box::new(converted), binary.text_size())),
    )
}

/// Returns figures on how much of the profile's content the build still has.
fn stale(samples: &SampleProfile, path: &Path, limits: &Limits) -> Result<Vec<Figure>> {
    let loaded = Loaded::read(path, None)?;
    let binary = Binary::parse(loaded.image())
        .with_context(|| path.display().to_string())
        .next("name an ELF program or shared library for x86-64")?;
    let found = if samples.is_probe_based() {
        let probes = Probes::parse(&binary)?
            .ok_or_else(|| anyhow!("the profile is keyed by pseudo probes, the binary has none"))
            .with_context(|| path.display().to_string())
            .next("build with -g1 -fpseudo-probe-for-profiling")?;
        stale_probes(samples, &probes)
    } else {
        let debug = DebugInfo::parse(&binary)?;
        if !debug.has_debug_info() {
            return Err(anyhow!(
                "the binary has no debug info to compare lines with"
            ))
            .with_context(|| path.display().to_string())
            .next("build with -gline-tables-only -fdebug-info-for-profiling");
        }
        let found = stale_lines(samples, &Code::new(&binary), &debug);
        must_be_whole(&debug)?;
        found
    };
    Ok(of_staleness(&found, limits))
}
