//! Time in entering and leaving the kernel, or in libc's system calls if the recording does not see the kernel.

use super::operands::{Odd, told};
use super::{Rule, SHOWN, Saves, source};
use crate::finding::{Confidence, Evidence, Finding};
use crate::subject::{Inspected, NamedFrame, Where};
use hone_profile::Watched;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// Kernel functions that every system call goes through.
const ENTRY: &[&str] = &[
    "entry_SYSCALL_64*",
    "do_syscall_64",
    "x64_sys_call",
    "syscall_enter_from_user_mode*",
    "syscall_exit_to_user_mode*",
    "syscall_return_via_sysret",
    "exit_to_user_mode*",
    "entry_SYSRETQ*",
    "fire_user_return_notifiers",
    "srso_*",
    "__x86_return_thunk",
    "clear_bhb_loop",
];

/// Functions of libc that do little else than call the kernel: where a recording counts user code only, the time in
/// these functions is the kernel's.
const CALLS: &[&str] = &[
    "read",
    "__read*",
    "__libc_read",
    "write",
    "__write*",
    "__libc_write",
    "pread*",
    "__libc_pread*",
    "pwrite*",
    "__libc_pwrite*",
    "readv",
    "writev",
    "lseek*",
    "__lseek*",
    "recv*",
    "__libc_recv*",
    "send*",
    "__libc_send*",
    "poll",
    "__poll",
    "select",
    "__select",
    "epoll_*",
    "accept*",
    "close",
    "__close*",
    "open",
    "open64",
    "__libc_open*",
    "openat*",
    "fstat*",
    "stat",
    "__fstat*",
    "__xstat*",
    "fsync",
    "getpid",
    "__getpid",
    "getppid",
    "syscall",
];

pub(super) const RULE: Rule = Rule {
    name: "system-calls",
    title: "Much time goes into system calls",
    needs: &[],
    threshold: 0.10,
    source: source::OURS,
    factor: f64::INFINITY,
    factor_max: f64::INFINITY,
    assumption: "if calls were joined into few",
    saves: Saves::Kernel,
    confidence: Confidence::Medium,
    levers: &[],
    change: "Join calls: buffer reads and writes, writev and sendmmsg, io_uring, epoll with many events at once.",
    not_when: "The calls are of other processes than the one to look at.",
    look,
};

/// Calls that walks came to, by the place of the call; most of a call of so few bytes is the call.
const SMALL: Odd = Odd {
    watched: Watched::Length,
    threshold: 0.5,
    lines_min: 0,
    noun: "reads, writes, sends and receives",
    have: |told| {
        let most = told.values.iter().max().copied().unwrap_or_default();
        format!("were of {most} bytes at most")
    },
};

/// Functions of the kernel that no call asked for.
const INTERRUPTIONS: &[&str] = &["asm_sysvec*", "asm_exc*", "asm_common_interrupt*"];

/// Part of a call's time from which entering and leaving the kernel is too much of it: the call does little.
const LITTLE: f64 = 0.1;

fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    let entering = inspected.group(Where::Running, is_entry);
    rule.finding(entering.share)?;
    let mut by_call: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for (position, call) in calls(inspected) {
        by_call.entry(call).or_default().push(position);
    }
    let weight = |position: &u32| inspected.stacks.stacks[*position as usize].weight;
    by_call.retain(|_, positions| {
        let all: u64 = positions.iter().map(weight).sum();
        let at_entry = positions
            .iter()
            .filter(|position| entering.stacks.contains(position));
        at_entry.map(weight).sum::<u64>() as f64 >= LITTLE * all as f64
    });
    let meant: FxHashSet<u32> = by_call.values().flatten().copied().collect();
    let accepts = |frame: &NamedFrame<'_>| frame.is_kernel() || is_entry(frame);
    let group = inspected.group_of(Where::Anywhere, accepts, |position| {
        meant.contains(&position)
    });
    let mut finding = rule.of_group(&group)?;
    let mut calls: Vec<(&str, u64)> = by_call
        .iter()
        .map(|(call, positions)| (*call, positions.iter().map(weight).sum()))
        .collect();
    calls.sort_by_key(|(call, weight)| (std::cmp::Reverse(*weight), *call));
    let calls = calls.into_iter().filter(|(call, _)| !call.is_empty());
    let calls = calls.take(SHOWN).map(|(call, weight)| Evidence {
        what: format!("in the call {call}, with the kernel's work for it"),
        share: Some(inspected.share(weight)),
    });
    finding.evidence.splice(0..0, calls);
    if let Some(what) = told(inspected, &SMALL) {
        finding.evidence.insert(0, Evidence { what, share: None });
    }
    finding.evidence.push(Evidence {
        what: "of that in entering and leaving the kernel".to_owned(),
        share: Some(entering.share),
    });
    Some(finding)
}

