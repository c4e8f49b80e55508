//! The order of functions: properties of the clustering, and a real linker that follows it.

use crate::common::{Trace, run};
use hone_fdo::order::{Call, Node, hot_functions, order, write_sections, write_symbols};
use hone_fdo::{Code, Evidence, WALK_EVENT, count_binary};
use hone_profile::Svma;
use hone_symbols::Binary;
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use testkit::has_tools;

/// Any call graph: sizes and weights, and calls between.
fn graphs() -> impl Strategy<Value = (Vec<Node>, Vec<Call>)> {
    let nodes = prop::collection::vec((1u64..5000, 0u64..1_000_000), 1..25);
    nodes.prop_flat_map(|nodes| {
        let len = nodes.len();
        let node = |(index, (size, weight)): (usize, (u64, u64))| Node {
            start: Svma(0x1000 * index as u64),
            size,
            weight,
        };
        let nodes: Vec<Node> = nodes.into_iter().enumerate().map(node).collect();
        let call = (0..len, 0..len, 1u64..10_000).prop_map(|(caller, callee, count)| Call {
            caller,
            callee,
            count,
        });
        (Just(nodes), prop::collection::vec(call, 0..60))
    })
}

fn starts(nodes: &[Node], order: &[usize]) -> Vec<Svma> {
    order.iter().map(|&index| nodes[index].start).collect()
}

proptest! {
    #[test]
    fn every_function_comes_once((nodes, calls) in graphs()) {
        let ordered = order(&nodes, &calls);
        let distinct: BTreeSet<usize> = ordered.iter().copied().collect();
        prop_assert_eq!(ordered.len(), nodes.len());
        prop_assert_eq!(distinct.len(), nodes.len());
    }

    #[test]
    fn the_order_of_the_input_does_not_matter(
        (nodes, calls) in graphs(),
        seed in any::<u64>(),
    ) {
        let expected = starts(&nodes, &order(&nodes, &calls));
        // A permutation by multiplication with an odd number, and by reversal of the calls.
        let len = nodes.len();
        let mut places: Vec<usize> = (0..len).collect();
        places.sort_by_key(|&index| (index as u64 + 1).wrapping_mul(seed | 1));
        let mut shuffled = nodes.clone();
        for (index, &place) in places.iter().enumerate() {
            shuffled[place] = nodes[index];
        }
        let moved = |call: &Call| Call {
            caller: places[call.caller],
            callee: places[call.callee],
            count: call.count,
        };
        let calls: Vec<Call> = calls.iter().rev().map(moved).collect();
        prop_assert_eq!(starts(&shuffled, &order(&shuffled, &calls)), expected);
    }
}

#[test]
fn callees_follow_their_hottest_caller_and_dense_clusters_come_first() {
    let node = |start, size, weight| Node {
        start: Svma(start),
        size,
        weight,
    };
    let nodes = [
        node(1, 1000, 1000),   // 0: cold, calls 1 a little
        node(2, 100, 900_000), // 1: hot leaf
        node(3, 200, 500_000), // 2: hot, calls 1 most
        node(4, 10, 100_000),  // 3: dense, called by nobody
        node(5, 100_000, 200), // 4: thin, calls 3 alone
    ];
    let call = |caller, callee, count| Call {
        caller,
        callee,
        count,
    };
    let calls = [call(0, 1, 10), call(2, 1, 5000), call(4, 2, 3)];
    assert_eq!(order(&nodes, &calls), [3, 4, 2, 1, 0]);
}

