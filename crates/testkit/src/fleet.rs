//! A fleet: hosts that each have a part of one recording with hardware branch records, `testdata/lbr`. Its program has no build id; a note
//! of the file becomes one here, so that there can be any number of builds with the same code.

use std::collections::BTreeMap;
use std::ops::Range;

use hone_batch::{Adding, Batch, Group, Host, Limits, Origin, StackLimit, wire};
use hone_profile::{BuildId, Label, LocationId, Profile, Thread};
use hone_symbols::Image;

use crate::programs::fixture;

/// Time of the questions, in seconds since 1970.
pub const NOW_S: u64 = 1_780_000_000;
/// A day.
pub const DAY_S: u64 = 86_400;
/// The service that all hosts run.
pub const SERVICE: &str = "zip";

/// Name and description of the note of the program that becomes its build id.
const NOTE: [u8; 16] = [4, 0, 0, 0, 16, 0, 0, 0, 1, 0, 0, 0, b'G', b'N', b'U', 0];

/// The recording and its program.
#[derive(Debug)]
pub struct Recording {
    /// What was recorded.
    pub profile: Profile,
    binary: Vec<u8>,
    /// Path of the program in the recording.
    pub path: String,
    builds: Vec<(BuildId, Vec<u8>)>,
}

/// What a host sends: some samples of the recording.
#[derive(Clone, Debug)]
pub struct Sent {
    /// Its name.
    pub host: String,
    /// Which of the builds it runs.
    pub build: u8,
    /// The service that it runs.
    pub service: &'static str,
    /// Its label `region`.
    pub region: &'static str,
    /// Time since the recording.
    pub age_s: u64,
    /// Every so many samples, from one of them on.
    pub samples: (Range<usize>, usize),
    /// Number of times that each sample counts.
    pub times: u64,
    /// True if the samples have no branch records.
    pub is_plain: bool,
}

impl Default for Recording {
    fn default() -> Self {
        Self::new()
    }
}

impl Recording {
    /// Reads it, and makes three builds of its program.
    pub fn new() -> Self {
        let bytes = std::fs::read(fixture("test.lbr")).expect("the recording");
        let binary = std::fs::read(fixture("test.binary")).expect("the program");
        let profile = hone_profile::perf_data::read(&bytes).expect("a recording");
        let path = path_with_most_samples(&profile);
        let mut recording = Self {
            profile,
            binary,
            path,
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

    /// The id of a build.
    pub fn id(&self, build: u8) -> &BuildId {
        &self.builds[usize::from(build)].0
    }

    /// The file of a build.
    pub fn image(&self, build: u8) -> Image<'_> {
        (&self.builds[usize::from(build)].1).into()
    }

    /// The file of the build with this id.
    pub fn image_of(&self, id: &BuildId) -> Option<Image<'_>> {
        let mut builds = self.builds.iter();
        let found = builds.find(|(build, _)| build == id);
        found.map(|(_, bytes)| bytes.into())
    }

    /// The batch of a host, as the hub gets it.
    pub fn batch(&self, sent: &Sent) -> Batch {
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

    /// Number of its samples.
    pub fn samples(&self) -> usize {
        self.profile.samples.len()
    }

    /// So many hosts, among whom the samples are dealt out.
    pub fn fleet(&self, hosts: usize) -> Vec<Sent> {
        let host = |number: usize| Sent {
            samples: (number..self.samples(), hosts),
            ..self.sent(&format!("host-{number}"))
        };
        (0..hosts).map(host).collect()
    }

    /// A host with all samples.
    pub fn sent(&self, host: &str) -> Sent {
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

    /// The batches of hosts.
    pub fn batches(&self, sent: &[Sent]) -> Vec<Batch> {
        sent.iter().map(|sent| self.batch(sent)).collect()
    }
}

/// Returns the path of the file with the most samples.
fn path_with_most_samples(profile: &Profile) -> String {
    let mut samples = BTreeMap::new();
    for sample in &profile.samples {
        let path = &profile.binary(profile.location(sample.ip).binary).path;
        *samples.entry(path).or_insert(0) += sample.times;
    }
    let most = samples.into_iter().max_by_key(|(_, times)| *times);
    most.expect("samples").0.clone()
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
