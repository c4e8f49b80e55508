//! `hone view`: a recording, or two beside each other, as one page for the browser; or one recording for another viewer.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow};
use clap::ValueEnum;
use hone_diagnose::page_findings;
use hone_inputs::hub;
use hone_look::binaries::Binaries;
use hone_look::page_code::page_code;
use hone_look::recording::Recording;
use hone_look::selection::Selection;
use hone_look::subject::inspected;
use hone_profile::pprof;
use hone_views::{PageCode, PageFindings, PageRecording, Stacks, Timeline, align, folded, page};
use indicatif::HumanBytes;

use crate::output::to_stdout;
use crate::views::{self, LabelKeys, Notes, SelectionArgs, SideNames, samples_in_words};
use hone_files::advice::Advise;
use hone_files::files::{must_be_writable, write_whole};

/// Write a recording as one HTML page: flame graph, sandwich, time order; or for another viewer
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    hone view\n  \
    hone view before.data after.data -o change.html\n  \
    hone view a/hone.data b/hone.data --old-name 1.40 --new-name 1.41\n  \
    hone view --to folded -o - | flamegraph.pl > flames.svg\n  \
    hone view cpu.pprof --root label:service,method\n  \
    hone view hub:checkout,-2d..-1d hub:checkout,-1d..\n\n\
    The page is one file that needs no network; open it in any browser, or send it. Press ? in it for its keys.")]
pub(crate) struct Args {
    /// The recording: perf.data, perf script text, pprof, or hub:SERVICE for what a hub has of a service
    #[arg(default_value = "hone.data")]
    recording: PathBuf,
    /// A newer recording to compare with it
    other: Option<PathBuf>,
    /// Who shall open it
    #[arg(long, value_enum, default_value_t = Form::Html)]
    to: Form,
    /// The file, - for standard output [default: the recording's name, or the service's, with an ending of its own]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Make pprof labels the outermost frames: label for all, label:KEY,KEY for some, the first key outermost
    #[arg(long, value_name = "LABELS", value_parser = LabelKeys::parse)]
    root: Option<LabelKeys>,
    /// Do not put the findings of hone diagnose on the page: they are quicker left out, for they read the machine code
    #[arg(long)]
    no_findings: bool,
    /// Leave source text out of the page, as for people who shall not see it; places and machine code stay
    #[arg(long)]
    no_source: bool,
    #[command(flatten)]
    names: SideNames,
    #[command(flatten)]
    selection: SelectionArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Any browser
    Html,
    /// <https://www.speedscope.app>: a profile for each thread
    Speedscope,
    /// <https://profiler.firefox.com>
    Firefox,
    /// pprof, with names instead of addresses
    Pprof,
    /// Flame graph tools: a line for each stack
    Folded,
}

impl Form {
    fn ending(self) -> &'static str {
        match self {
            Self::Html => "html",
            Self::Speedscope => "speedscope.json",
            Self::Firefox => "firefox.json",
            Self::Pprof => "pb.gz",
            Self::Folded => "folded",
        }
    }
}

/// A recording, ready to be shown.
struct Shown {
    name: String,
    stacks: Stacks,
    timeline: Timeline,
    findings: Option<PageFindings>,
    code: PageCode,
    notes: Notes,
}

impl Shown {
    fn in_form(&self, form: Form) -> Result<Vec<u8>> {
        let (stacks, timeline) = (&self.stacks, &self.timeline);
        Ok(match form {
            Form::Html => return in_html(&[self]),
            Form::Speedscope => hone_views::speedscope(&self.name, stacks, timeline)?.into_bytes(),
            Form::Firefox => hone_views::firefox(&self.name, stacks, timeline)?.into_bytes(),
            Form::Pprof => pprof::write(&hone_views::pprof(stacks))?,
            Form::Folded => folded(stacks).into_bytes(),
        })
    }
}

fn in_html(shown: &[&Shown]) -> Result<Vec<u8>> {
    let recordings: Vec<PageRecording<'_>> = shown
        .iter()
        .map(|shown| PageRecording {
            name: &shown.name,
            stacks: &shown.stacks,
            timeline: &shown.timeline,
        })
        .collect();
    let findings = shown.last().and_then(|newest| newest.findings.as_ref());
    let none = PageCode::default();
    let code = shown.last().map_or(&none, |newest| &newest.code);
    Ok(page(&recordings, findings, code).into_bytes())
}

