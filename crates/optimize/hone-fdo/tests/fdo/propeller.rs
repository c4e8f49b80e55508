//! Propeller's layout of a program whose every instruction is known, taken by the real compiler and linker.

use crate::common::{Trace, compile_texts, run};
use hone_fdo::propeller::{Layout, layout, write_clusters, write_order};
use hone_fdo::{Code, Evidence, WALK_EVENT, count_binary};
use hone_symbols::{Binary, BlockMap};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use testkit::has_tools;

const TOOLS: [&str; 3] = ["clang++-19", "ld.lld-19", "cc"];

/// Calls that may throw end their blocks; two functions have one name in two files.
const MAIN: &str = r#"
#include <cstdio>
#include <cstring>
#include <stdexcept>
unsigned other(unsigned);
static volatile unsigned sink;
__attribute__((noinline)) unsigned never(unsigned x) { sink = x; return x / 3; }
__attribute__((noinline)) static unsigned local(unsigned x) {
    if (x % 97 == 96) throw std::runtime_error("odd");
    if (x == 0xfffffff1) { std::puts("never seen"); sink = x * 3; }
    return x / 3;
}
__attribute__((noinline)) unsigned step(unsigned x) {
    if (x % 16 == 3) { sink = x; x = x * 31 + (x >> 3); }
    switch (x % 8) {
        case 0: return x + 1; case 1: return x ^ 3; case 2: return x * 3; case 3: return never(x) - 7;
        case 4: return x / 3; case 5: return x + 11; case 6: return x ^ 77; default: return x << 1;
    }
}
__attribute__((noinline)) unsigned guarded(unsigned x) {
    unsigned y = 1;
    try { y = local(x); y += local(x + 1); sink = y; }
    catch (const std::runtime_error &error) { y = std::strlen(error.what()); }
    return y;
}
__attribute__((noinline)) unsigned fact(unsigned n) { return n < 2 ? 1 : n * fact(n - 1) + sink; }
int main(int argc, char **argv) {
    if (argc > 1) {
        char line[512];
        FILE *maps = std::fopen("/proc/self/maps", "r");
        while (std::fgets(line, sizeof line, maps)) std::fputs(line, stdout);
        return 0;
    }
    unsigned sum = 1;
    for (unsigned i = 0; i < 120; i++) {
        // A trace does not show the jump to case 0, which lies right behind it.
        sum += step(((sum ^ i) & ~7u) | (i % 2 ? 1 : 5));
        sum += guarded(i) + other(i) + fact(i % 5);
    }
    std::printf("%u\n", sum);
    return 0;
}
"#;

const OTHER: &str = r#"
static volatile unsigned noted;
__attribute__((noinline)) static unsigned local(unsigned x) {
    unsigned n = 0;
    if (x == 12345) noted = x;
    for (; x; x &= x - 1) n++;
    return n;
}
unsigned other(unsigned x) { return x % 3 ? local(x) + 1 : x; }
"#;

const SOURCES: [(&str, &str); 2] = [("main.cc", MAIN), ("other.cc", OTHER)];

struct Program {
    directory: tempfile::TempDir,
    flags: Vec<&'static str>,
}

impl Program {
    fn new(flags: &[&'static str]) -> Self {
        let directory = tempfile::tempdir().unwrap();
        for (name, text) in SOURCES {
            std::fs::write(directory.path().join(name), text).unwrap();
        }
        let flags = [
            &["-O2", "-funique-internal-linkage-names", "-Wl,-z,now"],
            &["-fuse-ld=lld", "-fbasic-block-address-map"][..],
            &["-Wl,--lto-basic-block-address-map"],
            flags,
        ];
        Self {
            directory,
            flags: flags.concat(),
        }
    }

    /// The build that is recorded.
    fn recorded(&self) -> PathBuf {
        compile_texts("clang++-19", &SOURCES, &self.flags)
    }

    /// The recorded build, laid out again.
    fn rebuild(&self, layout: &Layout<'_>) -> PathBuf {
        let write = |name: &str, text: String| {
            std::fs::write(self.directory.path().join(name), text).unwrap();
        };
        write("clusters", write_clusters(layout));
        write("order", write_order(layout));
        run(Command::new("clang++-19")
            .args(["main.cc", "other.cc", "-o", "again"])
            .args(&self.flags)
            .args([
                "-fbasic-block-sections=list=clusters",
                "-Wl,--lto-basic-block-sections=clusters",
                "-Wl,--symbol-ordering-file=order",
                "-Wl,--no-warn-symbol-ordering",
            ])
            .current_dir(self.directory.path()));
        self.directory.path().join("again")
    }
}

/// How often blocks were entered from their own function: each start of a block that is neither the entry nor one
/// that exceptions arrive at.
fn entered_from_within(trace: &Trace, binary: &Binary<'_>, map: &BlockMap) -> u64 {
    let inner = map.functions().iter().flat_map(|f| &f.blocks[1..]);
    let inner = inner.filter(|block| !block.is_landing_pad && block.size > 0);
    let mut times: BTreeMap<u64, u64> = inner.map(|block| (block.start.0, 0)).collect();
    for &(address, _) in &trace.instructions {
        let svma = trace.offset(address).and_then(|o| binary.svma_of(o));
        if let Some(times) = svma.and_then(|svma| times.get_mut(&svma.0)) {
            *times += 1;
        }
    }
    times.values().sum()
}

fn address(binary: &Binary<'_>, name: &str) -> u64 {
    let function = binary.functions().by_name(name);
    function.unwrap_or_else(|| panic!("no {name}")).start.0
}

/// The file as clang's reader takes it, but stricter: one cluster for each function.
fn read_clusters(text: &str) -> Vec<(Vec<&str>, Vec<u32>)> {
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("v1"));
    let mut functions = Vec::new();
    while let Some(names) = lines.next() {
        let blocks = lines.next().and_then(|line| line.strip_prefix("c "));
        let blocks = blocks.unwrap().split(' ').map(|id| id.parse().unwrap());
        let names = names.strip_prefix("f ").unwrap().split(' ');
        functions.push((names.collect(), blocks.collect()));
    }
    functions
}

