//! `hone view` in a real browser: the page of a real recording is opened, and its keys and buttons are used.

mod accessible;
mod browser;
mod code;
mod compare;
mod details;
mod looks;
mod opened;
mod parts;
mod screenshots;
mod steps;
mod tasks;

use crate::common::{compiled, hone, run_in, stderr, stdout};
use browser::{browser, in_browser};
use serde_json::Value;
use std::path::Path;
use testkit::recording::{Program, Recording};

const PROGRAM: &str = r#"
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) unsigned light(unsigned x) {
    for (unsigned i = 0; i < 300; i++) x = (x ^ i) * 22695477u + 1;
    return x;
}
__attribute__((noinline)) unsigned heavy(unsigned x) {
    for (unsigned i = 0; i < 900; i++) x = (x ^ i) * 1664525u + 7;
    return x;
}
__attribute__((noinline)) unsigned down(unsigned x, unsigned depth) {
    return depth == 0 ? light(x) : down(x + 1, depth - 1) + 1;
}
int main(int argc, char **argv) {
    unsigned n = strtoul(argv[1], 0, 10), sum = argc;
    for (unsigned i = 0; i < n; i++) sum += heavy(sum) + down(sum, 3);
    printf("%u\n", sum);
    return 0;
}
"#;

/// A directory with the program `p` and two recordings of it, each so many times nine samples: six in `heavy`, three in `light`
/// at the end of four calls of `down`.
fn recorded() -> tempfile::TempDir {
    let directory = compiled(PROGRAM, &["-g", "-fno-optimize-sibling-calls"]);
    let program = Program::read(&directory.path().join("p"));
    for (name, rounds) in [("old.data", 60), ("new.data", 40)] {
        let mut made = Recording::of(&program);
        let at = |function: &str, line| made.at(program.line(function, line));
        let (main, heavy, light) = (at("main", 17), at("heavy", 9), at("light", 5));
        let down = at("down", 13);
        for _ in 0..rounds {
            made.stack(6, &[heavy, main]);
            made.stack(3, &[light, down, down, down, down, main]);
        }
        made.write(&directory.path().join(name));
    }
    directory
}

fn view(directory: &Path, words: &[&str]) {
    let output = hone(&[&["view"], words].concat(), directory);
    assert!(output.status.success(), "{}", stderr(&output));
}

/// Runs a script in the page of `old.data`, and gives what it returns; `None` where there is no browser.
fn in_page(script: &str) -> Option<Value> {
    let browser = browser()?;
    let directory = recorded();
    view(directory.path(), &["old.data"]);
    Some(in_browser(
        browser,
        directory.path(),
        "old.html",
        "",
        script,
    ))
}

#[test]
fn a_recording_is_shown_and_its_keys_work() {
    let Some(browser) = browser() else { return };
    let directory = recorded();
    let dir = directory.path();
    view(dir, &["old.data"]);
    let script = r##"
      const result = { first: names(page.flame), heavy: share("heavy"), rows: rows().length };
      await key("i");
      result.inverted = names(page.flame);
      await key("i");
      await key("r");
      result.collapsed = downs();
      await key("r");
      result.recursive = downs();
      await click(page.flame, "heavy", "dblclick");
      result.zoomed = document.getElementById("path").textContent;
      await key("0");
      await click(page.flame, "light", "click");
      await key("f");
      result.focus = { fragment: location.hash, heavy: share("heavy").total, light: share("light").total };
      await key("Escape");
      await key("3");
      result.sandwich = { callers: names(page.callers), callees: names(page.callees) };
      await key("1");
      result.chart = names(page.flame).length;
      await key("Escape");
      const search = document.getElementById("search");
      search.value = "^hea";
      search.dispatchEvent(new Event("input"));
      await settle();
      result.search = { matched: document.getElementById("matched").textContent, rows: rows().length };
      search.value = "(";
      search.dispatchEvent(new Event("input"));
      await settle();
      result.wrong = search.classList.contains("wrong");
      return result;
    "##;
    let result = in_browser(browser, dir, "old.html", "", script);
    let list = |value: &Value| -> Vec<String> {
        value
            .as_array()
            .unwrap()
            .iter()
            .map(|name| name.as_str().unwrap().to_owned())
            .collect()
    };
    let first = list(&result["first"]);
    assert!(
        ["main", "heavy", "down", "light"]
            .iter()
            .all(|name| first.iter().any(|f| f == name)),
        "{first:?}"
    );
    assert!(result["heavy"]["self"].as_f64().unwrap() > 0.5, "{result}");
    assert!(result["rows"].as_u64().unwrap() >= 4, "{result}");
    // Inverted, the leaves come first.
    assert_eq!(list(&result["inverted"])[0], "heavy", "{result}");
    assert_eq!(
        (&result["collapsed"], &result["recursive"]),
        (&1.into(), &4.into()),
        "{result}"
    );
    assert!(
        result["zoomed"].as_str().unwrap().ends_with("mainheavy"),
        "{result}"
    );
    assert_eq!(result["focus"]["heavy"], 0, "{result}");
    assert_eq!(result["focus"]["light"], 1, "{result}");
    assert!(
        result["focus"]["fragment"]
            .as_str()
            .unwrap()
            .contains("focus=light"),
        "{result}"
    );
    let callers = list(&result["sandwich"]["callers"]);
    assert_eq!(callers[..2], ["light", "down"], "{result}");
    assert_eq!(list(&result["sandwich"]["callees"]), ["light"], "{result}");
    assert!(
        result["chart"].as_u64().unwrap() > first.len() as u64,
        "{result}"
    );
    assert!(
        result["search"]["matched"]
            .as_str()
            .unwrap()
            .starts_with("matched "),
        "{result}"
    );
    assert_eq!(result["search"]["rows"], 1, "{result}");
    assert_eq!(result["wrong"], true, "{result}");
}

