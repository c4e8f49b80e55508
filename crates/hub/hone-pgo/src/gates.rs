//! Gates: what must hold before a profile is used. A failed gate says why, and what to do next; so does one that lets a profile pass
//! which could gain more.

use serde::{Deserialize, Serialize};

use hone_fdo::quality::{LONGER_MAX, longer, times_as_long};

use crate::form::Form;
use crate::halves::HalvesOf;
use crate::quality::{Basis, Input, Quality};
use crate::settings::GateLimits;

/// Number of names that a reason lists.
const LISTED_MAX: usize = 5;
/// Seconds of a day.
const DAY_S: f64 = 86_400.0;

/// Name of a gate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GateName {
    /// The target build belongs to the service.
    Service,
    /// Two halves of what was sent say much the same.
    Overlap,
    /// There are enough samples, where there are no halves.
    Samples,
    /// The samples are new enough.
    Age,
    /// Enough of the weight lands in the target build.
    Match,
    /// Hot code was seen often enough.
    Density,
}

/// A gate, tried.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Gate {
    /// Name.
    pub name: GateName,
    /// Figure that decides; for the service, 1 if the build belongs to it.
    pub value: f64,
    /// Limit of the figure.
    pub limit: f64,
    /// True if the profile may be used, as far as this gate goes.
    pub passed: bool,
    /// Reason why not, or what the profile lacks though it passed, as a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What to do next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

impl Gate {
    /// Returns true if the profile may be used, and could gain more.
    pub fn warns(&self) -> bool {
        self.passed && self.reason.is_some()
    }

    fn tried(
        name: GateName,
        value: f64,
        limit: f64,
        passed: bool,
        why: impl FnOnce() -> [String; 2],
    ) -> Self {
        let [reason, next] = if passed {
            [None, None]
        } else {
            why().map(Some)
        };
        Self {
            name,
            value,
            limit,
            passed,
            reason,
            next,
        }
    }
}

/// Facts on whether the target build belongs to the service.
pub(crate) struct Belonging<'q> {
    pub(crate) service: &'q str,
    /// Build id and name of the target, if the caller gave one.
    pub(crate) target: Option<(&'q str, &'q str)>,
    /// Programs of the service.
    pub(crate) programs: Vec<&'q str>,
    /// Other services in the batches.
    pub(crate) others: Vec<&'q str>,
    /// True if the target was recorded, or has the name of a program that was.
    pub(crate) belongs: bool,
}

/// Tries whether the target build belongs to the service.
pub(crate) fn service(of: &Belonging<'_>) -> Gate {
    Gate::tried(
        GateName::Service,
        f64::from(u8::from(of.belongs)),
        1.0,
        of.belongs,
        || {
            let Belonging { service, .. } = of;
            match (of.target, of.programs.is_empty()) {
                (_, true) if of.others.is_empty() => [
                    format!("No program with a build id was recorded in service {service}."),
                    "Name a service that the hub lists; build its programs with build ids (-Wl,--build-id).".to_owned(),
                ],
                (_, true) => [
                    format!(
                        "Nothing of service {service} is in the batches, but of {}.",
                        list(&of.others)
                    ),
                    "Name one of these services.".to_owned(),
                ],
                (Some((build, name)), _) => [
                    format!(
                        "{name} with build id {build} was never recorded in service {service}; its programs are {}.",
                        list(&of.programs)
                    ),
                    "Name a binary of the service, or the service of this binary.".to_owned(),
                ],
                (None, _) => [
                    format!("No build of service {service} runs that has a share of its weight."),
                    "Name the binary that the profile is for.".to_owned(),
                ],
            }
        },
    )
}

/// Tries whether two halves of what was sent say much the same, or, where there are none, whether there are enough samples.
pub(crate) fn overlap(quality: &Quality, limits: &GateLimits) -> Gate {
    let Some(overlap) = quality.overlap else {
        return samples(quality, limits);
    };
    let (least, good) = (
        limits.overlap_min,
        limits.overlap_good.max(limits.overlap_min),
    );
    let promise = match quality.gain_share {
        Some(share) => format!("promises {:.0} % of the gain", 100.0 * share),
        None => "may make the program slower".to_owned(),
    };
    let words = |needed: String| {
        let halves = match quality.halves {
            Some(HalvesOf::Times) => "steps of time",
            _ => "hosts",
        };
        [
            format!(
                "By the overlap of two halves of the {halves}, the next profile has {:.1} % in common with this one, which {promise}; \
                 {needed}.",
                100.0 * overlap,
            ),
            more(times_as_long(overlap, good), quality),
        ]
    };
    let passed = overlap >= least;
    let gate = Gate::tried(GateName::Overlap, overlap, least, passed, || {
        words(format!("{:.1} % in common are needed", 100.0 * least))
    });
    if !passed || overlap >= good {
        return gate;
    }
    let [reason, next] = words(format!(
        "from {:.1} % in common on it is good",
        100.0 * good
    ))
    .map(Some);
    Gate {
        reason,
        next,
        ..gate
    }
}

