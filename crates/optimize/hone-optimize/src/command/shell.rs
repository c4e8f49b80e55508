//! Runs the user's own shell lines (build, check, training) with their output in a log file.
//!
//! The measuring helper runs them, though nothing is measured: it ends the whole tree when Hone is interrupted
//! or dies, so that no build goes on writing where the next run builds.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use anyhow::{Result, bail};
use hone_build::Project;

use crate::command::limit;
use crate::run::Run;
use crate::system::Variables;
use crate::workspace::utf8;
use hone_run::process::last_lines::last_lines;
pub(crate) use hone_run::process::quote::quoted;
use hone_run::process::{CommandLine, Leftovers, RunSpec, Stdout};
use hone_run::service::Setting;

/// One shell line with its surroundings.
pub(crate) struct Shell<'a> {
    pub(crate) command: &'a str,
    pub(crate) cwd: &'a Path,
    pub(crate) env: &'a BTreeMap<String, String>,
    /// File for standard output and standard error.
    pub(crate) log: &'a Path,
    /// Time after which the line is ended.
    pub(crate) limit: Option<Duration>,
}

impl Shell<'_> {
    /// Runs the line; fails with the end of its output if it does not exit with 0. Processes that it leaves are ended.
    pub(crate) fn run(&self, run: &Run) -> Result<()> {
        let measured = limit::explained(run.system.run(&RunSpec {
            command: CommandLine::Shell(self.command.into()),
            cwd: Some(self.cwd.into()),
            env: variables(self.env),
            stdout: Stdout::Log(self.log.into()),
            timeout: self.limit,
            leftovers: Leftovers::End,
            ..RunSpec::default()
        }))?;
        self.succeeded(measured.exit)
    }

    /// Runs the line like [`Self::run`]; if the project is a server and the command names its port, while the server runs in
    /// `cwd`.
    pub(crate) fn run_beside_server(&self, run: &Run) -> Result<()> {
        match setting(&run.project, self.cwd) {
            Some(setting) if self.command.contains("{port") => {
                let env = variables(self.env);
                let setting = Setting {
                    limit: self.limit,
                    ..setting
                };
                let system = &run.system;
                let measured = system.run_beside(&setting, self.command, env, self.log);
                let measured = limit::explained(measured)?;
                self.succeeded(measured.exit)
            }
            _ => self.run(run),
        }
    }

    fn succeeded(&self, exit: i32) -> Result<()> {
        if exit != 0 {
            bail!(
                "exit status {exit}; the end of its output:\n{}",
                last_lines(self.log)
            );
        }
        Ok(())
    }
}

/// Variables in the form that runs take.
pub(crate) fn variables(env: &BTreeMap<String, String>) -> Variables {
    let pairs = env.iter();
    pairs
        .map(|(name, value)| (name.clone(), Some(value.clone())))
        .collect()
}

/// Setting for running the program in a tree as a server, if it is one.
pub(crate) fn setting<'a>(project: &'a Project, tree: &Path) -> Option<Setting<'a>> {
    let server = project.server.as_ref()?;
    Some(Setting {
        server,
        binary: tree.join(&project.binary),
        tree: tree.into(),
        env: Vec::new(),
        seed: None,
        limit: None,
        by_user_time: project.user_cpu_only,
        cover: None,
    })
}

/// The command with `{binary}` replaced by the quoted path.
pub(crate) fn with_binary(command: &str, binary: &Path) -> Result<String> {
    Ok(command.replace("{binary}", &quoted(utf8(binary)?)))
}
