//! Builds that do not find their compilers in PATH, but would take them from CC and CXX.
//!
//! Hone sets neither by itself, since a build may do something else where they are set (`$(origin CC)` in a Makefile), and all gains
//! are against the build that the user has.

use std::env;
use std::fs;
use std::path::Path;

use anyhow::{Error, Result};
use hone_build::Toolchain;
use hone_build::calls::Seen;
use hone_files::files::in_path;
use hone_report::note::BaselineNote;
use hone_symbols::Binary;

use super::{Order, all_came_by, compile_copy};
use crate::run::Run;

/// Compiles once more with CC and CXX set to the compilers that made the program in `tree`, and sets them for all builds to come.
/// Returns `bypassed` if they are set already, or do not help.
pub(super) fn with_named_compilers(
    run: &mut Run,
    order: &Order,
    tree: &Path,
    bypassed: Error,
) -> Result<Seen> {
    let is_set = |name| run.project.build_env.contains_key(name) || env::var_os(name).is_some();
    if run.toolchain == Toolchain::Rust || is_set("CC") || is_set("CXX") {
        return Err(bypassed);
    }
    let names = compilers_of(&tree.join(&run.project.binary));
    set(run, &names);
    match compile_copy(run, order) {
        Ok((_, seen)) if all_came_by(&seen).is_ok() => {
            run.workspace.state.named_compilers = Some(names);
            remember(run);
            Ok(seen)
        }
        _ => {
            run.check_interrupted()?;
            run.project
                .build_env
                .retain(|name, _| name != "CC" && name != "CXX");
            Err(bypassed)
        }
    }
}

/// Sets the compilers that an earlier build of the run found to be needed.
pub(crate) fn remember(run: &mut Run) {
    if let Some(names) = run.workspace.state.named_compilers.clone() {
        set(run, &names);
        let [c, cxx] = names;
        run.tell_now(BaselineNote::NamedCompilers { c, cxx });
    }
}

fn set(run: &mut Run, [c, cxx]: &[String; 2]) {
    let names = [("CC".into(), c.clone()), ("CXX".into(), cxx.clone())];
    run.project.build_env.extend(names);
}

/// Returns names for the C and the C++ compiler that made a program, as far as it tells them.
fn compilers_of(program: &Path) -> [String; 2] {
    let bytes = fs::read(program).unwrap_or_default();
    let compilers = Binary::parse(&*bytes).map(|elf| {
        let compilers = elf.compilers().into_iter();
        compilers.map(str::to_owned).collect::<Vec<_>>()
    });
    let compilers = compilers.unwrap_or_default();
    let clang = compilers.iter().find_map(|text| {
        let (_, version) = text.split_once("clang version ")?;
        version.split('.').next()
    });
    match clang {
        Some(major) => ["clang", "clang++"].map(|plain| {
            let named = format!("{plain}-{major}");
            let is_there = in_path(&named).is_some();
            if is_there { named } else { plain.into() }
        }),
        None => ["cc".into(), "c++".into()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_tells_its_compiler() {
        let linked = testkit::compiled("int main(void) { return 0; }", &[]);
        let [c, cxx] = compilers_of(&linked.path().join("p"));
        match testkit::c_compiler() {
            "clang-19" => assert_eq!([c.as_str(), &cxx], ["clang-19", "clang++-19"]),
            _ => assert!(cxx.ends_with("++"), "{c} and {cxx}"),
        }
        let [c, cxx] = compilers_of(Path::new("/etc/hostname"));
        assert_eq!([c.as_str(), &cxx], ["cc", "c++"]);
    }
}
