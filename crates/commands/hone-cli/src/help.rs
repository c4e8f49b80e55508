//! The help of `hone`: commands in groups, by what one wants to do.

use std::fmt::Write as _;

use clap::Command;

/// Groups of commands, in the order in which one comes to them.
const GROUPS: &[(&str, &[&str])] = &[
    (
        "See where the CPU time goes",
        &[
            "record", "top", "callers", "callees", "annotate", "diff", "view", "diagnose",
            "inspect",
        ],
    ),
    (
        "Rebuild with what a profile knows",
        &[
            "init", "optimize", "wrap", "export", "convert", "merge", "quality",
        ],
    ),
    ("Prove a gain", &["bench"]),
    (
        "Run beside services",
        &["agent", "hub", "mesh", "thrift", "call", "load"],
    ),
    ("Set up", &["doctor", "completions"]),
];

/// Lists the commands of `hone --help` in their groups.
pub(crate) fn grouped(command: Command) -> Command {
    let mut text = String::new();
    for (title, names) in GROUPS {
        let _ = writeln!(text, "{title}:");
        for name in *names {
            let about = command.find_subcommand(name).and_then(Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(text, "  {name:<12} {about}");
        }
        text.push('\n');
    }
    command.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{text}Options:\n{{options}}{{after-help}}"
    ))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn every_command_is_in_one_group() {
        let command = crate::Cli::command();
        let shown = command.get_subcommands().filter(|one| !one.is_hide_set());
        let mut shown: Vec<_> = shown.map(Command::get_name).collect();
        let mut listed: Vec<_> = GROUPS
            .iter()
            .flat_map(|(_, names)| *names)
            .copied()
            .collect();
        shown.sort_unstable();
        listed.sort_unstable();
        assert_eq!(shown, listed);
    }

    #[test]
    fn help_has_groups_options_and_a_first_command() {
        let help = grouped(crate::Cli::command()).render_help().to_string();
        for part in [
            "Prove a gain:\n  bench        ",
            "  agent        The host metrics agent",
            "Options:",
            "--version",
            "Start with:",
        ] {
            assert!(help.contains(part), "{help}");
        }
    }
}
