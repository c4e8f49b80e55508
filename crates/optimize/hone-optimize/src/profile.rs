//! Makes the profiles of levers, by the actions that each lever names.

mod conversion;
mod counts;
mod other_code;
mod own_libraries;
mod recorded_code;
pub(crate) mod recording;
pub(crate) mod sufficiency;
mod training;
mod training_overlap;

use std::path::PathBuf;

use anyhow::{Context, Result};
use hone_build::{BuildKey, Converted, Lever, ProfileAction, Purpose, Toolchain, Variant};
use hone_convert::Program;

use conversion::Conversion;

use crate::build::{Order, build};
use crate::run::Run;
use crate::workspace::state::{Built, Profile, Profiles};

/// Error for a lever that has nothing to do: a build with it would be the same.
#[derive(Debug, thiserror::Error)]
#[error("{reason}")]
pub(crate) struct Idle {
    pub(crate) reason: &'static str,
}

/// Makes the profile of a lever on top of a variant and its profiles; `None` if the lever uses none. A profile that was made
/// before is used again.
pub(crate) fn make(
    run: &mut Run,
    base: &Variant,
    below: &Profiles,
    lever: &'static Lever,
) -> Result<Option<Profile>> {
    let actions = lever.profile_actions(run.options);
    if actions.is_empty() {
        return Ok(None);
    }
    let name = format!("{}.{}", BuildKey::new(base, Purpose::Use), lever.id);
    let made = run.once(
        |state| &mut state.profiles,
        &name,
        |run| {
            let mut making = Making {
                run,
                base,
                below,
                lever,
                name: &name,
                built: None,
                recording: None,
                parts: Vec::new(),
                file: None,
            };
            for action in actions {
                making.carry_out(action)?;
            }
            Ok(Profile {
                file: making
                    .file
                    .context("the lever names no action that makes its profile")?,
                recorded: making.recording.and_then(|recording| recording.judged),
            })
        },
    );
    made.map(Some)
}

/// A profile while it is made.
struct Making<'m> {
    run: &'m mut Run,
    /// The variant below the lever, and its profiles.
    base: &'m Variant,
    below: &'m Profiles,
    lever: &'static Lever,
    /// Name of the profile's files.
    name: &'m str,
    /// The build that the next action is about; the variant below if `None`.
    built: Option<Built>,
    recording: Option<Recording>,
    /// Profiles of other levers that are parts of this one.
    parts: Vec<PathBuf>,
    file: Option<PathBuf>,
}

/// Recordings that a profile is made of.
struct Recording {
    files: Vec<PathBuf>,
    of: Of,
    /// Name of the judgement of its quality, if that is the quality of the profile.
    judged: Option<String>,
}

/// The program that was recorded.
enum Of {
    Build(Box<Built>),
    /// The binary of the recording that the user brings.
    Brought(PathBuf),
}

impl Making<'_> {
    fn carry_out(&mut self, action: ProfileAction) -> Result<()> {
        match action {
            ProfileAction::BuildBelow(purpose) => self.build(purpose),
            ProfileAction::Record => self.record(),
            ProfileAction::TakeRecording => self.take_recording(),
            ProfileAction::Convert(to) => self.convert(to),
            ProfileAction::InstrumentByBolt => self.instrument_by_bolt(),
            ProfileAction::Train => self.train(),
            ProfileAction::Merge => self.merge(),
            ProfileAction::MakeProfileOf(lever) => self.make_part(lever),
            ProfileAction::Supplement => self.supplement(),
        }
    }

    fn build(&mut self, purpose: Purpose) -> Result<()> {
        let order = match purpose {
            Purpose::Relink => Order::to_rewrite(self.run, self.base, self.lever, self.below),
            _ => {
                let mut inputs = self.run.inputs(self.below);
                inputs.raw_profiles = Some(self.raw());
                Order {
                    key: BuildKey::new(self.base, purpose),
                    flags: self.base.flags(purpose, &inputs),
                }
            }
        };
        if purpose == Purpose::KeepIr && !order.ir(self.run).is_some_and(|ir| ir.is_dir()) {
            // The IR is not kept from run to run, and the build may be.
            let known = &mut self.run.workspace.state.built;
            known.remove(&order.key.to_string());
        }
        self.built = Some(build(self.run, &order)?);
        Ok(())
    }

    fn record(&mut self) -> Result<()> {
        let built = match self.built.take() {
            Some(built) => built,
            None => recording::recordable(self.run, self.base, self.below)?,
        };
        let files = sufficiency::record(self.run, &built)?;
        recorded_code::tell(self.run, self.base, &built);
        tell_of_workloads(self.run, &built)?;
        self.recording = Some(Recording {
            files,
            judged: Some(built.name()),
            of: Of::Build(Box::new(built)),
        });
        Ok(())
    }

    fn take_recording(&mut self) -> Result<()> {
        let brought = self.run.brought_profile.clone();
        let brought = brought.context("no recording was given")?;
        sufficiency::judge_brought(self.run, &brought)?;
        self.recording = Some(Recording {
            judged: Some(brought.recording.display().to_string()),
            files: vec![brought.recording],
            of: Of::Brought(brought.binary),
        });
        Ok(())
    }

    fn convert(&mut self, to: Converted) -> Result<()> {
        let recording = self.recording.as_mut().context("nothing was recorded")?;
        if to == Converted::ByPlainSamples && matches!(recording.of, Of::Build(_)) {
            // Quality is judged by the branches that are left out here.
            recording.judged = None;
        }
        let program = match &recording.of {
            Of::Brought(binary) => Program::alone(binary),
            // Orders and llvm-bolt's profile are for the program alone.
            Of::Build(built) if to.is_of_one_file() || self.base.toolchain() == Toolchain::Go => {
                Program::alone(&self.run.binary(built))
            }
            Of::Build(built) => own_libraries::program(self.run, built, &recording.files)?,
        };
        let conversion = Conversion {
            recordings: &recording.files,
            program: &program,
            toolchain: self.base.toolchain(),
            ir: self
                .built
                .as_ref()
                .map(|built| self.run.workspace.ir(&built.name())),
            name: self.name,
        };
        self.file = Some(conversion.write(self.run, to)?);
        Ok(())
    }

    fn make_part(&mut self, lever: &'static Lever) -> Result<()> {
        let part = make(self.run, self.base, self.below, lever)?;
        let part = part.context("a lever without a profile as a part of a profile")?;
        self.parts.push(self.run.workspace.path(part.file));
        Ok(())
    }

    /// Directory for what an instrumented program writes.
    fn raw(&self) -> PathBuf {
        let directory = format!("profiles/{}.raw", self.name);
        self.run.workspace.path(directory)
    }

    fn at_hand(&self) -> Result<&Built> {
        self.built.as_ref().context("nothing was built")
    }
}

/// Tells, once per run, how alike training and measuring are, and where the time is spent.
pub(crate) fn tell_of_workloads(run: &mut Run, built: &Built) -> Result<()> {
    training_overlap::tell(run, built)?;
    other_code::tell(run, built)
}
