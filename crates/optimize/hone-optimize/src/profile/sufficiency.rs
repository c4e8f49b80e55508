//! Records a build until a profile of it is good, by the same figures as `hone quality`, or until the time is up.
//!
//! A number of branch records says little: spread over much code they are too few, and a small program has enough of
//! them in a second. So the recordings are converted and judged. If their halves overlap too little, the overlap tells how much
//! longer to record. If longer recording does not help (time in libraries, plain samples), recording ends at once. The
//! report gives the time and the reason of the end beside the rung that used the profile.
//!
//! Recordings are of whole workloads, so work that changes on the way is no sign of a poor profile.

use std::path::PathBuf;

use anyhow::{Context, Result};
use hone_build::{Purpose, Toolchain};
use hone_fdo::Evidence;
use hone_fdo::quality::{
    Figure, Limits, Quality, SPLIT_HALF, Verdict, of_recording, times_as_long,
};
use hone_report::note::BuildNote;
use hone_report::number;

use crate::profile::own_libraries;
use crate::profile::recording::{self, RECORDING_SECONDS_MAX, Spent, facts, files_of, record_once};
use crate::run::Run;
use crate::user_recording::Brought;
use crate::workspace::state::{Built, Judged, Profile};
use hone_convert::Program;
use hone_files::advice::in_one_sentence;

/// Maximum time of recording for the sake of quality, as a multiple of the usual time.
const TIMES: f64 = 4.0;
/// Factor on the predicted time, which is an estimate.
const MORE: f64 = 1.1;
/// Maximum number of judgements of one build; the last one counts.
const JUDGEMENTS: usize = 4;

/// Records the train workloads on a build until its profile is good or the time is up; returns the files.
pub(crate) fn record(run: &mut Run, built: &Built) -> Result<Vec<PathBuf>> {
    let files = recording::record(run, built)?;
    if run.toolchain == Toolchain::Go {
        // Go's compiler takes samples of calls, about which the figures say nothing.
        return Ok(files);
    }
    run.once(
        |state| &mut state.judged,
        &built.name(),
        |run| {
            let judged = record_on(run, built)?;
            // The build without levers is part of no rung but the baseline's.
            let name = match built.key.purpose() {
                Purpose::Use => built.key.rung(),
                _ => built.name(),
            };
            tell(run, &judged, name);
            Ok(judged)
        },
    )?;
    Ok(files_of(run, built))
}

fn record_on(run: &mut Run, built: &Built) -> Result<Judged> {
    let most_s = TIMES * RECORDING_SECONDS_MAX.min(run.project.seconds_per_rung);
    let mut judgements = 0;
    loop {
        let files = files_of(run, built);
        let spent = spent(run, built);
        let program = own_libraries::program(run, built, &files)?;
        let quality = match judge(&files, &program) {
            Ok((quality, notes)) => {
                for note in notes.lines() {
                    run.tell(BuildNote::Libraries {
                        build: built.name(),
                        note: note.into(),
                    });
                }
                quality
            }
            Err(error) => return Ok(unknown(&error)),
        };
        judgements += 1;
        match next(&quality, spent, most_s) {
            Next::Record { until_s } if judgements < JUDGEMENTS => {
                run.progress.line(&format!(
                    "the profile is {} after {} of its CPU time; recording goes on until {}",
                    brief(&quality),
                    number::seconds(spent.cpu_s),
                    number::seconds(until_s)
                ));
                record_until(run, built, until_s)?;
            }
            Next::Record { .. } => {
                let why = format!("after {JUDGEMENTS} attempts no more was tried");
                return Ok(Judged::of(&quality, spent.cpu_s, &why));
            }
            Next::Stop(why) => return Ok(Judged::of(&quality, spent.cpu_s, &why)),
        }
    }
}

/// Prints the judgement now and, if it is not good, adds it to the report's warnings.
fn tell(run: &mut Run, judged: &Judged, recorded: String) {
    run.progress.line(&judged.sentence);
    if !judged.is_good {
        run.tell(BuildNote::PoorRecording {
            recorded,
            judgement: judged.sentence.clone(),
        });
    }
}

