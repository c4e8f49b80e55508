//! Report of `hone record` at the end of a recording.

use hone_record::{Options, STACK_BYTES_MAX, Summary, Target};
use indicatif::HumanCount;

/// Returns the summary for people.
pub(super) fn describe(summary: &Summary, options: &Options) -> String {
    let mut lines = vec![format!(
        "{}: {} samples ({}), {} branch records ({}) in {:.1} s",
        options.output.display(),
        HumanCount(summary.samples),
        summary.sampler,
        HumanCount(summary.branch_records),
        summary.branch_source,
        summary.wall_s
    )];
    lines.push(cost(summary, options));
    lines.extend(rate(summary));
    if summary.walks > 0 {
        let ends: Vec<_> = summary
            .walk_ends
            .iter()
            .map(|(why, count)| format!("{count} {why}"))
            .collect();
        lines.push(format!(
            "walks: {} ({})",
            HumanCount(summary.walks),
            ends.join(", ")
        ));
    }
    if !summary.walks_not_begun.is_empty() {
        let reasons: Vec<_> = summary
            .walks_not_begun
            .iter()
            .map(|(why, count)| format!("{count} {why}"))
            .collect();
        lines.push(format!("not walked: {}", reasons.join(", ")));
    }
    for file in &summary.kept_files {
        lines.push(format!(
            "kept: {}, a program or library that was deleted while it ran, so that its functions have names",
            file.display()
        ));
    }
    if summary.stacks > 0 {
        lines.push(format!(
            "stacks: {} unwound{}",
            HumanCount(summary.stacks),
            unfinished(summary)
        ));
    }
    if summary.lost > 0 {
        lines.push(format!(
            "lost: {} samples; record at a lower -F",
            HumanCount(summary.lost)
        ));
    }
    lines.extend(
        summary
            .warnings
            .iter()
            .map(|warning| format!("note: {warning}")),
    );
    lines.join("\n") + "\n"
}

/// Returns a line on the CPU time that the target and hone used.
fn cost(summary: &Summary, options: &Options) -> String {
    let Summary {
        target_cpu_s,
        stopped_s,
        recorder_cpu_s,
        ..
    } = summary;
    let held_up = percent_of(*stopped_s, *target_cpu_s);
    let in_all = percent_of(summary.cost_s(), *target_cpu_s);
    if let Target::System { cgroup, .. } = &options.target {
        let all = cgroup.as_ref().map_or("the machine", |_| "the cgroup");
        let of_core = 100.0 * recorder_cpu_s / summary.wall_s.max(f64::MIN_POSITIVE);
        return format!(
            "cost: {all} used {target_cpu_s:.2} s of CPU and was held up for {stopped_s:.2} s{held_up}; hone itself used \
            {recorder_cpu_s:.2} s, {of_core:.2} % of a core; in all {:.2} s{in_all}",
            summary.cost_s()
        );
    }
    format!(
        "cost: the target used {target_cpu_s:.2} s of CPU and was held up for {stopped_s:.2} s{held_up}; hone itself \
         used {recorder_cpu_s:.2} s; in all {:.2} s{in_all}",
        summary.cost_s()
    )
}

/// Returns a line on the rate that was kept in place of the rate that was asked for, and why.
fn rate(summary: &Summary) -> Option<String> {
    let Summary {
        asked_hz,
        rate_hz,
        sample_cost_us,
        overhead,
        ..
    } = summary;
    let walks = match summary.branch_source.as_str() {
        "walk" => ", and walks have the other half of",
        _ => ", within",
    };
    // A slightly lower rate is not worth a line. If no cost was measured, the limit is something else than the budget.
    let is_told = f64::from(*rate_hz) < 0.9 * f64::from(*asked_hz) && *sample_cost_us > 0.0;
    (is_told && *overhead > 0.0).then(|| {
        format!(
            "rate: {rate_hz} samples per second of CPU time, not {asked_hz}: each costs the program \
            {sample_cost_us:.0} us{walks} --overhead {}%",
            // Rounded to the value that was typed, without the digits that doubles add.
            (1e6 * overhead).round() / 1e4
        )
    })
}

/// Returns how many stacks were not followed to their root, if any.
fn unfinished(summary: &Summary) -> String {
    let mut text = String::new();
    if summary.stacks_truncated > 0 {
        text += &format!(
            ", {} longer than the {} bytes that were copied",
            HumanCount(summary.stacks_truncated),
            HumanCount(summary.stack_bytes.into())
        );
        if summary.stack_bytes < STACK_BYTES_MAX {
            text += &format!(" (copy more with --call-graph dwarf,{STACK_BYTES_MAX})");
        }
    }
    if summary.stacks_broken > 0 {
        text += &format!(
            ", {} broken: code without unwind information",
            HumanCount(summary.stacks_broken)
        );
    }
    text
}

/// Formats a part in per cent, in brackets; empty if the whole is zero.
fn percent_of(part: f64, whole: f64) -> String {
    match whole > 0.0 {
        true => format!(" ({:.2} %)", 100.0 * part / whole),
        false => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lower_rate_is_told_with_its_reason() {
        let mut summary = Summary {
            asked_hz: 997,
            rate_hz: 284,
            sample_cost_us: 17.6,
            overhead: 0.01,
            branch_source: "walk".to_owned(),
            ..Summary::default()
        };
        assert_eq!(
            rate(&summary).unwrap(),
            "rate: 284 samples per second of CPU time, not 997: each costs the program 18 us, and walks have the \
             other half of --overhead 1%"
        );
        summary.overhead = 0.07;
        assert!(rate(&summary).unwrap().ends_with(" --overhead 7%"));
        summary.rate_hz = 990;
        assert_eq!(rate(&summary), None);
    }
}
