//! Time in entering and leaving the kernel, or in libc's system calls if the recording does not see the kernel.

use super::{Rule, SHOWN, source};
use crate::finding::{Confidence, Evidence, Finding};
use crate::inspected::{Inspected, Where};

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
    assumption: "if calls were joined into few",
    confidence: Confidence::Medium,
    levers: &[],
    change: "Join calls: buffer reads and writes, writev and sendmmsg, io_uring, epoll with many events at once.",
    not_when: "The calls are of other processes than the one to look at.",
    look,
};

fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    let group = inspected.group(Where::Running, |frame| match frame.is_kernel() {
        true => frame.is_one_of(ENTRY),
        false => frame.is_libc() && frame.is_one_of(CALLS),
    });
    let mut finding = rule.of_group(&group)?;
    let calls = inspected.group(Where::Anywhere, |frame| {
        frame.is_kernel() && frame.is_one_of(&["__x64_sys_*"])
    });
    let calls = calls
        .functions
        .into_iter()
        .take(SHOWN)
        .map(|(call, share)| Evidence {
            what: format!("in the call {}", call.trim_start_matches("__x64_sys_")),
            share: Some(share),
        });
    finding.evidence.splice(0..0, calls);
    Some(finding)
}
