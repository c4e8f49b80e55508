//! Sums of many hosts' recordings, as the hub of a fleet keeps them: what rules cannot see there, and cores in place of shares.

use crate::share::Share;
use crate::subject::{Inspected, Machine};
use hone_profile::Losses;
use hone_views::{Stacks, is_time};
use serde::Serialize;

/// Something that a rule examines beside stacks with names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Need {
    /// Machine code and other facts of the program's files.
    Code,
    /// Events that the CPU counts beside time.
    Counters,
    /// Features, quotas and memory of the recorded machine.
    Machine,
    /// Operands that walks met.
    Walks,
}

impl Need {
    /// Returns the reason why rules with this need cannot look without it, as the end of a sentence.
    pub(crate) fn reason(self) -> &'static str {
        match self {
            Self::Code => {
                "look at machine code; hone diagnose hub:SERVICE@BUILD --binary FILE shows it to them"
            }
            Self::Counters => {
                "look at the CPU's counters; diagnose a recording of one host that has them, such as that of perf record -e \
                 cycles:u,stalled-cycles-frontend:u,L1-icache-load-misses:u,branch-misses:u"
            }
            Self::Machine => {
                "look at the CPU, the quota and the memory of one machine; diagnose a recording of one host"
            }
            Self::Walks => {
                "look at the operands that walks met; diagnose a recording of hone record --branches walk"
            }
        }
    }
}

/// What stacks are sums of.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Sums {
    /// Length of the time in which hosts took the samples, in seconds.
    pub seconds: u64,
}

/// CPU cores in use, on average over the time of the sums.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Cores {
    /// Number of cores.
    pub value: f64,
    /// Standard error of the number: samples are a part of what ran.
    pub standard_error: f64,
}

impl Cores {
    /// Returns the cores as text for people, with as many digits as the error deserves.
    pub fn in_words(&self) -> String {
        let digits = match self.standard_error {
            error if error > 0.0 => (1.0 - error.log10().floor()).clamp(0.0, 4.0) as usize,
            _ => 2,
        };
        format!("{:.digits$} ± {:.digits$}", self.value, self.standard_error)
    }
}

/// Rules that could not look, for the same reason.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct NotLooked {
    /// What is missing.
    pub need: Need,
    /// The reason, as the end of a sentence whose subject is the rules.
    pub reason: &'static str,
    /// Names of the rules.
    pub rules: Vec<&'static str>,
}

impl NotLooked {
    /// Returns the sentence for people.
    pub fn in_words(&self) -> String {
        format!("{} {}.", self.rules.join(", "), self.reason)
    }
}

impl Inspected {
    /// Counts what all rules need of sums, without anything else of the machines and of the program's files.
    pub fn of_sums(stacks: Stacks, sums: Sums) -> Self {
        let (machine, losses) = (Machine::default(), Losses::default());
        let mut inspected = Self::new(stacks, Vec::new(), machine, losses);
        inspected.sums = Some(sums);
        inspected
    }

    /// Returns what a rule with these needs lacks. Of a single recording, notes elsewhere tell which files could not be read, and
    /// rules about a quota that there is not are silent.
    pub(crate) fn lacks(&self, needs: &[Need]) -> Option<Need> {
        let are_sums = self.sums.is_some();
        let is_missing = |need: &Need| match need {
            Need::Code => are_sums && self.binaries.iter().all(|binary| binary.is_system()),
            Need::Counters => self.hardware.is_empty(),
            Need::Machine => are_sums,
            Need::Walks => self.operands.is_none(),
        };
        needs.iter().copied().find(is_missing)
    }

