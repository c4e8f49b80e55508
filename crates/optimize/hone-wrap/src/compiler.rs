//! `hone` called under a compiler's name: rewrites the arguments and becomes the real compiler.
//!
//! See `hone_build::wrapper` for the rules. This file reads the configuration, appends one line to the log and
//! calls exec. If objects are kept, the object of an earlier build may take the place of compiling.

use std::env;
use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};
use hone_build::calls;
use hone_build::wrapper::{
    self, CONFIG_VARIABLE, Mode, WrapConfig, bazel, response, symbols, symbols::Stripping,
};

use crate::install::CONFIG_NAME;
use crate::objects::Compilation;
use hone_files::files::in_path;

/// Maximum length of expanded arguments in bytes. Linux gives a program 2 MiB of arguments and variables by default
/// (execve(2)).
const ARGUMENTS_BYTES_MAX: usize = 1 << 20;

/// Does the work of a tool if this process was started under a wrapped name: becomes the real tool, or returns the exit
/// status; `None` under another name.
pub fn become_compiler_if_asked() -> Option<ExitCode> {
    let called = PathBuf::from(env::args_os().next()?);
    let name = called.file_name()?.to_str()?.to_owned();
    if name == "hone" {
        return None;
    }
    let config = env::var_os(CONFIG_VARIABLE).or_else(|| config_beside(&called))?;
    let outcome = become_compiler(&name, Path::new(&config));
    Some(outcome.unwrap_or_else(|error| {
        eprintln!("hone: {name}: {error:#}");
        ExitCode::from(2)
    }))
}

/// Returns the configuration beside the wrapper, for builds that keep variables from their compiler, whether they call it by its path or
/// by its name.
fn config_beside(called: &Path) -> Option<OsString> {
    let is_by_name = called.components().count() == 1;
    let wrapper = match is_by_name {
        true => in_path(called.to_str()?)?,
        false => called.to_owned(),
    };
    let beside = wrapper.parent()?.join(CONFIG_NAME);
    beside.is_file().then(|| beside.into_os_string())
}

fn become_compiler(name: &str, config: &Path) -> Result<ExitCode> {
    let bytes = fs::read(config).with_context(|| config.display().to_string())?;
    let config: WrapConfig = serde_json::from_slice(&bytes)?;
    let arguments: Vec<String> = env::args_os()
        .skip(1)
        .map(|argument| match argument.into_string() {
            Ok(argument) => Ok(argument),
            Err(argument) => bail!("argument {} is not UTF-8", argument.display()),
        })
        .collect::<Result<_>>()?;
    if bazel::NAMES.contains(&name) {
        return crate::bazel::run(name, &arguments, &config);
    }
    let arguments = with_responses(arguments);
    if config.keeps_symbols
        && let Some(stripping) = symbols::stripping(name, &arguments)
    {
        let line = format!("symbols kept: {name} {}\n", arguments.join(" "));
        log(&config.log, &line).with_context(|| config.log.display().to_string())?;
        if let Stripping::Copied { from, to } = stripping {
            fs::copy(&from, &to)
                .with_context(|| format!("{} to {}", from.display(), to.display()))?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let Some(call) = wrapper::rewrite(name, &arguments, &config) else {
        bail!("no real {name} is known; was it installed while the build ran?");
    };
    if let Some(directory) = &config.ir {
        hone_convert::ir::write(&call, directory)?;
    }
    let compilation = Compilation::of(&call, &config);
    let object_of = compilation.as_ref().and_then(Compilation::take);
    if call.mode != Mode::Other {
        let line = calls::line(name, &call, object_of.as_deref());
        log(&config.log, &line).with_context(|| config.log.display().to_string())?;
    }
    if object_of.is_some() {
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(compilation) = compilation {
        return compilation.run();
    }
    let error = Command::new(&call.program).args(&call.arguments).exec();
    Err(error).with_context(|| call.program.display().to_string())
}

/// Replaces response files (`@FILE`) by their words, unless that makes more than a program can be given.
fn with_responses(arguments: Vec<String>) -> Vec<String> {
    let words = |argument: &String| {
        let file = argument.strip_prefix('@')?;
        Some(response::words(&fs::read_to_string(file).ok()?))
    };
    let whole = |argument: &String| words(argument).unwrap_or_else(|| vec![argument.clone()]);
    let expanded: Vec<String> = arguments.iter().flat_map(whole).collect();
    let length: usize = expanded.iter().map(|word| word.len() + 1).sum();
    match length <= ARGUMENTS_BYTES_MAX {
        true => expanded,
        false => arguments,
    }
}

/// Appends a line to the log, by one write, so that the lines of parallel compilations do not mix.
fn log(path: &Path, line: &str) -> std::io::Result<()> {
    OpenOptions::new()
        .append(true)
        .create(true)
        .open(path)?
        .write_all(line.as_bytes())
}
