//! Takes objects of earlier builds in place of compiling again; `hone_build::wrapper::object_cache` says for which calls.
//!
//! ```text
//! objects/KEY.json    what a compilation read, and what came of it; KEY is the hash of the call
//! objects/HASH.o      its object, by its content
//! ```
//!
//! A key holds the words of the call, the compiler, the directory and the variables that compilers read. An entry
//! counts only while every file that was read is unchanged: files below the project's `.hone` by their
//! content, headers of the system by their size and time. A failure here costs a compilation and no more.
//!
//! One case is left out: a new header that would be found before one that was read. Within a run, this case needs a
//! build that makes different files from the same source with the same flags.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::io::{self, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::UNIX_EPOCH;

use anyhow::{Context, Result, bail};
use hone_build::wrapper::object_cache::{self, Written};
use hone_build::wrapper::{Call, WrapConfig};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use hone_files::files::write_whole;

/// Variables that decide what a compiler does.
const VARIABLES: &[&str] = &[
    "CPATH",
    "C_INCLUDE_PATH",
    "CPLUS_INCLUDE_PATH",
    "COMPILER_PATH",
    "GCC_EXEC_PREFIX",
    "CCC_OVERRIDE_OPTIONS",
    "SOURCE_DATE_EPOCH",
];

/// Variables by which a build itself uses the lists of headers that are needed here.
const TAKEN: &[&str] = &[
    "CC_PRINT_HEADERS",
    "DEPENDENCIES_OUTPUT",
    "SUNPRO_DEPENDENCIES",
];

/// Words in sources that read files which no list of headers names.
const UNLISTED: &[&[u8]] = &[b"incbin", b"#embed"];

/// A compilation whose object may come from an earlier build, or serve a later one.
pub(crate) struct Compilation<'a> {
    call: &'a Call,
    written: Written,
    /// Directory where objects are kept.
    directory: &'a Path,
    /// Name of this build.
    build: &'a str,
    key: String,
}

/// A finished compilation.
#[derive(Serialize, Deserialize)]
struct Made {
    /// Name of the build that the object was made for.
    build: String,
    read: Vec<(PathBuf, State)>,
    /// Name of the object's copy.
    object: String,
    /// Content of the list of headers that the call asked for.
    headers: Option<String>,
    /// Standard error of the compiler.
    said: String,
}

/// State by which a file is recognised as unchanged.
#[derive(PartialEq, Eq, Serialize, Deserialize)]
enum State {
    Content(String),
    Outside { bytes: u64, modified_ns: u128 },
}

impl<'a> Compilation<'a> {
    /// Describes the compilation of a call; `None` if objects are not kept, or the object may not be shared.
    pub(crate) fn of(call: &'a Call, config: &'a WrapConfig) -> Option<Self> {
        let (directory, build) = config.objects.as_ref()?;
        let written = object_cache::written(call)?;
        if TAKEN.iter().any(|name| env::var_os(name).is_some()) {
            return None;
        }
        Some(Self {
            key: key(call).ok()?,
            call,
            written,
            directory,
            build,
        })
    }

    /// Puts the object of an earlier build into place, and returns that build's name.
    pub(crate) fn take(&self) -> Option<String> {
        let bytes = fs::read(self.entry()).ok()?;
        let made: Made = serde_json::from_slice(&bytes).ok()?;
        let is_same = |(path, known): &(PathBuf, State)| {
            let now = self.state(path, known);
            now.is_ok_and(|now| now == *known)
        };
        if !made.read.iter().all(is_same) {
            return None;
        }
        // A new file replaces the old object, as after a compilation.
        let _ = fs::remove_file(&self.written.object);
        fs::copy(self.directory.join(&made.object), &self.written.object).ok()?;
        if let (Some(path), Some(text)) = (&self.written.headers, &made.headers) {
            fs::write(path, text).ok()?;
        }
        io::stderr().write_all(made.said.as_bytes()).ok()?;
        Some(made.build)
    }

