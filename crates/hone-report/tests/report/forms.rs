//! The terminal, Markdown and JSON forms: snapshots of whole reports, and what must hold of each.

use crate::sample;
use hone_report::{json, markdown, model::LadderReport, terminal};

fn all() -> [(&'static str, LadderReport); 4] {
    [
        ("full", sample::full()),
        ("nothing_kept", sample::nothing_kept()),
        ("nothing_measured", sample::nothing_measured()),
        ("not_confirmed", sample::not_confirmed()),
    ]
}

#[test]
fn terminal_snapshots() {
    for (name, report) in all() {
        insta::assert_snapshot!(
            format!("terminal_{name}"),
            terminal::render(&report, 80, false)
        );
    }
    let wide = terminal::render(&sample::full(), 120, false);
    insta::assert_snapshot!("terminal_full_wide", wide);
}

#[test]
fn markdown_snapshots() {
    for (name, report) in all() {
        insta::assert_snapshot!(format!("markdown_{name}"), markdown::render(&report));
    }
}

#[test]
fn the_terminal_report_fits_its_width() {
    for (name, report) in all() {
        for width in [48, 60, 80, 100, 160] {
            let text = terminal::render(&report, width, false);
            let longest = text.lines().map(|line| line.chars().count()).max();
            assert!(longest.unwrap() <= width, "{name} at {width}:\n{text}");
        }
    }
}

#[test]
fn colour_comes_only_when_asked_and_changes_no_word() {
    for (name, report) in all() {
        let plain = terminal::render(&report, 80, false);
        assert!(!plain.contains('\u{1b}'), "{name}");
        let coloured = terminal::render(&report, 80, true);
        assert!(coloured.contains('\u{1b}'), "{name}");
        assert_eq!(without_colour(&coloured), plain, "{name}");
    }
}

fn without_colour(text: &str) -> String {
    let mut out = String::new();
    let mut inside = false;
    for c in text.chars() {
        match c {
            '\u{1b}' => inside = true,
            'm' if inside => inside = false,
            _ if inside => {}
            c => out.push(c),
        }
    }
    out
}

#[test]
fn the_main_sentence_comes_first() {
    let report = sample::full();
    let start = "meshfilter: 1.316x less CPU than the baseline, 95 % interval 1.307 to 1.325";
    assert!(terminal::render(&report, 80, false).starts_with(start));
    assert!(markdown::render(&report).starts_with("**meshfilter: 1.316x less CPU"));
}

#[test]
fn no_total_is_claimed_without_a_confirmation() {
    let mut report = sample::full();
    report.confirmation = None;
    report.recipe = None;
    let text = terminal::render(&report, 80, false);
    assert!(text.contains("so no total gain is claimed"), "{text}");
    assert!(!text.contains("less CPU than the baseline"), "{text}");
}

#[test]
fn every_outcome_and_reason_is_named() {
    let text = terminal::render(&sample::full(), 120, false);
    for words in [
        "kept",
        "no provable difference",
        "beaten by Instrumented",
        "slower",
        "for comparison only",
        "install libbolt-19-dev",
        "jemalloc is not installed",
    ] {
        assert!(text.contains(words), "{words} is missing in:\n{text}");
    }
}

#[test]
fn a_self_check_that_finds_a_difference_warns() {
    let mut report = sample::full();
    report.self_check = report.rungs[1].comparison.clone();
    let text = terminal::render(&report, 80, false);
    assert!(text.contains("a difference where there is none"), "{text}");
}

#[test]
fn training_on_what_is_measured_is_said() {
    let mut report = sample::full();
    report.workloads.train = vec![report.workloads.measure[0].clone()];
    let text = markdown::render(&report);
    assert!(
        text.contains("Also used for training: ./meshbench --mix steady"),
        "{text}"
    );
}

#[test]
fn names_from_outside_cannot_break_a_terminal_or_a_markdown_table() {
    let mut report = sample::full();
    report.program = "a\u{1b}[2Jb".to_owned();
    report.rungs[1].title = "x | y\n# z <img src=q> `code`".to_owned();
    assert!(!terminal::render(&report, 80, false).contains('\u{1b}'));
    let text = markdown::render(&report);
    assert!(
        text.contains(r"x \| y \# z &lt;img src=q&gt; \`code\`"),
        "{text}"
    );
    assert!(!text.contains("<img"));
}

#[test]
fn json_reads_back_as_the_same_report() {
    for (name, report) in all() {
        assert_eq!(
            json::parse(&json::render(&report)).unwrap(),
            report,
            "{name}"
        );
    }
}

#[test]
fn json_of_a_newer_format_or_of_something_else_is_refused() {
    let mut report = sample::nothing_measured();
    report.format += 1;
    let error = json::parse(&json::render(&report)).unwrap_err();
    assert!(
        matches!(error, json::ParseError::NewerFormat { found: 2, known: 1 }),
        "{error}"
    );
    let error = json::parse("{\"format\": 1}").unwrap_err();
    assert!(matches!(error, json::ParseError::NotAReport(_)), "{error}");
}
