//! Examines a machine: what the kernel, the CPU and the installed software offer Hone, and how to mend what is missing.
//!
//! [`examine`] looks; each [`Fact`] says what is there, what it means and what to do next. To print them is the command's work.
#![forbid(unsafe_code)]

mod facts;
mod kernel;
mod software;
mod verdict;

use hone_report::model::Machine;
use hone_run::machine;
use hone_run::tools::Tools;
use serde::Serialize;

pub use self::facts::{Fact, Status};

/// Version of the serialised form.
const FORMAT: u32 = 1;

/// Results of an examination.
#[derive(Serialize)]
pub struct Examination {
    format: u32,
    hone_version: &'static str,
    /// Description of the machine.
    pub machine: Machine,
    /// Facts about the kernel and the CPU, then facts about the software.
    pub facts: Vec<Fact>,
    /// Compilers, linkers and allocators that were found.
    pub tools: Tools,
}

/// Examines the machine.
pub fn examine() -> Examination {
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
    pub fn new(machine: Machine, facts: Vec<Fact>, tools: Tools) -> Self {
        Self {
            format: FORMAT,
            hone_version: env!("CARGO_PKG_VERSION"),
            machine,
            facts,
            tools,
        }
    }

    /// Describes what Hone can do on this machine, and how many of the other facts can be mended.
    pub fn verdict(&self) -> String {
        verdict::verdict(&self.facts)
    }
}
