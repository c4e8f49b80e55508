//! The report as Markdown, for pull requests and chat.

use crate::model::{Flags, LadderReport, Outcome, Recipe};
use crate::sentences::{self, Standing};
use crate::{number, text};
use hone_measure::{Comparison, Interval};
use std::fmt::Write;

/// Returns the report as GitHub-flavoured Markdown.
pub fn render(report: &LadderReport) -> String {
    let mut out = String::new();
    headline(&mut out, report);
    ladder(&mut out, report);
    workloads(&mut out, report);
    beside(&mut out, report);
    remarks(&mut out, report);
    evidence(&mut out, report);
    recipe(&mut out, report);
    machine(&mut out, report);
    out
}

/// Returns what a pull request with the winner needs to say: the gain and how it was measured, by workload, what comes with it, and the lines that
/// build it.
pub fn summary(report: &LadderReport) -> String {
    let mut out = String::new();
    headline(&mut out, report);
    workloads(&mut out, report);
    beside(&mut out, report);
    if let Some(recipe) = &report.recipe {
        paragraph(&mut out, "Built so:");
        fence(&mut out, "sh", &recipe.shell);
        deploy(&mut out, recipe);
    }
    if let Some(check) = sentences::self_check(report) {
        paragraph(&mut out, &format!("Self-check: {}", escape(&check)));
    }
    let machine = &report.machine;
    let place = format!(
        "Measured by Hone {} on {}, {} CPUs, {}, {}.",
        report.hone_version, machine.cpu, machine.cpus, machine.os, report.finished_at
    );
    paragraph(&mut out, &escape(&place));
    out
}

fn headline(out: &mut String, report: &LadderReport) {
    let headline = sentences::headline(report);
    paragraph(out, &format!("**{}**", escape(&headline.sentence)));
    if let Some(winner) = sentences::winner(report) {
        paragraph(out, &format!("Winner: {}.", escape(&winner)));
    }
    let basis = sentences::basis(report);
    if !basis.is_empty() {
        paragraph(out, &escape(&basis.join(" ")));
    }
    for note in &report.notes {
        paragraph(out, &format!("> {}", escape(note)));
    }
}

fn ladder(out: &mut String, report: &LadderReport) {
    if report.rungs.is_empty() {
        return;
    }
    paragraph(out, "### The ladder");
    let header = format!(
        "Rung | Against | Gain | {} | Outcome | Build | Machine code | Indirect calls per 1,000 \
         instructions",
        interval_title(report)
    );
    row(out, &header);
    row(out, "--- | --- | ---: | --- | --- | ---: | ---: | ---:");
    let decimals = decimals(report);
    for (index, rung) in report.rungs.iter().enumerate() {
        let (gain, interval) = gain_cells(rung.comparison.as_ref(), decimals);
        let base = sentences::base_of(report, index).map_or("", |base| &base.title);
        let cells = [
            escape(&rung.title),
            escape(base),
            gain,
            interval,
            outcome(report, &rung.outcome),
            built(rung.build_s),
            rung.text_bytes.map(number::bytes).unwrap_or_default(),
            indirect_calls(report, index),
        ];
        row(out, &cells.join(" | "));
    }
    if let Some(confirmation) = &report.confirmation {
        let (gain, interval) = gain_cells(Some(confirmation), decimals);
        let line =
            format!("**Winner, measured afresh** | Baseline | **{gain}** | **{interval}** | | | |");
        row(out, line.trim_end_matches(" |"));
    }
    out.push('\n');
    splits(out, report);
    profiles(out, report);
    if let Some(reading) = sentences::reading(report) {
        paragraph(out, &reading);
    }
}

/// Writes the rungs that help one workload and harm another.
fn splits(out: &mut String, report: &LadderReport) {
    let rungs = report.rungs.iter();
    let rungs = rungs.map(|rung| (rung.title.as_str(), rung.comparison.as_ref()));
    let winner = ("Winner, measured afresh", report.confirmation.as_ref());
    let mut any = false;
    for (title, comparison) in rungs.chain([winner]) {
        if let Some(split) = comparison.and_then(sentences::split) {
            let _ = writeln!(out, "- **{}**: {}", escape(title), escape(&split));
            any = true;
        }
    }
    if any {
        out.push('\n');
    }
}

