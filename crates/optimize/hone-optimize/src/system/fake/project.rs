//! A project on the fake system: its hone.toml and sources, and runs of it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use anyhow::Result;
use hone_files::advice;
use hone_report::model::{LadderReport, Outcome, Rung};
use hone_run::tools::{Tool, Tools};

use super::World;
use crate::progress::{Look, Ongoing, Progress};
use crate::{Job, Request, load};

/// A build by two compilations and a link, which takes its compiler from the variable that every build system takes.
pub(crate) const BUILD: &str =
    "$CC -O2 -c main.c; $CC -O2 -c steps.c; $CC main.o steps.o $LDFLAGS -o test.binary";

/// A project.
pub(crate) struct Project {
    directory: tempfile::TempDir,
    world: Arc<World>,
    /// Options of the runs, beside the project.
    pub(crate) request: Request,
}

/// A run that came to its end.
pub(crate) struct Ran {
    pub(crate) report: LadderReport,
    /// What was shown meanwhile.
    pub(crate) shown: String,
}

impl Project {
    /// Creates a project that tries these levers.
    pub(crate) fn new(levers: &[&str]) -> Self {
        let project = Self {
            directory: tempfile::tempdir().unwrap(),
            world: Arc::default(),
            request: Request::default(),
        };
        let levers: Vec<_> = levers.iter().map(|lever| format!("\"{lever}\"")).collect();
        let toml = format!(
            "[program]\nname = \"prog\"\nbinary = \"test.binary\"\n\
             [build]\ncommand = '{BUILD}'\nenv = {{ CC = \"clang-19\", PATH = \"{}\" }}\n\
             [check]\ncommand = \"{{binary}} check\"\n\
             [[train]]\nname = \"training\"\ncommand = \"{{binary}} train\"\n\
             [[measure]]\nname = \"measuring\"\ncommand = \"{{binary}} measure\"\n\
             [ladder]\nlevers = [{}]\nseconds_per_rung = 20\nduet = false\n",
            bin().display(),
            levers.join(", ")
        );
        project.write("hone.toml", &toml);
        project.write("main.c", "print sum 7\n");
        project.write("steps.c", "steps\n");
        project
    }

    /// Creates a project whose program is a server.
    pub(crate) fn server(levers: &[&str]) -> Self {
        let project = Self::new(levers);
        project.edit(
            "[[train]]",
            "[server]\nstart = \"{binary} {port}\"\n[[train]]",
        );
        project.edit("{binary} train", "load # training");
        project.edit("{binary} measure\"", "load\"\nrequests_total = 100");
        project
    }

    /// What the system does, to be changed between runs.
    pub(crate) fn world(&mut self) -> &mut World {
        Arc::get_mut(&mut self.world).expect("no run is under way")
    }

    /// What was started so far, in its order.
    pub(crate) fn done(&self) -> Vec<String> {
        self.world.done()
    }

    /// The number of times that something was started.
    pub(crate) fn times(&self, what: &str) -> usize {
        self.done().iter().filter(|done| *done == what).count()
    }

    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.directory.path().join(relative)
    }

    pub(crate) fn read(&self, relative: &str) -> String {
        let text = fs::read_to_string(self.path(relative));
        text.unwrap_or_else(|error| panic!("{relative}: {error}"))
    }

    pub(crate) fn write(&self, relative: &str, text: &str) {
        let path = self.path(relative);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Replaces text in hone.toml.
    pub(crate) fn edit(&self, from: &str, to: &str) {
        let text = self.read("hone.toml");
        assert!(
            text.contains(from),
            "hone.toml does not hold {from:?}:\n{text}"
        );
        self.write("hone.toml", &text.replacen(from, to, 1));
    }

    /// The words that made the program of a build.
    pub(crate) fn program(&self, build: &str) -> String {
        let path = format!(".hone/variants/{build}/{}", super::PROGRAM);
        self.world.words_of(&self.path(&path))
    }

    /// The text of all files of the source tree, without `.hone`.
    pub(crate) fn sources(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let entries = fs::read_dir(self.directory.path()).unwrap();
        let paths = entries.map(|entry| entry.unwrap().path());
        let files = paths.filter(|path| path.is_file());
        files
            .map(|path| (path.clone(), fs::read(path).unwrap()))
            .collect()
    }

    /// Runs to the end.
    pub(crate) fn optimized(&self) -> Ran {
        self.optimize().unwrap_or_else(|said| panic!("{said}"))
    }

    /// Runs up to an error, as it is shown on standard error.
    pub(crate) fn refused(&self) -> String {
        match self.optimize() {
            Err(said) => said,
            Ok(ran) => panic!("it came to its end: {}", ran.shown),
        }
    }

    fn optimize(&self) -> Result<Ran, String> {
        let lines = Arc::default();
        let finished = self.run(Box::new(Shown {
            lines: Arc::clone(&lines),
        }));
        let report = finished.map_err(|error| advice::render(&error))?;
        let shown = lines.lock().unwrap().clone();
        Ok(Ran { report, shown })
    }

    fn run(&self, progress: Box<dyn Progress>) -> Result<LadderReport> {
        let request = Request {
            project: self.directory.path().into(),
            ..self.request.clone()
        };
        let (project, directory) = load(&request)?;
        let job = Job::new(request, project, directory, tools())?;
        let finished = job.run_on(Box::new(Arc::clone(&self.world)), progress)?;
        Ok(finished.report)
    }
}