/// Judges a recording that the user brings. Such a recording cannot be continued.
pub(crate) fn judge_brought(run: &mut Run, brought: &Brought) -> Result<()> {
    let name = brought.recording.display().to_string();
    run.once(
        |state| &mut state.judged,
        &name,
        |run| {
            let files = std::slice::from_ref(&brought.recording);
            let judged = match judge(files, &Program::alone(&brought.binary)) {
                Ok((quality, _)) => Judged {
                    sentence: format!(
                        "The given recording makes a profile that is {}.",
                        brief(&quality)
                    ),
                    is_good: quality.verdict() == Verdict::Good,
                },
                Err(error) => unknown(&error),
            };
            tell(run, &judged, name.clone());
            Ok(judged)
        },
    )
    .map(drop)
}

/// Returns the report's sentence on a profile, if it was made from a recording that was judged.
pub(crate) fn of(run: &Run, profile: &Profile) -> Option<String> {
    let judged = run.workspace.state.judged.get(profile.recorded.as_ref()?)?;
    Some(judged.sentence.clone())
}

/// Records more, always the workload with the least time so far, until there are recordings of `until_s` CPU seconds in all.
fn record_until(run: &mut Run, built: &Built, until_s: f64) -> Result<()> {
    let mut of_workloads = vec![Spent::default(); run.project.train.len()];
    while !spent(run, built).is_up(until_s) {
        let least = of_workloads.iter().enumerate();
        let Some((workload, _)) = least.min_by(|a, b| a.1.cpu_s.total_cmp(&b.1.cpu_s)) else {
            return Ok(());
        };
        let one = record_once(run, built, workload, facts(run, built).len())?;
        of_workloads[workload].add(&one);
        let known = run.workspace.state.recordings.get_mut(&built.name());
        let known = known.context("the build was not recorded before")?;
        known.facts.push(one);
        run.workspace.save()?;
    }
    Ok(())
}

fn spent(run: &Run, built: &Built) -> Spent {
    Spent::on(facts(run, built))
}

/// Judges recordings; also returns notes on the program's libraries.
fn judge(files: &[PathBuf], program: &Program) -> Result<(Quality, String)> {
    let joined = hone_convert::load_program(files, program, Evidence::Branches)?;
    let limits = Limits {
        over_time: None,
        ..Limits::default()
    };
    let quality = Quality {
        figures: of_recording(&joined.converted, 0, &limits),
    };
    Ok((quality, joined.notes))
}

fn unknown(error: &anyhow::Error) -> Judged {
    Judged {
        sentence: format!(
            "How good the profile is was not found out: {}",
            in_one_sentence(error)
        ),
        is_good: false,
    }
}

/// Next step for the recordings of a build.
#[derive(Debug, PartialEq)]
enum Next {
    /// Record until the recordings have this number of CPU seconds in all.
    Record { until_s: f64 },
    /// Stop: the recordings suffice, or nothing more can be done; the reason as a clause.
    Stop(String),
}

fn next(quality: &Quality, spent: Spent, most_s: f64) -> Next {
    if quality.verdict() == Verdict::Good {
        return Next::Stop("that is enough".into());
    }
    let is_idle = |figure: &Figure| figure.name == "density" && figure.value <= 0.0;
    if quality.figures.iter().any(is_idle) {
        return Next::Stop("the program was seen at no work".into());
    }
    let Some(times) = quality.figures.iter().find_map(times_that_mend) else {
        return Next::Stop("longer recording does not mend that".into());
    };
    if spent.cpu_s >= most_s {
        return Next::Stop(format!(
            "the {} that seconds_per_rung allows are up",
            number::seconds(most_s)
        ));
    }
    if spent.is_up(most_s) {
        return Next::Stop(format!(
            "it had no more CPU time than that in {}",
            number::seconds(spent.wall_s)
        ));
    }
    let until_s = spent.cpu_s * times * MORE;
    Next::Record {
        until_s: until_s.min(most_s),
    }
}

/// Returns how many times as long recordings must be, if this figure is the overlap of their halves and is not good.
fn times_that_mend(figure: &Figure) -> Option<f64> {
    let is_short =
        figure.name == SPLIT_HALF && matches!(figure.verdict, Verdict::Poor | Verdict::Unfit);
    is_short.then(|| times_as_long(figure.value, Limits::default().overlap.good()))
}

impl Judged {
    fn of(quality: &Quality, recorded_s: f64, why: &str) -> Self {
        let recorded = number::seconds(recorded_s);
        let verdict = quality.verdict();
        let mut bad = quality.figures.iter();
        let advice = bad
            .find(|figure| figure.verdict == verdict)
            .and_then(|figure| figure.advice.as_deref());
        let advice = advice.map_or_else(String::new, |advice| format!(" {advice}"));
        Self {
            sentence: format!(
                "The profile is {}; recorded for {recorded} of its CPU time: {why}.{advice}",
                brief(quality)
            ),
            is_good: verdict == Verdict::Good,
        }
    }
}

