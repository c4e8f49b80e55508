//! Kind of code in a mapping, recognised by the mapping's name.

use crate::profile::BinaryKind;

/// Starts of names of memory without a file that look like paths.
const NO_FILES: [&str; 5] = ["//anon", "/dev/zero", "/anon_hugepage", "/memfd:", "/SYSV"];

/// Returns true if the name is that of memory without a file that looks like a path.
pub(crate) fn only_looks_like_a_file(name: &str) -> bool {
    NO_FILES.iter().any(|start| name.starts_with(start))
}

/// Returns the kind of a user's mapping with this name, as `/proc/PID/maps` and perf's records write it.
pub fn of_user_mapping(name: &str) -> BinaryKind {
    if name == "[vdso]" {
        return BinaryKind::Vdso;
    }
    if name.is_empty() || name.starts_with('[') || only_looks_like_a_file(name) {
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
