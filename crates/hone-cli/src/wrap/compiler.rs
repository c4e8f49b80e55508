//! `hone` called under a compiler's name: rewrites the arguments and becomes the real compiler.
//!
//! See `hone_build::wrapper` for the rules. This file only reads the configuration, appends one line to
//! the log and calls exec.

use std::env;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};
use hone_build::calls;
use hone_build::wrapper::{self, CONFIG_VARIABLE, Mode, WrapConfig};

/// If this process was started under a wrapped name, becomes the real tool and never returns, or fails.
pub(crate) fn become_compiler_if_asked() -> Option<ExitCode> {
    let config = env::var_os(CONFIG_VARIABLE)?;
    let called = PathBuf::from(env::args_os().next()?);
    let name = called.file_name()?.to_str()?.to_owned();
    if name == "hone" {
        return None;
    }
    let error = become_compiler(&name, Path::new(&config)).err()?;
    eprintln!("hone: {name}: {error:#}");
    Some(ExitCode::from(2))
}

fn become_compiler(name: &str, config: &Path) -> Result<()> {
    let bytes = fs::read(config).with_context(|| config.display().to_string())?;
    let config: WrapConfig = serde_json::from_slice(&bytes)?;
    let arguments: Vec<String> = env::args_os()
        .skip(1)
        .map(|argument| match argument.into_string() {
            Ok(argument) => Ok(argument),
            Err(argument) => bail!("argument {} is not UTF-8", argument.display()),
        })
        .collect::<Result<_>>()?;
    let Some(call) = wrapper::rewrite(name, &arguments, &config) else {
        bail!("no real {name} is known; was it installed while the build ran?");
    };
    if call.mode != Mode::Other {
        log(&config.log, name, &call).with_context(|| config.log.display().to_string())?;
    }
    let error = Command::new(&call.program).args(&call.arguments).exec();
    Err(error).with_context(|| call.program.display().to_string())
}

/// One write per line, so that the lines of parallel compilations do not mix.
fn log(path: &Path, name: &str, call: &wrapper::Call) -> std::io::Result<()> {
    OpenOptions::new()
        .append(true)
        .create(true)
        .open(path)?
        .write_all(calls::line(name, call).as_bytes())
}