/// Compares the binary that was made by a layout with what the layout says.
fn follows(path: &Path, layout: &Layout<'_>, at_least: usize) {
    let bytes = std::fs::read(path).unwrap();
    let binary = Binary::parse(&bytes).unwrap();
    let map = BlockMap::parse(&binary).unwrap().unwrap();
    let hot = layout
        .functions
        .iter()
        .map(|f| address(&binary, f.names[0]));
    let hot: Vec<u64> = hot.collect();
    assert!(hot.is_sorted(), "{hot:x?}");
    let mut checked = 0;
    for (function, start) in layout.functions.iter().zip(&hot) {
        let again = map.functions().iter().find(|f| f.start.0 == *start);
        let again = again.unwrap_or_else(|| panic!("{:?} has no map", function.names));
        let mut ids: Vec<u32> = again.blocks.iter().map(|block| block.id).collect();
        assert_eq!(ids.len() as u64, function.hot.len() as u64 + function.cold);
        // Landing pads stay together, so that hot ones may be moved to the others.
        let is_plain = |id: &u32| {
            let block = again.blocks.iter().find(|block| block.id == *id);
            block.is_some_and(|block| !block.is_landing_pad)
        };
        ids.retain(is_plain);
        let expected: Vec<u32> = function.hot.iter().copied().filter(is_plain).collect();
        assert_eq!(ids[..expected.len()], expected, "{:?}", function.names);
        let cold = |name: &&str| binary.functions().by_name(&format!("{name}.cold"));
        let cold = function.names.iter().find_map(cold);
        assert!(function.cold == 0 || cold.is_some(), "{:?}", function.names);
        if let Some(cold) = cold {
            assert!(cold.start.0 > hot[hot.len() - 1], "{}", cold.name);
            checked += 1;
        }
    }
    assert!(checked >= at_least, "{checked} functions with cold parts");
}

#[test]
fn clang_and_lld_lay_the_program_out_so() {
    if !has_tools(&TOOLS) {
        return;
    }
    for flags in [
        &[][..],
        &["-flto=thin"],
        &["-ffunction-sections", "-no-pie"],
    ] {
        let program = Program::new(flags);
        let path = program.recorded();
        let trace = Trace::of(&path);
        let bytes = std::fs::read(&path).unwrap();
        let binary = Binary::parse(&bytes).unwrap();
        let map = BlockMap::parse(&binary).unwrap().unwrap();
        let code = Code::new(&binary);
        let recorded = [trace.profile(WALK_EVENT, 64).into()];
        let counted = count_binary(&recorded, Evidence::Branches, path.to_str(), &code).unwrap();
        let layout = layout(&counted.counts, &code, &map);
        let report = &layout.report;
        assert_eq!(
            report.jumps,
            entered_from_within(&trace, &binary, &map),
            "{flags:?}"
        );
        assert_eq!(
            report.losses.ranges_impossible + report.losses.jumps_impossible,
            0
        );
        assert_eq!((report.unnamed, report.ambiguous), (0, 0), "{flags:?}");
        assert!(report.falls_after > report.falls_before, "{report:?}");
        let names: Vec<&str> = layout.functions.iter().map(|f| f.names[0]).collect();
        let has = |part: &str| names.iter().filter(|name| name.contains(part)).count();
        assert_eq!(
            (has("never"), has("step"), has("5local")),
            (0, 1, 2),
            "{names:?}"
        );
        let text = write_clusters(&layout);
        let expected = layout
            .functions
            .iter()
            .map(|f| (f.names.clone(), f.hot.clone()));
        assert_eq!(read_clusters(&text), expected.collect::<Vec<_>>());
        assert_eq!(write_order(&layout).lines().collect::<Vec<_>>(), names);
        let again = program.rebuild(&layout);
        follows(&again, &layout, 3);
        assert_eq!(
            run(&mut Command::new(&path)),
            run(&mut Command::new(&again))
        );
    }
}

#[test]
fn functions_that_share_a_name_are_left_as_they_are() {
    if !has_tools(&TOOLS) {
        return;
    }
    let program = Program::new(&["-fno-unique-internal-linkage-names"]);
    let path = program.recorded();
    let bytes = std::fs::read(&path).unwrap();
    let binary = Binary::parse(&bytes).unwrap();
    let map = BlockMap::parse(&binary).unwrap().unwrap();
    let code = Code::new(&binary);
    let recorded = [Trace::of(&path).profile(WALK_EVENT, 64).into()];
    let counted = count_binary(&recorded, Evidence::Branches, path.to_str(), &code).unwrap();
    let layout = layout(&counted.counts, &code, &map);
    assert_eq!(layout.report.unnamed, 2);
    assert!(!write_clusters(&layout).contains("5local"));
    let again = program.rebuild(&layout);
    follows(&again, &layout, 2);
    assert_eq!(
        run(&mut Command::new(&path)),
        run(&mut Command::new(&again))
    );
}
