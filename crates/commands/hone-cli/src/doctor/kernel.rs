//! Facts about what the kernel and the CPU offer a recorder.

use hone_record::{Capabilities, Probe};

use super::facts::Fact;

/// The kernel's default of perf_event_mlock_kb: 128 pages of ring buffer and the control page, per CPU.
const MLOCK_KB_DEFAULT: u64 = 516;

/// Number of bytes of locked memory that is plenty for ring buffers.
const LOCKED_BYTES_PLENTY: u64 = 64 << 20;

/// Facts beside the capabilities that decide what is allowed.
#[derive(Clone, Copy)]
pub(crate) struct Host {
    /// True if run by root.
    pub(crate) root: bool,
    /// True in a virtual machine.
    pub(crate) hypervisor: bool,
}

/// Returns the facts about the kernel and the CPU.
pub(crate) fn facts(found: &Capabilities, host: Host) -> Vec<Fact> {
    vec![
        counters(found, host),
        branch_records(found, host),
        software_clock(found),
        paranoid(found, host),
        kernel_samples(found),
        cpu_counters(found),
        ptrace(found, host),
        precedence(found),
        locked_memory(found, host),
    ]
}

fn counters(found: &Capabilities, host: Host) -> Fact {
    const ID: &str = "pmu_counters";
    const TITLE: &str = "hardware counters";
    if found.hardware_cycles.works {
        return Fact::ok(ID, TITLE, "cycles:u counts");
    }
    let fact = refusal("cycles:u", &found.hardware_cycles);
    if host.hypervisor {
        let mend = "hidden by the hypervisor: nothing to do, Hone samples by the CPU clock";
        Fact::absent(ID, TITLE, fact, mend)
    } else {
        let mend = "sysctl -w kernel.perf_event_paranoid=1, or run as root; without, Hone samples by \
                    the CPU clock";
        Fact::missing(ID, TITLE, fact, mend)
    }
}

fn branch_records(found: &Capabilities, host: Host) -> Fact {
    const ID: &str = "branch_records";
    const TITLE: &str = "hardware branch records (LBR, BRS)";
    if found.branch_stack.works {
        return Fact::ok(ID, TITLE, "branch stacks can be sampled");
    }
    let reason = if host.hypervisor {
        "hidden by the hypervisor"
    } else {
        "this CPU gives none"
    };
    let mend = format!("{reason}: nothing to do, Hone walks branches in software");
    Fact::absent(
        ID,
        TITLE,
        refusal("branch stacks", &found.branch_stack),
        mend,
    )
}

fn software_clock(found: &Capabilities) -> Fact {
    const ID: &str = "cpu_clock";
    const TITLE: &str = "software sampling (cpu-clock)";
    if found.cpu_clock.works {
        return Fact::ok(ID, TITLE, "works");
    }
    let fact = refusal("cpu-clock", &found.cpu_clock);
    if found.perf_event_paranoid.is_some_and(|level| level > 2) {
        Fact::missing(ID, TITLE, fact, "sysctl -w kernel.perf_event_paranoid=1")
    } else {
        let mend = "in a container: allow perf_event_open (--cap-add PERFMON, or a seccomp profile with \
                    it); without, hone record -- CMD samples through ptrace";
        Fact::missing(ID, TITLE, fact, mend)
    }
}

fn paranoid(found: &Capabilities, host: Host) -> Fact {
    const ID: &str = "perf_event_paranoid";
    const TITLE: &str = "perf_event_paranoid";
    match found.perf_event_paranoid {
        None => Fact::absent(
            ID,
            TITLE,
            "not there: this kernel has no perf events",
            "nothing to do, hone record -- CMD samples through ptrace",
        ),
        Some(level) if level <= 1 => Fact::ok(ID, TITLE, level.to_string()),
        Some(level) if host.root => Fact::ok(ID, TITLE, format!("{level}, which root passes")),
        Some(2) => Fact::limited(
            ID,
            TITLE,
            "2: own processes only, user code only",
            "sysctl -w kernel.perf_event_paranoid=1",
        ),
        Some(level) => Fact::limited(
            ID,
            TITLE,
            format!("{level}: no perf events for users"),
            "sysctl -w kernel.perf_event_paranoid=1",
        ),
    }
}

