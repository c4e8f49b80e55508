//! `hone view`: a recording, or two beside each other, as one page for the browser.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use hone_views::{PageRecording, Stacks, Timeline, page};
use indicatif::HumanBytes;

use crate::files::write_whole;
use crate::views::{self, Selection};

/// Write a recording as one HTML page: flame graph, sandwich, time order
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    hone view\n  \
    hone view before.data after.data -o change.html\n\n\
    The page is one file that needs no network; open it in any browser, or send it. Press ? in it for its keys.")]
pub(crate) struct Args {
    /// The recording: perf.data, perf script text or pprof
    #[arg(default_value = "hone.data")]
    recording: PathBuf,
    /// A newer recording to compare with it
    other: Option<PathBuf>,
    /// The page [default: the recording's name with .html]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    selection: Selection,
}

/// A recording, ready to be shown.
struct Shown {
    name: String,
    stacks: Stacks,
    timeline: Timeline,
}

pub(crate) fn run(args: Args) -> Result<ExitCode> {
    let mut shown = vec![show(&args.recording, &args.selection)?];
    if let Some(other) = &args.other {
        shown.push(show(other, &args.selection)?);
    }
    let recordings: Vec<PageRecording<'_>> = shown
        .iter()
        .map(|shown| PageRecording {
            name: &shown.name,
            stacks: &shown.stacks,
            timeline: &shown.timeline,
        })
        .collect();
    let html = page(&recordings);
    let output = args.output.unwrap_or_else(|| {
        let newest = args.other.as_ref().unwrap_or(&args.recording);
        newest.with_extension("html")
    });
    write_whole(&output, html.as_bytes()).with_context(|| output.display().to_string())?;
    println!(
        "{} ({}): open it in a browser",
        output.display(),
        HumanBytes(html.len() as u64)
    );
    Ok(ExitCode::SUCCESS)
}

fn show(path: &Path, selection: &Selection) -> Result<Shown> {
    let recording = views::read_with_times(path, selection)?;
    let viewed = views::named(&recording, path, selection)?;
    views::say(&viewed.notes);
    let timeline = Timeline::new(recording.tally(), recording.event(), &viewed.stacks);
    let name = path.file_name().unwrap_or(path.as_os_str());
    Ok(Shown {
        name: name.to_string_lossy().into_owned(),
        stacks: viewed.stacks,
        timeline,
    })
}