/// Formats the verdict with the figures that decide it; if the profile is good, the overlap of the halves and the time outside
/// of the binary.
fn brief(quality: &Quality) -> String {
    let verdict = quality.verdict();
    let figures = quality.figures.iter();
    let decides = |figure: &&Figure| match verdict {
        Verdict::Good => {
            figure.threshold.is_some() && [SPLIT_HALF, "outside"].contains(&figure.name)
        }
        _ => figure.verdict != Verdict::Good,
    };
    let shown: Vec<_> = figures
        .filter(decides)
        .map(|figure| figure.shown.as_str())
        .collect();
    format!("{verdict}: {}", shown.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quality(overlap: f64, others: Verdict) -> Quality {
        let figure = |name, value, verdict| Figure {
            name,
            value,
            shown: format!("{value} {name}"),
            verdict,
            threshold: Some(Limits::default().overlap),
            advice: (verdict != Verdict::Good).then(|| format!("Mend {name}.")),
            details: Vec::new(),
        };
        let of_overlap = match overlap {
            0.8.. => Verdict::Good,
            0.5.. => Verdict::Poor,
            _ => Verdict::Unfit,
        };
        Quality {
            figures: vec![
                figure(SPLIT_HALF, overlap, of_overlap),
                figure("outside", 0.6, others),
            ],
        }
    }

    fn spent(cpu_s: f64, wall_s: f64) -> Spent {
        Spent { cpu_s, wall_s }
    }

    #[test]
    fn a_thin_profile_is_recorded_for_as_long_as_it_says_within_the_time() {
        let poor = quality(0.6, Verdict::Good);
        let of = |cpu_s, most_s| next(&poor, spent(cpu_s, cpu_s), most_s);
        let Next::Record { until_s } = of(10.0, 180.0) else {
            panic!("{:?}", of(10.0, 180.0));
        };
        assert!((until_s - 44.0).abs() < 1e-9, "{until_s}");
        let until_s = 15.0;
        assert_eq!(of(10.0, until_s), Next::Record { until_s });
        // One walk says nothing of the next one.
        let one = quality(0.0, Verdict::Good);
        let until_s = 180.0;
        assert_eq!(
            next(&one, spent(10.0, 10.0), until_s),
            Next::Record { until_s }
        );
        assert_eq!(
            of(15.0, 15.0),
            Next::Stop("the 15.0 s that seconds_per_rung allows are up".into())
        );
        // A busy machine, or a server that waits: the wall time does not count before there is too much of it.
        assert!(matches!(
            next(&poor, spent(4.0, 59.0), 15.0),
            Next::Record { .. }
        ));
        assert_eq!(
            next(&poor, spent(4.0, 61.0), 15.0),
            Next::Stop("it had no more CPU time than that in 61.0 s".into())
        );
    }

    #[test]
    fn what_time_does_not_mend_ends_it() {
        let stopped = |quality| match next(&quality, spent(1.0, 1.0), 100.0) {
            Next::Stop(why) => why,
            other => panic!("{other:?}"),
        };
        assert_eq!(stopped(quality(0.9, Verdict::Good)), "that is enough");
        assert!(stopped(quality(0.9, Verdict::Poor)).contains("does not mend"));
        let mut idle = quality(0.0, Verdict::Good);
        idle.figures[1].name = "density";
        idle.figures[1].value = 0.0;
        assert!(stopped(idle).contains("no work"));
        // Halves that are not known are not mended by time either.
        let mut unknown = quality(0.0, Verdict::Good);
        unknown.figures[0].verdict = Verdict::Unknown;
        assert!(stopped(unknown).contains("does not mend"));
    }

    #[test]
    fn the_sentence_has_verdict_figures_time_reason_and_advice() {
        let said = |overlap, others| Judged::of(&quality(overlap, others), 12.0, "why");
        let good = said(0.9, Verdict::Good);
        assert_eq!(
            good.sentence,
            "The profile is good: 0.9 split-half overlap, 0.6 outside; recorded for 12.0 s of its CPU time: why."
        );
        let poor = said(0.6, Verdict::Good);
        assert!(good.is_good && !poor.is_good);
        assert_eq!(
            poor.sentence,
            "The profile is poor: 0.6 split-half overlap; recorded for 12.0 s of its CPU time: why. Mend split-half overlap."
        );
    }
}
