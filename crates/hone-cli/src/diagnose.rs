//! `hone diagnose`: what is odd about a recorded program, how much it costs, what to do.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use hone_diagnose::{
    BinaryFacts, Counted, Counter, Diagnosis, Finding, Hardware, Inspected, Machine, SourcePlace,
    diagnose,
};
use hone_fdo::layout::{CacheShape, layout};
use hone_fdo::{Code, Evidence, aggregate};
use hone_profile::{BinaryKind, EventId, Profile};
use hone_symbols::DebugInfo;
use hone_views::{By, Stacks, table, weights_in};
use indicatif::HumanCount;

use crate::inspect::own_l1i;
use crate::output::print;
use crate::views::{self, Columns, Recording, Selection, percent};
use hone_run::machine::CpuInfo;

/// Number of lines of evidence shown for a finding on the terminal; JSON has all lines.
const EVIDENCE_SHOWN: usize = 5;

/// Number of functions named for each event that the CPU counted beside time.
const FUNCTIONS_OF_A_COUNTER: usize = 5;

/// Say what is odd about a recorded program, and what to do about it
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    hone record --branches none -- ./server --once && hone diagnose\n  \
    hone diagnose perf.data --json\n\n\
    A finding names how much of the CPU time it is about, with the 95 % interval, and about how much mending it \
    gains under an assumption that it names: an estimate, of CPU time, which is not latency. A program with nothing odd has no findings. Exit status 1 if the \
    recording is not fit to judge.")]
