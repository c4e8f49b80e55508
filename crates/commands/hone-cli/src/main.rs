//! The `hone` command: one file per subcommand, each with its `Args` and its `run`.
//!
//! Exit status: 0 done, 1 the answer is no, 2 wrong usage or environment.
#![forbid(unsafe_code)]

mod annotate;
mod bench;
mod calls;
mod completions;
mod convert;
mod diagnose;
mod diff;
mod doctor;
#[cfg(test)]
mod documented_commands;
mod event;
mod exec_measured;
mod export;
mod external;
mod function_first;
mod help;
mod init;
mod inspect;
mod merge;
mod optimize;
mod output;
mod quality;
mod record;
mod top;
mod view;
mod views;
mod wrap;

use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

/// Takes CPU cost out of native services, and proves it.
#[derive(Parser)]
#[command(name = "hone", version, propagate_version = true)]
#[command(
    after_help = "Start with:\n  hone doctor\n  hone init && hone optimize\n  hone bench './old --work' './new --work'"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Doctor(doctor::Args),
    Record(record::Args),
    Top(top::Args),
    Callers(calls::CallersArgs),
    Callees(calls::CalleesArgs),
    Diff(diff::Args),
    Annotate(annotate::Args),
    Inspect(inspect::Args),
    Diagnose(diagnose::Args),
    View(view::Args),
    Convert(convert::Args),
    Merge(merge::Args),
    Quality(quality::Args),
    Init(init::Args),
    Optimize(optimize::Args),
    Bench(bench::Args),
    Wrap(wrap::Args),
    Export(export::Args),
    /// The host metrics agent: runs hone-agent
    #[command(disable_help_flag = true, disable_version_flag = true)]
    Agent(external::Words),
    /// The hub of a fleet: keeps profiles of all hosts, and answers questions: runs hone-hub
    #[command(disable_help_flag = true, disable_version_flag = true)]
    Hub(external::Words),
    /// A proxy beside services, or before them: runs hone-mesh
    #[command(disable_help_flag = true, disable_version_flag = true)]
    Mesh(external::Words),
    /// Thrift for Go: runs hone-thrift
    #[command(disable_help_flag = true, disable_version_flag = true)]
    Thrift(external::Words),
    /// Calls a function of a service with JSON, by its .thrift or .proto file: runs hone-call
    #[command(disable_help_flag = true, disable_version_flag = true)]
    Call(external::Words),
    /// Puts a function of a service under load: runs hone-load
    #[command(disable_help_flag = true, disable_version_flag = true)]
    Load(external::Words),
    Completions(completions::CompletionsArgs),
    #[command(name = "man-pages", hide = true)]
    ManPages(completions::ManPagesArgs),
    #[command(name = "exec-measured", hide = true)]
    ExecMeasured(exec_measured::Args),
    /// `hone X` runs the binary `hone-X`.
    #[command(external_subcommand)]
    External(Vec<OsString>),
}

fn main() -> ExitCode {
    if let Some(status) = hone_wrap::compiler::become_compiler_if_asked() {
        return status;
    }
    end_quietly_on_closed_output();
    let outcome = match parsed().command {
        Command::Doctor(args) => doctor::run(args),
        Command::Record(args) => record::run(args),
        Command::Top(args) => top::run(args),
        Command::Callers(args) => calls::callers(args),
        Command::Callees(args) => calls::callees(args),
        Command::Diff(args) => diff::run(args),
        Command::Annotate(args) => annotate::run(args),
        Command::Inspect(args) => inspect::run(args),
        Command::Diagnose(args) => diagnose::run(args),
        Command::View(args) => view::run(args),
        Command::Convert(args) => convert::run(args),
        Command::Merge(args) => merge::run(args),
        Command::Quality(args) => quality::run(args),
        Command::Init(args) => init::run(&args),
        Command::Optimize(args) => optimize::run(args),
        Command::Bench(args) => bench::run(args),
        Command::Wrap(args) => wrap::run(args),
        Command::Export(args) => export::run(args),
        Command::Agent(words) => external::run("agent".as_ref(), &words.words),
        Command::Hub(words) => external::run("hub".as_ref(), &words.words),
        Command::Mesh(words) => external::run("mesh".as_ref(), &words.words),
        Command::Thrift(words) => external::run("thrift".as_ref(), &words.words),
        Command::Call(words) => external::run("call".as_ref(), &words.words),
        Command::Load(words) => external::run("load".as_ref(), &words.words),
        Command::Completions(args) => completions::completions(&args),
        Command::ManPages(args) => completions::man_pages(&args),
        Command::ExecMeasured(args) => exec_measured::run(args),
        Command::External(words) => external::unknown(&words),
    };
    outcome.unwrap_or_else(|error| {
        eprint!("{}", hone_files::advice::render(&error));
        ExitCode::from(2)
    })
}

/// Parses the command line; if that fails, ends the process with the reason.
fn parsed() -> Cli {
    let matches = help::grouped(Cli::command()).try_get_matches();
    let parsed = matches.and_then(|matches| Cli::from_arg_matches(&matches));
    parsed.unwrap_or_else(|error| {
        if error.kind() == ErrorKind::UnknownArgument {
            let words: Vec<_> = std::env::args_os().collect();
            if let Some(misplaced) = misplaced_command(&words) {
                eprint!("{}", hone_files::advice::render(&misplaced));
                std::process::exit(2);
            }
            let unknown = match error.get(ContextKind::InvalidArg) {
                Some(ContextValue::String(unknown)) => unknown.as_str(),
                _ => "",
            };
            if let Some(step) = bench::if_of_a_command(&words, unknown) {
                let _ = error.print();
                eprintln!("next: {step}");
                std::process::exit(2);
            }
        }
        error.exit()
    })
}

/// Returns what is wrong with `hone record ./server --port 1`: a command without `--` before it, whose options are not
/// Hone's. `None` if the unknown option is not behind such a command.
fn misplaced_command(words: &[OsString]) -> Option<anyhow::Error> {
    // The shortest beginning of the line with a word of the command ends in the command's first word.
    (1..words.len()).find_map(
        |end| match Cli::try_parse_from(&words[..end]).ok()?.command {
            Command::Record(args) => args.misplaced(&words[end - 1..]),
            _ => None,
        },
    )
}

/// Lets `hone ... | head` end as other commands do, instead of failing on the closed pipe.
fn end_quietly_on_closed_output() {
    let always = Arc::new(AtomicBool::new(true));
    // Registration fails only for signals that nobody may handle, and SIGPIPE is not among them.
    let _ = signal_hook::flag::register_conditional_default(signal_hook::consts::SIGPIPE, always);
}
