//! CPU profiles split by labels: those of a service in Go that `hone/go/rpc` serves.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::common::{go, hone, stderr, stdout};

/// A directory with the CPU profile `cpu.pprof` of two methods; `None` without Go or the modules that `hone/go` needs.
fn profiled() -> Option<tempfile::TempDir> {
    let go = go()?;
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let root = root.canonicalize().unwrap();
    // The module of an example, with another program.
    let module = fs::read_to_string(root.join("examples/rpc/go.mod")).unwrap();
    let here = format!("=> {}/go", root.display());
    fs::write(at("go.mod"), module.replace("=> ../../go", &here)).unwrap();
    fs::copy(root.join("examples/rpc/go.sum"), at("go.sum")).unwrap();
    fs::write(at("main.go"), include_str!("labels/main.go")).unwrap();
    let run = |words: &[&str]| {
        let mut command = Command::new(&go);
        command.args(words).current_dir(directory.path());
        let variables = [("GOFLAGS", "-mod=mod"), ("GOTOOLCHAIN", "local")];
        command.envs(variables).output().unwrap()
    };
    let downloaded = run(&["mod", "download"]);
    if !downloaded.status.success() {
        let reason = stderr(&downloaded);
        println!("skipped: the modules that hone/go needs cannot be had: {reason}");
        return None;
    }
    let built = run(&["build", "-o", "service", "."]);
    assert!(built.status.success(), "{}", stderr(&built));
    let served = Command::new(at("service")).arg(directory.path()).output();
    let served = served.unwrap();
    assert!(served.status.success(), "{}", stderr(&served));
    Some(directory)
}

/// What hone prints, which must succeed.
fn said(words: &[&str], directory: &Path) -> String {
    let output = hone(words, directory);
    assert!(output.status.success(), "{words:?}: {}", stderr(&output));
    stdout(&output)
}

/// Names and self weights of the rows of `hone top`, and the weight of all.
fn top(words: &[&str], directory: &Path) -> (Vec<(String, u64)>, u64) {
    let words = [&["top", "cpu.pprof", "--json"], words].concat();
    let table: Value = serde_json::from_str(&said(&words, directory)).unwrap();
    let rows = table["rows"].as_array().unwrap().iter().map(|row| {
        let name = row["name"].as_str().unwrap().to_owned();
        (name, row["self_weight"].as_u64().unwrap())
    });
    (rows.collect(), table["weight"].as_u64().unwrap())
}

#[test]
#[ignore = "builds whole modules"]
fn the_methods_of_a_service_are_told_apart() {
    let Some(directory) = profiled() else { return };
    let directory = directory.path();
    for (by, heavy, light) in [
        (
            "label",
            "method=Heavy service=shop.Shop",
            "method=Light service=shop.Shop",
        ),
        ("label:method", "method=Heavy", "method=Light"),
        (
            "label:service,method",
            "service=shop.Shop method=Heavy",
            "service=shop.Shop method=Light",
        ),
    ] {
        let (rows, all) = top(&["--by", by], directory);
        let at = |name: &str| rows.iter().position(|(row, _)| row == name);
        let (heavy, light) = (at(heavy), at(light));
        assert!(heavy.is_some() && light > heavy, "{by}: {rows:?}");
        let sum: u64 = rows.iter().map(|(_, weight)| weight).sum();
        assert_eq!(sum, all, "{rows:?}");
        let others = rows.iter().filter(|(row, _)| !row.contains('='));
        assert!(others.count() <= 1, "{rows:?}");
    }
    let (services, all) = top(&["--by", "label:service"], directory);
    assert_eq!(services[0].0, "service=shop.Shop");

    // Filters leave what the row of the label has.
    let (methods, _) = top(&["--by", "label:method"], directory);
    let (_, light) = top(&["--focus-label", "^method=Light$"], directory);
    assert!(
        methods.contains(&("method=Light".to_owned(), light)),
        "{methods:?}"
    );
    let (_, without) = top(&["--ignore-label", "^method=Light$"], directory);
    assert_eq!(light + without, all);

    // Labels are the outermost frames.
    let roots = [
        "view",
        "cpu.pprof",
        "--root",
        "label:service,method",
        "--to",
        "folded",
        "-o",
        "-",
    ];
    let folded = said(&roots, directory);
    let weight = |line: &str| line.rsplit(' ').next().unwrap().parse::<u64>().unwrap();
    let of_light = folded
        .lines()
        .filter(|line| line.starts_with("service=shop.Shop;method=Light;"));
    assert_eq!(of_light.map(weight).sum::<u64>(), light);
    assert_eq!(folded.lines().map(weight).sum::<u64>(), all);

    // pprof that is written has the labels of what was read.
    said(
        &["view", "cpu.pprof", "--to", "pprof", "-o", "again.pb.gz"],
        directory,
    );
    let tags = |file: &str| {
        let words = [
            "tool",
            "pprof",
            "-tags",
            "-sample_index=cpu",
            "-unit=ns",
            file,
        ];
        let output = Command::new(go().unwrap())
            .args(words)
            .current_dir(directory)
            .output();
        let text = stdout(&output.unwrap());
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(tags("again.pb.gz"), tags("cpu.pprof"));

    let unknown = hone(&["top", "cpu.pprof", "--by", "label:customer"], directory);
    assert_eq!(unknown.status.code(), Some(2));
    let expected = "cpu.pprof: no sample has a label customer\nnext: name one of method, service\n";
    assert!(stderr(&unknown).ends_with(expected), "{}", stderr(&unknown));
}
