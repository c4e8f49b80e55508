//! Figures of the page against those that `hone diff` and `hone top` print.

use crate::common::{c_compiler, compiled, hone, record_stacks, run_in, stderr, stdout};
use crate::view_page::browser::{browser, in_browser};
use crate::view_page::{PROGRAM, view};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// What the page has by function: old and new share, change, its error, and whether it is more than chance.
const CHANGES: &str = r##"
  return [...page.figures.changes].map(([fn, { old, now, change, error, significant }]) =>
    ({ name: page.names[fn], binary: page.binaries[fn], old_share: old, new_share: now, change, error, significant }));
"##;

fn json(directory: &Path, words: &[&str]) -> Value {
    let output = hone(words, directory);
    assert!(output.status.code() < Some(2), "{}", stderr(&output));
    serde_json::from_str(&stdout(&output)).unwrap()
}

fn by_name(rows: &Value) -> BTreeMap<(String, String), &Value> {
    let text = |row: &Value, key: &str| row[key].as_str().unwrap_or_default().to_owned();
    let rows = rows.as_array().unwrap().iter();
    rows.map(|row| ((text(row, "name"), text(row, "binary")), row))
        .collect()
}

fn assert_near(page: &Value, other: &Value, key: &str, context: &str) {
    let (page, other) = (page[key].as_f64().unwrap(), other[key].as_f64().unwrap());
    assert!(
        (page - other).abs() < 1e-9,
        "{key} {page} {other}: {context}"
    );
}

/// The page of two recordings shows what `hone diff` says, row by row; the change of the function `heavy`.
fn compared(browser: &str, directory: &Path, recordings: [&str; 2]) -> Value {
    let [old, new] = recordings;
    view(directory, &[old, new, "-o", "change.html"]);
    let page = in_browser(browser, directory, "change.html", "", CHANGES);
    let diff = json(directory, &["diff", old, new, "--json"]);
    let (page, diff) = (by_name(&page), by_name(&diff));
    assert_eq!(
        page.keys().collect::<Vec<_>>(),
        diff.keys().collect::<Vec<_>>()
    );
    for (name, row) in &diff {
        let context = format!("{name:?}: {} {row}", page[name]);
        for key in ["old_share", "new_share", "change", "error"] {
            assert_near(page[name], row, key, &context);
        }
        assert_eq!(page[name]["significant"], row["significant"], "{context}");
    }
    let mut heavy = diff.iter().filter(|((name, _), _)| name == "heavy");
    let found = (*heavy.next().unwrap().1).clone();
    assert!(heavy.next().is_none(), "heavy is there twice: {diff:#?}");
    found
}

/// A function that has most of the time in both recordings.
fn assert_in_both(heavy: &Value) {
    for side in ["old_share", "new_share"] {
        assert!(heavy[side].as_f64().unwrap() > 0.3, "{heavy}");
    }
}

#[test]
#[ignore = "further end to end"]
fn one_binary_at_two_paths_has_no_new_functions() {
    let Some(browser) = browser() else { return };
    let directory = compiled(PROGRAM, &["-g", "-fno-optimize-sibling-calls"]);
    let dir = directory.path();
    fs::create_dir(dir.join("elsewhere")).unwrap();
    fs::copy(dir.join("p"), dir.join("elsewhere/program")).unwrap();
    record_stacks(dir, "old.data", &["./p", "200000"]);
    record_stacks(dir, "new.data", &["./elsewhere/program", "200000"]);
    assert_in_both(&compared(browser, dir, ["old.data", "new.data"]));
}

#[test]
#[ignore = "further end to end"]
fn two_builds_at_two_paths_are_one_program() {
    let Some(browser) = browser() else { return };
    let directory = compiled(PROGRAM, &["-g", "-fno-optimize-sibling-calls"]);
    let dir = directory.path();
    let source = fs::read_to_string(dir.join("p.c")).unwrap();
    fs::create_dir(dir.join("next")).unwrap();
    fs::write(dir.join("next/q.c"), source.replace("i < 900", "i < 1500")).unwrap();
    let words = "-O2 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls next/q.c -o next/q";
    run_in(dir, c_compiler(), &words.split(' ').collect::<Vec<_>>());
    record_stacks(dir, "old.data", &["./p", "200000"]);
    record_stacks(dir, "next/old.data", &["./next/q", "200000"]);
    assert_in_both(&compared(browser, dir, ["old.data", "next/old.data"]));

    let title = r##"return document.getElementById("title").textContent;"##;
    let shown = in_browser(browser, dir, "change.html", "", title);
    assert!(shown.as_str().unwrap().contains("next/old.data"), "{shown}");
    let named = [
        "--old-name",
        "1.40",
        "--new-name",
        "1.41",
        "-o",
        "named.html",
    ];
    view(dir, &[&["old.data", "next/old.data"], &named[..]].concat());
    let shown = in_browser(browser, dir, "named.html", "", title);
    assert_eq!(shown, "1.40 → 1.41");
    let output = hone(
        &[&["diff", "old.data", "next/old.data"], &named[..4]].concat(),
        dir,
    );
    let header = stdout(&output);
    let header = header.lines().next().unwrap();
    assert!(
        header.contains("1.40") && header.contains("1.41"),
        "{header}"
    );
}