/// Writes the quality of the recorded profiles that rungs used.
fn profiles(out: &mut String, report: &LadderReport) {
    let used = report.rungs.iter();
    let used = used.filter_map(|rung| Some((&rung.title, rung.profile.as_ref()?)));
    let mut any = false;
    for (title, profile) in used {
        let _ = writeln!(out, "- **{}**: {}", escape(title), escape(profile));
        any = true;
    }
    if any {
        out.push('\n');
    }
}

fn workloads(out: &mut String, report: &LadderReport) {
    let Some(confirmation) = &report.confirmation else {
        return;
    };
    paragraph(out, "### By workload, winner against baseline");
    let cpu = sentences::cpu(confirmation.metric);
    row(
        out,
        &format!("Workload | Gain in {cpu} | Gain in wall clock | Peak memory"),
    );
    row(out, "--- | --- | --- | ---");
    for result in &confirmation.workloads {
        let [before, after] = sentences::peak_memory(report, result);
        let wall = match confirmation.duet {
            true => sentences::wall(confirmation, result),
            false => gain(&result.wall),
        };
        let line = format!(
            "{} | {} | {wall} | {before} → {after}",
            escape(&result.workload),
            gain(&result.gain),
        );
        row(out, &line);
    }
    out.push('\n');
}

fn beside(out: &mut String, report: &LadderReport) {
    if report.beside.is_empty() {
        return;
    }
    paragraph(out, "### Beside the CPU, winner against baseline");
    row(out, "Workload | Quantity | Baseline | Winner | Gain");
    row(out, "--- | --- | ---: | ---: | ---");
    for one in &report.beside {
        let cells = sentences::beside(one).join(" | ");
        row(out, &format!("{} | {cells}", escape(&one.workload)));
    }
    out.push('\n');
}

/// Returns a gain with its interval: `1.42x (1.39 to 1.45)`.
fn gain(interval: &Interval) -> String {
    let digits = number::decimals([interval]);
    let gain = number::gain(interval.ratio, digits);
    format!("{gain} ({})", number::span(interval, digits))
}

fn remarks(out: &mut String, report: &LadderReport) {
    if report.remarks.is_empty() {
        return;
    }
    paragraph(out, "### Remarks");
    for remark in &report.remarks {
        let _ = writeln!(out, "- {}", escape(remark));
    }
    out.push('\n');
}

fn evidence(out: &mut String, report: &LadderReport) {
    let check = sentences::self_check(report);
    let recordings = report.recordings.iter();
    let recordings =
        recordings.map(|r| format!("Recording on {}", sentences::recording(report, r)));
    let lines: Vec<String> = check
        .map(|check| format!("Self-check: {check}"))
        .into_iter()
        .chain(recordings)
        .chain(sentences::why_held_up(report).map(str::to_owned))
        .collect();
    if lines.is_empty() {
        return;
    }
    paragraph(out, "### Noise and cost");
    for line in lines {
        let _ = writeln!(out, "- {}", escape(&line));
    }
    out.push('\n');
}

fn recipe(out: &mut String, report: &LadderReport) {
    let Some(recipe) = &report.recipe else {
        return;
    };
    paragraph(out, "### Put the winner into your own build");
    if sentences::headline(report).standing != Standing::Confirmed {
        paragraph(
            out,
            "Measured afresh, its gain was not confirmed. Do not ship it for speed.",
        );
    }
    fence(out, "sh", &recipe.shell);
    flags(out, &recipe.flags);
    files(out, recipe);
    deploy(out, recipe);
}

fn deploy(out: &mut String, recipe: &Recipe) {
    if recipe.deploy.is_empty() {
        return;
    }
    paragraph(out, "What deploying it means:");
    for sentence in &recipe.deploy {
        let _ = writeln!(out, "- {}", escape(sentence));
    }
    out.push('\n');
}

fn flags(out: &mut String, flags: &Flags) {
    let environment = flags.environment();
    let groups = [
        ("Compile flags", flags.compile.join(" ")),
        ("Link flags", flags.link.join(" ")),
        ("Environment of the program", environment.join(" ")),
        ("After linking", flags.post_link.join("; ")),
    ];
    let mut any = false;
    for (title, value) in groups {
        if !value.is_empty() {
            let _ = writeln!(out, "- {title}: {}", code(&value));
            any = true;
        }
    }
    if any {
        out.push('\n');
    }
}

