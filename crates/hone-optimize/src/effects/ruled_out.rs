//! Levers that the user's own build rules out.

use std::fs;

use hone_build::lever::Reach;
use hone_build::{BuildKey, Lever};

use crate::run::Run;
use crate::workspace::BASELINE;

/// Size of a huge page on x86-64.
const HUGE_PAGE_BYTES: u64 = 2 << 20;

/// Returns the reason why a lever cannot be tried on this program, as a clause.
pub(crate) fn ruled_out(run: &Run, lever: &'static Lever) -> Option<String> {
    too_little_code(run, lever).or_else(|| forbidden_by_binary(run, lever))
}

/// Returns the reason why huge pages cannot help: the code is smaller than one page.
fn too_little_code(run: &Run, lever: &Lever) -> Option<String> {
    let baseline = run.built(&BuildKey::baseline())?;
    let is_little = lever.reach == Reach::HugePages && baseline.text_bytes < HUGE_PAGE_BYTES;
    is_little.then(|| {
        format!(
            "the program's {} KiB of code fill no huge page of 2 MiB",
            baseline.text_bytes / 1024
        )
    })
}

/// Returns the reason in the baseline's binary that forbids a lever, as a clause: a library that the binary needs, or
/// functions that it takes from libraries.
pub(super) fn forbidden_by_binary(run: &Run, lever: &'static Lever) -> Option<String> {
    if lever.forbidden_imports.is_empty() && lever.only_libraries.is_empty() {
        return None;
    }
    let baseline = run.workspace.tree(BASELINE);
    let bytes = fs::read(baseline.join(&run.project.binary)).ok()?;
    let needed = hone_symbols::needed_libraries(&bytes).unwrap_or_default();
    let is_known = |file: &&String| {
        lever
            .only_libraries
            .iter()
            .any(|known| file.starts_with(known))
    };
    let mut others = needed.iter().filter(|file| !is_known(file));
    if let Some(other) = others.next().filter(|_| !lever.only_libraries.is_empty()) {
        return Some(match other.contains("c++") {
            true => "the program is in C++, and there is no C++ library for it".into(),
            false => format!("the program needs {other}, which was built for another C library"),
        });
    }
    let imports = hone_symbols::imported_symbols(&bytes).unwrap_or_default();
    lever.forbidden_imports.iter().find_map(|forbidden| {
        let used = forbidden.names.iter().filter(|name| imports.contains(name));
        let used: Vec<_> = used.copied().collect();
        (!used.is_empty())
            .then(|| format!("the program uses {}, {}", used.join(", "), forbidden.why))
    })
}