pub(crate) fn run(args: Args) -> Result<ExitCode> {
    if args.other.is_some() && args.to != Form::Html {
        let two = Err(anyhow!(
            "only the page shows two recordings beside each other"
        ));
        return two.next("name one recording, or leave --to out");
    }
    let output = args.output.clone().unwrap_or_else(|| {
        let newest = args.other.as_ref().unwrap_or(&args.recording);
        file_of(newest, args.to)
    });
    let is_stdout = output == Path::new("-");
    if !is_stdout {
        must_be_writable(&output)?;
    }
    let selection = args.selection.selection();
    let binaries = Binaries::of(&selection);
    let open = |path, is_newest| show(&args, &selection, &binaries, path, is_newest);
    // Of two recordings, the newer one gets findings and code: its program is the one to mend.
    let mut shown = open(&args.recording, args.other.is_none())?;
    let bytes = match &args.other {
        Some(other) => {
            let mut newer = open(other, true)?;
            align(&mut shown.stacks, &mut newer.stacks);
            Notes::say_both(&shown.notes, &newer.notes);
            [shown.name, newer.name] = args.names.or_of_paths(&args.recording, other);
            in_html(&[&shown, &newer])?
        }
        None => {
            shown.notes.say();
            // The only recording is the newest.
            [_, shown.name] = args.names.or("", &shown.name);
            shown.in_form(args.to)?
        }
    };
    if is_stdout {
        to_stdout(&bytes)?;
        return Ok(ExitCode::SUCCESS);
    }
    write_whole(&output, &bytes).with_context(|| output.display().to_string())?;
    let size = HumanBytes(bytes.len() as u64);
    let whereto = match args.to {
        Form::Html => ": open it in a browser",
        Form::Speedscope => {
            ": open it in https://www.speedscope.app, which reads it within the browser"
        }
        Form::Firefox => {
            ": open it in https://profiler.firefox.com, which reads it within the browser"
        }
        Form::Pprof => ": look at it with go tool pprof",
        Form::Folded => "",
    };
    println!("{} ({size}){whereto}", output.display());
    Ok(ExitCode::SUCCESS)
}

/// Returns the file for a recording in a form.
fn file_of(recording: &Path, form: Form) -> PathBuf {
    match hub::query_of(recording) {
        // An ending is put behind the name of a service, which may have dots.
        Ok(query) => format!("{}.{}", query.file_stem(), form.ending()).into(),
        Err(_) => recording.with_extension(form.ending()),
    }
}

/// Reads a recording; the newest recording of a page gets its findings and its code.
fn show<'q>(
    args: &Args,
    selection: &Selection,
    binaries: &'q Binaries<'q>,
    path: &Path,
    is_newest: bool,
) -> Result<Shown> {
    let is_page = is_newest && args.to == Form::Html;
    let recording = Recording::read_with_times(path, selection, binaries)?;
    let viewed = views::named_stacks(&recording, selection)?;
    if let Some(keys) = &args.root {
        keys.must_be_in(&viewed.stacks, path)?;
    }
    let mut timeline = Timeline::new(recording.tally(), recording.event(), &viewed.stacks);
    if hub::is_hub(path) {
        timeline.step_ns = hub::STEP_NS;
    }
    let code = match is_page {
        true => page_code(&recording, &viewed.stacks, args.no_source),
        false => PageCode::default(),
    };
    let (mut stacks, findings) = if is_page && !args.no_findings {
        let inspected = inspected(&recording, viewed.stacks);
        let Stacks { event, .. } = &inspected.stacks;
        let looked = samples_in_words(event, inspected.samples(), inspected.weight());
        let findings = page_findings(&inspected, &looked);
        (inspected.stacks, Some(findings))
    } else {
        (viewed.stacks, None)
    };
    // Findings and code are about functions; labels are none.
    if let Some(keys) = &args.root {
        stacks.root_at_labels(&keys.0);
    }
    let name = path.file_name().unwrap_or(path.as_os_str());
    Ok(Shown {
        name: name.to_string_lossy().into_owned(),
        stacks,
        timeline,
        findings,
        code,
        notes: viewed.notes,
    })
}