fn is_entry(frame: &NamedFrame<'_>) -> bool {
    match frame.is_kernel() {
        true => frame.is_one_of(ENTRY),
        false => frame.is_libc() && frame.is_one_of(CALLS),
    }
}

/// Returns the stacks of system calls with the name of the call: that of libc's function, or of the kernel's, or nothing where the
/// recording has no callers.
fn calls(inspected: &Inspected) -> impl Iterator<Item = (u32, &str)> {
    let stacks = (0..).zip(&inspected.stacks.stacks);
    stacks.filter_map(|(position, stack)| {
        let frames = || stack.frames.iter().map(|id| inspected.frame(*id));
        let of_kernel = || frames().take_while(NamedFrame::is_kernel);
        let of_libc = frames()
            .find(|frame| !frame.is_kernel())
            .filter(NamedFrame::is_libc);
        // The kernel's way in has pieces that no stack leads through.
        let is_called = of_libc.is_some_and(|frame| is_entry(&frame))
            && !of_kernel().any(|frame| frame.is_one_of(INTERRUPTIONS));
        let is_call = is_called || of_kernel().any(|frame| is_entry(&frame));
        let named = || frames().find_map(|frame| frame.plain.strip_prefix("__x64_sys_"));
        let name = of_libc.map(|frame| readable(frame.plain)).or_else(named);
        is_call.then(|| (position, name.unwrap_or_default()))
    })
}

/// Returns the name of a system call without what libc puts before it.
fn readable(name: &str) -> &str {
    name.trim_start_matches("__GI_")
        .trim_start_matches("__libc_")
        .trim_start_matches('_')
}

#[cfg(test)]
mod tests {
    use crate::testing::inspected;
    use crate::{MetAt, diagnose};
    use hone_profile::{FileOffset, MetOperands, Svma, Watched};

    #[test]
    fn lengths_that_walks_met_are_told() {
        let entered = "main;get;c:read;k:entry_SYSCALL_64_after_hwframe";
        let mut inspected = inspected(&[(entered, 700), ("main;sum", 300)]);
        let met = |at, odd| MetAt {
            binary: 0,
            at: Svma(at),
            met: MetOperands {
                path: "/p".into(),
                at: FileOffset(at),
                watched: Watched::Length,
                walks: 30,
                executions: 30,
                squares: 30,
                odd,
                value: 16,
                lines: 0,
            },
        };
        inspected.operands = Some(vec![met(0x10, 30), met(0x20, 29), met(0x30, 0)]);
        let found = diagnose(&inspected).findings;
        assert_eq!(
            found[0].evidence[0].what,
            "of 60 reads, writes, sends and receives that 60 walks met, 98 % (91 to 100 %) were of 16 bytes at most"
        );
    }

    /// Reading byte by byte: the kernel's work for a call belongs to the call, and a call that works is left alone.
    #[test]
    fn the_kernels_work_for_a_small_call_counts_and_that_for_a_large_one_does_not() {
        let entered = "k:entry_SYSCALL_64_after_hwframe;k:do_syscall_64";
        let small = format!("main;get;c:read;{entered}");
        let works = format!("{small};k:ksys_read;k:vfs_read");
        let large = format!("main;all;c:sendfile64;{entered};k:copy_user");
        let stacks = [
            (&*small, 200),
            (&*works, 500),
            (&*large, 200),
            ("main;sum", 100),
        ];
        let inspected = inspected(&stacks);
        let found = diagnose(&inspected).findings;
        assert_eq!(found.len(), 1, "{found:#?}");
        assert!((found[0].share.share - 0.7).abs() < 1e-9, "{found:#?}");
        assert!(found[0].evidence[0].what.starts_with("in the call read,"));
        assert_eq!(found[0].place.as_ref().unwrap().function, "get");
        let gain = found[0].gain.as_ref().unwrap();
        assert!(gain.speedup_max.unwrap() > 10.0 / 3.0);
    }
}
