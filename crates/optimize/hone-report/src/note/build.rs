//! Notes on builds, their recordings and their profiles.

use std::fmt::{self, Display, Formatter};

use serde::{Deserialize, Serialize};

use crate::number;

/// A note on a build, its recording or its profile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BuildNote {
    /// How far a lever can reach.
    Reach {
        /// Title of the lever.
        lever: String,
        /// The prediction, as a clause.
        reach: String,
    },
    /// Warning of the recorder.
    Recorder(String),
    /// Warning of a conversion.
    Conversion(String),
    /// Note on the libraries in a profile.
    Libraries {
        /// Name of the recorded build.
        build: String,
        /// The note.
        note: String,
    },
    /// How far a recorded build has the instructions of the build that is measured.
    RecordedCode {
        /// Name of the recorded build.
        build: String,
        /// Name of the measured build.
        measured: String,
        /// Number of functions of the measured build.
        functions: usize,
        /// Number of functions of either build that the other has not, or with other instructions.
        changed: usize,
    },
    /// A recording whose profile is not good.
    PoorRecording {
        /// Name of the recorded build, or the path of the recording.
        recorded: String,
        /// The judgement, as sentences.
        judgement: String,
    },
    /// Training and measuring run other functions.
    TrainingUnlike {
        /// Share of the mix of functions that both have, 0 to 1.
        overlap: f64,
        /// The smallest share that would do.
        least: f64,
    },
    /// Training and measuring run the same functions.
    TrainingAlike {
        /// Share of the mix of functions that both have, 0 to 1.
        overlap: f64,
        /// Share that chance alone takes away.
        chance: f64,
    },
    /// The functions of training and measuring were not compared; the reason.
    TrainingUnknown(String),
    /// Time where no rebuild of the program reaches.
    Outside {
        /// The workloads, such as `the measured workloads`.
        work: String,
        /// Share of their time, 0 to 1.
        share: f64,
        /// The largest places, each with its share.
        places: Vec<(String, f64)>,
    },
    /// The time outside was not found out; the reason, as sentences.
    OutsideUnknown(String),
    /// A library whose rebuild would pay.
    WorthRebuilding {
        /// Name of its file.
        file: String,
        /// Its share of the time, 0 to 1.
        share: f64,
        /// Lines for hone.toml.
        lines: Vec<String>,
    },
    /// Functions that llvm-bolt left as they are.
    LeftByBolt(Vec<String>),
    /// The indirect calls of a build were not counted.
    CallsUnknown {
        /// Name of the build.
        build: String,
        /// The reason.
        reason: String,
    },
    /// Builds that were only linked, each with the build whose objects it took.
    LinkedAgain(Vec<(String, String)>),
}

impl BuildNote {
    pub(super) fn warns(&self) -> bool {
        !matches!(
            self,
            Self::RecordedCode { .. }
                | Self::TrainingAlike { .. }
                | Self::TrainingUnknown(_)
                | Self::Outside { .. }
                | Self::OutsideUnknown(_)
                | Self::WorthRebuilding { .. }
                | Self::LinkedAgain(_)
        )
    }

    pub(super) fn lasts(&self) -> bool {
        matches!(
            self,
            Self::Recorder(_)
                | Self::RecordedCode { .. }
                | Self::Conversion(_)
                | Self::Libraries { .. }
                | Self::PoorRecording { .. }
                | Self::LeftByBolt(_)
        )
    }
}

