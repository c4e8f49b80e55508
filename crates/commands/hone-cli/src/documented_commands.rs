//! The command lines of README and the guides are lines that the command takes.

use clap::Parser;
use testkit::documents;

/// Subcommands of programs that parse their words themselves, and test their lines themselves.
const ELSEWHERE: [&str; 6] = ["agent", "hub", "mesh", "thrift", "call", "load"];

#[test]
fn the_command_takes_what_its_documents_show() {
    let mut lines = documents::lines_of("hone");
    lines.retain(|line| {
        !line
            .words
            .get(1)
            .is_some_and(|word| ELSEWHERE.contains(&word.as_str()))
    });
    documents::must_be_taken(&lines, 61, |words| {
        crate::Cli::try_parse_from(words).map(drop)
    });
}