#[test]
#[ignore = "further end to end"]
fn an_address_shows_what_it_says() {
    let Some(browser) = browser() else { return };
    let directory = recorded();
    view(directory.path(), &["old.data"]);
    let fragment = "#view=sandwich&fn=heavy&recursion";
    let script = r##"return { subject: document.getElementById("subject").textContent, recursion: page.state.recursion };"##;
    let result = in_browser(browser, directory.path(), "old.html", fragment, script);
    assert_eq!(result["subject"], "heavy", "{result}");
    assert_eq!(result["recursion"], true, "{result}");
}

#[test]
#[ignore = "further end to end"]
fn two_recordings_are_compared_with_signs() {
    let Some(browser) = browser() else { return };
    let directory = recorded();
    view(
        directory.path(),
        &["old.data", "new.data", "-o", "change.html"],
    );
    let script = r##"
      const node = page.flame.boxes.find(({ node }) => node.fn >= 0 && page.names[node.fn] === "heavy").node;
      return { label: page.namesOf(node)[0], header: document.querySelector("#functions thead").textContent,
               title: document.getElementById("title").textContent,
               legend: document.getElementById("legend").hidden };
    "##;
    let result = in_browser(browser, directory.path(), "change.html", "", script);
    let label = result["label"].as_str().unwrap();
    // The same program twice: next to no change, and it is said in numbers.
    assert!(
        label.ends_with("heavy") && label.contains(" % "),
        "{result}"
    );
    assert!(
        result["header"].as_str().unwrap().contains("change"),
        "{result}"
    );
    assert_eq!(result["title"], "old.data → new.data", "{result}");
    assert_eq!(result["legend"], false, "{result}");
}

/// A directory with the program of examples/planted that allocates much, its clean twin, and a recording of each.
/// None where they cannot be judged.
fn planted() -> Option<tempfile::TempDir> {
    let directory = tempfile::tempdir().unwrap();
    let build = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples/planted/build");
    let target = directory.path().to_str().unwrap();
    run_in(
        directory.path(),
        build.to_str().unwrap(),
        &[target, "allocator"],
    );
    for name in ["odd", "clean"] {
        if !directory.path().join(format!("allocator-{name}")).exists() {
            println!("skipped: allocator does not build here");
            return None;
        }
        let words = format!("record --branches none -F 4000 -o {name}.data -- ./allocator-{name}");
        let output = hone(&words.split(' ').collect::<Vec<_>>(), directory.path());
        assert!(output.status.success(), "{}", stderr(&output));
        let diagnosed = hone(&["diagnose", &format!("{name}.data")], directory.path());
        if !diagnosed.status.success() {
            println!(
                "skipped: {name} is not fit to judge here: {}",
                stdout(&diagnosed)
            );
            return None;
        }
    }
    Some(directory)
}

/// What the panel of findings shows.
const PANEL: &str = r##"
  const panel = () => ({
    shown: !document.getElementById("findings").hidden,
    button: !document.getElementById("findings-tab").hidden,
    summary: document.getElementById("findings-summary").textContent,
    titles: [...document.querySelectorAll("#findings li strong")].map((title) => title.textContent),
    unfit: document.querySelectorAll("#findings li.unfit").length,
    chosen: [...document.querySelectorAll("#findings li.chosen")].map((item) => item.dataset.rule),
    marked: page.matches === null ? [] : page.names.filter((_, fn) => page.matches[fn]),
    fragment: location.hash,
  });
"##;

