//! What would give names to code without a file: settings of the runtime that made it.

use hone_profile::{BinaryKind, Profile};

/// A runtime: starts of the names of its files, and what makes it write the names of its code.
const RUNTIMES: [(&[&str], &str); 5] = [
    (
        &["node", "libnode.so", "electron", "chrome"],
        "start node with --perf-basic-prof (and --interpreted-frames-native-stack, so that functions which are not compiled have \
         names, too)",
    ),
    (
        &["libjvm.so"],
        "start java with -XX:+PreserveFramePointer -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit (JDK 17), or call jcmd \
         PID Compiler.perfmap before the recording ends, or load an agent such as perf-map-agent",
    ),
    (
        &["libcoreclr.so", "libclrjit.so"],
        "start the .NET program with DOTNET_PerfMapEnabled=1",
    ),
    (
        &["pypy", "libpypy"],
        "see the functions of PyPy's compiler with vmprof, as PyPy writes no perf map",
    ),
    (
        &["wasmtime", "wasmer", "wasmedge"],
        "start wasmtime with --profile=perfmap, or wasmer with --profiler perfmap",
    ),
];

/// Advice for code of a runtime that nobody knows.
const ANY: &str = "have the runtime write a perf map, /tmp/perf-PID.map: node with --perf-basic-prof, java with \
    -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit or an agent such as perf-map-agent, .NET with DOTNET_PerfMapEnabled=1, \
    wasmtime with --profile=perfmap";

/// Returns why code without a file has no names, and what gives it names.
pub(crate) fn advice(profile: &Profile) -> String {
    let files = || {
        let files = profile.binaries.iter();
        let files = files.filter(|binary| binary.kind == BinaryKind::File);
        files.filter_map(|binary| binary.path.rsplit('/').next())
    };
    let is_of =
        |starts: &[&str]| files().any(|file| starts.iter().any(|start| file.starts_with(start)));
    let known = RUNTIMES.iter().filter(|(starts, _)| is_of(starts));
    let mut known: Vec<&str> = known.map(|(_, advice)| *advice).collect();
    if known.is_empty() {
        known.push(ANY);
    }
    format!(
        "a program made this code while it ran, and the recording has no map of its names; {}, and record again",
        known.join("; ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use hone_profile::Binary;

    fn with(paths: &[&str]) -> String {
        let mut profile = Profile::default();
        for path in paths {
            profile.intern_binary(Binary {
                path: (*path).to_owned(),
                build_id: None,
                kind: BinaryKind::File,
            });
        }
        advice(&profile)
    }

    #[test]
    fn the_advice_is_for_the_runtime_that_was_recorded() {
        let node = with(&["/usr/lib/libc.so.6", "/usr/bin/node"]);
        assert!(
            node.contains("--perf-basic-prof") && !node.contains("java"),
            "{node}"
        );
        let java = with(&["/usr/lib/jvm/lib/server/libjvm.so"]);
        assert!(
            java.contains("DumpPerfMapAtExit") && !java.contains("node"),
            "{java}"
        );
        let unknown = with(&["/srv/own"]);
        assert!(unknown.contains("perf-PID.map"), "{unknown}");
    }
}