const PROGRAM: &str = r#"
#include <stdio.h>
#define NOINLINE __attribute__((noinline))
static volatile unsigned zero;
NOINLINE unsigned never(unsigned x) { return x / 3; }
NOINLINE unsigned leaf_a(unsigned x) { for (int i = 0; i < 20; i++) x = x * 31 + (x >> 7); return x; }
NOINLINE static unsigned local(unsigned x) { return leaf_a(x) + 1 + zero; }
NOINLINE unsigned once(unsigned x) { return x ^ 0x55; }
NOINLINE unsigned leaf_b(unsigned x) { for (int i = 0; i < 9; i++) x ^= x << 3; return x; }
NOINLINE unsigned caller(unsigned x) { return leaf_b(x) + local(x) + zero; }
int main(int argc, char **argv) {
    if (argc > 1) {
        char line[512];
        FILE *maps = fopen("/proc/self/maps", "r");
        while (fgets(line, sizeof line, maps)) fputs(line, stdout);
        return 0;
    }
    unsigned sum = once(3);
    for (unsigned i = 0; i < 200; i++) sum += caller(sum ^ i);
    if (sum == 42) sum = never(sum);
    printf("%u\n", sum);
    return 0;
}
"#;

/// Compiles with a section for each function.
fn build(directory: &Path, compiler: &str, linking: &[String]) {
    run(Command::new(compiler)
        .args([
            "-O2",
            "-ffunction-sections",
            "prog.c",
            "-o",
            "prog",
            "-Wl,-z,now",
        ])
        .args(linking)
        .current_dir(directory));
}

/// The program's hot functions in the order they should have.
fn hot(directory: &Path) -> (Vec<String>, Vec<String>) {
    let path = directory.join("prog").canonicalize().unwrap();
    let bytes = std::fs::read(&path).unwrap();
    let binary = Binary::parse(&bytes).unwrap();
    let code = Code::new(&binary);
    let recorded = [Trace::of(&path).profile(WALK_EVENT, 16).into()];
    let counted = count_binary(&recorded, Evidence::Branches, path.to_str(), &code).unwrap();
    let functions = hot_functions(&counted.counts, &code);
    std::fs::write(directory.join("symbols"), write_symbols(&functions)).unwrap();
    std::fs::write(directory.join("sections"), write_sections(&functions)).unwrap();
    // The start files of C have no section for each function.
    let ours = ["leaf_a", "local", "once", "leaf_b", "caller", "main"];
    let hot: Vec<String> = functions.iter().map(|name| (*name).to_owned()).collect();
    let own = hot
        .iter()
        .filter(|name| ours.contains(&name.as_str()))
        .cloned();
    (hot.clone(), own.collect())
}

/// Our functions by address.
fn by_address(directory: &Path, wanted: &[String]) -> Vec<String> {
    let bytes = std::fs::read(directory.join("prog")).unwrap();
    let binary = Binary::parse(&bytes).unwrap();
    let names = binary.functions().iter().map(|f| f.name.to_owned());
    names.filter(|name| wanted.contains(name)).collect()
}

#[test]
fn linkers_lay_the_functions_out_in_this_order() {
    if !has_tools(&["clang-19", "gcc", "ld.lld-19", "gold", "cc"]) {
        return;
    }
    let lld = ["-fuse-ld=lld-19", "-Wl,--symbol-ordering-file=symbols"].as_slice();
    let gold = ["-fuse-ld=gold", "-Wl,--section-ordering-file=sections"].as_slice();
    for (compiler, linking) in [("clang-19", lld), ("clang-19", gold), ("gcc", gold)] {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join("prog.c"), PROGRAM).unwrap();
        let linking: Vec<String> = linking.iter().map(|s| (*s).to_owned()).collect();
        build(directory.path(), compiler, &linking[..1]);
        let (hot, expected) = hot(directory.path());
        assert!(!hot.contains(&"never".to_owned()), "{hot:?}");
        assert_eq!(expected.len(), 6, "{hot:?}");
        let at = |name: &str| expected.iter().position(|other| other == name).unwrap();
        assert_eq!(at("local") + 1, at("leaf_a"), "{expected:?}");
        assert!(at("caller") < at("local"), "{expected:?}");
        assert_ne!(by_address(directory.path(), &expected), expected, "no news");
        build(directory.path(), compiler, &linking);
        assert_eq!(
            by_address(directory.path(), &expected),
            expected,
            "{linking:?}"
        );
    }
}