#[test]
#[ignore = "further end to end"]
fn findings_stand_beside_the_graph_and_mark_their_functions() {
    let Some(browser) = browser() else { return };
    let Some(directory) = planted() else { return };
    let dir = directory.path();
    view(dir, &["odd.data"]);
    let script = format!(
        r##"{PANEL}
      const result = {{ first: panel() }};
      const item = document.querySelector('#findings li[data-rule="allocator"]');
      result.text = item.textContent;
      item.querySelector("button").focus();
      item.querySelector("button").click();
      await settle();
      result.clicked = panel();
      result.focused = document.activeElement.closest("li") === item;
      result.details = !item.querySelector(".more").hidden;
      result.rows = rows().length;
      item.querySelector("button").click();
      await settle();
      result.again = panel();
      await key("j");
      result.next = panel();
      await key("l");
      result.closed = panel();
      await key("o");
      const search = document.getElementById("search");
      search.value = "main";
      search.dispatchEvent(new Event("input"));
      await settle();
      result.searched = panel();
      return result;"##
    );
    let result = in_browser(browser, dir, "odd.html", "", &script);
    let first = &result["first"];
    assert_eq!(first["shown"], true, "{result:#}");
    let titles = first["titles"].as_array().unwrap();
    assert!(
        titles.contains(&"Much time goes into the allocator".into()),
        "{result:#}"
    );
    let text = result["text"].as_str().unwrap();
    for part in [
        " % of the time",
        " % to ",
        "Gains at most ",
        "Allocate less",
        "allocator.cpp:",
        "--levers mimalloc",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let clicked = &result["clicked"];
    assert_eq!(
        clicked["chosen"],
        serde_json::json!(["allocator"]),
        "{result:#}"
    );
    assert!(
        !clicked["marked"].as_array().unwrap().is_empty(),
        "{result:#}"
    );
    let fragment = clicked["fragment"].as_str().unwrap();
    assert!(fragment.contains("finding=allocator"), "{result:#}");
    assert_eq!(
        (&result["focused"], &result["details"]),
        (&true.into(), &true.into()),
        "{result:#}"
    );
    let marked = clicked["marked"].as_array().unwrap().len() as u64;
    assert!(result["rows"].as_u64().unwrap() <= marked, "{result:#}");
    assert_eq!(
        result["again"]["chosen"],
        serde_json::json!([]),
        "{result:#}"
    );
    assert_eq!(
        result["next"]["chosen"].as_array().unwrap().len(),
        1,
        "{result:#}"
    );
    assert_eq!(result["closed"]["shown"], false, "{result:#}");
    let fragment = result["closed"]["fragment"].as_str().unwrap();
    assert!(fragment.contains("side=functions"), "{result:#}");
    let searched = &result["searched"];
    assert_eq!(
        (&searched["shown"], &searched["chosen"]),
        (&true.into(), &serde_json::json!([])),
        "{result:#}"
    );

    // A link shows the same.
    let script = format!("{PANEL} return panel();");
    let linked = in_browser(browser, dir, "odd.html", fragment_of(clicked), &script);
    assert_eq!(linked["marked"], clicked["marked"], "{linked:#}");

    view(dir, &["clean.data"]);
    let clean = in_browser(browser, dir, "clean.html", "", &script);
    assert_eq!(
        (&clean["shown"], &clean["titles"]),
        (&true.into(), &serde_json::json!([])),
        "{clean:#}"
    );
    let summary = clean["summary"].as_str().unwrap();
    assert!(
        summary.starts_with("Nothing odd: ") && summary.contains(" samples of "),
        "{summary}"
    );

    view(dir, &["odd.data", "--no-findings", "-o", "without.html"]);
    let without = in_browser(browser, dir, "without.html", "", &script);
    assert_eq!(
        (&without["shown"], &without["button"]),
        (&false.into(), &false.into()),
        "{without:#}"
    );
}

fn fragment_of(panel: &Value) -> &str {
    panel["fragment"].as_str().unwrap()
}

#[test]
#[ignore = "further end to end"]
fn a_recording_that_is_not_fit_to_judge_says_so_on_its_page() {
    let Some(browser) = browser() else { return };
    let directory = compiled(PROGRAM, &["-g"]);
    let words = "record --branches none -F 20 -o few.data -- ./p 100000";
    let recorded = hone(&words.split(' ').collect::<Vec<_>>(), directory.path());
    assert!(recorded.status.success(), "{}", stderr(&recorded));
    view(directory.path(), &["few.data"]);
    let script = format!("{PANEL} return panel();");
    let few = in_browser(browser, directory.path(), "few.html", "", &script);
    assert_eq!(few["unfit"], 1, "{few:#}");
    assert_eq!(
        few["titles"][0], "The recording is not fit to judge",
        "{few:#}"
    );
}
