//! `hone doctor`: what this machine offers, and how to mend what is missing.

mod facts;
mod kernel;
pub(crate) mod libraries;
pub(crate) mod machine;
mod software;
pub(crate) mod tools;

use std::process::ExitCode;

use hone_report::model::Machine;
use serde::Serialize;

use self::facts::{Fact, Status};
use self::tools::Tools;
use crate::files::print;

/// Version of the JSON form.
const FORMAT: u32 = 1;

/// Say what this machine offers, and how to mend what is missing
#[derive(clap::Args)]
#[command(after_help = "Example:\n  hone doctor\n  hone doctor --json\n\n\
    Something missing is no failure: the exit status is 0.")]
pub(crate) struct Args {
    /// Print the facts as JSON
    #[arg(long)]
    json: bool,
}

/// Everything that was found out.
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
    print(&examination, args.json, || render(&examination))?;
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

fn render(examination: &Examination) -> String {
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
        let status = match fact.status {
            Status::Ok => "ok",
            Status::Limited => "limited",
            Status::Missing => "missing",
        };
        let title = fact.title;
        text += &format!("{status:<8} {title:<width$}  {}", fact.fact);
        match &fact.mend {
            Some(mend) => text += &format!("; {mend}\n"),
            None => text += "\n",
        }
    }
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
            ],
            tools: Tools::default(),
        };
        assert_eq!(
            render(&examination),
            "A CPU, 2 CPUs, 0.0 GiB; ; Linux ; hypervisor: none\n\
             ok       clang   19.1.7\n\
             missing  linker  no ld.lld; apt-get install lld-19\n"
        );
    }
}
