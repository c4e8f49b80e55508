//! `hone doctor`: what this machine offers, and how to mend what is missing.

mod examination;
mod facts;
mod kernel;
mod software;
mod verdict;

use std::process::ExitCode;

use console::Style;

use self::examination::{Examination, examine};
use self::facts::Status;
use crate::output::{print, wants_colour};

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

/// Examines the machine and prints the result.
pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let examination = examine();
    print(&examination, args.json, || {
        render(&examination, wants_colour())
    })?;
    Ok(ExitCode::SUCCESS)
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
    text += &format!("{} {}\n", bold.apply_to("verdict:"), examination.verdict());
    text
}

#[cfg(test)]
mod tests {
    use hone_report::model::Machine;
    use hone_run::tools::Tools;

    use super::facts::Fact;
    use super::*;

    #[test]
    fn one_line_each_with_the_mend_at_its_end() {
        let machine = Machine {
            cpu: "A CPU".into(),
            cpus: 2,
            ..Machine::default()
        };
        let facts = vec![
            Fact::ok("clang", "clang", "19.1.7"),
            Fact::missing("lld", "linker", "no ld.lld", "apt-get install lld-19"),
            Fact::absent("x", "branches", "none", "hidden: nothing to do"),
            Fact::ok("cpu_clock", "clock", "works"),
            Fact::ok("llvm_profdata", "profdata", "19.1.7"),
        ];
        let examination = Examination::new(machine, facts, Tools::default());
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