    /// Runs the compiler, and keeps its object.
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let scratch = tempfile::tempdir().context("temporary directory")?;
        let (by_clang, by_gcc) = (scratch.path().join("clang"), scratch.path().join("gcc"));
        let mut command = Command::new(&self.call.program);
        command.args(&self.call.arguments).stdin(Stdio::inherit());
        command.stdout(Stdio::inherit());
        // Both compilers can list headers: clang in the first file, gcc in the second unless the call asks for a list itself.
        command.env("CC_PRINT_HEADERS", "1");
        command.env("CC_PRINT_HEADERS_FILE", &by_clang);
        command.env("SUNPRO_DEPENDENCIES", &by_gcc);
        let output = command
            .output()
            .with_context(|| self.call.program.display().to_string())?;
        io::stderr().write_all(&output.stderr)?;
        if output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            // If the object is not kept, the next build compiles again.
            let _ = self.keep(&by_clang, &by_gcc, said);
        }
        let status = output.status;
        let code = status.code().or(status.signal().map(|signal| 128 + signal));
        Ok(ExitCode::from(code.unwrap_or(1) as u8))
    }

    fn keep(&self, by_clang: &Path, by_gcc: &Path, said: String) -> Result<()> {
        let headers = self.written.headers.as_ref();
        let mut read: BTreeSet<PathBuf> = match fs::read_to_string(by_clang) {
            Ok(list) => list.lines().map(PathBuf::from).collect(),
            Err(_) => {
                let by_call = headers.map(PathBuf::from);
                let rule = fs::read_to_string(by_call.as_deref().unwrap_or(by_gcc))?;
                of_rule(&rule).into_iter().map(PathBuf::from).collect()
            }
        };
        read.extend(self.named_files());
        let words = object_cache::deciding(self.call).into_iter();
        let mut counts = words.filter_map(|word| word.strip_prefix("-fprofile-use="));
        if counts.any(|path| Path::new(path).is_dir()) {
            bail!("it reads some file of a directory");
        }
        let states = read.into_iter().map(|path| {
            let state = self.fresh_state(&path)?;
            Ok((path, state))
        });
        let object = Path::new(&self.written.object);
        if !object.symlink_metadata()?.is_file() {
            bail!("no object of its own");
        }
        let made = Made {
            build: self.build.into(),
            read: states.collect::<Result<_>>()?,
            object: format!("{}.o", hash(&fs::read(object)?)),
            headers: headers.map(fs::read_to_string).transpose()?,
            said,
        };
        fs::create_dir_all(self.directory)?;
        let copy = self.directory.join(&made.object);
        if !copy.exists() {
            let part = tempfile::NamedTempFile::new_in(self.directory)?.into_temp_path();
            fs::copy(object, &part)?;
            part.persist(&copy)?;
        }
        write_whole(&self.entry(), &serde_json::to_vec(&made)?)
    }

    fn entry(&self) -> PathBuf {
        self.directory.join(format!("{}.json", self.key))
    }

    /// Lists the files among the words of the call, and after a `=` in a word: the source, profiles, lists of names.
    fn named_files(&self) -> impl Iterator<Item = PathBuf> + '_ {
        let own = [Some(&self.written.object), self.written.headers.as_ref()];
        let words = object_cache::deciding(self.call).into_iter();
        let all = words.flat_map(|word| [Some(word), word.rsplit_once('=').map(|(_, file)| file)]);
        let names = all.flatten().filter(move |name| {
            let mut own = own.iter().flatten();
            own.all(|own| own != name)
        });
        names.map(PathBuf::from).filter(|path| path.is_file())
    }

    /// Returns the state of a file, in the form of the known state.
    fn state(&self, path: &Path, known: &State) -> Result<State> {
        match known {
            State::Content(_) => Ok(State::Content(hash(&fs::read(path)?))),
            State::Outside { .. } => outside(path),
        }
    }

    /// Returns the state of a file that was read; an error if the file may read others.
    fn fresh_state(&self, path: &Path) -> Result<State> {
        let own = self.directory.parent().unwrap_or(self.directory);
        if !env::current_dir()?.join(path).starts_with(own) {
            return outside(path);
        }
        let bytes = fs::read(path)?;
        let holds = |word: &&&[u8]| bytes.windows(word.len()).any(|part| part == **word);
        if UNLISTED.iter().any(|word| holds(&word)) {
            bail!("{} reads other files", path.display());
        }
        Ok(State::Content(hash(&bytes)))
    }
}

fn outside(path: &Path) -> Result<State> {
    let metadata = fs::metadata(path)?;
    let modified = metadata.modified()?.duration_since(UNIX_EPOCH);
    Ok(State::Outside {
        bytes: metadata.len(),
        modified_ns: modified.unwrap_or_default().as_nanos(),
    })
}

fn key(call: &Call) -> Result<String> {
    let compiler = fs::canonicalize(&call.program)?;
    let facts = serde_json::to_string(&outside(&compiler)?)?;
    let mut all = Sha256::new();
    let mut add = |part: &[u8]| {
        all.update((part.len() as u64).to_le_bytes());
        all.update(part);
    };
    add(call.program.as_os_str().as_encoded_bytes());
    add(facts.as_bytes());
    add(env::current_dir()?.as_os_str().as_encoded_bytes());
    for name in VARIABLES {
        let value = env::var_os(name).unwrap_or_default();
        add(value.as_encoded_bytes());
    }
    for word in object_cache::deciding(call) {
        add(word.as_bytes());
    }
    Ok(hex::encode(all.finalize()))
}

