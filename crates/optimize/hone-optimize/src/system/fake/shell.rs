//! The shell of the fake system: variables, quotes, and a few commands.
//!
//! | command | what it does |
//! |---|---|
//! | a compiler, `ar`, `cargo`, `go` | writes its words into a file |
//! | a path | runs the program: prints the lines of its sources that begin with `print` |
//! | `when WORD COMMAND`, `unless WORD COMMAND` | does it if the program of the tree holds the word, or does not |
//! | `default NAME VALUE` | sets a variable that is not set, as `: ${NAME:=VALUE}` does |
//! | `hang` | never ends |
//! | `alone` | fails if another run shares the CPU |
//! | `cp`, `echo`, `exit`, `export`, `false`, `mkdir`, `rmdir`, `set`, `test -z`, `true` | as usual |

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use hone_build::wrapper::{COMPILER_NAMES, WrapConfig, plain_name};
use hone_measure::Observation;

use super::{PROGRAM, Surroundings, World, config, seen_at, write_counts};

/// How a line ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    Exit(i32),
    Hangs,
}

/// A shell that runs one line.
pub(super) struct Shell<'w> {
    pub(super) world: &'w World,
    surroundings: Surroundings,
    pub(super) env: BTreeMap<String, String>,
    pub(super) config: Option<WrapConfig>,
    /// What was written to standard output and standard error.
    pub(super) out: String,
    /// Costs of the last program that ran.
    pub(super) used: Option<Observation>,
}

impl<'w> Shell<'w> {
    pub(super) fn new(world: &'w World, surroundings: Surroundings) -> Self {
        let env = surroundings.env.iter().cloned();
        let env = env
            .filter_map(|(name, value)| Some((name, value?)))
            .collect();
        Self {
            world,
            config: config(&env),
            surroundings,
            env,
            out: String::new(),
            used: None,
        }
    }

    /// What the world remembers of the line: of a build its name.
    pub(super) fn name_of(&self, line: &str) -> String {
        match &self.config {
            Some(config) => {
                let log = config.log.file_name().unwrap_or_default().to_string_lossy();
                format!("build {}", log.trim_end_matches(".calls.log"))
            }
            None => format!("run {line}"),
        }
    }

    /// Runs commands up to the first that fails.
    pub(super) fn run(&mut self, text: &str) -> End {
        for command in commands(text) {
            let words = self.words(&command);
            let end = self.command(&words);
            if end != End::Exit(0) {
                return end;
            }
        }
        End::Exit(0)
    }

    fn command(&mut self, words: &[String]) -> End {
        let assigned = words.iter().take_while(|word| assignment(word).is_some());
        let assigned = assigned.count();
        for (name, value) in words[..assigned].iter().filter_map(|word| assignment(word)) {
            self.env.insert(name.into(), value.into());
        }
        let Some((name, arguments)) = words[assigned..].split_first() else {
            return End::Exit(0);
        };
        let paths: Vec<PathBuf> = arguments.iter().map(|word| self.path(word)).collect();
        let done = |is_done: bool| End::Exit(i32::from(!is_done));
        match name.as_str() {
            "export" => self.command(arguments),
            "exit" => End::Exit(arguments[0].parse().unwrap()),
            "default" => {
                let (name, value) = (arguments[0].clone(), arguments[1].clone());
                self.env.entry(name).or_insert(value);
                End::Exit(0)
            }
            "hang" => End::Hangs,
            "true" | "set" => End::Exit(0),
            "false" => End::Exit(1),
            "test" => done(arguments[0] == "-z" && arguments[1].is_empty()),
            "alone" => done(!self.surroundings.shares_cpu),
            "cp" => done(fs::copy(&paths[0], &paths[1]).is_ok()),
            "mkdir" => done(fs::create_dir(&paths[0]).is_ok()),
            "rmdir" => done(fs::remove_dir(&paths[0]).is_ok()),
            "echo" => {
                self.out += &(arguments.join(" ") + "\n");
                End::Exit(0)
            }
            "when" | "unless" => {
                let program = self.world.words_of(&self.path(PROGRAM));
                match program.contains(&arguments[0]) == (name == "when") {
                    true => self.command(&arguments[1..]),
                    false => End::Exit(0),
                }
            }
            "ar" => self.archive(&arguments[1..]),
            "cargo" => self.cargo(),
            "go" => self.go(&arguments[2]),
            _ if COMPILER_NAMES.contains(&plain_name(base(name))) => self.compile(name, arguments),
            _ if name.contains('/') => self.program(&self.path(name)),
            _ => panic!("the fake has no command {words:?}"),
        }
    }

