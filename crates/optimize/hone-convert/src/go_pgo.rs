//! `default.pgo` for Go's compiler.

use anyhow::Result;
use hone_fdo::go_pgo::{self, Basis, GoPgoError, GoPgoReport, Stacks};
use indicatif::HumanCount;

use super::{Profile, Request, explain, notes};
use hone_files::advice::Advice;
use hone_inputs::recording::Reading;

/// Converts all recordings.
pub(super) fn convert(request: &Request) -> Result<Profile> {
    let binary = request.loaded_binary()?;
    let mut recordings = Vec::new();
    let mut stacks = Vec::new();
    let mut reading = Reading::of(&request.recordings, Some(&binary)).only(&request.events);
    for path in &request.recordings {
        let mut own = Stacks::default();
        recordings.push(reading.next(path, |profile, sample, _| own.add(profile, sample))?);
        stacks.push(own);
    }
    let path = request.program.binary.to_str();
    let pgo = go_pgo::write(&recordings, &stacks, request.evidence, path, binary.image())
        .map_err(|error| advise(error, request))?;
    Ok(Profile {
        bytes: pgo.bytes,
        said: describe(&pgo.report) + &notes(&pgo.warnings),
    })
}

fn advise(error: GoPgoError, request: &Request) -> anyhow::Error {
    let next = match error {
        GoPgoError::Fdo(error @ hone_fdo::FdoError::NoDebugInfo) => {
            let next = "build without -ldflags=-w and -ldflags=-s, and record that build";
            return Advice::error(error, next);
        }
        GoPgoError::Fdo(error) => return explain(error, request),
        GoPgoError::NotGo => "choose the form for its compiler, such as --to autofdo-extbinary",
        GoPgoError::NoStartLines => {
            "build with a newer Go (1.26 is known to work), and record that build"
        }
        GoPgoError::NoCalls { .. } => {
            "record with hone record --branches auto or with -g, or perf record -g"
        }
        GoPgoError::NoEdges => "record for longer, or while the program is at work",
        GoPgoError::Write(_) => "free some memory",
    };
    Advice::error(error, next)
}

fn describe(report: &GoPgoReport) -> String {
    let (what, unit) = match report.basis {
        Basis::Branches => ("branch records", "calls"),
        Basis::CallChains => ("call chains", "samples"),
    };
    let mut text = format!(
        "{} samples with {what} -> {} edges of calls ({} of them inlined), {} {unit}\n",
        HumanCount(report.samples),
        HumanCount(report.edges),
        HumanCount(report.inlined_edges),
        HumanCount(report.weight),
    );
    let notes = [
        (
            report.callers_unknown,
            "samples are in functions without a frame whose caller is not on the chain; branch records have none of \
             this.",
        ),
        (
            report.unresolved_wrappers,
            "calls of generated wrappers could not be followed to a method.",
        ),
        (
            report.samples_outside,
            "samples have no frame in the binary.",
        ),
        (
            report.stacks_cut,
            "samples have stacks through other code, such as C; they were cut there.",
        ),
    ];
    for (count, what) in notes {
        if count > 0 {
            text += &format!("note: {} {what}\n", HumanCount(count));
        }
    }
    text
}