fn hash(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

/// Parses the files after the colon of the first rule for make.
fn of_rule(text: &str) -> Vec<String> {
    let mut files = vec![String::new()];
    let after = text.split_once(": ").map_or("", |(_, after)| after);
    let mut characters = after.chars().peekable();
    while let Some(one) = characters.next() {
        match (one, characters.peek()) {
            ('\\', Some('\n')) => {
                characters.next();
                files.push(String::new());
            }
            ('\\', Some(' ' | '#')) | ('$', Some('$')) => {
                let literal = characters.next();
                if let (Some(file), Some(literal)) = (files.last_mut(), literal) {
                    file.push(literal);
                }
            }
            ('\n', _) => break,
            (' ' | '\t', _) => files.push(String::new()),
            (other, _) => {
                if let Some(file) = files.last_mut() {
                    file.push(other);
                }
            }
        }
    }
    files.retain(|file| !file.is_empty());
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A directory with a source, its header, and the objects of earlier builds.
    struct Place {
        directory: tempfile::TempDir,
        config: WrapConfig,
    }

    impl Place {
        fn new() -> Self {
            let directory = tempfile::tempdir().unwrap();
            fs::write(directory.path().join("a.h"), "enum { NUMBER = 1 };\n").unwrap();
            fs::write(
                directory.path().join("a.c"),
                "#include \"a.h\"\nint a = NUMBER;\n",
            )
            .unwrap();
            let objects = directory.path().join("objects");
            let config = WrapConfig {
                objects: Some((objects, "one".into())),
                ..WrapConfig::default()
            };
            Self { directory, config }
        }

        fn path(&self, name: &str) -> PathBuf {
            self.directory.path().join(name)
        }

        /// A compilation with a list of headers.
        fn call(&self, flag: &str) -> Call {
            let compiler = ["/usr/bin/clang-19", "/usr/bin/cc"].map(PathBuf::from);
            let words = [
                flag.to_owned(),
                "-MMD".into(),
                "-MF".into(),
                self.path("a.d").display().to_string(),
                "-c".into(),
                self.path("a.c").display().to_string(),
                "-o".into(),
                self.path("a.o").display().to_string(),
            ];
            Call {
                program: compiler.into_iter().find(|path| path.exists()).unwrap(),
                arguments: words.into(),
                mode: hone_build::wrapper::Mode::Compile,
            }
        }

        /// Takes the object of an earlier build, whose name is returned, or compiles.
        fn made(&self, flag: &str) -> Option<String> {
            let call = self.call(flag);
            let compilation = Compilation::of(&call, &self.config).unwrap();
            let taken = compilation.take();
            if taken.is_none() {
                compilation.run().unwrap();
            }
            taken
        }
    }

    #[test]
    fn an_object_is_taken_while_what_was_read_is_the_same() {
        let place = Place::new();
        assert_eq!(place.made("-O1"), None);
        let files = ["a.o", "a.d"].map(|name| place.path(name));
        let whole = files.each_ref().map(|file| fs::read(file).unwrap());
        for file in &files {
            fs::remove_file(file).unwrap();
        }
        assert_eq!(place.made("-O1").as_deref(), Some("one"));
        assert_eq!(files.each_ref().map(|file| fs::read(file).unwrap()), whole);
        // Its content counts, as each build has a copy of its own.
        let header = fs::read(place.path("a.h")).unwrap();
        fs::write(place.path("a.h"), "enum { NUMBER = 2 };\n").unwrap();
        assert_eq!(place.made("-O1"), None);
        fs::write(place.path("a.h"), header).unwrap();
        assert_eq!(place.made("-O1"), None, "the later object replaced it");
        // Other words make another object.
        assert_eq!(place.made("-O2"), None);
        assert_eq!(place.made("-O1").as_deref(), Some("one"));
    }

    #[test]
    fn a_source_that_reads_files_unseen_is_compiled_each_time() {
        let place = Place::new();
        let source = "__asm__(\".if 0\\n.incbin \\\"a.h\\\"\\n.endif\");\n";
        fs::write(place.path("a.c"), source).unwrap();
        assert_eq!(place.made("-O1"), None);
        assert_eq!(place.made("-O1"), None);
        assert!(place.path("a.o").exists());
    }

    #[test]
    fn files_of_a_rule() {
        let text = "out/a.o: a.c my\\ file.h \\\n  /usr/b$$.h\\\n c\\#.h\n\nmy\\ file.h:\n";
        assert_eq!(of_rule(text), ["a.c", "my file.h", "/usr/b$.h", "c#.h"]);
        assert!(of_rule("").is_empty());
    }
}
