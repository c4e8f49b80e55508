//! `hone inspect --static`: what machine code alone says of error handling, in C and in Go; and that the code which
//! hone-thrift writes has none of it on its way.

use crate::common::{c_compiler, go, hone, run_in, stderr, stdout};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;

const C: &str = "
#include <stdlib.h>
int checks(int x) { if (x < 0) abort(); return x * 3; }
int plain(int x) { return x * 5; }
int main(int argc, char **argv) { return checks(argc) + plain(argc); }
";

/// One that notes errors on its way, and one that returns them.
const GO: &str = "
package main

import (
	\"errors\"
	\"fmt\"
	\"os\"
)

// wrap only leads to an error: the code that calls it is for errors too.
//
//go:noinline
func wrap(value int) error { return fmt.Errorf(\"negative: %d\", value) }

//go:noinline
func collects(values []int) (sum int, last error) {
	for _, value := range values {
		if value < 0 {
			last = wrap(value)
		}
		sum += value
	}
	return sum, last
}

//go:noinline
func returns(values []int) (sum int, err error) {
	for _, value := range values {
		if value < 0 {
			return 0, fmt.Errorf(\"negative: %d\", value)
		}
		sum += value
	}
	return sum, nil
}

// checks makes an error by a function that Go inlines.
//
//go:noinline
func checks(value int) error {
	if value < 0 {
		return errors.New(\"negative\")
	}
	return nil
}

func main() {
	values := make([]int, len(os.Args))
	fmt.Println(collects(values))
	fmt.Println(returns(values))
	fmt.Println(checks(len(values)))
}
";

fn inspect(directory: &Path, binary: &str, function: &str) -> Value {
    let words = [
        "inspect",
        "--layout",
        binary,
        "--static",
        "--function",
        function,
    ];
    let shown = hone(&words, directory);
    assert!(shown.status.success(), "{}", stderr(&shown));
    println!("{}", stdout(&shown));
    let output = hone(&[&words[..], &["--json"]].concat(), directory);
    serde_json::from_str(&stdout(&output)).unwrap()
}

fn number(of: &Value, key: &str) -> u64 {
    of[key].as_u64().unwrap_or_else(|| panic!("{key}: {of:#}"))
}

#[test]
fn a_block_for_errors_is_told_from_where_it_lies() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    fs::write(directory.join("p.c"), C).unwrap();
    let flags = ["-fno-inline", "-fcf-protection=none", "p.c", "-o"];
    for (level, name, is_inside) in [("-O0", "slow", true), ("-O2", "fast", false)] {
        let arguments = [&[level], &flags[..], &[name]].concat();
        run_in(directory, c_compiler(), &arguments);
        let checks = inspect(directory, name, "checks");
        assert!(number(&checks, "error_bytes") > 0, "{checks:#}");
        assert_eq!(number(&checks, "error_bytes_inside") > 0, is_inside);
        assert_eq!(number(&checks, "error_calls_inside") > 0, is_inside);
        let plain = inspect(directory, name, "/^plain$/");
        assert_eq!(number(&plain, "error_bytes"), 0, "{plain:#}");
        assert_eq!(number(&plain, "cold_bytes"), 0, "{plain:#}");
        assert_eq!(
            number(&plain, "hot_bytes"),
            number(&plain, "bytes"),
            "{plain:#}"
        );
    }
    let words = ["inspect", "--layout", "fast", "--static"];
    let none = hone(
        &[&words[..], &["--function", "nowhere"]].concat(),
        directory,
    );
    assert_eq!(none.status.code(), Some(2));
    assert!(stderr(&none).contains("no function nowhere"), "{none:?}");
    let both = hone(&[&words[..], &["hone.data"]].concat(), directory);
    assert_eq!(both.status.code(), Some(2), "{both:?}");
}

#[test]
fn error_values_of_go_are_errors_too() {
    let Some(go) = go() else {
        return;
    };
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    fs::write(directory.join("p.go"), GO).unwrap();
    run_in(
        directory,
        go.to_str().unwrap(),
        &["build", "-o", "p", "p.go"],
    );
    let collects = inspect(directory, "p", "main.collects");
    assert_eq!(number(&collects, "error_calls_inside"), 1, "{collects:#}");
    let returns = inspect(directory, "p", "main.returns");
    assert!(number(&returns, "error_bytes") > 0, "{returns:#}");
    let checks = inspect(directory, "p", "main.checks");
    assert!(number(&checks, "error_bytes") > 0, "{checks:#}");
}

/// What generated code calls only where something is unusual: fields in another order or unknown, a message that is wrong.
const UNUSUAL: [&str; 6] = ["Rest", "RestOfMany", "skip", "skipAll", "noCount", "refuse"];

/// All functions that read, write and measure messages, of structs of every kind, and what they call.
#[test]
#[ignore = "builds whole modules"]
fn generated_codecs_have_all_error_code_behind_their_return() {
    let Some(go) = go() else {
        return;
    };
    let module = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../go");
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    let built = Command::new(&go)
        .args(["test", "-c", "-o"])
        .arg(directory.join("sample"))
        .arg("./internal/sample")
        .current_dir(module)
        .output()
        .unwrap();
    assert!(built.status.success(), "{}", stderr(&built));
    let pattern = r"/^hone/go/internal/sample/.*\)\.(Read|Write)Thrift$/";
    let codec = inspect(directory, "sample", pattern);
    let functions = codec["functions"].as_array().unwrap();
    assert!(functions.len() >= 20, "{} functions", functions.len());
    let readers = functions.iter().filter(|function| {
        let name = function["name"].as_str().unwrap();
        name.ends_with("ReadThrift") && number(function, "error_bytes") > 0
    });
    assert!(readers.count() >= 10, "{codec:#}");
    assert_eq!(number(&codec, "error_bytes_inside"), 0, "{codec:#}");
    assert_eq!(number(&codec, "error_calls_inside"), 0, "{codec:#}");

    let runtime =
        r"/^hone/go/thrift\.(\(\*Decoder\)\.|(Elements|Pairs|New|newMore|Batch|Enum)\[|Put)/";
    let runtime = inspect(directory, "sample", runtime);
    let functions = runtime["functions"].as_array().unwrap();
    let (unusual, usual): (Vec<&Value>, Vec<&Value>) = functions.iter().partition(|function| {
        let name = function["name"].as_str().unwrap();
        UNUSUAL.contains(&name.rsplit('.').next().unwrap())
    });
    assert_eq!(unusual.len(), UNUSUAL.len());
    assert!(usual.len() >= 50, "{} functions", usual.len());
    for function in usual {
        assert_eq!(number(function, "error_bytes_inside"), 0, "{function:#}");
    }
}

#[test]
fn what_cannot_be_inspected_is_told_with_a_step_that_works() {
    let directory = tempfile::tempdir().unwrap();
    let own = testkit::recorded("programs/steps");
    let own = own.to_str().unwrap();
    std::fs::write(directory.path().join("notes"), "no program").unwrap();
    let said = |words: &[&str]| {
        let words = [&["inspect", "--static", "--binary"], words].concat();
        let output = hone(&words, directory.path());
        (output.status.code(), stderr(&output))
    };
    for (words, fact, step) in [
        (
            &["notes"][..],
            "hone: notes: not an ELF file",
            "name an ELF program",
        ),
        (&["missing"], "hone: missing: No such file", "--binary"),
        (
            &[own, "--function", "nosuch"],
            "no function nosuch",
            "leave --function away",
        ),
    ] {
        let (status, text) = said(words);
        assert_eq!(status, Some(2), "{text}");
        let (told, next) = text.split_once("\nnext: ").unwrap();
        assert!(told.contains(fact) && next.contains(step), "{text}");
    }
    // The step of the last one, and a pattern as it says.
    for words in [&[own][..], &[own, "--function", "/^main$/"]] {
        let (status, text) = said(words);
        assert_eq!(status, Some(0), "{text}");
    }
}
