//! Examines a machine: what the kernel, the CPU and the installed software offer Hone, and how to mend what is missing.
//!
//! [`examine`] looks; each [`Fact`] says what is there, what it means and what to do next.

use hone_report::model::Machine;
use hone_run::machine;
use hone_run::tools::Tools;
use serde::Serialize;

use super::facts::Fact;
use super::{kernel, software, verdict};

/// Version of the serialised form.
const FORMAT: u32 = 1;

/// Results of an examination.
#[derive(Serialize)]
pub(crate) struct Examination {
    format: u32,
    hone_version: &'static str,
    /// Description of the machine.
    pub(crate) machine: Machine,
    /// Facts about the kernel and the CPU, then facts about the software.
    pub(crate) facts: Vec<Fact>,
    /// Compilers, linkers and allocators that were found.
    pub(crate) tools: Tools,
}

/// Examines the machine.
pub(crate) fn examine() -> Examination {
    let capabilities = hone_record::capabilities();
    let machine = machine::describe_with(&capabilities);
    let tools = Tools::find();
    let host = kernel::Host {
        root: rustix::process::geteuid().is_root(),
        hypervisor: machine.hypervisor.is_some(),
    };
    let mut facts = kernel::facts(&capabilities, host);
    facts.extend(software::facts(&tools, machine::is_debian_like()));
    Examination::new(machine, facts, tools)
}

impl Examination {
    /// Creates the results of an examination by this version of Hone.
    pub(crate) fn new(machine: Machine, facts: Vec<Fact>, tools: Tools) -> Self {
        Self {
            format: FORMAT,
            hone_version: env!("CARGO_PKG_VERSION"),
            machine,
            facts,
            tools,
        }
    }

    /// Describes what Hone can do on this machine, and how many of the other facts can be mended.
    pub(crate) fn verdict(&self) -> String {
        verdict::verdict(&self.facts)
    }
}