impl Display for BuildNote {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reach { lever, reach } => write!(f, "{lever}: {reach}."),
            Self::Recorder(text) | Self::Conversion(text) => f.write_str(text),
            Self::RecordedCode {
                build,
                measured,
                functions,
                changed: 0,
            } => write!(
                f,
                "{build}, which was recorded, has the instructions of {measured}: none of its {functions} functions differs."
            ),
            Self::RecordedCode {
                build,
                measured,
                functions,
                changed,
            } => write!(
                f,
                "{build}, which was recorded, has other instructions than {measured} in {changed} of {functions} functions: the \
                 flags that a profile needs are not without effect there."
            ),
            Self::OutsideUnknown(reason) => write!(
                f,
                "How much of the time lies outside of the program was not found out: {reason}"
            ),
            Self::Libraries { build, note } => write!(f, "Profile from {build}: {note}"),
            Self::PoorRecording {
                recorded,
                judgement,
            } => {
                write!(f, "Recording of {recorded}: {judgement}")
            }
            Self::TrainingUnlike { overlap, least } => write!(
                f,
                "The training workloads run another mix of functions than the measured ones: they share {} of it (plain \
                 samples), less than {}. From there on most of what a profile says is about other code than what is \
                 measured: train on what is more like it.",
                number::share(*overlap),
                number::share(*least)
            ),
            Self::TrainingAlike { overlap, chance } => write!(
                f,
                "Training and measuring share {} of their mix of functions (plain samples; chance alone takes about {} \
                 away).",
                number::share(*overlap),
                number::share(*chance)
            ),
            Self::TrainingUnknown(reason) => write!(
                f,
                "Whether training and measuring run the same functions was not found out: {reason}."
            ),
            Self::Outside {
                work,
                share,
                places,
            } => {
                let share = number::share(*share);
                write!(
                    f,
                    "Of the time of {work}, {share} lies where no rebuild of the program reaches{}.",
                    list(
                        ": ",
                        places
                            .iter()
                            .map(|(name, share)| format!("{name} {}", number::share(*share)))
                    )
                )
            }
            Self::WorthRebuilding { file, share, lines } => write!(
                f,
                "{file} has {} of the time, and no lever reaches it. If its source is at hand, add to hone.toml: {} \
                 (docs/optimize/levers.md).",
                number::share(*share),
                lines.join(" ")
            ),
            Self::LeftByBolt(functions) => write!(
                f,
                "llvm-bolt could not rewrite {} and was told to leave it as it is.",
                functions.join(", ")
            ),
            Self::CallsUnknown { build, reason } => {
                write!(
                    f,
                    "The indirect calls of {build} were not counted: {reason}."
                )
            }
            Self::LinkedAgain(builds) => write!(
                f,
                "Linked again from the objects of a build with the same compiler flags, so that the time to build is \
                 not that of a whole build{}.",
                list(
                    ": ",
                    builds
                        .iter()
                        .map(|(name, from)| format!("{name} (from {from})"))
                )
            ),
        }
    }
}

/// Joins words by commas behind `before`; nothing if there are no words.
fn list(before: &str, words: impl Iterator<Item = String>) -> String {
    let words: Vec<_> = words.collect();
    match words.is_empty() {
        true => String::new(),
        false => format!("{before}{}", words.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_outside_is_told_with_its_places() {
        let note = |places: &[(&str, f64)]| BuildNote::Outside {
            work: "the measured workloads".into(),
            share: 0.33,
            places: places
                .iter()
                .map(|(name, share)| ((*name).into(), *share))
                .collect(),
        };
        assert_eq!(
            note(&[("libc.so.6", 0.21), ("the kernel", 0.039)]).to_string(),
            "Of the time of the measured workloads, 33.0 % lies where no rebuild of the program reaches: libc.so.6 21.0 %, \
             the kernel 3.9 %."
        );
        assert!(note(&[]).to_string().ends_with("program reaches."));
    }

    #[test]
    fn another_mix_of_functions_is_told_with_its_figure() {
        let unlike = BuildNote::TrainingUnlike {
            overlap: 0.1,
            least: 0.5,
        };
        let said = unlike.to_string();
        assert!(
            unlike.warns()
                && said.contains("share 10.0 % of it")
                && said.contains("less than 50.0 %"),
            "{said}"
        );
        let alike = BuildNote::TrainingAlike {
            overlap: 0.9,
            chance: 0.02,
        };
        assert!(!alike.warns() && alike.to_string().contains("share 90.0 % of their mix"));
    }
}
