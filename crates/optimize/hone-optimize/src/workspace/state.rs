//! The finished work of a run, as it is kept in `.hone/state.json`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use hone_build::{BuildKey, VariantFlags};
use hone_report::model::{IndirectCalls, RecordingFacts};
use hone_report::note::Note;
use hone_run::process::captured::Captured;
use serde::{Deserialize, Serialize};

use crate::workspace::fingerprint::Fingerprint;

/// A finished build.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Built {
    /// Which build it is; the text of the key is the name of the tree under `variants/`.
    pub(crate) key: BuildKey,
    /// Flags of the build.
    pub(crate) flags: VariantFlags,
    /// Commands run on the linked binary.
    pub(crate) post_link: Vec<String>,
    /// Duration of the build in seconds.
    pub(crate) build_s: f64,
    /// Size of the binary in bytes.
    pub(crate) file_bytes: u64,
    /// Number of bytes of the binary that are loaded to run; unknown for builds of earlier versions.
    #[serde(default)]
    pub(crate) loaded_bytes: Option<u64>,
    /// Size of the binary's executable sections in bytes.
    pub(crate) text_bytes: u64,
    /// The build that llvm-bolt rewrote to make this one.
    #[serde(default)]
    pub(crate) bolted_from: Option<BuildKey>,
}

impl Built {
    /// Name of the tree, of logs and of recordings.
    pub(crate) fn name(&self) -> String {
        self.key.to_string()
    }
}

/// Finished work of a run. Experiments are not part of it: each has a file of its own.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct State {
    /// Fingerprint of hone.toml, the source, the options and the tools.
    pub(crate) fingerprint: Fingerprint,
    /// True if the report has been written.
    pub(crate) finished: bool,
    /// Finished builds by name.
    pub(crate) built: BTreeMap<String, Built>,
    /// Builds that took all their objects from earlier builds, by name, with the build that most objects come from.
    #[serde(default)]
    pub(crate) linked_again: BTreeMap<String, String>,
    /// Builds that failed, by name, with the reason.
    pub(crate) failed: BTreeMap<String, String>,
    /// Finished recordings by name of the recorded build.
    pub(crate) recordings: BTreeMap<String, Recorded>,
    /// Finished profiles by name.
    pub(crate) profiles: BTreeMap<String, Profile>,
    /// Quality of recordings, by name of the recorded build or path of the recording that the user brings.
    #[serde(default)]
    pub(crate) judged: BTreeMap<String, Judged>,
    /// Questions on the training and the measured workloads that were answered, by name of the question.
    #[serde(default)]
    pub(crate) answered: BTreeMap<String, ()>,
    /// Indirect calls by name of the recorded build.
    pub(crate) indirect_calls: BTreeMap<String, IndirectCalls>,
    /// CC and CXX of all builds, where the user sets neither and the build does not find its compilers in PATH.
    #[serde(default)]
    pub(crate) named_compilers: Option<[String; 2]>,
    /// Blocks per workload of every experiment, fixed after the pilot run.
    pub(crate) blocks: Option<usize>,
    /// True if the runs of a pair share one CPU at the same time; decided after the pilot run.
    #[serde(default)]
    pub(crate) duet: bool,
    /// Notes for the report.
    #[serde(default)]
    pub(crate) notes: Vec<Note>,
    /// Output of each measure workload under the baseline.
    pub(crate) outputs: BTreeMap<String, Output>,
    /// Wall seconds of each measure workload under the baseline, start of a server and warm-up included.
    #[serde(default)]
    pub(crate) workload_s: BTreeMap<String, f64>,
    /// Wall seconds of the check under the baseline.
    #[serde(default)]
    pub(crate) check_s: Option<f64>,
}

/// Finished recordings of a build.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Recorded {
    /// The recorded build.
    pub(crate) key: BuildKey,
    /// Facts of each recording.
    pub(crate) facts: Vec<RecordingFacts>,
}

/// Quality of a build's recordings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Judged {
    /// Sentence for the report: verdict, figures, time, and the reason of the end.
    pub(crate) sentence: String,
    /// True if the profile is good.
    pub(crate) is_good: bool,
}

/// A finished profile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Profile {
    /// File or directory, relative to `.hone/`.
    pub(crate) file: PathBuf,
    /// The recorded build, or the path of the recording that the user brings, if the quality of the recording is that of the
    /// profile.
    pub(crate) recorded: Option<String>,
}

/// The profiles that a build uses, by lever id.
pub(crate) type Profiles = BTreeMap<&'static str, Profile>;

/// Output of one run of a workload.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Output {
    /// SHA-256 of all of it, in hexadecimal.
    pub(crate) sha256: String,
    /// The results that hone.toml's expression captures.
    pub(crate) captured: Option<Captured>,
}
