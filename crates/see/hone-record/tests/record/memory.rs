//! What a recording says of the memory of Go programs.

use crate::common::{Program, compile};
use hone_profile::MemoryUse;
use hone_record::{BranchSource, Sampler, Target};
use std::fs;

/// Records `memory.c` with these flags in an environment with a secret.
fn recorded(flags: &[&str], sampler: Sampler) -> Option<(Program, Vec<MemoryUse>)> {
    let program = compile("memory.c", flags)?;
    let mut options = program.options(&[]);
    options.branches = BranchSource::None;
    options.sampler = sampler;
    if let Target::Command { env, .. } = &mut options.target {
        for (name, value) in [
            ("GOMEMLIMIT", "1GiB"),
            ("GOGC", "50"),
            ("TOKEN", "a-secret"),
        ] {
            env.push((name.into(), Some(value.into())));
        }
    }
    let recorded = program.record(&options).expect("a recording");
    let bytes = fs::read(&recorded.path).expect("the file");
    let is_in_file = |text: &[u8]| bytes.windows(text.len()).any(|window| window == text);
    assert!(
        !is_in_file(b"a-secret"),
        "the environment stays where it is"
    );
    Some((program, recorded.profile.meta.memory))
}

/// A C program counts as Go's if it has the section that Go programs have.
const AS_GO: &str = "-DAS_GO";

#[test]
fn memory_of_go_programs_is_recorded_with_what_it_may_become() {
    let samplers = match hone_record::capabilities().cpu_clock.works {
        true => vec![Sampler::Perf, Sampler::Ptrace],
        false => vec![Sampler::Ptrace],
    };
    for sampler in samplers {
        let Some((_program, memory)) = recorded(&[AS_GO], sampler) else {
            return;
        };
        let [of] = &memory[..] else {
            panic!("{sampler:?}: {memory:?}");
        };
        // It touches 64 MiB.
        assert!(of.peak_rss_bytes > 64 << 20, "{of:?}");
        assert!(of.peak_rss_bytes < 256 << 20, "{of:?}");
        assert!(of.limit_bytes > of.peak_rss_bytes, "{of:?}");
        assert_eq!(of.go_limit_bytes, Some(1 << 30));
        assert_eq!(of.go_percent, Some(50));
    }
}

#[test]
fn of_other_programs_nothing_is_recorded() {
    if let Some((_program, memory)) = recorded(&[], Sampler::Auto) {
        assert_eq!(memory, []);
    }
}