    /// Returns the cores of a share; `None` for a single recording, and if the event counts no time.
    pub(crate) fn cores(&self, share: &Share) -> Option<Cores> {
        let seconds = self.sums?.seconds.max(1) as f64;
        let all = self.weight() as f64 / (1e9 * seconds);
        // The number of samples of the share varies as counts do: by its square root.
        let relative = share.share / self.effective_samples().max(1.0);
        is_time(&self.stacks.event).then(|| Cores {
            value: all * share.share,
            standard_error: all * relative.sqrt(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{inspected, marked_program};
    use crate::{ALL, Diagnosis, Mark, diagnose};

    /// Diagnoses sums of 1,000 samples of 50 ms each, a part of them in the allocator, in 100 seconds.
    fn found(allocating: u64) -> Diagnosis {
        let recording = inspected(&[("main;malloc", allocating), ("main", 1000 - allocating)]);
        let mut stacks = recording.stacks;
        for stack in &mut stacks.stacks {
            stack.weight *= 50_000_000;
            stack.squares *= 50_000_000_f64.powi(2);
        }
        diagnose(&Inspected::of_sums(stacks, Sums { seconds: 100 }))
    }

    #[test]
    fn findings_of_sums_have_cores_with_their_error() {
        let found = found(400);
        assert_eq!(found.findings.len(), 1);
        assert_eq!(found.findings[0].rule, "allocator");
        // 400 samples of 50 ms in 100 s; of 400 samples the error is 20.
        let cores = found.findings[0].cores.unwrap();
        assert!((cores.value - 0.2).abs() < 1e-9, "{cores:?}");
        assert!((cores.standard_error - 0.01).abs() < 1e-9, "{cores:?}");
        assert_eq!(cores.in_words(), "0.200 ± 0.010");
        let recording = diagnose(&inspected(&[("main;malloc", 400), ("main", 600)]));
        assert_eq!(recording.findings[0].cores, None);
        assert_eq!(recording.sums, None);
        let needs: Vec<Need> = recording.not_looked.iter().map(|not| not.need).collect();
        assert_eq!(needs, [Need::Counters, Need::Walks]);
    }

    #[test]
    fn sums_of_a_clean_service_have_no_findings_and_name_who_did_not_look() {
        let found = found(10);
        assert_eq!(found.findings, []);
        let needs: Vec<Need> = found.not_looked.iter().map(|not| not.need).collect();
        assert_eq!(
            needs,
            [Need::Code, Need::Counters, Need::Machine, Need::Walks]
        );
        let of = |need| {
            let mut all = found.not_looked.iter();
            &all.find(|not| not.need == need).unwrap().rules
        };
        assert!(of(Need::Code).contains(&"byte-loop") && of(Need::Code).contains(&"debug-build"));
        assert_eq!(
            of(Need::Counters)[..],
            ["front-end", "instruction-cache", "mispredicts"]
        );
        assert_eq!(
            of(Need::Machine)[..],
            ["go-collector", "baseline-isa", "cpu-quota", "quota-threads"]
        );
        assert_eq!(
            of(Need::Walks)[..],
            ["denormals", "constant-divisor", "scattered-loads"]
        );
        let silent: usize = found.not_looked.iter().map(|not| not.rules.len()).sum();
        let free = ALL.iter().filter(|rule| rule.needs.is_empty()).count();
        assert_eq!(silent + free, ALL.len());
    }

    #[test]
    fn rules_about_code_look_at_sums_with_the_programs_file() {
        let folded = [("main", 1000)];
        let stacks = inspected(&folded).stacks;
        let mut inspected = Inspected::of_sums(stacks, Sums { seconds: 60 });
        let weight = inspected.weight();
        inspected.binaries = vec![marked_program(Mark::AddressSanitizer, weight)];
        let found = diagnose(&inspected);
        assert_eq!(found.findings[0].rule, "sanitizer");
        assert!(found.not_looked.iter().all(|not| not.need != Need::Code));
    }

    #[test]
    fn too_few_samples_of_a_hub_ask_for_a_longer_time() {
        let stacks = inspected(&[("main;malloc", 100)]).stacks;
        let found = diagnose(&Inspected::of_sums(stacks, Sums { seconds: 60 }));
        assert!(!found.is_fit() && found.not_looked.is_empty());
        assert_eq!(found.findings[0].cores, None);
        assert!(
            found.findings[0]
                .change
                .starts_with("Ask for a longer time")
        );
    }
}