#[test]
#[ignore = "further end to end"]
fn errors_follow_every_filter_as_in_top() {
    let Some(browser) = browser() else { return };
    let directory = compiled(PROGRAM, &["-g", "-fno-optimize-sibling-calls"]);
    let dir = directory.path();
    record_stacks(dir, "hone.data", &["./p", "300000"]);
    view(dir, &["hone.data"]);
    let rows = r##"
      const { self, total } = page.figures.byFunction.at(-1);
      const whole = page.figures.whole.at(-1);
      const error = (share) => standardError(share, page.figures.samples.at(-1));
      const cells = [...document.querySelectorAll("#functions tbody tr[data-fn]")];
      const shown = new Map(cells.map((row) => [Number(row.dataset.fn), row.cells[0].textContent]));
      return page.names.map((name, fn) => ({ name, binary: page.binaries[fn], self_share: self[fn] / whole,
        total_share: total[fn] / whole, self_error: error(self[fn] / whole), total_error: error(total[fn] / whole),
        shown: shown.get(fn) })).filter((row) => row.total_share > 0);
    "##;
    let whole = json(dir, &["top", "--json"]);
    for (fragment, filter) in [
        ("", &[][..]),
        ("#focus=light", &["--focus", "^light$"][..]),
        ("#drop=heavy", &["--ignore", "^heavy$"]),
        (
            "#focus=main&drop=light",
            &["--focus", "^main$", "--ignore", "^light$"],
        ),
    ] {
        let page = in_browser(browser, dir, "hone.html", fragment, rows);
        let top = json(dir, &[&["top", "--json"], filter].concat());
        let (page, top) = (by_name(&page), by_name(&top["rows"]));
        let names = |rows: &BTreeMap<_, _>| rows.keys().cloned().collect::<Vec<(String, String)>>();
        assert_eq!(names(&page), names(&top), "{fragment}");
        for (name, row) in &top {
            let context = format!("{fragment} {name:?}");
            for key in ["self_share", "total_share", "self_error", "total_error"] {
                assert_near(page[name], row, key, &context);
            }
            let percent = |key: &str| row[key].as_f64().unwrap() * 100.0;
            let shown = format!(
                "{:.1} % ± {:.1}",
                percent("self_share"),
                percent("self_error")
            );
            // Halves are rounded up here and to even there.
            let near = format!(
                "{:.1} % ± {:.1}",
                percent("self_share") + 1e-9,
                percent("self_error") + 1e-9
            );
            let cell = page[name]["shown"].as_str().unwrap();
            assert!(cell == shown || cell == near, "{cell} {shown}: {context}");
        }
        let samples = |table: &Value| table["effective_samples"].as_f64().unwrap();
        let left = json(dir, &[&["top", "--json"], filter].concat());
        assert!(
            filter.is_empty() || samples(&left) < samples(&whole),
            "{fragment}"
        );
    }

    // The only thread is the whole, and no thread of a part of the time is more evidence than all of it.
    let thread = in_browser(
        browser,
        dir,
        "hone.html",
        "#thread=0",
        "return page.figures.samples;",
    );
    assert!(
        (thread[0].as_f64().unwrap() - whole["effective_samples"].as_f64().unwrap()).abs() < 1e-6
    );
    let part = "const all = page.figures.samples[0]; page.change({ range: [0, page.recording.duration / 4] }); return [page.figures.samples[0], all];";
    let part = in_browser(browser, dir, "hone.html", "", part);
    let (quarter, all) = (part[0].as_f64().unwrap(), part[1].as_f64().unwrap());
    assert!(quarter > 0.0 && quarter < all, "{part}");
}