    fn program(&mut self, path: &Path) -> End {
        let words = self.world.words_of(path);
        let prints = words.lines().filter_map(|line| line.strip_prefix("print "));
        let said: String = prints.map(|line| format!("{line}\n")).collect();
        self.out += &said;
        write_counts(&words, &self.env);
        let env = self
            .env
            .iter()
            .map(|(name, value)| format!("\n{name}={value}"));
        let all = words.clone() + &env.collect::<String>();
        self.used = Some(self.world.observed(&all, self.surroundings.seed));
        End::Exit(0)
    }

    /// The path of a file that the line names.
    pub(super) fn path(&self, word: &str) -> PathBuf {
        let path = self.surroundings.cwd.join(word);
        seen_at(&path, self.surroundings.cover.as_ref())
    }

    /// Splits a command into words, with variables replaced by their values.
    fn words(&self, command: &str) -> Vec<String> {
        let mut words: Vec<String> = Vec::new();
        let mut word: Option<String> = None;
        let mut quote = None;
        let mut left = command.chars().peekable();
        while let Some(next) = left.next() {
            match (next, quote) {
                (mark @ ('"' | '\''), None) => {
                    quote = Some(mark);
                    word.get_or_insert_default();
                }
                (mark, Some(open)) if mark == open => quote = None,
                ('$', None | Some('"')) => {
                    let mut name = String::new();
                    while let Some(more) = left.next_if(|c| c.is_alphanumeric() || *c == '_') {
                        name.push(more);
                    }
                    let value = self.env.get(&name).cloned().unwrap_or_default();
                    if quote.is_some() {
                        word.get_or_insert_default().push_str(&value);
                        continue;
                    }
                    for (index, part) in value.split_whitespace().enumerate() {
                        if index > 0 {
                            words.extend(word.take());
                        }
                        word.get_or_insert_default().push_str(part);
                    }
                }
                (space, None) if space.is_whitespace() => words.extend(word.take()),
                (other, _) => word.get_or_insert_default().push(other),
            }
        }
        words.extend(word);
        words
    }
}

/// Splits a script into commands, without comments.
fn commands(text: &str) -> Vec<String> {
    let mut commands = vec![String::new()];
    let mut quote = None;
    let mut left = text.chars().peekable();
    while let Some(next) = left.next() {
        let is_between_words = commands
            .last()
            .is_none_or(|last| last.ends_with(' ') || last.is_empty());
        match (next, quote) {
            ('#', None) if is_between_words => while left.next_if(|c| *c != '\n').is_some() {},
            ('\n' | ';', None) => commands.push(String::new()),
            ('&', None) if left.next_if_eq(&'&').is_some() => commands.push(String::new()),
            _ => {
                match (next, quote) {
                    ('"' | '\'', None) => quote = Some(next),
                    (mark, Some(open)) if mark == open => quote = None,
                    _ => {}
                }
                commands.last_mut().unwrap().push(next);
            }
        }
    }
    commands
}

/// The parts of `NAME=VALUE`.
fn assignment(word: &str) -> Option<(&str, &str)> {
    let (name, value) = word.split_once('=')?;
    let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    (is_name && !name.is_empty()).then_some((name, value))
}

/// The name of a file, without its directory.
pub(super) fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
