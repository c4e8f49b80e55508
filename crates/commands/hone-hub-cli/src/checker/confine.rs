//! What a checker of batches or a reader of symbols may do: compute with the memory that it may have, read what it is given,
//! and answer.
//!
//! A batch that takes a checker over gains nothing: it can open no file and no connection, start nothing, and see no
//! other process. The checker's only open files are its connection to the hub and the hub's standard error.

use std::collections::BTreeMap;

use anyhow::Context;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, apply_filter,
};

/// System calls that are allowed, beside mapping memory.
const CALLS: [i64; 17] = [
    libc::SYS_read,
    libc::SYS_readv,
    libc::SYS_write,
    libc::SYS_writev,
    libc::SYS_munmap,
    libc::SYS_mremap,
    libc::SYS_madvise,
    libc::SYS_brk,
    libc::SYS_futex,
    // Hash tables of the standard library begin with random numbers.
    libc::SYS_getrandom,
    libc::SYS_clock_gettime,
    libc::SYS_gettimeofday,
    // The end of a process: its signal stack goes, and it may be told why.
    libc::SYS_sigaltstack,
    libc::SYS_rt_sigreturn,
    libc::SYS_restart_syscall,
    libc::SYS_exit,
    libc::SYS_exit_group,
];

/// System calls that are allowed unless they make memory executable, which is their third argument.
const MAPPINGS: [i64; 2] = [libc::SYS_mmap, libc::SYS_mprotect];

/// Closes all files but the standard ones: whoever started the hub may have left some open.
pub(crate) fn close_others() -> std::io::Result<()> {
    let open: Vec<i32> = std::fs::read_dir("/proc/self/fd")?
        .filter_map(|file| file.ok()?.file_name().to_str()?.parse().ok())
        .filter(|file| *file > 2)
        .collect();
    for file in open {
        // The list itself was open too, and is not any more.
        let _ = nix::unistd::close(file);
    }
    Ok(())
}

/// Sets limits on bytes of memory, mapped files of the program among them, on seconds of CPU time, and on files.
pub(crate) fn limit(memory_bytes: u64, cpu_s: u64) -> rustix::io::Result<()> {
    set(Resource::As, memory_bytes)?;
    set(Resource::Cpu, cpu_s)?;
    set(Resource::Fsize, 0)?;
    set(Resource::Nofile, 0)?;
    set(Resource::Core, 0)
}

/// Sets a limit, or leaves it where it is lower.
fn set(resource: Resource, most: u64) -> rustix::io::Result<()> {
    let most = getrlimit(resource)
        .maximum
        .map_or(most, |now| now.min(most));
    let limit = Rlimit {
        current: Some(most),
        maximum: Some(most),
    };
    setrlimit(resource, limit)
}

/// Leaves this process the system calls that it needs, with a few further ones. Any other ends it.
pub(crate) fn leave_few_calls(further: &[i64]) -> anyhow::Result<()> {
    let calls = CALLS.iter().chain(further);
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
        calls.map(|call| (*call, Vec::new())).collect();
    for call in MAPPINGS {
        let executable = libc::PROT_EXEC as u64;
        let is_not = SeccompCondition::new(
            2,
            SeccompCmpArgLen::Dword,
            SeccompCmpOp::MaskedEq(executable),
            0,
        );
        let rule = SeccompRule::new(vec![is_not.context("mapping memory")?]);
        rules.insert(call, vec![rule.context("mapping memory")?]);
    }
    let filter = SeccompFilter::new(
        rules,
        SeccompAction::KillProcess,
        SeccompAction::Allow,
        TargetArch::try_from(std::env::consts::ARCH).context("this architecture")?,
    );
    let program: Result<BpfProgram, _> = filter.context("the filter")?.try_into();
    apply_filter(&program.context("the filter")?).context("seccomp")
}
