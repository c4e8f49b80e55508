//! `hone X` runs the binary `hone-X` that lies beside hone or in PATH, as git does.

use std::ffi::{OsStr, OsString};
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

use anyhow::anyhow;
use clap::CommandFactory;

use hone_files::advice::Advise;
use hone_files::companions;

/// Words for another binary, as they are
#[derive(clap::Args)]
pub(crate) struct Words {
    /// What hone-X gets
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "ARGUMENTS"
    )]
    pub(crate) words: Vec<OsString>,
}

/// Handles a command that is none of hone's own: a binary, or a typing error.
pub(crate) fn unknown(words: &[OsString]) -> anyhow::Result<ExitCode> {
    let Some((name, arguments)) = words.split_first() else {
        return Err(anyhow!("no command given")).next("hone --help");
    };
    run(name, arguments)
}

/// Replaces this process by `hone-X`; returns only if that binary is missing or cannot start.
pub(crate) fn run(name: &OsStr, arguments: &[OsString]) -> anyhow::Result<ExitCode> {
    let file_name = {
        let mut full = OsString::from("hone-");
        full.push(name);
        full
    };
    let shown = name.to_string_lossy();
    let Some(program) = companions::find(&file_name) else {
        let file_name = file_name.to_string_lossy();
        let Some(build) = companions::how_to_build(&shown) else {
            return Err(anyhow!(
                "there is no command '{shown}', and no binary '{file_name}' beside hone or in PATH"
            ))
            .next(next_step(&shown));
        };
        return Err(anyhow!("'{file_name}' is neither beside hone nor in PATH")).next(build);
    };
    let error = Command::new(&program).args(arguments).exec();
    Err(anyhow!(error).context(format!("{}: cannot be started", program.display())))
}

fn next_step(name: &str) -> String {
    match nearest(name) {
        Some(near) => format!("did you mean: hone {near}"),
        None => "hone --help lists the commands".to_owned(),
    }
}

/// Returns the command that was probably meant: one letter in three may be wrong, and two swapped neighbours count as one.
fn nearest(name: &str) -> Option<String> {
    let command = crate::Cli::command();
    let shown = command.get_subcommands().filter(|one| !one.is_hide_set());
    let all = shown.map(|one| one.get_name().to_owned());
    let distance = |known: &str| strsim::damerau_levenshtein(name, known);
    let likely = all.map(|known| (distance(&known), known));
    let (wrong, known) = likely.min()?;
    (wrong * 3 <= name.chars().count().max(3)).then_some(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typing_error_names_what_was_meant() {
        for (typed, meant) in [
            ("recrod", "record"),
            ("optimise", "optimize"),
            ("tpo", "top"),
            ("agnet", "agent"),
            ("thrft", "thrift"),
            ("covert", "convert"),
        ] {
            assert_eq!(next_step(typed), format!("did you mean: hone {meant}"));
        }
        for typed in ["xyz", "no-such-command", "exec-measure"] {
            assert_eq!(
                next_step(typed),
                "hone --help lists the commands",
                "{typed}"
            );
        }
    }
}
