//! Questions about the fleet of `testkit::fleet`, by usual settings.

use hone_batch::Batch;
use hone_pgo::{Form, Made, PgoError, Question, Settings, Target, make};
pub(crate) use testkit::fleet::{DAY_S, NOW_S, Recording, SERVICE, Sent};

/// What is asked of a recording.
pub(crate) trait Asked {
    /// Asks for a profile; all builds are at hand.
    fn ask(&self, question: &Question<'_>) -> Result<Made, PgoError>;

    /// Asks for a text profile, with usual settings but the number of samples.
    fn text(&self, batches: &[Batch]) -> Made;

    fn target(&self, build: u8) -> Target<'_>;
}

impl Asked for Recording {
    fn ask(&self, question: &Question<'_>) -> Result<Made, PgoError> {
        make(question, &|id| self.image_of(id))
    }

    fn text(&self, batches: &[Batch]) -> Made {
        let settings = settings();
        self.ask(&question(batches, &settings)).expect("an answer")
    }

    fn target(&self, build: u8) -> Target<'_> {
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