/// Says how to have so many times as much.
fn more(times: f64, quality: &Quality) -> String {
    let hosts = quality.hosts.max(1);
    let wanted = match times > LONGER_MAX {
        true => "far more hosts".to_owned(),
        false => {
            let wanted = (hosts as f64 * times).ceil().max(hosts as f64 + 1.0);
            format!("{wanted} hosts in place of {hosts}")
        }
    };
    format!("Record {}, on {wanted}, or more often.", longer(times))
}

/// Tries whether there are enough samples.
fn samples(quality: &Quality, limits: &GateLimits) -> Gate {
    let (samples, what) = match quality.basis {
        Basis::Branches => (quality.samples_with_branches, "samples with branch records"),
        Basis::Samples => (quality.samples, "samples"),
    };
    let least = limits.samples_min;
    Gate::tried(
        GateName::Samples,
        samples as f64,
        least as f64,
        samples >= least,
        || {
            let times = least as f64 / samples.max(1) as f64;
            [
                format!("There are {samples} {what} in the window, and {least} are needed."),
                more(times, quality),
            ]
        },
    )
}

/// Tries whether the newest samples are new enough.
pub(crate) fn age(quality: &Quality, limits: &GateLimits) -> Gate {
    let age_s = quality.newest_age_s;
    let passed = age_s <= limits.age_max_s;
    Gate::tried(
        GateName::Age,
        age_s as f64,
        limits.age_max_s as f64,
        passed,
        || {
            [
            format!(
                "The newest samples are {:.1} days old, and {:.1} are allowed.",
                age_s as f64 / DAY_S,
                limits.age_max_s as f64 / DAY_S
            ),
            "Look whether the hosts of the service still send: their agents say so in their logs.".to_owned(),
        ]
        },
    )
}

/// Tries whether enough of the weight lands in the target build.
pub(crate) fn matching(
    quality: &Quality,
    target: &str,
    inputs: &[Input],
    form: Form,
    limits: &GateLimits,
) -> Gate {
    let (share, least) = (quality.match_share, limits.match_min);
    Gate::tried(GateName::Match, share, least, share >= least, || {
        let next = if form.is_by_source() {
            "Upload the symbols of builds that were left out for lack of them, or wait until the target build has run \
             for longer."
        } else {
            "Wait until the target build has run for longer, or choose a form that other builds are fitted to, such as \
             autofdo-extbinary."
        };
        let mut reason = format!(
            "{:.1} % of the weight lands in build {target}, and {:.1} % are needed.",
            100.0 * share,
            100.0 * least
        );
        if let Some((input, why)) = inputs
            .iter()
            .find_map(|input| Some((input, input.left_out.as_ref()?)))
        {
            reason += &format!(
                " Build {} with {:.1} % was left out: {why}.",
                input.build,
                100.0 * input.share
            );
        }
        [reason, next.to_owned()]
    })
}

/// Tries whether hot code was seen often enough; `None` without a limit, and for forms whose density is not known.
pub(crate) fn density(quality: &Quality, limits: &GateLimits) -> Option<Gate> {
    let least = Some(limits.density_min).filter(|least| *least > 0.0)?;
    let density = quality.density?;
    let unit = match quality.basis {
        Basis::Branches => "executions",
        Basis::Samples => "samples",
    };
    Some(Gate::tried(
        GateName::Density,
        density,
        least,
        density >= least,
        || {
            let next = if density > 0.0 {
                more(least / density, quality)
            } else {
                "Record while the service is at work.".to_owned()
            };
            [
                format!("Hot code has {density:.1} {unit} per place, and {least:.1} are needed."),
                next,
            ]
        },
    ))
}

fn list(names: &[&str]) -> String {
    let shown = names.len().min(LISTED_MAX);
    let mut text = names[..shown].join(", ");
    if names.len() > shown {
        text += &format!(" and {} others", names.len() - shown);
    }
    text
}
