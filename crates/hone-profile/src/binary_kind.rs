//! What kind of code a mapping shows, told from its name.

use crate::profile::BinaryKind;

/// Names of memory without a file that look like paths.
const NO_FILES: [&str; 5] = ["//anon", "/dev/zero", "/anon_hugepage", "/memfd:", "/SYSV"];

/// Whether the name is one of these.
pub(crate) fn only_looks_like_a_file(name: &str) -> bool {
    NO_FILES.iter().any(|start| name.starts_with(start))
}

/// The kind of a user's mapping of this name, as `/proc/PID/maps` and perf's records have it.
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

/// Whether the mapping of this name is the kernel's.
pub(crate) fn is_kernel(name: &str) -> bool {
    ["[kernel", "[guest.kernel", "[bpf"]
        .iter()
        .any(|start| name.starts_with(start))
}
