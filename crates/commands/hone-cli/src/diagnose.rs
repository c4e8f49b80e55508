//! `hone diagnose`: what is odd about a recorded program, how much it costs, what to do.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use hone_diagnose::{Diagnosis, Finding, diagnose};
use hone_look::binaries::Binaries;
use hone_look::recording::Recording;
use hone_look::subject::inspected;
use indicatif::HumanCount;

use crate::output::print;
use crate::views::{self, Columns, SelectionArgs, percent};

/// Number of lines of evidence shown for a finding on the terminal; JSON has all lines.
const EVIDENCE_SHOWN: usize = 5;

/// Say what is odd about a recorded program, and what to do about it
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    hone record --branches none -- ./server --once && hone diagnose\n  \
    hone diagnose perf.data --json\n  \
    hone diagnose hub:checkout,-6h..\n\n\
    A finding names how much of the CPU time it is about, with the 95 % interval, how much mending it can gain at most, and about how \
    much it gains under an assumption that it names: of CPU time, which is not latency. No sample is in two findings. A program with nothing odd has no findings. Exit status 1 if the \
    recording is not fit to judge.")]
pub(crate) struct Args {
    /// The recording: perf.data, perf script text, pprof, or hub:SERVICE for what a hub has of a service
    #[arg(default_value = "hone.data")]
    recording: PathBuf,
    #[command(flatten)]
    selection: SelectionArgs,
    /// Print the findings as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> Result<ExitCode> {
    let selection = args.selection.selection();
    let binaries = Binaries::of(&selection);
    let recording = Recording::read(&args.recording, &selection, &binaries)?;
    let viewed = views::named_stacks(&recording, &selection)?;
    let inspected = inspected(&recording, viewed.stacks);
    let diagnosis = diagnose(&inspected);
    print(&diagnosis, args.json, || describe(&args, &diagnosis))?;
    viewed.notes.say();
    Ok(match diagnosis.is_fit() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

fn describe(args: &Args, diagnosis: &Diagnosis) -> String {
    let findings = &diagnosis.findings;
    let found = match findings.len() {
        0 if diagnosis.not_seen().is_some() => "nothing odd in what has names".to_owned(),
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
    if let Some(sentence) = diagnosis.all_together() {
        let _ = writeln!(text, "\n{sentence}");
    }
    if let Some(sentence) = diagnosis.not_seen() {
        let _ = writeln!(text, "\n{sentence}");
    }
    if !diagnosis.not_looked.is_empty() {
        text += "\nNot looked at:\n";
    }
    for not in &diagnosis.not_looked {
        let _ = writeln!(text, "   {}", not.in_words());
    }
    text
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
        if let Some(cores) = &finding.cores {
            lines.push(("cores", cores.in_words()));
        }
        lines.push(("gain", gain.in_words()));
    }
    for evidence in finding.evidence.iter().take(EVIDENCE_SHOWN) {
        let share = evidence.share.map_or(String::new(), |share| {
            format!("{:>7}  ", percent(share.share))
        });
        lines.push(("seen", format!("{share}{}", evidence.what)));
    }
    if let Some(place) = finding.place.as_ref().filter(|place| place.line > 0) {
        lines.push(("where", place.with_line()));
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
