//! A fleet: hosts that each have a part of one recording. Its program has no build id; a note of the file becomes one here, so
//! that there can be any number of builds with the same code.

use std::ops::Range;
use std::path::{Path, PathBuf};

use hone_batch::{Adding, Batch, Group, Host, Limits, Origin, StackLimit, wire};
use hone_pgo::{Form, Made, PgoError, Question, Settings, Target, make};
use hone_profile::{BuildId, Label, LocationId, Profile, Thread};
use hone_symbols::Image;

/// Time of the questions, in seconds since 1970.
pub(crate) const NOW_S: u64 = 1_780_000_000;
pub(crate) const DAY_S: u64 = 86_400;
pub(crate) const SERVICE: &str = "zip";

/// Name and description of the note of the program that becomes its build id.
const NOTE: [u8; 16] = [4, 0, 0, 0, 16, 0, 0, 0, 1, 0, 0, 0, b'G', b'N', b'U', 0];

fn fixture(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.join("testdata/lbr").join(name)
}

/// The recording and its program.
pub(crate) struct Recording {
    pub(crate) profile: Profile,
    binary: Vec<u8>,
    /// Path of the program in the recording.
    pub(crate) path: String,
    builds: Vec<(BuildId, Vec<u8>)>,
}

/// What a host sends: some samples of the recording.
#[derive(Clone)]
pub(crate) struct Sent {
    pub(crate) host: String,
    pub(crate) build: u8,
    pub(crate) service: &'static str,
    pub(crate) region: &'static str,
    pub(crate) age_s: u64,
    /// Every so many samples, from one of them on.
    pub(crate) samples: (Range<usize>, usize),
    /// Number of times that each sample counts.
    pub(crate) times: u64,
    /// True if the samples have no branch records.
    pub(crate) is_plain: bool,
}

impl Recording {
    pub(crate) fn new() -> Self {
        let bytes = std::fs::read(fixture("test.lbr")).expect("the recording");
        let binary = std::fs::read(fixture("test.binary")).expect("the program");
        let profile = hone_profile::perf_data::read(&bytes).expect("a recording");
        let files = hone_fdo::Recorded::from(profile.clone()).files_by_samples();
        let mut recording = Self {
            profile,
            binary,
            // The file with the most samples.
            path: files[0].0.clone(),
            builds: Vec::new(),
        };
        recording.builds = (0..3).map(|build| recording.build(build)).collect();
        recording
    }

    fn build(&self, build: u8) -> (BuildId, Vec<u8>) {
        let mut bytes = self.binary.clone();
        let mut windows = bytes.windows(NOTE.len());
        let at = windows.position(|window| window == NOTE).expect("the note");
        bytes[at + 8] = 3;
        // No build id is all zeros.
        let id = [build + 1; 16];
        bytes[at + NOTE.len()..at + NOTE.len() + id.len()].copy_from_slice(&id);
        (BuildId::new(&id).expect("16 bytes"), bytes)
    }

    pub(crate) fn id(&self, build: u8) -> &BuildId {
        &self.builds[usize::from(build)].0
    }

    pub(crate) fn image(&self, build: u8) -> Image<'_> {
        (&self.builds[usize::from(build)].1).into()
    }

    /// The batch of a host, as the hub gets it.
    pub(crate) fn batch(&self, sent: &Sent) -> Batch {
        let mut profile = self.profile.clone();
        for binary in &mut profile.binaries {
            if binary.path == self.path {
                binary.path = "/srv/zip".into();
                binary.build_id = Some(self.id(sent.build).clone());
            }
        }
        let origin = Origin {
            host: sent.host.clone(),
            run: 1,
            number: sent.age_s,
        };
        let mut host = Sender {
            sent,
            build: self.id(sent.build).to_string(),
        };
        let mut adding = Adding::new(origin, StackLimit::default());
        let (range, step) = sent.samples.clone();
        for index in range.step_by(step) {
            let mut sample = profile.samples[index].clone();
            sample.times = sent.times;
            sample.weight *= sent.times;
            let branches = if sent.is_plain {
                &[][..]
            } else {
                profile.branches_of(&sample)
            };
            adding.add(&profile, &sample, branches, &mut host);
        }
        let bytes = wire::write(&adding.finish().batch);
        wire::read(&bytes, &Limits::default()).expect("a batch")
    }

    pub(crate) fn samples(&self) -> usize {
        self.profile.samples.len()
    }

    /// So many hosts, among whom the samples are dealt out.
    pub(crate) fn fleet(&self, hosts: usize) -> Vec<Sent> {
        let host = |number: usize| Sent {
            samples: (number..self.samples(), hosts),
            ..self.sent(&format!("host-{number}"))
        };
        (0..hosts).map(host).collect()
    }

    /// A host with all samples.
    pub(crate) fn sent(&self, host: &str) -> Sent {
        Sent {
            host: host.to_owned(),
            build: 0,
            service: SERVICE,
            region: "north",
            age_s: 60,
            samples: (0..self.samples(), 1),
            times: 1,
            is_plain: false,
        }
    }

    pub(crate) fn batches(&self, sent: &[Sent]) -> Vec<Batch> {
        sent.iter().map(|sent| self.batch(sent)).collect()
    }

    /// Asks for a profile; all builds are at hand.
    pub(crate) fn ask(&self, question: &Question<'_>) -> Result<Made, PgoError> {
        make(question, &|id| {
            let mut builds = self.builds.iter();
            builds
                .find(|(build, _)| build == id)
                .map(|(_, bytes)| bytes.into())
        })
    }

    /// Asks for a text profile, with usual settings but the number of samples.
    pub(crate) fn text(&self, batches: &[Batch]) -> Made {
        let settings = settings();
        self.ask(&question(batches, &settings)).expect("an answer")
    }

    pub(crate) fn target(&self, build: u8) -> Target<'_> {
        Target {
            build: self.id(build),
            name: "zip",
        }
    }
}

/// Usual settings for a recording of so few samples.
pub(crate) fn settings() -> Settings {
    let mut settings = Settings::default();
    settings.gates.samples_min = 1_000;
    settings
}

pub(crate) fn question<'q>(batches: &'q [Batch], settings: &'q Settings) -> Question<'q> {
    Question {
        service: SERVICE,
        batches,
        sums: &[],
        now_s: NOW_S,
        target: None,
        form: Form::AutofdoText,
        settings,
        former: None,
    }
}

pub(crate) fn samples_of(made: &Made) -> hone_fdo::SampleProfile {
    hone_fdo::read_sample_profile(&made.profile)
        .expect("a profile")
        .samples
}

/// Overlap of the blocks of two profiles.
pub(crate) fn overlap(first: &Made, second: &Made) -> f64 {
    hone_fdo::overlap::overlap(&samples_of(first), &samples_of(second)).blocks
}

struct Sender<'s> {
    sent: &'s Sent,
    build: String,
}

impl Host for Sender<'_> {
    fn group(&mut self, thread: &Thread) -> Group {
        let label = Label {
            key: "region".into(),
            value: self.sent.region.into(),
        };
        Group {
            service: self.sent.service.into(),
            build: self.build.clone(),
            thread: thread.name.clone(),
            labels: [label].into_iter().collect(),
            ..Group::default()
        }
    }

    fn unix_s(&mut self, _: u64) -> u64 {
        NOW_S - self.sent.age_s
    }

    fn name(&mut self, _: &Profile, _: LocationId, _: bool) -> Option<String> {
        None
    }
}
