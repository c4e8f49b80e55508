//! The compilers of the fake system. They stand behind the real rules of the wrapper (`hone_build::wrapper`), and write the words
//! of their calls and the text of their sources into what they make.

use std::fs::{self, File};
use std::io::Write;
use std::path::PathBuf;

use hone_build::calls;
use hone_build::wrapper::{Call, Mode, RUSTC_NAME, WrapConfig, object_cache, rewrite};
use sha2::{Digest, Sha256};

use super::PROGRAM;
use super::shell::{End, Shell, base};

impl Shell<'_> {
    /// Calls a compiler: behind the wrapper if there is one of this name.
    pub(super) fn compile(&mut self, name: &str, arguments: &[String]) -> End {
        let config = self.config.clone();
        let wrapped = config
            .as_ref()
            .and_then(|config| Some((rewrite(name, arguments, config)?, config)));
        let Some((call, config)) = wrapped else {
            let plain = WrapConfig {
                real: [(base(name).to_owned(), PathBuf::from(name))].into(),
                ..WrapConfig::default()
            };
            let call = rewrite(base(name), arguments, &plain).expect("a compiler");
            return self.called(&call);
        };
        let kept = config
            .objects
            .as_ref()
            .filter(|_| object_cache::written(&call).is_some());
        let entry = kept.map(|(directory, build)| (directory.join(self.key(&call)), build));
        let known = entry
            .as_ref()
            .and_then(|(entry, _)| fs::read_to_string(entry).ok());
        self.note(config, name, &call, known.as_deref());
        if let (Some((entry, build)), None) = (&entry, &known) {
            fs::create_dir_all(entry.parent().unwrap()).unwrap();
            fs::write(entry, build).unwrap();
        }
        self.called(&call)
    }

    /// Writes a line into the log of the wrapper's calls.
    fn note(&self, config: &WrapConfig, name: &str, call: &Call, object_of: Option<&str>) {
        let log = File::options().create(true).append(true).open(&config.log);
        let line = calls::line(name, call, object_of);
        log.unwrap().write_all(line.as_bytes()).unwrap();
    }

    fn key(&self, call: &Call) -> String {
        let sources: String = call.arguments.iter().map(|word| self.text(word)).collect();
        let words = object_cache::deciding(call).join(" ");
        hex::encode(Sha256::digest(format!(
            "{} {words} {sources}",
            call.program.display()
        )))
    }

    /// The text of a source, an object, a library or an archive; none of anything else.
    fn text(&self, word: &str) -> String {
        let is_file = !word.starts_with('-')
            && [".c", ".cc", ".s", ".o", ".a", ".so"]
                .iter()
                .any(|end| word.ends_with(end));
        match is_file {
            true => fs::read_to_string(self.path(word)).unwrap_or_default(),
            false => String::new(),
        }
    }

    fn called(&mut self, call: &Call) -> End {
        let inputs = call.arguments.iter();
        let mut inputs = inputs.filter(|word| word.ends_with(".c") || word.ends_with(".o"));
        let Some(first) = inputs.next() else {
            self.out += "no input files\n";
            return End::Exit(1);
        };
        if !self.path(first).exists() {
            self.out += &format!("{first}: no such file\n");
            return End::Exit(1);
        }
        let object = first.replace(".c", ".o");
        let output = call.arguments.iter().position(|word| word == "-o");
        let output = output.map(|place| call.arguments[place + 1].clone());
        let mut words = format!("{}\n", call.arguments.join(" "));
        // What a compilation makes does not depend on where its object goes.
        for (place, word) in call.arguments.iter().enumerate() {
            let is_output = place > 0 && call.arguments[place - 1] == "-o";
            words += &if is_output {
                String::new()
            } else {
                self.text(word)
            };
        }
        match call.mode {
            Mode::Other => {}
            Mode::Compile => fs::write(self.path(&output.unwrap_or(object)), words).unwrap(),
            Mode::LinkShared => fs::write(self.path(&output.unwrap()), words).unwrap(),
            Mode::LinkProgram => self
                .world
                .write_program(&self.path(&output.unwrap()), &words),
        }
        End::Exit(0)
    }

    /// Makes an archive of its members.
    pub(super) fn archive(&mut self, files: &[String]) -> End {
        let members: String = files[1..].iter().map(|file| self.text(file)).collect();
        fs::write(self.path(&files[0]), members).unwrap();
        End::Exit(0)
    }

    /// Builds a Rust program of one crate, with rustc behind the wrapper.
    pub(super) fn cargo(&mut self) -> End {
        let config = self.config.clone().expect("cargo runs in builds");
        let words = "rustc --crate-name work --crate-type bin src/main.rs --emit=dep-info,link";
        let words: Vec<String> = words.split(' ').map(Into::into).collect();
        let call = rewrite(RUSTC_NAME, &words, &config).unwrap();
        self.note(&config, RUSTC_NAME, &call, None);
        let target = self.path(&self.env["CARGO_TARGET_DIR"]).join("release");
        fs::create_dir_all(&target).unwrap();
        let words = format!(
            "{} {}\n{}",
            call.arguments.join(" "),
            self.set("CARGO_PROFILE_"),
            self.source("src/main.rs")
        );
        self.world.write_program(&target.join(PROGRAM), &words);
        End::Exit(0)
    }

    /// Builds a Go program, whose compiler no wrapper sees.
    pub(super) fn go(&mut self, output: &str) -> End {
        let words = format!("{}\n{}", self.set("GO"), self.source("main.go"));
        self.world.write_program(&self.path(output), &words);
        End::Exit(0)
    }

    /// The variables whose names begin so, with their values.
    fn set(&self, start: &str) -> String {
        let own = self.env.iter().filter(|(name, _)| name.starts_with(start));
        own.map(|(name, value)| format!("{name}={value} "))
            .collect()
    }

    fn source(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }
}