fn kernel_samples(found: &Capabilities) -> Fact {
    allowed(
        "kernel_samples",
        "samples in the kernel",
        "kernel samples",
        &found.kernel_samples,
        "sysctl -w kernel.perf_event_paranoid=1, or run as root; compiler profiles do not need them",
    )
}

fn cpu_counters(found: &Capabilities) -> Fact {
    allowed(
        "cpu_counters",
        "counters of CPUs",
        "a clock of a CPU",
        &found.cpu_clock_of_cpus,
        "sysctl -w kernel.perf_event_paranoid=0, or run as root; without, threads that end at once are not seen, nor the whole machine",
    )
}

/// Returns the fact about something that the kernel allows, or refuses with this mend.
fn allowed(
    id: &'static str,
    title: &'static str,
    what: &str,
    probe: &Probe,
    mend: &'static str,
) -> Fact {
    match probe.works {
        true => Fact::ok(id, title, "allowed"),
        false => Fact::limited(id, title, refusal(what, probe), mend),
    }
}

fn ptrace(found: &Capabilities, host: Host) -> Fact {
    const ID: &str = "ptrace";
    const TITLE: &str = "ptrace";
    if !found.ptrace_child.works {
        return Fact::missing(
            ID,
            TITLE,
            refusal("tracing an own child", &found.ptrace_child),
            "in a container: --cap-add SYS_PTRACE; without, branches cannot be walked in software",
        );
    }
    match found.ptrace_scope {
        None | Some(0) => Fact::ok(ID, TITLE, "own processes can be traced"),
        Some(scope @ 1..=2) if host.root => Fact::ok(
            ID,
            TITLE,
            format!("ptrace_scope {scope}, which root passes"),
        ),
        Some(1) => Fact::limited(
            ID,
            TITLE,
            "ptrace_scope 1: only commands that Hone starts, not running processes",
            "sysctl -w kernel.yama.ptrace_scope=0, or run hone record -p as root",
        ),
        Some(2) => Fact::limited(
            ID,
            TITLE,
            "ptrace_scope 2: only root may attach",
            "sysctl -w kernel.yama.ptrace_scope=0, or run hone record -p as root",
        ),
        Some(scope) => Fact::limited(
            ID,
            TITLE,
            format!("ptrace_scope {scope}: nobody may attach until the next boot"),
            "boot with kernel.yama.ptrace_scope=0 in /etc/sysctl.conf",
        ),
    }
}

fn precedence(found: &Capabilities) -> Fact {
    const ID: &str = "real_time_priority";
    const TITLE: &str = "real-time priority";
    if found.real_time_priority.works {
        return Fact::ok(
            ID,
            TITLE,
            "allowed: threads are walked without being stopped",
        );
    }
    Fact::limited(
        ID,
        TITLE,
        refusal("SCHED_FIFO", &found.real_time_priority),
        "run hone record as root, or allow it: ulimit -r 1 (rtprio in /etc/security/limits.conf), in a \
         container --cap-add SYS_NICE; without, each walk stops its thread",
    )
}

