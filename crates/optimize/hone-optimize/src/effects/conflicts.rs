//! Levers that the user's own build rules out.

use std::fs;

use hone_build::lever::{Forbidden, Reach};
use hone_build::{BuildKey, Lever, Purpose};

use hone_fdo::dispatch::Dispatch;

use crate::run::Run;
use crate::workspace::BASELINE;

/// Size of a huge page on x86-64.
const HUGE_PAGE_BYTES: u64 = 2 << 20;

/// Returns the reason why a lever cannot be tried on this program, as a clause.
pub(crate) fn ruled_out(run: &Run, lever: &'static Lever) -> Option<String> {
    too_little_code(run, lever)
        .or_else(|| no_joined_dispatch(run, lever))
        .or_else(|| forbidden_by_binary(run, lever))
}

/// Returns the reason why copies of an interpreter's dispatch cannot help: there is no interpreter, or it has its copies.
fn no_joined_dispatch(run: &Run, lever: &Lever) -> Option<String> {
    if lever.reach != Reach::ComputedGotos {
        return None;
    }
    // Where the user's compiler is another, clang's build of the same is at hand.
    let by_clang = run.built(&BuildKey::new(&run.baseline(), Purpose::Use));
    let built = by_clang.or_else(|| run.built(&BuildKey::baseline()))?;
    let bytes = fs::read(run.binary(built)).ok()?;
    let binary = hone_symbols::Binary::parse(&bytes[..]).ok()?;
    let dispatches = hone_fdo::dispatch::dispatches(&binary).ok()?;
    match dispatches.first() {
        None => {
            Some("the program has no function that jumps to many labels (computed gotos)".into())
        }
        Some(largest) if !dispatches.iter().any(Dispatch::is_joined) => Some(format!(
            "{} jumps to its {} labels by {} jumps already",
            largest.function, largest.labels, largest.jumps
        )),
        Some(_) => None,
    }
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

/// Returns the reason in the baseline's binary that forbids a lever, as a clause: a library that the binary needs,
/// functions that it takes from libraries, or functions of its own.
pub(super) fn forbidden_by_binary(run: &Run, lever: &'static Lever) -> Option<String> {
    let of_libraries = !lever.forbidden_imports.is_empty() || !lever.only_libraries.is_empty();
    let of_functions = !lever.forbidden_functions.is_empty();
    if !of_libraries && !of_functions {
        return None;
    }
    let baseline = run.workspace.tree(BASELINE);
    let bytes = fs::read(baseline.join(&run.project.binary)).ok()?;
    if of_functions {
        let binary = hone_symbols::Binary::parse(&bytes[..]).ok()?;
        let holds = |name: &str| binary.functions().by_name(name).is_some();
        if let Some(reason) = one_of(lever.forbidden_functions, holds) {
            return Some(reason);
        }
    }
    let needed = hone_symbols::needed_libraries(&bytes).unwrap_or_default();
    let imports = hone_symbols::imported_symbols(&bytes).unwrap_or_default();
    forbidden(lever, &needed, &imports)
}

/// Returns the reason why a lever is forbidden to a binary that needs these libraries and takes these functions from them.
fn forbidden(lever: &Lever, needed: &[String], imports: &[&str]) -> Option<String> {
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
    one_of(lever.forbidden_imports, |name| imports.contains(&name))
}

/// Returns the reason why a program is refused that uses some of these functions.
fn one_of(forbidden: &[Forbidden], uses: impl Fn(&str) -> bool) -> Option<String> {
    forbidden.iter().find_map(|forbidden| {
        let used = forbidden.names.iter().filter(|name| uses(name));
        let used: Vec<_> = used.copied().collect();
        (!used.is_empty())
            .then(|| format!("the program uses {}, {}", used.join(", "), forbidden.why))
    })
}

#[cfg(test)]
mod tests {
    use hone_build::lever::by_id;

    use super::*;

    #[test]
    fn what_musl_cannot_do_is_refused_with_a_reason() {
        let musl = by_id("static-musl").unwrap();
        let forbidden = |needed: &str, import: &str| forbidden(musl, &[needed.into()], &[import]);
        assert_eq!(forbidden("libc.so.6", "printf"), None);
        for (needed, import, fact) in [
            (
                "libc.so.6",
                "dlopen",
                "uses dlopen, which needs the dynamic linker",
            ),
            (
                "libc.so.6",
                "backtrace",
                "uses backtrace, which musl does not have",
            ),
            ("libstdc++.so.6", "printf", "no C++ library"),
            (
                "libz.so.1",
                "printf",
                "needs libz.so.1, which was built for another C library",
            ),
        ] {
            let reason = forbidden(needed, import).unwrap();
            assert!(reason.contains(fact), "{reason}");
        }
    }

    #[test]
    fn a_static_program_cannot_look_up_users_and_may_need_any_library() {
        let linked = by_id("static").unwrap();
        let reason = forbidden(linked, &[], &["getpwuid"]);
        assert!(reason.unwrap().contains("uses getpwuid"));
        assert_eq!(forbidden(linked, &["libz.so.1".into()], &["printf"]), None);
    }
}
