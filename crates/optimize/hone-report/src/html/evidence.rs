//! Evidence behind the numbers: the noise of the machine, the cost of recording, machine and tools.

use super::markup::Html;
use super::{empty, prose, scrolling_table, section, verdict};
use crate::axis::Axis;
use crate::model::{LadderReport, RecordingFacts};
use crate::{number, sentences};

/// Writes the section about the baseline against itself.
pub(super) fn noise(html: &mut Html, report: &LadderReport) {
    section(html, "noise", "The noise of this machine", |html| {
        let (Some(check), Some(sentence)) = (&report.self_check, sentences::self_check(report))
        else {
            empty(
                html,
                "The baseline was not measured against itself in this run, so this report cannot show how \
                 noisy the machine is.",
            );
            return;
        };
        let axis = Axis::around_one([&check.overall]);
        verdict::single(html, &axis, check, "The baseline against itself");
        html.leaf("p", &[], prose(&sentence));
        html.leaf(
            "p",
            &[("class", &"aside")],
            format_args!(
                "The same binary on both sides, {} blocks per workload, judged as every rung is. With noise \
                 like this, a true gain of half the interval's width is proven about every second time; a \
                 smaller one mostly is not.",
                check.blocks
            ),
        );
    });
}

/// Writes the section about the cost of the recordings.
pub(super) fn recordings(html: &mut Html, report: &LadderReport) {
    section(html, "recording", "What the recordings cost", |html| {
        if report.recordings.is_empty() {
            empty(html, "No recording was made in this run.");
            return;
        }
        let headings = [
            "Recorded on",
            "Branch records",
            "Samples",
            "Duration",
            "Threads held up",
            "of CPU used",
        ];
        scrolling_table(html, "recordings", &headings, |html| {
            for facts in &report.recordings {
                recording(html, report, facts);
            }
        });
        html.leaf(
            "p",
            &[("class", &"aside")],
            "Held up: summed over the program's threads, and set against the CPU time that the \
             program used while it was recorded.",
        );
        if let Some(why) = sentences::why_held_up(report) {
            html.leaf("p", &[("class", &"aside")], prose(why));
        }
    });
}

fn recording(html: &mut Html, report: &LadderReport, facts: &RecordingFacts) {
    html.inside("tr", &[], |html| {
        html.inside("th", &[("scope", &"row"), ("class", &"recorded")], |html| {
            html.text(sentences::recorded(report, facts));
            html.inside("span", &[("class", &"against")], |html| {
                html.leaf("code", &[], &facts.path);
            });
        });
        html.inside("td", &[], |html| {
            html.text(number::count(facts.branch_records));
            html.leaf(
                "span",
                &[("class", &"against")],
                sentences::branch_source(&facts.branches),
            );
        });
        html.leaf("td", &[("class", &"nowrap")], number::count(facts.samples));
        html.leaf("td", &[("class", &"nowrap")], number::seconds(facts.wall_s));
        html.inside("td", &[("class", &"nowrap")], |html| {
            html.leaf("b", &[], sentences::recording_cost(facts));
            html.text(format_args!(" ({})", number::seconds(facts.stopped_s)));
        });
        html.leaf(
            "td",
            &[("class", &"nowrap")],
            number::seconds(facts.target_cpu_s),
        );
    });
}

/// Writes the section about the machine and the tools.
pub(super) fn machine(html: &mut Html, report: &LadderReport) {
    section(html, "machine", "Machine and tools", |html| {
        let machine = &report.machine;
        let yes_no = |yes: bool| if yes { "yes" } else { "no" };
        let memory = if machine.memory_bytes == 0 {
            "unknown".to_owned()
        } else {
            number::bytes(machine.memory_bytes)
        };
        let hypervisor = machine.hypervisor.as_deref().unwrap_or("none visible");
        let facts: [(&str, &dyn std::fmt::Display); 8] = [
            ("CPU", &machine.cpu),
            ("CPUs online", &machine.cpus),
            ("Memory", &memory),
            ("System", &machine.os),
            ("Kernel", &machine.kernel),
            ("Hypervisor", &hypervisor),
            ("Hardware counters", &yes_no(machine.hardware_counters)),
            (
                "Hardware branch records",
                &yes_no(machine.hardware_branch_records),
            ),
        ];
        html.inside("dl", &[("class", &"pairs")], |html| {
            for (name, value) in facts {
                html.inside("div", &[], |html| {
                    html.leaf("dt", &[], name);
                    html.leaf("dd", &[], value);
                });
            }
        });
        if report.tools.is_empty() {
            empty(html, "No tool was recorded.");
        } else {
            tools(html, report);
        }
        commands(
            html,
            "The baseline was built by",
            report.build_command.as_slice(),
        );
        commands(html, "Every build had to pass", report.check.as_slice());
        commands(html, "Trained on", &report.workloads.train);
        commands(html, "Measured on", &report.workloads.measure);
    });
}

fn tools(html: &mut Html, report: &LadderReport) {
    scrolling_table(html, "tools", &["Tool", "Version", "Path"], |html| {
        for tool in &report.tools {
            html.inside("tr", &[], |html| {
                html.leaf("th", &[("scope", &"row")], &tool.name);
                html.leaf("td", &[], &tool.version);
                html.inside("td", &[("class", &"place")], |html| {
                    html.leaf("code", &[], &tool.path);
                });
            });
        }
    });
}

fn commands(html: &mut Html, title: &'static str, commands: &[String]) {
    if commands.is_empty() {
        return;
    }
    html.leaf("h3", &[], title);
    html.inside("ul", &[("class", &"commands")], |html| {
        for command in commands {
            html.inside("li", &[], |html| html.leaf("code", &[], command));
        }
    });
}