fn locked_memory(found: &Capabilities, host: Host) -> Fact {
    const ID: &str = "locked_memory";
    const TITLE: &str = "locked memory";
    let limit = match found.locked_memory_bytes {
        None => "unlimited".to_owned(),
        Some(bytes) => format!("{} kB", bytes / 1024),
    };
    let fact = match found.perf_event_mlock_kb {
        None => limit,
        Some(per_cpu) => format!("{limit}, and {per_cpu} kB per CPU for perf events"),
    };
    let plenty = found
        .locked_memory_bytes
        .is_none_or(|bytes| bytes >= LOCKED_BYTES_PLENTY)
        || found
            .perf_event_mlock_kb
            .is_some_and(|per_cpu| per_cpu >= MLOCK_KB_DEFAULT);
    if plenty || host.root {
        Fact::ok(ID, TITLE, fact)
    } else {
        let mend = format!("sysctl -w kernel.perf_event_mlock_kb={MLOCK_KB_DEFAULT}");
        Fact::limited(ID, TITLE, fact, mend)
    }
}

fn refusal(what: &str, probe: &Probe) -> String {
    if probe.why.is_empty() {
        format!("{what} cannot be had")
    } else {
        format!("{what}: {}", probe.why)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::facts::Status;

    const USER: Host = Host {
        root: false,
        hypervisor: false,
    };

    fn works() -> Probe {
        Probe {
            works: true,
            why: String::new(),
        }
    }

    fn refused(why: &str) -> Probe {
        Probe {
            works: false,
            why: why.into(),
        }
    }

    fn everything() -> Capabilities {
        Capabilities {
            hardware_cycles: works(),
            cpu_clock: works(),
            branch_stack: works(),
            kernel_samples: works(),
            cpu_clock_of_cpus: works(),
            ptrace_child: works(),
            real_time_priority: works(),
            perf_event_paranoid: Some(-1),
            ptrace_scope: None,
            locked_memory_bytes: None,
            perf_event_mlock_kb: Some(516),
        }
    }

    fn find(facts: &[Fact], id: &str) -> Fact {
        facts.iter().find(|fact| fact.id == id).unwrap().clone()
    }

    #[test]
    fn a_machine_with_everything_needs_no_mend() {
        let all = facts(&everything(), USER);
        assert!(
            all.iter()
                .all(|fact| fact.status == Status::Ok && fact.mend.is_none()),
            "{all:?}"
        );
    }

    #[test]
    fn a_virtual_machine_without_counters_has_nothing_to_mend() {
        let found = Capabilities {
            hardware_cycles: refused("ENOENT"),
            branch_stack: refused("EOPNOTSUPP"),
            ..everything()
        };
        let all = facts(
            &found,
            Host {
                root: true,
                hypervisor: true,
            },
        );
        let branches = find(&all, "branch_records");
        assert_eq!(branches.status, Status::Missing);
        assert_eq!(branches.fact, "branch stacks: EOPNOTSUPP");
        assert_eq!(
            branches.mend.unwrap(),
            "hidden by the hypervisor: nothing to do, Hone walks branches in software"
        );
    }

    #[test]
    fn a_user_under_strict_settings_gets_the_sysctl_lines() {
        let found = Capabilities {
            perf_event_paranoid: Some(3),
            cpu_clock: refused("EACCES"),
            ptrace_scope: Some(1),
            locked_memory_bytes: Some(8 << 20),
            perf_event_mlock_kb: Some(64),
            ..everything()
        };
        let all = facts(&found, USER);
        for (id, line) in [
            (
                "perf_event_paranoid",
                "sysctl -w kernel.perf_event_paranoid=1",
            ),
            ("cpu_clock", "sysctl -w kernel.perf_event_paranoid=1"),
            ("ptrace", "sysctl -w kernel.yama.ptrace_scope=0"),
            ("locked_memory", "sysctl -w kernel.perf_event_mlock_kb=516"),
        ] {
            let fact = find(&all, id);
            assert_ne!(fact.status, Status::Ok, "{fact:?}");
            assert!(fact.mend.as_ref().unwrap().starts_with(line), "{fact:?}");
        }
        let as_root = facts(&found, Host { root: true, ..USER });
        assert_eq!(find(&as_root, "ptrace").status, Status::Ok);
        assert_eq!(find(&as_root, "perf_event_paranoid").status, Status::Ok);
    }
}
