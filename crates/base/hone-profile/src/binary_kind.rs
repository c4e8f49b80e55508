//! Kind of code in a mapping, recognised by the mapping's name.

use crate::profile::BinaryKind;

/// Starts of names of memory without a file that look like paths.
const NO_FILES: [&str; 5] = ["//anon", "/dev/zero", "/anon_hugepage", "/memfd:", "/SYSV"];

/// Returns true if the name is that of memory without a file that looks like a path.
pub(crate) fn only_looks_like_a_file(name: &str) -> bool {
    NO_FILES.iter().any(|start| name.starts_with(start))
}

/// Returns true for `/tmp/perf-PID.map`, the list of a runtime's functions that perf names in place of memory without a file.
fn is_perf_map(name: &str) -> bool {
    let pid = name
        .rsplit_once("/perf-")
        .and_then(|(_, end)| end.strip_suffix(".map"));
    pid.is_some_and(|pid| !pid.is_empty() && pid.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Returns the kind of a user's mapping with this name, as `/proc/PID/maps` and perf's records write it.
pub fn of_user_mapping(name: &str) -> BinaryKind {
    if name == "[vdso]" {
        return BinaryKind::Vdso;
    }
    if name.is_empty() || name.starts_with('[') || only_looks_like_a_file(name) || is_perf_map(name)
    {
        BinaryKind::Anonymous
    } else {
        BinaryKind::File
    }
}

/// Returns true if a mapping with this name belongs to the kernel.
pub(crate) fn is_kernel(name: &str) -> bool {
    ["[kernel", "[guest.kernel", "[bpf"]
        .iter()
        .any(|start| name.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_functions_are_no_files_of_code() {
        let maps = ["/tmp/perf-12.map", "/proc/7/root/tmp/perf-7.map"];
        for path in maps {
            assert_eq!(of_user_mapping(path), BinaryKind::Anonymous, "{path}");
        }
        for path in ["/tmp/perf-.map", "/tmp/perf-12.so", "/bin/perf-x.map"] {
            assert_eq!(of_user_mapping(path), BinaryKind::File, "{path}");
        }
    }
}