impl Ran {
    /// The rung whose levers have this id.
    #[track_caller]
    pub(crate) fn rung(&self, id: &str) -> &Rung {
        let mut rungs = self.report.rungs.iter();
        let found = rungs.find(|rung| rung.id == id);
        found.unwrap_or_else(|| panic!("no rung {id}: {:?}", self.report.rungs))
    }

    /// The reason why a rung was not measured or not kept.
    #[track_caller]
    pub(crate) fn reason(&self, id: &str) -> &str {
        match &self.rung(id).outcome {
            Outcome::Skipped { reason }
            | Outcome::Failed { reason }
            | Outcome::Rejected { reason } => reason,
            outcome => panic!("{id}: {outcome:?}"),
        }
    }

    /// The warnings of the report.
    pub(crate) fn notes(&self) -> String {
        self.report.notes.join("\n")
    }

    /// What the report says beside its warnings.
    pub(crate) fn remarks(&self) -> String {
        self.report.remarks.join("\n")
    }
}

/// The directory of the tools, whose names alone count for most.
pub(crate) fn bin() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/system/fake/bin")
}

fn tools() -> Tools {
    let tool = |name: &str| {
        Some(Tool {
            path: bin().join(name),
            version: format!("{name} of the fake"),
            major: 19,
        })
    };
    Tools {
        clang: tool("clang-19"),
        clangxx: tool("clang++-19"),
        lld: tool("ld.lld-19"),
        llvm_profdata: tool("llvm-profdata-19"),
        opt: tool("opt-19"),
        llvm_ar: tool("llvm-ar-19"),
        llvm_bolt: tool("llvm-bolt-19"),
        bolt_instrumentation_runtime: tool("libbolt_rt_instr.a"),
        gcc: tool("gcc"),
        gxx: tool("g++"),
        rust_profdata: tool("llvm-profdata-19"),
        ..Tools::default()
    }
}

/// Progress that is kept.
struct Shown {
    lines: Arc<Mutex<String>>,
}

impl Shown {
    fn add(&self, line: &str) {
        *self.lines.lock().unwrap() += &format!("{line}\n");
    }
}

impl Progress for Shown {
    fn begin_ladder(&self, rungs: usize) {
        self.add(&format!("ladder of {rungs}"));
    }
    fn next_rung(&self) {
        self.add("next rung");
    }
    fn end_ladder(&self) {
        self.add("end of the ladder");
    }
    fn phase(&self, text: &str) {
        self.add(text);
    }
    fn line(&self, text: &str) {
        self.add(text);
    }
    fn steps(&self, _: usize, _: &str) -> Box<dyn Ongoing> {
        Box::new(Unseen)
    }
    fn work(&self, text: &str, _: Option<Look>) -> Box<dyn Ongoing> {
        self.add(text);
        Box::new(Unseen)
    }
}

/// Work whose steps nobody sees.
struct Unseen;

impl Ongoing for Unseen {
    fn done(&mut self, _: u64) {}
    fn tell(&mut self, _: &str) {}
    fn finish(self: Box<Self>) {}
}
