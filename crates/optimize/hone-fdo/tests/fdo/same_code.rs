//! Builds for recordings have the instructions of the production build, or Hone says by how much they do not.

use hone_fdo::same_code::{SameCode, same_code};
use hone_symbols::Binary;
use std::fs;
use std::path::Path;
use testkit::{DEFERRED_CALLS, has_tools, run_in};

fn built(directory: &Path, name: &str, flags: &[&str]) -> Vec<u8> {
    let own = ["-O2", "-g", "p.c", "-o", name];
    run_in(directory, "clang-19", &[&own, flags].concat());
    fs::read(directory.join(name)).unwrap()
}

#[test]
fn what_flags_for_profiling_change_is_counted() {
    if !has_tools(&["clang-19"]) {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    fs::write(directory.join("p.c"), DEFERRED_CALLS).unwrap();
    let production = built(directory, "production", &[]);
    let compared = |name: &str, flags: &[&str]| -> SameCode {
        let other = built(directory, name, flags);
        same_code(
            &Binary::parse(&production[..]).unwrap(),
            &Binary::parse(&other[..]).unwrap(),
        )
    };
    let lines = [
        "-fdebug-info-for-profiling",
        "-funique-internal-linkage-names",
    ];
    let as_production = ["-mllvm", "-enable-npm-pgo-inline-deferral=false"];
    let same = compared("same", &[&lines[..], &as_production].concat());
    assert!(same.functions > 5, "{same:?}");
    assert_eq!(
        (same.changed, same.bytes[0]),
        (0, same.bytes[1]),
        "{same:?}"
    );
    let changed = compared("changed", &lines);
    assert!(changed.changed >= 2, "{changed:?}");
    let fixed = compared("fixed", &["-no-pie", "-fno-pie"]);
    assert!(fixed.changed < fixed.functions, "{fixed:?}");
}
