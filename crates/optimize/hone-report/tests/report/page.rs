//! The HTML page: whatever strings and numbers a report holds, the page keeps its structure, asks the network
//! for nothing, and its embedded JSON is the report.

use crate::{sample, structure};
use hone_measure::Interval;
use hone_report::model::LadderReport;
use hone_report::{html, json, markdown, terminal};
use proptest::prelude::*;
use serde_json::Value;

fn all() -> [LadderReport; 4] {
    [
        sample::full(),
        sample::nothing_kept(),
        sample::nothing_measured(),
        sample::not_confirmed(),
    ]
}

/// The report that stands in the page.
fn embedded(page: &str) -> LadderReport {
    let start = format!(
        "<script type=\"application/json\" id=\"{}\">",
        html::JSON_BLOCK
    );
    let (_, rest) = page.split_once(&start).expect("the page has a JSON block");
    let (block, _) = rest.split_once("</script>").expect("the block ends");
    json::parse(block).expect("the block is a report")
}

/// A small report with something in every part.
pub(crate) fn small() -> LadderReport {
    let mut report = sample::full();
    report.raw.truncate(1);
    report.raw[0].runs.truncate(8);
    report.notes.push("A note.".to_owned());
    report.remarks.push("A remark.".to_owned());
    report
}

/// The report with `suffix` on every string that comes from outside.
pub(crate) fn with_suffix(report: &LadderReport, suffix: &str) -> LadderReport {
    const FIXED: [&str; 4] = ["kind", "verdict", "metric", "arm"];
    fn walk(value: &mut Value, suffix: &str) {
        match value {
            Value::String(text) => text.push_str(suffix),
            Value::Array(items) => items.iter_mut().for_each(|item| walk(item, suffix)),
            Value::Object(fields) => fields
                .iter_mut()
                .filter(|(key, _)| !FIXED.contains(&key.as_str()))
                .for_each(|(_, value)| walk(value, suffix)),
            _ => {}
        }
    }
    let mut value = serde_json::to_value(report).unwrap();
    walk(&mut value, suffix);
    serde_json::from_value(value).unwrap()
}

#[test]
fn every_sample_is_a_well_formed_page_with_its_report_inside() {
    for report in all() {
        let page = html::render(&report);
        structure::of(&page).unwrap();
        assert_eq!(embedded(&page), report);
    }
}

#[test]
fn the_page_asks_the_network_for_nothing() {
    let page = html::render(&sample::full());
    for forbidden in [
        "src=", "http://", "https://", "@import", "url(", "<link", "<iframe",
    ] {
        assert!(!page.contains(forbidden), "{forbidden}");
    }
    let targets = page.split("href=\"").skip(1);
    assert!(targets.clone().count() > 5);
    assert!(targets.into_iter().all(|rest| rest.starts_with('#')));
    assert!(page.contains("default-src &#39;none&#39;"));
}

#[test]
fn links_lead_to_sections_and_identities_are_unique() {
    for report in all() {
        let page = html::render(&report);
        let mut ids: Vec<&str> = values(&page, " id=\"");
        ids.sort_unstable();
        assert!(ids.windows(2).all(|pair| pair[0] != pair[1]), "{ids:?}");
        for target in values(&page, "href=\"#") {
            assert!(ids.contains(&target), "{target}");
        }
    }
}

fn values<'a>(page: &'a str, before: &str) -> Vec<&'a str> {
    let rest = page.split(before).skip(1);
    rest.filter_map(|rest| rest.split('"').next()).collect()
}

#[test]
fn the_page_shows_what_the_report_says() {
    let page = html::render(&sample::full());
    for words in [
        "24.0 % less CPU",
        "The baseline needs 1.316x the winner&#39;s CPU",
        "beaten by Instrumented PGO",
        "for comparison only",
        "llvm-bolt-19 found, its runtime library is not",
        "mesh::AuthFilter::decode(mesh::Request&amp;, mesh::Context&amp;)",
        "before; not among the hottest after",
        "The baseline against itself gave 1.000x",
        "AMD EPYC 7763 64-Core Processor",
        "-fprofile-use=$PWD/hone.profdata",
        "Table of 96 runs",
    ] {
        assert!(page.contains(words), "{words}");
    }
}

