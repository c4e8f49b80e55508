//! What the hub and a maker of profiles say to each other, in frames: first the question, with the former profile and what was
//! recorded; then files as the maker needs them; then the profile.

use hone_hub::pgo::Recorded;
use hone_pgo::{Decision, Form, Former, Question, Settings, Target};
use hone_profile::BuildId;
use serde::{Deserialize, Serialize};

/// Bytes of the longest profile.
pub(super) const PROFILE_BYTES_MAX: usize = 256 << 20;
/// Bytes of the longest manifest.
pub(super) const MANIFEST_BYTES_MAX: usize = 16 << 20;
/// Bytes of the longest packed batch, and of the longest file of a build.
pub(super) const INPUT_BYTES_MAX: usize = u32::MAX as usize;

/// The question. Manifest and profile of the former profile follow if there is one, then so many
/// batches, and so many with the sums of hosts.
#[derive(Serialize, Deserialize)]
pub(super) struct Ask {
    pub(super) service: String,
    pub(super) form: Form,
    pub(super) now_s: u64,
    pub(super) target: Option<Named>,
    pub(super) settings: Settings,
    pub(super) has_former: bool,
    pub(super) batches: usize,
    pub(super) sums: usize,
}

impl Ask {
    /// Returns the build that the profile shall be for, if one is named.
    pub(super) fn build(&self) -> Option<BuildId> {
        BuildId::from_hex(&self.target.as_ref()?.build)
    }

    /// Returns the question to hone-pgo; `build` is that of [`Ask::build`].
    pub(super) fn question<'q>(
        &'q self,
        build: Option<&'q BuildId>,
        recorded: &'q Recorded,
        former: Option<&'q Former>,
    ) -> Question<'q> {
        let target = self.target.as_ref().zip(build);
        Question {
            service: &self.service,
            batches: &recorded.batches,
            sums: &recorded.sums,
            now_s: self.now_s,
            target: target.map(|(Named { name, .. }, build)| Target { build, name }),
            form: self.form,
            settings: &self.settings,
            former,
        }
    }
}

/// A build with the name of its file.
#[derive(Serialize, Deserialize)]
pub(super) struct Named {
    pub(super) build: String,
    pub(super) name: String,
}

/// What a maker says.
#[derive(Serialize, Deserialize)]
pub(super) enum Said {
    /// It needs the files of a build: [`Has`] and the files are the answer.
    Needs(String),
    /// It has made a profile. Manifest and profile follow.
    Made(Decision),
    /// There is no profile, and why.
    Failed(String),
}

/// What there is of a build; so many files follow, the one with the code first.
#[derive(Serialize, Deserialize)]
pub(super) struct Has {
    pub(super) files: usize,
}
