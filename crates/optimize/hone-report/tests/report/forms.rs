//! The terminal, Markdown and JSON forms: snapshots of whole reports, and what must hold of each.

use crate::sample;
use hone_measure::Interval;
use hone_measure::service::{Beside, Quantity};
use hone_report::{html, json, markdown, model::LadderReport, terminal};

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
    for (name, width) in [("narrow", 60), ("wide", 120)] {
        let text = terminal::render(&sample::full(), width, false);
        insta::assert_snapshot!(format!("terminal_full_{name}"), text);
    }
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
fn the_axis_has_two_labels_or_more_apart_from_each_other() {
    let gains = [
        (0.925, 0.956, 0.988),
        (0.5, 0.83, 0.9),
        (0.1, 0.5, 0.9),
        (0.99, 1.0, 1.01),
        (1.434, 1.44, 1.446),
        (1.0, 1.05, 1.1),
        (3.0, 4.0, 20.0),
    ];
    let mut report = sample::full();
    report.rungs.retain(|rung| rung.comparison.is_some());
    report.rungs.truncate(1);
    for lower in gains {
        for upper in gains {
            for (comparison, gain) in [
                (&mut report.rungs[0].comparison, lower),
                (&mut report.confirmation, upper),
            ] {
                let (low, ratio, high) = gain;
                comparison.as_mut().unwrap().overall = Interval { ratio, low, high };
            }
            for width in 60..=140 {
                let text = terminal::render(&report, width, false);
                let labels = axis_labels(&text);
                assert!(labels.len() > 1, "{width}:\n{text}");
                assert!(labels.contains(&1.0), "{width}:\n{text}");
                assert!(labels.is_sorted(), "{width}:\n{text}");
            }
        }
    }
}

/// The labels of the axis; labels that run into each other are no numbers, or too many decimals.
fn axis_labels(text: &str) -> Vec<f64> {
    let head = text.lines().find_map(|line| line.strip_prefix("  rung "));
    let (_, labels) = head
        .and_then(|head| head.split_once(" interval"))
        .expect(text);
    let labels: Vec<&str> = labels.split_whitespace().collect();
    let decimals = |label: &str| label.split_once('.').map(|(_, rest)| rest.len());
    assert!(
        labels
            .windows(2)
            .all(|pair| decimals(pair[0]) == decimals(pair[1])),
        "{text}"
    );
    labels
        .iter()
        .map(|label| label.parse().expect(text))
        .collect()
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
    let start = "meshfilter: the baseline needs 1.316x the winner's CPU, 95 % interval 1.307 to ";
    let unbroken = terminal::render(&report, 80, false).replace('\n', " ");
    assert!(unbroken.starts_with(start), "{unbroken}");
    assert!(markdown::render(&report).starts_with(&format!("**{start}")));
    assert!(html::render(&report).contains("<p class=\"short\">24.0 % less CPU</p>"));
}

#[test]
fn a_gain_is_never_called_so_many_times_less() {
    for text in every_form(&sample::full()) {
        assert!(!text.contains("x less"), "{text}");
    }
}

#[test]
fn only_a_report_with_a_total_speaks_of_one() {
    let total = "only the last line is a measured total";
    for (name, report) in all() {
        let has_one = report.confirmation.is_some();
        for text in every_form(&report) {
            let text = text.replace('\n', " ");
            assert_eq!(text.contains(total), has_one, "{name}:\n{text}");
        }
    }
}

/// Terminal, Markdown and page.
fn every_form(report: &LadderReport) -> [String; 3] {
    [
        terminal::render(report, 80, false),
        markdown::render(report),
        html::render(report),
    ]
}

#[test]
fn what_helps_one_workload_and_harms_another_is_said_in_every_form() {
    let said = |report: &LadderReport| {
        every_form(report).map(|text| {
            let words: Vec<&str> = text.split_whitespace().collect();
            words.join(" ").matches("harms bursts (0.83x").count()
        })
    };
    let split = |harm: (f64, f64)| {
        let mut report = sample::full();
        for comparison in [&mut report.rungs[1].comparison, &mut report.confirmation] {
            let bursts = &mut comparison.as_mut().unwrap().workloads[1];
            (bursts.gain.low, bursts.gain.ratio, bursts.gain.high) = (harm.0, 0.83, harm.1);
            bursts.verdict = bursts.gain.verdict();
        }
        report
    };
    assert_eq!(said(&split((0.80, 0.86))), [2, 2, 2], "rung and winner");
    assert_eq!(said(&split((0.66, 1.04))), [0, 0, 0], "not proven");
    assert_eq!(said(&sample::full()), [0, 0, 0], "both are helped");
}

#[test]
fn a_remark_is_no_warning_in_any_form() {
    let mut report = sample::full();
    report.notes = vec!["This warns.".to_owned()];
    report.remarks = vec!["This informs.".to_owned()];
    let terminal = terminal::render(&report, 80, false);
    assert!(terminal.contains("\nNote: This warns.\n") && terminal.contains("\nThis informs.\n"));
    let text = markdown::render(&report);
    assert!(text.contains("> This warns.") && text.contains("### Remarks\n\n- This informs."));
    let page = html::render(&report);
    for (class, title, sentence) in [
        ("notes", "Warnings", "This warns."),
        ("remarks", "Remarks", "This informs."),
    ] {
        let section = format!(
            "<section class=\"{class}\" aria-label=\"{title}\"><p>{sentence}</p>\n</section>"
        );
        assert!(page.contains(&section), "no {section}");
    }
    // Reports of earlier versions know no remarks.
    let mut value = serde_json::to_value(&report).unwrap();
    value.as_object_mut().unwrap().remove("remarks");
    let earlier = json::parse(&value.to_string()).unwrap();
    assert!(earlier.remarks.is_empty());
}

