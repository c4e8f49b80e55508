//! Preparation of a command, from its words to a child that waits at the gate.

use crate::error::{RecordError, system};
use crate::options::Target;
use crate::sys::spawn::{self, Gated, Prepared, Stage};
use std::collections::BTreeMap;
use std::ffi::{CString, OsStr, OsString};
use std::fs::{self, File};
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Directories that are searched for programs if there is no PATH.
const PATH_USUAL: &str = "/usr/local/bin:/usr/bin:/bin";

/// A command whose child waits at the gate.
pub(crate) struct Waiting {
    child: Gated,
    program: PathBuf,
    cwd: Option<PathBuf>,
}

/// A command with everything that can be known, and refused, before a child exists.
pub(crate) struct Command {
    prepared: Prepared,
    program: PathBuf,
    cwd: Option<PathBuf>,
}

impl Command {
    /// Looks up the program and prepares its environment; `None` if the target is not a command.
    pub(crate) fn prepare(target: &Target) -> Result<Option<Self>, RecordError> {
        let (argv, env, cwd, stdout) = match target {
            Target::Command {
                argv,
                env,
                cwd,
                stdout,
            } => (argv, env.as_slice(), cwd, stdout),
            Target::System { argv, .. } if !argv.is_empty() => (argv, &[][..], &None, &None),
            Target::System { .. } | Target::Processes { .. } => return Ok(None),
        };
        let first = argv
            .first()
            .filter(|word| !word.is_empty())
            .ok_or(RecordError::EmptyCommand)?;
        let environment = environment(env);
        let path = environment
            .get(OsStr::new("PATH"))
            .cloned()
            .unwrap_or(PATH_USUAL.into());
        if let Some(cwd) = cwd {
            enterable(cwd)?;
        }
        let program = find_program(first, &path, cwd.as_deref())?;
        let stdout = match stdout {
            Some(path) => {
                Some(
                    File::create(path).map_err(|source| RecordError::CommandOutput {
                        path: path.clone(),
                        source,
                    })?,
                )
            }
            None => None,
        };
        let envp = environment.into_iter().map(|(name, value)| {
            let mut entry = name.into_vec();
            entry.push(b'=');
            entry.extend(value.into_vec());
            c_string(OsString::from_vec(entry), "a variable of the environment")
        });
        let prepared = Prepared {
            program: c_string(program.clone().into_os_string(), "the program's path")?,
            argv: argv
                .iter()
                .map(|word| c_string(word.clone(), "an argument"))
                .collect::<Result<_, _>>()?,
            envp: envp.collect::<Result<_, _>>()?,
            cwd: match cwd {
                Some(path) => Some(c_string(path.clone().into(), "the working directory")?),
                None => None,
            },
            stdout: stdout.map(Into::into),
        };
        Ok(Some(Self {
            prepared,
            program,
            cwd: cwd.clone(),
        }))
    }

    /// Forks the child.
    pub(crate) fn start(self) -> Result<Waiting, RecordError> {
        let child = spawn::gated(&self.prepared).map_err(system("fork"))?;
        Ok(Waiting {
            child,
            program: self.program,
            cwd: self.cwd,
        })
    }
}

impl Waiting {
    /// Process id of the child.
    pub(crate) fn pid(&self) -> i32 {
        self.child.pid()
    }

    /// Lets the child become the program.
    pub(crate) fn release(self) -> Result<(), RecordError> {
        let pid = self.pid();
        self.child.release().map_err(|(stage, source)| {
            // The child has ended by itself; it only needs to be reaped.
            let _ = crate::sys::wait::until_change_of(pid);
            match stage {
                Stage::Directory => RecordError::WorkingDirectory {
                    path: self.cwd.unwrap_or_default(),
                    source,
                },
                Stage::Output => system("dup2")(source),
                Stage::Exec if source.kind() == io::ErrorKind::PermissionDenied => {
                    RecordError::ProgramNotExecutable { path: self.program }
                }
                Stage::Exec => RecordError::ProgramNotRunnable {
                    path: self.program,
                    source,
                },
            }
        })
    }

    /// Ends the child before it becomes the program.
    pub(crate) fn abandon(self) {
        self.child.abandon();
    }
}

fn environment(changes: &[(OsString, Option<OsString>)]) -> BTreeMap<OsString, OsString> {
    let mut environment: BTreeMap<_, _> = std::env::vars_os().collect();
    for (name, value) in changes {
        match value {
            Some(value) => environment.insert(name.clone(), value.clone()),
            None => environment.remove(name),
        };
    }
    environment
}

fn enterable(cwd: &Path) -> Result<(), RecordError> {
    let refused = |source| RecordError::WorkingDirectory {
        path: cwd.to_owned(),
        source,
    };
    if !fs::metadata(cwd).map_err(refused)?.is_dir() {
        return Err(refused(io::Error::from_raw_os_error(libc::ENOTDIR)));
    }
    Ok(())
}

/// Looks up a program as the shell does: a word with a slash is a path, other words are searched for.
fn find_program(word: &OsStr, path: &OsStr, cwd: Option<&Path>) -> Result<PathBuf, RecordError> {
    let from_cwd = |path: &Path| cwd.map_or(path.to_owned(), |cwd| cwd.join(path));
    let name = || word.to_string_lossy().into_owned();
    if word.as_bytes().contains(&b'/') {
        let given = Path::new(word);
        let seen = from_cwd(given);
        return match fs::metadata(&seen) {
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                Err(RecordError::ProgramNotExecutable { path: seen })
            }
            Err(_) => Err(RecordError::ProgramNotFound {
                program: name(),
                path: None,
            }),
            Ok(meta) if meta.is_dir() => Err(RecordError::ProgramIsDirectory { path: seen }),
            Ok(meta) if !executable(&meta) => Err(RecordError::ProgramNotExecutable { path: seen }),
            // The child changes its directory first, so a relative path stays as it was given.
            Ok(_) => Ok(given.to_owned()),
        };
    }
    let mut not_executable = None;
    for directory in std::env::split_paths(path) {
        let candidate = directory.join(word);
        match fs::metadata(from_cwd(&candidate)) {
            Ok(meta) if meta.is_file() && executable(&meta) => return Ok(candidate),
            Ok(meta) if meta.is_file() => not_executable = not_executable.or(Some(candidate)),
            _ => {}
        }
    }
    Err(match not_executable {
        Some(path) => RecordError::ProgramNotExecutable { path },
        None => RecordError::ProgramNotFound {
            program: name(),
            path: Some(path.to_string_lossy().into_owned()),
        },
    })
}

fn executable(meta: &fs::Metadata) -> bool {
    meta.permissions().mode() & 0o111 != 0
}

fn c_string(text: OsString, what: &str) -> Result<CString, RecordError> {
    CString::new(text.into_vec()).map_err(|_| RecordError::ZeroByte {
        what: what.to_owned(),
    })
}
