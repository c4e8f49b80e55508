//! `hone quality`: judges whether a profile is fit to use. The exit status is 1 if it is not, so that a pipeline can stop.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use hone_build::quantity::share;
use hone_convert::fitness::{Question, judge};
use hone_fdo::quality::{Limits, Quality, Threshold, Verdict};
use serde::Serialize;

use crate::event::EventArgs;
use crate::output::print;

/// Say whether a profile is fit to use: exit 1 if it is not
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    hone quality server.prof\n  \
    hone quality hone.data --binary ./server\n  \
    hone quality server.prof --for-build ./server-new    # is it stale?\n  \
    hone quality today.prof --against yesterday.prof --json\n\n\
    Every figure has a verdict: good, poor (use it where there is no better one) or unfit. What decides is how much of\n\
    it the next recording would say, by the halves of the recording; of a profile alone that is not known.")]
pub(crate) struct Args {
    /// A sample profile (text or binary), or a recording, such as hone convert takes; also hub:SERVICE
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
    /// Unfit below this density: executions per place of hot code [default: no limit]
    #[arg(long, value_name = "N")]
    min_density: Option<f64>,
    /// Unfit below this block overlap, with the next recording and with --against [default: 50%]
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
    let quality = judge(&Question {
        profile: &args.profile,
        binary: args.binary.as_deref(),
        for_build: args.for_build.as_deref(),
        against: args.against.as_deref(),
        events: args.events.choice(),
        limits: limits(&args),
    })?;
    let judged = Judged {
        profile: args.profile.display().to_string(),
        verdict: quality.verdict(),
        quality: &quality,
    };
    print(&judged, args.json, || describe(&quality))?;
    Ok(match judged.verdict {
        Verdict::Unfit => ExitCode::from(1),
        Verdict::Poor | Verdict::Unknown | Verdict::Good => ExitCode::SUCCESS,
    })
}

fn limits(args: &Args) -> Limits {
    let mut limits = Limits {
        density: args.min_density.map(|limit| Threshold::Below {
            poor: limit,
            unfit: limit,
        }),
        ..Limits::default()
    };
    let given = [
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

fn describe(quality: &Quality) -> String {
    let mut text = String::new();
    for figure in &quality.figures {
        let verdict = match figure.threshold {
            None if figure.verdict == Verdict::Good => String::new(),
            _ => figure.verdict.to_string(),
        };
        let _ = write!(text, "{verdict:9} {:18} {}", figure.name, figure.shown);
        let _ = match figure.threshold {
            Some(threshold) => writeln!(text, " ({threshold})"),
            None => writeln!(text),
        };
        for detail in &figure.details {
            let _ = writeln!(text, "{:29}{detail}", "");
        }
        if let Some(advice) = &figure.advice {
            let _ = writeln!(text, "{:10}-> {advice}", "");
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