fn files(out: &mut String, recipe: &Recipe) {
    paragraph(out, "Files to keep:");
    let _ = writeln!(out, "- {}: the winning binary", code(&recipe.binary));
    for (path, what) in &recipe.files {
        let _ = writeln!(out, "- {}: {}", code(path), escape(what));
    }
    out.push('\n');
}

fn machine(out: &mut String, report: &LadderReport) {
    let machine = &report.machine;
    let hypervisor = machine.hypervisor.as_deref().unwrap_or("none visible");
    let mut lines = vec![
        format!("{}, {} CPUs", machine.cpu, machine.cpus),
        format!("Memory: {}", number::bytes(machine.memory_bytes)),
        format!("{}, kernel {}", machine.os, machine.kernel),
        format!("Hypervisor: {hypervisor}"),
        format!(
            "Hone {}, finished {}",
            report.hone_version, report.finished_at
        ),
    ];
    let build = report.build_command.iter();
    lines.extend(build.map(|command| format!("The baseline was built by: {command}")));
    let tools = report.tools.iter();
    lines.extend(tools.map(|tool| format!("{}: {} ({})", tool.name, tool.version, tool.path)));
    out.push_str("<details><summary>Machine and tools</summary>\n\n");
    for line in lines {
        let _ = writeln!(out, "- {}", escape(&line));
    }
    out.push_str("\n</details>\n");
}

fn outcome(report: &LadderReport, outcome: &Outcome) -> String {
    let words = escape(&sentences::outcome(report, outcome));
    match (outcome, sentences::reason(outcome)) {
        (_, Some(reason)) => format!("{words}: {}", escape(reason)),
        (Outcome::Kept, None) => format!("**{words}**"),
        (_, None) => words,
    }
}

fn indirect_calls(report: &LadderReport, index: usize) -> String {
    let rate = |rung: &crate::model::Rung| {
        let calls = rung.indirect_calls.as_ref();
        calls.map(|calls| number::fixed(calls.per_1000_instructions, 2))
    };
    let Some(after) = rate(&report.rungs[index]) else {
        return String::new();
    };
    match sentences::counted_before(report, index).and_then(rate) {
        Some(before) => format!("{before} → {after}"),
        None => after,
    }
}

fn gain_cells(comparison: Option<&Comparison>, decimals: usize) -> (String, String) {
    comparison.map_or_else(Default::default, |comparison| {
        (
            number::gain(comparison.overall.ratio, decimals),
            number::span(&comparison.overall, decimals),
        )
    })
}

fn decimals(report: &LadderReport) -> usize {
    let all: Vec<Interval> = sentences::comparisons(report)
        .map(|comparison| comparison.overall)
        .collect();
    number::decimals(&all)
}

fn interval_title(report: &LadderReport) -> String {
    let first = sentences::comparisons(report).next();
    first.map_or("Interval".to_owned(), |comparison| {
        format!("{} interval", number::confidence(comparison.confidence))
    })
}

fn built(seconds: f64) -> String {
    if seconds > 0.0 {
        number::seconds(seconds)
    } else {
        String::new()
    }
}

fn paragraph(out: &mut String, text: &str) {
    out.push_str(text);
    out.push_str("\n\n");
}

fn row(out: &mut String, cells: &str) {
    let _ = writeln!(out, "| {} |", cells.trim());
}

/// Returns Markdown that shows exactly this text, on one line, also within a table.
pub fn escape(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    for c in text::plain(raw).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '~' | '$' | '!' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out
}

/// Returns inline code, with any backticks that it contains.
fn code(raw: &str) -> String {
    let raw = text::plain(raw);
    let fence = "`".repeat(longest_run(&raw) + 1);
    if raw.starts_with('`') || raw.ends_with('`') {
        format!("{fence} {raw} {fence}")
    } else {
        format!("{fence}{raw}{fence}")
    }
}

/// Writes a block of code, with any backticks that it contains.
fn fence(out: &mut String, language: &str, raw: &str) {
    let lines: Vec<String> = raw.lines().map(text::plain).collect();
    let raw = lines.join("\n");
    let fence = "`".repeat((longest_run(&raw) + 1).max(3));
    let _ = write!(out, "{fence}{language}\n{}\n{fence}\n\n", raw.trim_end());
}

/// Returns the length of the longest run of backticks.
fn longest_run(text: &str) -> usize {
    let runs = text.split(|c| c != '`').map(str::len);
    runs.max().unwrap_or(0)
}
