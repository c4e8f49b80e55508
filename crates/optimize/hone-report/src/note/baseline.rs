//! Notes on the user's own build, on the machine, and on the plan of measuring.

use std::fmt::{self, Display, Formatter};

use serde::{Deserialize, Serialize};

use crate::number;

/// A note on what all figures are measured against, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BaselineNote {
    /// Part of the code that was compiled without optimisation, 0 to 1.
    Unoptimised(f64),
    /// The user's build has another compiler than the levers.
    OtherCompiler {
        /// Name of the compiler.
        compiler: String,
        /// Title of the rung for the change.
        rung: String,
    },
    /// The build takes its compilers from CC and CXX alone, which the user has not set, and so Hone has.
    NamedCompilers {
        /// The C compiler.
        c: String,
        /// The C++ compiler.
        cxx: String,
    },
    /// A note that a run of a server left.
    Server(String),
    /// A signal ended the server at its stop.
    EndedBySignal {
        /// Number of the signal.
        signal: i32,
        /// True if a command was to stop it, not a signal.
        by_command: bool,
    },
    /// A rung takes longer than was asked for.
    LongRungs {
        /// Seconds that a rung takes.
        takes_s: f64,
        /// Seconds that were asked for.
        asked_s: f64,
        /// Seconds of one block.
        block_s: f64,
        /// Minimum number of blocks.
        blocks: usize,
    },
    /// Pairs cannot share a CPU, as hone.toml asks for; the reason.
    NoOwnView(String),
    /// The two runs of a pair shared one CPU.
    Duets,
    /// A workload failed when it ran twice at the same time; the reason.
    NoDuets(String),
    /// The size of a gain that can be seen.
    Power {
        /// Pairs of runs and wall seconds that a gain of 1 % takes; `None` if it cannot be seen.
        one_per_cent: Option<(u64, f64)>,
        /// Pairs of runs for a rung.
        pairs: u64,
        /// Maximum wall seconds for a rung.
        wall_s: f64,
        /// Ratio that is proven in four of five cases.
        provable: f64,
    },
    /// The baseline differed provably from itself.
    Unsteady,
    /// Share of the CPU time that the hypervisor took, 0 to 1.
    Stolen(f64),
}

impl BaselineNote {
    pub(super) fn warns(&self) -> bool {
        !matches!(
            self,
            Self::LongRungs { .. } | Self::Duets | Self::NoDuets(_) | Self::Power { .. }
        )
    }
}

impl Display for BaselineNote {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unoptimised(part) => write!(
                f,
                "Your build compiles without optimisation: {:.0} % of the program's code shows it. Set -O2 first (in CFLAGS \
                 and CXXFLAGS, or CMAKE_BUILD_TYPE=RelWithDebInfo) and start again: that gains more than any lever, and all \
                 gains below are against an unoptimised build, those of a change of compiler too.",
                part * 100.0
            ),
            Self::OtherCompiler { compiler, rung } => write!(
                f,
                "Your build compiles with {compiler}. The levers are clang's, so all rungs are built with clang and \
                 stand on the rung \"{rung}\", whatever that gave; only the winner is measured against your own build."
            ),
            Self::NamedCompilers { c, cxx } => write!(
                f,
                "Your build calls its compiler by a path, where the wrappers that stand in PATH do not see it. So all builds, also the \
                 baseline, are made with CC={c} and CXX={cxx}, which your build takes. If that is not what it is built with, set CC \
                 and CXX in the env of [build], and start again."
            ),
            Self::Server(text) => f.write_str(text),
            Self::EndedBySignal { signal, by_command } => write!(
                f,
                "At {} the server was ended by signal {signal} instead of ending by exit, so that an instrumented build \
                 would write no profile: pgo and its kin will fail. Set stop under [server] to a signal that it handles \
                 (INT, QUIT, HUP, USR1, USR2), or stop_command, in which {{pid}} is the server; docs/optimize/services.md has \
                 a way for servers that handle none. Or leave these levers out (--sampling-only).",
                match by_command {
                    true => "its stop command",
                    false => "its stop signal",
                }
            ),
            Self::LongRungs {
                takes_s,
                asked_s,
                block_s,
                blocks,
            } => write!(
                f,
                "A rung takes {}, where {} were asked for (seconds_per_rung): a block, four runs of each measured workload, \
                 takes {}, and fewer than {blocks} blocks carry no interval. Shorter workloads make it faster.",
                number::seconds(*takes_s),
                number::seconds(*asked_s),
                number::seconds(*block_s),
            ),
            Self::NoOwnView(reason) => write!(
                f,
                "ladder.duet = true is left out: a run cannot have a view of the files of its own here ({reason})."
            ),
            Self::Duets => f.write_str(
                "The two runs of a pair, one of each build, shared one CPU at the same time, so that what \
                 disturbed one disturbed the other too.",
            ),
            Self::NoDuets(reason) => write!(
                f,
                "A workload failed when it ran twice at the same time, so all runs are made one after the other: {reason}"
            ),
            Self::Power {
                one_per_cent,
                pairs,
                wall_s,
                provable,
            } => write!(
                f,
                "{}. This budget's {} pairs for a rung, {} at most, see {} in four of five cases.",
                one_per_cent_takes(*one_per_cent),
                number::count(*pairs),
                number::seconds(*wall_s),
                number::share(provable - 1.0)
            ),
            Self::Unsteady => f.write_str(
                "The baseline differed provably from itself: this machine was not steady, so take every \
                 interval below as too narrow.",
            ),
            Self::Stolen(share) => write!(
                f,
                "Of the CPU time that was used or withheld while the baseline was measured against itself, the \
                 hypervisor took {:.1} %.",
                share * 100.0
            ),
        }
    }
}

fn one_per_cent_takes(pairs_and_seconds: Option<(u64, f64)>) -> String {
    match pairs_and_seconds {
        Some((pairs, wall_s)) => format!(
            "To see a gain of 1 % here takes about {} pairs of runs: {}",
            number::count(pairs),
            number::seconds(wall_s)
        ),
        None => "A gain of 1 % cannot be seen here".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gain_that_cannot_be_seen_is_said_to_be_out_of_reach() {
        let note = |one_per_cent| BaselineNote::Power {
            one_per_cent,
            pairs: 60,
            wall_s: 120.0,
            provable: 1.024,
        };
        assert_eq!(
            note(Some((1_200, 3_600.0))).to_string(),
            "To see a gain of 1 % here takes about 1,200 pairs of runs: 1 h 0 min. This budget's 60 pairs for a rung, 2 min \
             0 s at most, see 2.4 % in four of five cases."
        );
        let none = note(None).to_string();
        assert!(
            none.starts_with("A gain of 1 % cannot be seen here. "),
            "{none}"
        );
    }

    #[test]
    fn a_server_that_a_signal_ends_is_told_the_ways_out() {
        let said = BaselineNote::EndedBySignal {
            signal: 15,
            by_command: false,
        };
        let said = said.to_string();
        for words in ["stop signal", "signal 15", "{pid}", "--sampling-only"] {
            assert!(said.contains(words), "{said}");
        }
    }

    #[test]
    fn a_rung_that_takes_longer_says_why() {
        let note = BaselineNote::LongRungs {
            takes_s: 120.0,
            asked_s: 60.0,
            block_s: 24.0,
            blocks: 5,
        };
        assert_eq!(
            note.to_string(),
            "A rung takes 2 min 0 s, where 60.0 s were asked for (seconds_per_rung): a block, four runs of each measured \
             workload, takes 24.0 s, and fewer than 5 blocks carry no interval. Shorter workloads make it faster."
        );
    }
}
