//! Builds of variants behind the wrappers, at one place and without a ladder.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::Command;

use hone_build::lever::by_id;
use hone_build::{Inputs, Purpose, Variant, VariantFlags};
use hone_run::tools::Tools;
use hone_wrap::install::Wrapped;

use crate::common::{hone, run_in, stderr};

/// A source, and what is built of it.
pub(crate) struct Builds {
    directory: tempfile::TempDir,
    tools: Tools,
    command: String,
}

impl Builds {
    /// Creates a source of these files, which a shell line builds.
    pub(crate) fn new(files: &[(&str, &str)], command: &str) -> Self {
        let builds = Self {
            directory: tempfile::tempdir().unwrap(),
            tools: Tools::find(),
            command: command.into(),
        };
        fs::create_dir_all(builds.path("source")).unwrap();
        fs::create_dir_all(builds.path("hone/variants")).unwrap();
        for (name, text) in files {
            fs::write(builds.path("source").join(name), text).unwrap();
        }
        builds
    }

    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.directory.path().join(relative)
    }

    pub(crate) fn tools(&self) -> &Tools {
        &self.tools
    }

    /// The flags of levers for a purpose.
    pub(crate) fn flags(levers: &[&str], purpose: Purpose, inputs: &Inputs) -> VariantFlags {
        let levers = levers.iter().map(|id| by_id(id).unwrap());
        let variant = levers.fold(Variant::default(), |variant, lever| variant.with(lever));
        variant.flags(purpose, inputs)
    }

    /// The program `prog` of a build.
    pub(crate) fn program(&self, name: &str) -> PathBuf {
        self.path("hone/variants").join(name).join("prog")
    }

    /// Records a build's program, where it was built, with `hone record` and these words; returns the recording.
    pub(crate) fn record(&self, name: &str, words: &[&str], arguments: &[&str]) -> PathBuf {
        let recording = self.path(&format!("hone/{name}.data"));
        let program = self.program(name);
        let own = [
            "record",
            "--overhead",
            "20%",
            "-o",
            recording.to_str().unwrap(),
        ];
        let command = [&["--", program.to_str().unwrap()], arguments].concat();
        let output = hone(&[&own, words, &command].concat(), &self.path("hone"));
        assert!(output.status.success(), "{name}: {}", stderr(&output));
        recording
    }

    /// Builds a copy of the source where all variants are built, and moves it to the place of its name. Objects of earlier builds are
    /// taken, and kept, if they are to be. Returns the log of calls.
    pub(crate) fn build(&self, name: &str, flags: &VariantFlags, keeps_objects: bool) -> String {
        let tree = self.path("hone/build");
        let source = self.path("source");
        let words = ["-a", source.to_str().unwrap(), tree.to_str().unwrap()];
        run_in(self.directory.path(), "cp", &words);
        let log = self.path(&format!("hone/{name}.calls.log"));
        let directory = self.path("hone/wrapper");
        let wrapped = Wrapped {
            tools: &self.tools,
            flags,
            env: &BTreeMap::from([("CC".to_owned(), "clang-19".to_owned())]),
            layout_seed: None,
            directory: &directory,
            keeps_symbols: true,
            objects: keeps_objects.then(|| (self.path("hone/objects"), name.to_owned())),
            ir: None,
            bazel_output_base: None,
            log: &log,
        };
        let environment = wrapped.install().unwrap();
        for link in fs::read_dir(&directory).unwrap().flatten() {
            // They lead to the program that installs them, which is this test.
            if link.path().is_symlink() {
                fs::remove_file(link.path()).unwrap();
                symlink(env!("CARGO_BIN_EXE_hone"), link.path()).unwrap();
            }
        }
        let mut build = Command::new("sh");
        build.args(["-ec", &self.command]).envs(environment);
        let output = build.current_dir(&tree).output().unwrap();
        assert!(output.status.success(), "{name}: {}", stderr(&output));
        fs::rename(&tree, self.path("hone/variants").join(name)).unwrap();
        fs::read_to_string(log).unwrap()
    }
}