#[test]
fn what_a_server_gives_beside_its_cpu_stands_in_a_table() {
    let mut report = sample::full();
    let beside = |quantity, old, new, ratio: f64| Beside {
        workload: "bursts".to_owned(),
        quantity,
        old,
        new,
        gain: Interval {
            low: ratio - 0.05,
            ratio,
            high: ratio + 0.05,
        },
    };
    report.beside = vec![
        beside(Quantity::P99, 0.010, 0.0125, 0.80),
        beside(Quantity::Throughput, 1000.0, 1300.0, 1.30),
    ];
    let text = markdown::render(&report);
    let lines = [
        "| bursts | p99 latency | 10.00 ms | 12.50 ms | 0.80x (0.75 to 0.85), worse |",
        "| bursts | throughput | 1000 requests/s | 1300 requests/s | 1.30x (1.25 to 1.35) |",
    ];
    for line in lines {
        assert!(text.contains(line), "no {line} in\n{text}");
    }
    let page = html::render(&report);
    assert!(page.contains("<td class=\"nowrap\">0.80x (0.75 to 0.85), worse</td>"));
    assert!(!html::render(&sample::full()).contains("Beside the CPU"));
    assert_eq!(json::parse(&json::render(&report)).unwrap(), report);
}

#[test]
fn one_figure_of_memory_and_no_wall_clock_of_runs_that_shared_a_cpu() {
    let mut report = sample::full();
    let confirmation = report.confirmation.as_mut().unwrap();
    confirmation.duet = true;
    let workload = confirmation.workloads[0].workload.clone();
    let near = |ratio| Interval {
        low: ratio - 0.01,
        ratio,
        high: ratio + 0.01,
    };
    report.beside = vec![Beside {
        workload: workload.clone(),
        quantity: Quantity::Memory,
        old: f64::from(640 << 20),
        new: f64::from(600 << 20),
        gain: near(1.067),
    }];
    let forms = [
        markdown::render(&report),
        html::render(&report),
        terminal::render(&report, 400, false),
    ];
    for (text, memory) in forms.iter().zip([
        "640 MiB → 600 MiB",
        "640 MiB → 600 MiB",
        "640 MiB -> 600 MiB",
    ]) {
        assert!(text.contains(memory), "no {memory} in\n{text}");
    }
    for text in [&forms[0], &forms[2]] {
        let line = text.lines().find(|line| line.contains("640 MiB")).unwrap();
        assert!(line.contains("shared a CPU"), "{line}");
    }
    assert!(forms[1].contains("is that of neither build"));
}

#[test]
fn growth_is_that_of_what_is_loaded_and_not_of_debug_information() {
    let mut report = sample::full();
    // Line tables on top of the same program.
    let thinlto = report.rungs.iter_mut().find(|rung| rung.title == "ThinLTO");
    let thinlto = thinlto.unwrap();
    thinlto.file_bytes = thinlto.file_bytes.map(|bytes| bytes * 5);
    let page = html::render(&report);
    assert!(page.contains("+2.2 %"), "the loaded bytes grew by 2.2 %");
    assert!(!page.contains("+365.8 %"));
}

#[test]
fn what_recording_took_beyond_one_per_cent_is_explained() {
    let why = "took more than the 1 % that hone record keeps to in production";
    let mut report = sample::full();
    for (stopped_s, is_explained) in [(0.5, false), (5.0, true)] {
        for facts in &mut report.recordings {
            (facts.stopped_s, facts.target_cpu_s) = (stopped_s, 100.0);
        }
        let text = markdown::render(&report);
        assert_eq!(text.contains(why), is_explained, "{text}");
    }
}

#[test]
fn no_total_is_claimed_without_a_confirmation() {
    let mut report = sample::full();
    report.confirmation = None;
    report.recipe = None;
    let text = terminal::render(&report, 80, false);
    assert!(text.contains("so no total gain is claimed"), "{text}");
    assert!(!text.contains("the baseline needs"), "{text}");
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
    let text = markdown::render(&sample::full());
    let apart = "None of the measured commands is among those trained on";
    assert!(text.contains(apart), "{text}");
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
        matches!(error, json::ParseError::NewerFormat { found: 3, known: 2 }),
        "{error}"
    );
    let error = json::parse("{\"format\": 1}").unwrap_err();
    assert!(matches!(error, json::ParseError::NotAReport(_)), "{error}");
}

#[test]
fn a_summary_for_a_pull_request_has_the_gain_and_how_to_build_it() {
    for (name, report) in all() {
        insta::assert_snapshot!(format!("summary_{name}"), markdown::summary(&report));
    }
    assert!(html::render(&sample::full()).contains("Summary in Markdown"));
}
