//! `hone callers` and `hone callees`: the calls around a function, as a tree.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use hone_build::quantity;
use hone_look::function_pattern::FunctionPattern;
use hone_views::{CallTree, Direction, Node, NodeId, Stacks, standard_error};
use serde::Serialize;

use crate::function_first::in_order;
use crate::output::print;
use crate::views::{self, Columns, SelectionArgs, percent};
use hone_files::advice::Advise;

/// Show who calls a function
#[derive(clap::Args)]
#[command(after_help = "Example:\n  hone callers malloc hone.data --depth 4\n\n\
    Shares are of all the time that was recorded.")]
pub(crate) struct CallersArgs {
    #[command(flatten)]
    args: Args,
}

/// Show what a function calls
#[derive(clap::Args)]
#[command(after_help = "Example:\n  hone callees 'Server::handle' hone.data\n\n\
    Shares are of all the time that was recorded.")]
pub(crate) struct CalleesArgs {
    #[command(flatten)]
    args: Args,
}

#[derive(clap::Args)]
struct Args {
    /// The function: its name as hone top prints it, without arguments too, or a pattern in slashes, /^std::/
    function: String,
    /// The recording: perf.data, perf script text, pprof, or hub:SERVICE for what a hub has of a service
    #[arg(default_value = "hone.data")]
    recording: PathBuf,
    /// Levels of calls to print
    #[arg(long, default_value_t = 6, value_name = "N")]
    depth: usize,
    /// Leave out calls below this share of all the time
    #[arg(long, default_value = "0.5%", value_name = "SHARE", value_parser = least)]
    min: f64,
    #[command(flatten)]
    selection: SelectionArgs,
    /// Print the tree as JSON
    #[arg(long)]
    json: bool,
}

/// Parses a share. A bare number is refused: it meant per cent once, and would now be a hundred times as much.
fn least(text: &str) -> Result<f64, String> {
    let is_bare = text.parse::<f64>().is_ok_and(|number| number != 0.0);
    match is_bare {
        true => Err(format!("write the share with its sign: {text}%")),
        false => quantity::share(text),
    }
}

pub(crate) fn callers(args: CallersArgs) -> Result<ExitCode> {
    run(&args.args, Direction::Callers)
}

pub(crate) fn callees(args: CalleesArgs) -> Result<ExitCode> {
    run(&args.args, Direction::Callees)
}

fn run(args: &Args, direction: Direction) -> Result<ExitCode> {
    let command = match direction {
        Direction::Callers => "callers",
        Direction::Callees => "callees",
    };
    in_order(command, &args.function, &args.recording)?;
    let viewed = views::view(&args.recording, &args.selection)?;
    let wanted = FunctionPattern::parse(&args.function)?;
    let tree = CallTree::new(&viewed.stacks, direction, |frame| {
        wanted.is(&frame.function)
    });
    if tree.roots().is_empty() {
        return Err(viewed.none_in("sample", &args.function))
            .with_context(|| args.recording.display().to_string())
            .next(near(&viewed.stacks, &args.function));
    }
    let roots = tree.roots().iter().map(|&id| Subtree::of(&tree, id));
    let roots: Vec<_> = roots.collect();
    print(&roots, args.json, || describe(args, &tree, direction))?;
    viewed.notes.say();
    Ok(ExitCode::SUCCESS)
}

/// Returns advice if nothing has that name: the heaviest function whose name contains the given text, if any.
fn near(stacks: &Stacks, function: &str) -> String {
    let wanted = function.to_lowercase();
    let mut frames = stacks.stacks.iter().flat_map(|stack| &stack.frames);
    let found = frames.find(|id| stacks.frame(**id).function.to_lowercase().contains(&wanted));
    match found {
        Some(id) => format!(
            "there is {}; give that, or a pattern: /{function}/",
            stacks.frame(*id).function
        ),
        None => "name a function as hone top prints it".to_owned(),
    }
}

fn describe(args: &Args, tree: &CallTree, direction: Direction) -> String {
    let mut text = String::new();
    let columns = Columns::of_stdout();
    let word = match direction {
        Direction::Callers => "called by",
        Direction::Callees => "calls",
    };
    for &root in tree.roots() {
        let share = share_of(tree, tree.node(root).weight);
        if share < args.min {
            continue;
        }
        let _ = writeln!(
            text,
            "{} +- {:.1}  {}, {word}:",
            percent(share),
            standard_error(share, tree.effective_samples) * 100.0,
            tree.node(root).function
        );
        branch(&mut text, args, tree, root, 1, &columns);
        text.push('\n');
    }
    text
}

fn branch(
    text: &mut String,
    args: &Args,
    tree: &CallTree,
    id: NodeId,
    level: usize,
    columns: &Columns,
) {
    if level > args.depth {
        return;
    }
    for &child in tree.children(id) {
        let share = share_of(tree, tree.node(child).weight);
        if share >= args.min {
            let indent = "  ".repeat(level);
            let line = format!("{:>8}{indent}{}", percent(share), tree.node(child).function);
            let _ = writeln!(text, "{}", columns.fit(&line, 0));
            branch(text, args, tree, child, level + 1, columns);
        }
    }
}

fn share_of(tree: &CallTree, weight: u64) -> f64 {
    weight as f64 / tree.weight.max(1) as f64
}

/// A node with all nodes below it.
#[derive(Serialize)]
struct Subtree<'t> {
    #[serde(flatten)]
    node: &'t Node,
    share: f64,
    calls: Vec<Subtree<'t>>,
}

impl<'t> Subtree<'t> {
    fn of(tree: &'t CallTree, id: NodeId) -> Self {
        let calls = tree.children(id).iter().map(|&child| Self::of(tree, child));
        Self {
            node: tree.node(id),
            share: share_of(tree, tree.node(id).weight),
            calls: calls.collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_share_is_written_with_its_sign() {
        assert_eq!(least("0.5%"), Ok(0.005));
        assert_eq!(least("0"), Ok(0.0));
        assert_eq!(
            least("0.5").unwrap_err(),
            "write the share with its sign: 0.5%"
        );
    }
}
