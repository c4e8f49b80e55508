//! Needs of levers that this machine does not meet, each with the next step.

use std::path::Path;
use std::process::Command;

use hone_build::lever::{CPU_TRIAL, limits_dispatch};
use hone_build::{Need, Project, Toolchain};

use hone_run::tools::{self, Tools};
use rustix::thread::sched_getaffinity;

/// Returns the reason why a need is not met, as a clause with the next step; `None` if the need is met.
pub(crate) fn missing(project: &Project, tools: &Tools, need: Need) -> Option<String> {
    let (tool, package) = match need {
        Need::Clang => (tools.clang.is_some() && tools.clangxx.is_some(), "clang-19"),
        Need::Gcc => (tools.gcc.is_some() && tools.gxx.is_some(), "g++"),
        Need::Lld => (tools.lld.is_some(), "lld-19"),
        Need::LlvmAr => (tools.llvm_ar.is_some(), "llvm-19"),
        Need::LlvmProfdata => (tools.llvm_profdata.is_some(), "llvm-19"),
        Need::Opt => (tools.opt.is_some(), "llvm-19"),
        Need::RustProfdata if tools.rust_profdata.is_none() => {
            return Some(
                "rustc's own llvm-profdata is not there: rustup component add llvm-tools".into(),
            );
        }
        Need::RustProfdata => return None,
        Need::Bolt => (tools.llvm_bolt.is_some(), "bolt-19"),
        Need::BoltRuntime => (
            tools.bolt_instrumentation_runtime.is_some(),
            "libbolt-19-dev",
        ),
        Need::Musl => (tools.musl.is_some(), "musl-tools"),
        Need::KnownCpu(toolchain) => {
            let compiler = match toolchain {
                Toolchain::Clang => tools.clang.as_ref(),
                Toolchain::Gcc => tools.gcc.as_ref(),
                Toolchain::Rust | Toolchain::Go => None,
            };
            return compiler.and_then(|compiler| unknown_cpu(&compiler.path));
        }
        Need::MemoryLimit if project.memory.is_none() => {
            return Some(
                "it takes memory to save CPU time: set the most that a run may take in hone.toml, such as memory = \
                 \"512MiB\" under [ladder]"
                    .into(),
            );
        }
        Need::CpuQuota if whole_cpus().is_none() => {
            return Some(
                "no CPU quota limits this process: run hone optimize in a cgroup with the quota that the program has in \
                 production (systemd-run --scope -p CPUQuota=150%)"
                    .into(),
            );
        }
        Need::DispatchLimit => {
            return (!limits_copies(tools)).then(|| {
                "only clang 19 and 20 join the jumps of an interpreter; this compiler does not"
                    .into()
            });
        }
        Need::MemoryLimit | Need::CpuQuota => return None,
        Need::Library(name) => {
            let mut known = tools::ALLOCATORS.iter();
            let package = known.find(|(known, ..)| *known == name);
            let package = package.map_or(name, |(.., package)| package);
            (tools.allocators.contains_key(name), package)
        }
    };
    (!tool).then(|| format!("{package} is not installed: apt-get install {package}"))
}

/// Returns true if the clang that Hone builds with limits the copies of computed gotos.
pub(crate) fn limits_copies(tools: &Tools) -> bool {
    let clang = tools.clang.as_ref();
    clang.is_some_and(|clang| limits_dispatch(clang.major))
}

/// Returns the number of whole CPUs in the CPU quota of this process, at least 1; `None` if no quota limits it to fewer CPUs
/// than the machine has.
pub(crate) fn whole_cpus() -> Option<u64> {
    // The standard library's number of CPUs is bounded by the quota.
    let cpus = sched_getaffinity(None).map_or(1, |cpus| cpus.count());
    whole(hone_record::cpu_quota()?, cpus)
}

fn whole(quota: f64, cpus: u32) -> Option<u64> {
    (quota < f64::from(cpus)).then_some(quota.max(1.0) as u64)
}

/// Returns the compiler's complaint about `-march=native`: compilers warn about CPUs that are newer than themselves.
fn unknown_cpu(compiler: &Path) -> Option<String> {
    let output = Command::new(compiler).args(CPU_TRIAL).output().ok()?;
    if output.status.success() {
        return None;
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let line = said.lines().find(|line| !line.trim().is_empty());
    Some(format!(
        "{} does not know this CPU whole ({}): take a newer compiler, or a lever such as x86-64-v3",
        compiler.display(),
        line.unwrap_or("it failed without a word").trim()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    /// Writes a compiler that runs a script.
    fn compiler(directory: &Path, script: &str) -> std::path::PathBuf {
        let path = directory.join("compiler");
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    #[test]
    fn a_quota_has_whole_cpus_if_it_is_below_those_of_the_machine() {
        assert_eq!(whole(1.5, 2), Some(1));
        assert_eq!(whole(0.5, 2), Some(1));
        assert_eq!(whole(2.9, 8), Some(2));
        assert_eq!(whole(2.0, 2), None);
    }

    #[test]
    fn a_compiler_that_warns_of_this_cpu_is_not_given_native() {
        let directory = tempfile::tempdir().unwrap();
        let warns = "case \"$*\" in *-march=native*-Werror*) \
            echo \"error: invalid feature combination: +avx10.1-256\" >&2; exit 1;; esac";
        let said = unknown_cpu(&compiler(directory.path(), warns)).unwrap();
        assert!(
            said.contains("(error: invalid feature combination"),
            "{said}"
        );
        assert!(said.contains("take a newer compiler"), "{said}");
    }

    #[test]
    fn a_compiler_that_knows_this_cpu_is() {
        let directory = tempfile::tempdir().unwrap();
        assert_eq!(unknown_cpu(&compiler(directory.path(), "exit 0")), None);
    }
}
