//! `hone doctor`: what this machine offers, and how to mend what is missing.

mod facts;
mod kernel;
mod software;

use std::process::ExitCode;

use console::Style;
use hone_report::model::Machine;
use serde::Serialize;

use self::facts::{Fact, Status};
use crate::output::{print, wants_colour};
use hone_run::{machine, tools::Tools};

/// Version of the JSON form.
const FORMAT: u32 = 1;

/// Say what this machine offers, and how to mend what is missing
#[derive(clap::Args)]
#[command(after_help = "Example:\n  hone doctor\n  hone doctor --json\n\n\
    limited and missing can be mended, as the line says; absent cannot here, and Hone does without. Something missing is no failure: \
    the exit status is 0.")]
pub(crate) struct Args {
    /// Print the facts as JSON
    #[arg(long)]
    json: bool,
}

/// Results of an examination.
#[derive(Serialize)]
struct Examination {
    format: u32,
    hone_version: &'static str,
    machine: Machine,
    facts: Vec<Fact>,
    tools: Tools,
}

/// Examines the machine and prints the result.
pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let examination = examine();
    print(&examination, args.json, || {
        render(&examination, wants_colour())
    })?;
    Ok(ExitCode::SUCCESS)
}

fn examine() -> Examination {
    let capabilities = hone_record::capabilities();
    let machine = machine::describe_with(&capabilities);
    let tools = Tools::find();
    let host = kernel::Host {
        root: rustix::process::geteuid().is_root(),
        hypervisor: machine.hypervisor.is_some(),
    };
    let mut facts = kernel::facts(&capabilities, host);
    facts.extend(software::facts(&tools, machine::is_debian_like()));
    Examination {
        format: FORMAT,
        hone_version: env!("CARGO_PKG_VERSION"),
        machine,
        facts,
        tools,
    }
}

/// Describes what Hone can do on this machine, and how many of the other facts can be mended.
fn verdict(facts: &[Fact]) -> String {
    let is_well = |id: &str| {
        let fact = facts.iter().find(|fact| fact.id == id);
        fact.is_some_and(|fact| fact.status == Status::Ok)
    };
    let records = if is_well("cpu_clock") {
        "hone can record here"
    } else if is_well("ptrace") {
        "hone can record commands that it starts, and no running processes"
    } else {
        "hone cannot record here"
    };
    let needed = [
        ("clang", "clang"),
        ("lld", "lld"),
        ("llvm_profdata", "llvm-profdata"),
    ];
    let lacking = needed.iter().filter(|(id, _)| !is_well(id));
    let lacking: Vec<_> = lacking.map(|(_, name)| *name).collect();
    let rebuilds = match lacking.is_empty() {
        true => "and rebuild C and C++ programs".to_owned(),
        false => format!(
            "but not rebuild C and C++ programs: {} wanted",
            lacking.join(", ")
        ),
    };
    let count = |mendable: bool| {
        let lacks = facts.iter().filter(|fact| fact.status != Status::Ok);
        lacks.filter(|fact| fact.mendable == mendable).count()
    };
    let rest = match (count(true), count(false)) {
        (0, 0) => "nothing is missing".to_owned(),
        (0, absent) => format!("nothing to mend, {absent} not to be had here"),
        (mendable, 0) => format!("{mendable} to mend"),
        (mendable, absent) => format!("{mendable} to mend, {absent} not to be had here"),
    };
    format!("{records}, {rebuilds}; {rest}")
}

fn render(examination: &Examination, colour: bool) -> String {
    let machine = &examination.machine;
    let mut text = format!(
        "{}, {} CPUs, {:.1} GiB; {}; Linux {}; hypervisor: {}\n",
        machine.cpu,
        machine.cpus,
        machine.memory_bytes as f64 / f64::from(1 << 30),
        machine.os,
        machine.kernel,
        machine.hypervisor.as_deref().unwrap_or("none"),
    );
    let width = examination
        .facts
        .iter()
        .map(|fact| fact.title.len())
        .max()
        .unwrap_or(0);
    for fact in &examination.facts {
        let (status, style) = match fact.status {
            Status::Ok => ("ok", Style::new().green()),
            _ if !fact.mendable => ("absent", Style::new().dim()),
            Status::Limited => ("limited", Style::new().yellow()),
            Status::Missing => ("missing", Style::new().red()),
        };
        let title = fact.title;
        let status = style.force_styling(colour).apply_to(format!("{status:<8}"));
        text += &format!("{status} {title:<width$}  {}", fact.fact);
        match &fact.mend {
            Some(mend) => text += &format!("; {mend}\n"),
            None => text += "\n",
        }
    }
    let bold = Style::new().bold().force_styling(colour);
    text += &format!(
        "{} {}\n",
        bold.apply_to("verdict:"),
        verdict(&examination.facts)
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_each_with_the_mend_at_its_end() {
        let examination = Examination {
            format: FORMAT,
            hone_version: "0",
            machine: Machine {
                cpu: "A CPU".into(),
                cpus: 2,
                ..Machine::default()
            },
            facts: vec![
                Fact::ok("clang", "clang", "19.1.7"),
                Fact::missing("lld", "linker", "no ld.lld", "apt-get install lld-19"),
                Fact::absent("x", "branches", "none", "hidden: nothing to do"),
                Fact::ok("cpu_clock", "clock", "works"),
                Fact::ok("llvm_profdata", "profdata", "19.1.7"),
            ],
            tools: Tools::default(),
        };
        assert_eq!(
            render(&examination, false),
            "A CPU, 2 CPUs, 0.0 GiB; ; Linux ; hypervisor: none\n\
             ok       clang     19.1.7\n\
             missing  linker    no ld.lld; apt-get install lld-19\n\
             absent   branches  none; hidden: nothing to do\n\
             ok       clock     works\n\
             ok       profdata  19.1.7\n\
             verdict: hone can record here, but not rebuild C and C++ programs: lld wanted; 1 to mend, 1 not to be had here\n"
        );
        let coloured = render(&examination, true);
        assert!(
            coloured.contains("\u{1b}[31mmissing \u{1b}[0m linker"),
            "{coloured:?}"
        );
    }
}