pub(crate) struct Args {
    /// The recording: perf.data, perf script text or pprof
    #[arg(default_value = "hone.data")]
    recording: PathBuf,
    #[command(flatten)]
    selection: Selection,
    /// Print the findings as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> Result<ExitCode> {
    let recording = views::read(&args.recording, &args.selection)?;
    let viewed = views::named(&recording, &args.recording, &args.selection)?;
    let inspected = inspected(&recording, &args.selection, viewed.stacks);
    let diagnosis = diagnose(&inspected);
    print(&diagnosis, args.json, || describe(&args, &diagnosis))?;
    viewed.notes.say();
    Ok(match diagnosis.is_fit() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

/// Collects what the rules examine.
pub(crate) fn inspected(recording: &Recording, selection: &Selection, stacks: Stacks) -> Inspected {
    let binaries = facts(recording, selection, &stacks);
    let profile = recording.profile();
    let losses = profile.losses.clone();
    let mut inspected = Inspected::new(stacks, binaries, machine(profile), losses);
    inspected.hardware = hardware(recording, selection);
    inspected
}

/// Collects the facts about the binaries. A binary that is gone or is another build is left out, and a note tells so.
fn facts(recording: &Recording, selection: &Selection, stacks: &Stacks) -> Vec<BinaryFacts> {
    let (profile, tally, event) = (recording.profile(), recording.tally(), recording.event());
    let all = stacks.weight();
    let own = own_l1i().filter(|_| is_this_kind(profile, &CpuInfo::read()));
    let l1i = own.unwrap_or(CacheShape::L1I);
    let mut binaries = Vec::new();
    for id in recording.binaries() {
        let recorded = profile.binary(id);
        if recorded.kind != BinaryKind::File {
            continue;
        }
        let looked = views::look_into(recorded, selection, |_, binary| {
            let debug = DebugInfo::parse(binary)?;
            let weights = weights_in(binary, profile, id, tally, event, Some(stacks));
            let mut facts = BinaryFacts::new(&recorded.path, binary, &debug, &weights, all);
            let code = Code::new(binary);
            let counts = aggregate(&recording.recorded, &[id], &code, Evidence::Branches);
            facts.layout = Some(layout(&counts, &code, l1i));
            anyhow::Ok(facts)
        });
        binaries.extend(looked.into_iter().flatten());
    }
    binaries
}

/// Returns the events that the CPU counted beside time.
fn hardware(recording: &Recording, selection: &Selection) -> Hardware {
    let tally = recording.tally();
    let events = (0..).map(EventId).zip(&recording.profile().events);
    // CPUs with two kinds of cores count each kind by an event of its own.
    let mut by_counter: BTreeMap<Counter, Vec<EventId>> = BTreeMap::new();
    for (id, event) in events {
        if let Some(counter) = Counter::of_event(&event.name) {
            by_counter.entry(counter).or_default().push(id);
        }
    }
    let counted = by_counter.into_iter().map(|(counter, events)| {
        let most = events.iter().max_by_key(|event| tally.weight(**event));
        // Cycles are only the whole of which the others are a part; nobody asks where cycles were spent.
        let most = most.filter(|_| counter != Counter::Cycles);
        let counted = Counted {
            samples: events.iter().map(|event| tally.samples(*event)).sum(),
            weight: events.iter().map(|event| tally.weight(*event)).sum(),
            functions: most.map_or_else(Vec::new, |event| {
                heaviest_functions(recording, *event, selection)
            }),
        };
        (counter, counted)
    });
    counted.collect()
}

/// Returns the functions in which most of an event happened, with their shares of the event.
fn heaviest_functions(
    recording: &Recording,
    event: EventId,
    selection: &Selection,
) -> Vec<(String, f64)> {
    let stacks = views::stacks_of(recording, event, selection);
    let rows = table(&stacks, By::Function).rows.into_iter();
    let heaviest = rows
        .take(FUNCTIONS_OF_A_COUNTER)
        .filter(|row| row.self_weight > 0);
    heaviest.map(|row| (row.name, row.self_share)).collect()
}

/// Describes the machine that was recorded, by the features of this machine if its CPU is the same model.
fn machine(profile: &Profile) -> Machine {
    let info = CpuInfo::read();
    let features = info.flags().filter(|_| is_this_kind(profile, &info));
    Machine {
        features: features.map(str::to_owned).collect(),
        cpu_quota: profile.meta.cpu_quota.clone(),
        memory: profile.meta.memory.clone(),
    }
}

/// True if a recording was made on a machine with this CPU.
fn is_this_kind(profile: &Profile, info: &CpuInfo) -> bool {
    !profile.meta.cpu.is_empty() && info.model() == Some(&profile.meta.cpu)
}

fn describe(args: &Args, diagnosis: &Diagnosis) -> String {
    let findings = &diagnosis.findings;
    let found = match findings.len() {
        0 if not_seen(diagnosis).is_some() => "nothing odd in what has names".to_owned(),
        0 => "nothing odd".to_owned(),
        1 => "1 finding".to_owned(),
        many => format!("{many} findings"),
    };
    let mut text = format!(
        "{}: {found}\n",
        views::header(
            &args.recording,
            &diagnosis.event,
            diagnosis.samples,
            diagnosis.weight
        )
    );
    let columns = Columns::of_stdout();
    for (index, finding) in findings.iter().enumerate() {
        let _ = writeln!(
            text,
            "\n{}. {} [{}]",
            index + 1,
            finding.title,
            finding.rule
        );
        for (label, line) in lines(finding) {
            // Names may be long and are cut; advice is not.
            let line = match label {
                "do" | "unless" => line,
                _ => columns.fit(&line, 10),
            };
            let _ = writeln!(text, "   {label:<6} {line}");
        }
    }
    if let Some(sentence) = not_seen(diagnosis) {
        let _ = writeln!(text, "\n{sentence}");
    }
    text
}

/// Describes in a few sentences what rules could not examine.
pub(crate) fn not_seen(diagnosis: &Diagnosis) -> Option<String> {
    let fit = diagnosis.is_fit();
    let nameless = diagnosis.unseen.as_ref().filter(|_| fit).map(|unseen| {
        format!(
            "Not seen: {} of the time, in code without names, most of it in {}. Install its debug symbols, or \
             record a build with them; hone top says why names are missing.",
            percent(unseen.share.share),
            unseen.binary
        )
    });
    let inlined = diagnosis.inlined_unseen.as_ref().filter(|_| fit);
    let inlined = inlined.map(|unseen| {
        format!(
            "Not seen: what was inlined, in {} of the time, most of it in {}, which has no debug information. Rules that go \
             by names (vector-bool, trees, hash-tables and others) see calls only; build with -g1 and record again.",
            percent(unseen.share.share),
            unseen.binary
        )
    });
    let sentences: Vec<String> = nameless.into_iter().chain(inlined).collect();
    (!sentences.is_empty()).then(|| sentences.join("\n"))
}

/// Returns the text of a finding, each line with its label.
fn lines(finding: &Finding) -> Vec<(&'static str, String)> {
    let share = &finding.share;
    let mut lines = Vec::new();
    if let Some(gain) = &finding.gain {
        lines.push((
            "share",
            format!(
                "{} of the time ({} to {}), {} {}; more than {} is worth a look",
                percent(share.share),
                percent(share.low),
                percent(share.high),
                HumanCount(share.samples),
                finding.unit,
                percent(finding.threshold)
            ),
        ));
        lines.push(("gain", gain.in_words()));
    }
    for evidence in finding.evidence.iter().take(EVIDENCE_SHOWN) {
        let share = evidence.share.map_or(String::new(), |share| {
            format!("{:>7}  ", percent(share.share))
        });
        lines.push(("seen", format!("{share}{}", evidence.what)));
    }
    if let Some(place) = finding.place.as_ref().filter(|place| place.line > 0) {
        lines.push(("where", place_in_words(place)));
    }
    if !finding.levers.is_empty() {
        lines.push((
            "try",
            format!("hone optimize --levers {}", finding.levers.join(",")),
        ));
    }
    lines.push(("do", finding.change.clone()));
    lines.push(("unless", finding.not_when.to_owned()));
    // Each label is shown once.
    let mut last = "";
    for (label, _) in &mut lines {
        let now = *label;
        if now == last {
            *label = "";
        }
        last = now;
    }
    lines
}

/// Formats a place as `file:line in function`.
pub(crate) fn place_in_words(place: &SourcePlace) -> String {
    format!("{}:{} in {}", place.file, place.line, place.function)
}
