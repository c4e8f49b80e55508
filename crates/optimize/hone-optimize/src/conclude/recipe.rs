//! The winner's build as shell lines that users can put into their own scripts.
//!
//! There are two ways: Hone's compiler wrappers, with which the winner was built and which work with every build that Hone
//! could build; and flags in variables alone, if a replay has shown that the flags reach the compilers (`crate::conclude::replay`).

use std::path::Path;

use hone_build::lever::PREFIX;
use hone_build::{Rebuilt, Toolchain};
use hone_report::text;

use crate::command::shell::quoted;
use crate::conclude::replay::Plain;
use crate::run::Run;
use crate::workspace::state::Built;
use hone_wrap::winner::ToolNames;

/// Maximum number of characters of a comment's line.
const COMMENT_WIDTH: usize = 100;

/// Formats the lines, which have to run in the directory of hone.toml.
pub(crate) fn shell(run: &Run, built: &Built, plain: &Plain) -> Vec<String> {
    let mut lines = vec![
        "# In the directory of hone.toml. Profiles name static functions by the path of their source: for those"
            .into(),
        "# to match, build in a copy of the source at $HONE/build, as Hone did (now a link: remove it).".into(),
        "export HONE=\"$PWD/.hone\"".to_string(),
    ];
    if run.project.source != Path::new(".") && run.project.source != Path::new("") {
        let source = run.project.source.to_string_lossy();
        lines.push(format!("cd {}", quoted(&source)));
    }
    lines.push("# By Hone's compiler wrappers, as it was measured:".into());
    let env = run.project.build_env.iter();
    lines.extend(env.map(|(name, value)| format!("export {name}={}", quoted(value))));
    lines.push(format!(
        "hone wrap --from \"$HONE/..\" -- sh -c {}",
        quoted(&run.project.build_command)
    ));
    match plain {
        Plain::Shown(why) => {
            lines.push(format!("# Or without Hone{why}"));
            let tools = ToolNames::of(&run.tools, built.flags.toolchain);
            lines.extend(plain_flags(run, built, &tools));
        }
        Plain::LeftOut(why) => {
            let comment = text::wrap(why, COMMENT_WIDTH).into_iter();
            lines.extend(comment.map(|line| format!("# {line}")));
        }
    }
    if !built.post_link.is_empty() {
        lines.push("# Then, on the linked binary:".into());
        lines.extend(built.post_link.iter().cloned());
    }
    for (name, value) in &built.flags.run_env {
        lines.push(format!(
            "export {name}={}   # where the program runs",
            quoted(value)
        ));
    }
    lines
}

/// Formats the lines that give the flags to the build by variables alone.
pub(crate) fn plain_flags(run: &Run, built: &Built, tools: &ToolNames) -> Vec<String> {
    let is_compiler = |name: &str| name == "CC" || name == "CXX";
    let others = run.project.build_env.iter();
    let others = others.filter(|(name, _)| !is_compiler(name));
    let mut lines: Vec<String> = others
        .map(|(name, value)| format!("export {name}={}", quoted(value)))
        .collect();
    match built.flags.toolchain {
        Some(Toolchain::Rust) => rust(built, &mut lines),
        Some(Toolchain::Go) | None => {}
        Some(Toolchain::Clang | Toolchain::Gcc) => native(built, tools, &mut lines),
    }
    for (name, value) in &built.flags.build_env {
        lines.push(format!("export {name}={}", quoted(value)));
    }
    lines.extend(
        built
            .flags
            .dependencies
            .iter()
            .filter_map(|rebuilt| dependency(run, rebuilt)),
    );
    lines.push(run.project.build_command.clone());
    lines
}

/// Formats the line that builds a library, with a comment on how to link it.
fn dependency(run: &Run, rebuilt: &Rebuilt) -> Option<String> {
    let mut known = run.dependencies.iter().map(|(dependency, _)| dependency);
    let dependency = known.find(|known| known.name == rebuilt.name)?;
    let prefix = quoted(&rebuilt.prefix.to_string_lossy());
    let variables = dependency.env.iter();
    let variables = variables.map(|(name, value)| format!("export {name}={} && ", quoted(value)));
    Some(format!(
        "(cd {} && {}{})   # link {} in place of -l{}",
        quoted(&dependency.source.to_string_lossy()),
        variables.collect::<String>(),
        dependency.command.replace(PREFIX, &prefix),
        rebuilt.archive.display(),
        rebuilt.library
    ))
}

/// Puts the flags into CC and CXX, since autoconf, make, meson and cmake all take them from these variables beside
/// whatever flags they choose themselves.
fn native(built: &Built, tools: &ToolNames, lines: &mut Vec<String>) {
    let flags = &built.flags;
    lines.push(format!("FLAGS=\"{}\"", flags.compile.join(" ")));
    if !flags.compile_program.is_empty() {
        let more = flags.compile_program.join(" ");
        lines.push(format!(
            "FLAGS=\"$FLAGS {more}\"   # not for shared libraries"
        ));
    }
    lines.push(format!(
        "export CC=\"{} $FLAGS\" CXX=\"{} $FLAGS\"",
        tools.c, tools.cxx
    ));
    let link: Vec<_> = flags
        .link
        .iter()
        .chain(&flags.link_program)
        .cloned()
        .collect();
    lines.push(format!("export LDFLAGS=\"$LDFLAGS {}\"", link.join(" ")));
    if flags.bitcode {
        lines.push(format!("export AR={} RANLIB={}", tools.ar, tools.ranlib));
    }
}

fn rust(built: &Built, lines: &mut Vec<String>) {
    let flags = &built.flags;
    let all = [&flags.compile, &flags.link, &flags.link_program];
    let all: Vec<_> = all.into_iter().flatten().cloned().collect();
    lines.push(format!("export RUSTFLAGS=\"$RUSTFLAGS {}\"", all.join(" ")));
}