#[test]
fn parts_that_are_missing_are_said_to_be_missing() {
    let page = html::render(&sample::nothing_measured());
    for words in [
        "Nothing was measured",
        "No workload was measured.",
        "Nothing was built.",
        "No branch records were counted in this run.",
        "there is nothing to put into your build",
        "cannot show how noisy the machine is",
        "No recording was made in this run.",
        "No experiment was run.",
    ] {
        assert!(page.contains(words), "{words}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn no_string_changes_the_structure_of_the_page(
        suffix in prop_oneof![
            "\\PC{1,24}",
            any::<String>().prop_map(|text| text + "z"),
            prop::sample::select(vec![
                "</script><script>alert(1)</script>",
                "\"><img src=x onerror=alert(1)>",
                "' onmouseover='alert(1)",
                "<!-- </title></style><svg onload=alert(1)>",
                "]]>&lt;&amp;<![CDATA[",
                "\\u003c/script\\u003e\u{2028}\u{0}\u{202e}",
            ]).prop_map(str::to_owned),
        ],
    ) {
        let report = small();
        let hostile = with_suffix(&report, &suffix);
        let page = html::render(&hostile);
        let plain = structure::of(&html::render(&with_suffix(&report, "x"))).unwrap();
        prop_assert_eq!(structure::of(&page).map_err(TestCaseError::fail)?, plain);
        prop_assert_eq!(embedded(&page), hostile);
    }
}

#[test]
fn numbers_that_are_none_are_shown_as_missing_in_every_form() {
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let report = with_numbers(value);
        for text in forms(&report) {
            assert!(!has_word(&text, &["NaN", "inf"]), "{value}:\n{text}");
            assert!(text.contains("n/a"), "{value}:\n{text}");
        }
    }
}

#[test]
fn extreme_numbers_stay_short_in_every_form() {
    for value in [
        f64::MAX,
        f64::MIN,
        f64::MIN_POSITIVE,
        0.0,
        -0.0,
        -1.0,
        1e-9,
        1e9,
    ] {
        let report = with_numbers(value);
        for text in forms(&report) {
            assert!(!has_word(&text, &["NaN", "inf"]), "{value}:\n{text}");
            let longest = text
                .split(|c: char| !c.is_ascii_digit())
                .map(str::len)
                .max();
            assert!(longest.unwrap() <= 16, "{value}:\n{text}");
        }
    }
}

/// Terminal, Markdown, and the page without its embedded JSON.
fn forms(report: &LadderReport) -> [String; 3] {
    let page = html::render(report);
    structure::of(&page).unwrap();
    let shown = page.split("<script type=\"application/json\"").next();
    [
        terminal::render(report, 80, false),
        markdown::render(report),
        shown.unwrap().to_owned(),
    ]
}

fn has_word(text: &str, words: &[&str]) -> bool {
    let mut all = text.split(|c: char| !c.is_alphanumeric());
    all.any(|word| words.contains(&word))
}

/// The small report with this number everywhere.
fn with_numbers(value: f64) -> LadderReport {
    let mut report = small();
    let everywhere = Interval {
        ratio: value,
        low: value,
        high: value,
    };
    let rungs = report
        .rungs
        .iter_mut()
        .filter_map(|r| r.comparison.as_mut());
    let comparisons = rungs
        .chain(&mut report.confirmation)
        .chain(&mut report.self_check);
    for comparison in comparisons {
        comparison.overall = everywhere;
        comparison.range = (value, value);
        comparison.confidence = value;
        comparison.stolen_share = value;
        for result in &mut comparison.workloads {
            result.gain = everywhere;
            result.wall = everywhere;
            result.old_median = value;
            result.new_median = value;
        }
    }
    for rung in &mut report.rungs {
        rung.build_s = value;
        if let Some(calls) = &mut rung.indirect_calls {
            calls.per_1000_instructions = value;
            for site in &mut calls.sites {
                site.per_1000_instructions = value;
                site.targets
                    .iter_mut()
                    .for_each(|(_, share)| *share = value);
            }
        }
    }
    for recording in &mut report.recordings {
        recording.wall_s = value;
        recording.stopped_s = value;
        recording.target_cpu_s = value;
    }
    for run in report
        .raw
        .iter_mut()
        .flat_map(|experiment| &mut experiment.runs)
    {
        run.observation.user_s = value;
        run.observation.wall_s = value;
        run.observation.stolen_s = value;
        run.observation.work = Some(value);
    }
    report
}
