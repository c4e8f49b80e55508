//! Builds of real programs, recorded and added up as hosts do.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;

use hone_batch::{Adding, Batch, Group, Host, Origin, StackLimit};
use hone_inputs::debug_file::Loaded;
use hone_inputs::recording::Reading;
use hone_pgo::{Form, Made, Question, Settings, Target, make};
use hone_profile::{BuildId, LocationId, Profile, Thread};
use hone_record::{BranchSource, CallGraph, Options};
use hone_symbols::{Binary, Image};
use testkit::fleet::{NOW_S, SERVICE};

/// A program that was built.
pub(crate) struct Build {
    pub(crate) path: PathBuf,
    loaded: Loaded,
    pub(crate) id: BuildId,
}

/// Returns the path of a source.
pub(crate) fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/programs")
        .join(name)
}

impl Build {
    /// Runs a compiler, which writes `service` in a directory of its own.
    pub(crate) fn new(directory: &Path, name: &str, compile: impl Fn(&Path) -> Command) -> Self {
        let path = directory.join(name).join("service");
        std::fs::create_dir_all(directory.join(name)).unwrap();
        let output = compile(&path).output().expect("the compiler starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}");
        let loaded = Loaded::read(&path, None).unwrap();
        let id = Binary::parse(loaded.image()).unwrap().build_id().cloned();
        let id = id.expect("a build id");
        Self { path, loaded, id }
    }

    /// Records a run with branch records or call chains, and adds it up as a host does.
    pub(crate) fn batch(
        &self,
        directory: &Path,
        host: &str,
        age_s: u64,
        rounds: u32,
        branches: BranchSource,
    ) -> Batch {
        let recording = directory.join(format!("{host}.data"));
        let command = [
            self.path.clone().into_os_string(),
            rounds.to_string().into(),
        ];
        let mut options = Options::command(command, &recording);
        options.branches = branches;
        options.overhead = 0.2;
        if branches == BranchSource::None {
            options.call_graph = CallGraph::FramePointers;
        }
        hone_record::record(&options, &AtomicBool::new(false), &mut |_| {}).expect("a recording");
        let origin = Origin {
            host: host.to_owned(),
            run: 1,
            number: 1,
        };
        let mut adding = Adding::new(origin, StackLimit::default());
        let mut sender = Sender {
            build: self.id.to_string(),
            time_s: NOW_S - age_s,
        };
        let paths = [recording.clone()];
        let read = Reading::of(&paths, None).next(&recording, |profile, sample, branches| {
            adding.add(profile, sample, branches, &mut sender);
        });
        read.expect("what was recorded");
        adding.finish().batch
    }
}

/// Asks for a profile for one of the builds.
pub(crate) fn ask(builds: &[Build], batches: &[Batch], target: &Build, form: Form) -> Made {
    let target = Target {
        build: &target.id,
        name: "service",
    };
    made(batches, 100, Some(target), form, |id| {
        let build = builds.iter().find(|build| build.id == *id);
        build.map(|build| build.loaded.image())
    })
}

/// What the library makes of batches, by usual settings but for the samples that must be there.
pub(crate) fn made<'i>(
    batches: &[Batch],
    samples_min: u64,
    target: Option<Target<'_>>,
    form: Form,
    image: impl Fn(&BuildId) -> Option<Image<'i>>,
) -> Made {
    let mut settings = Settings::default();
    settings.gates.samples_min = samples_min;
    let question = Question {
        service: SERVICE,
        batches,
        sums: &[],
        now_s: NOW_S,
        target,
        form,
        settings: &settings,
        former: None,
    };
    make(&question, &|id| image(id)).expect("an answer")
}

pub(crate) fn samples_of(made: &Made) -> hone_fdo::SampleProfile {
    hone_fdo::read_sample_profile(&made.profile)
        .expect("a profile")
        .samples
}

struct Sender {
    build: String,
    time_s: u64,
}

impl Host for Sender {
    fn group(&mut self, thread: &Thread) -> Group {
        Group {
            service: SERVICE.into(),
            build: self.build.clone(),
            thread: thread.name.clone(),
            ..Group::default()
        }
    }

    fn unix_s(&mut self, _: u64) -> u64 {
        self.time_s
    }

    fn name(&mut self, _: &Profile, _: LocationId, _: bool) -> Option<String> {
        None
    }
}
