//! Versions of the program: variants that were built, with the profiles that their levers use.

use anyhow::Result;
use hone_build::{BuildAction, Lever, Purpose, Step, Variant};

use crate::build::{Order, bolt, build, with_settings};
use crate::profile;
use crate::run::Run;
use crate::workspace::state::{Built, Profiles};

/// A variant, its build, and the profiles that the build uses.
#[derive(Clone, Debug)]
pub(crate) struct Version {
    pub(crate) variant: Variant,
    pub(crate) built: Built,
    pub(crate) profiles: Profiles,
}

/// Builds levers on top of a version, each with a profile on top of the levers before it.
pub(crate) fn build_on(
    run: &mut Run,
    below: &Version,
    levers: &[&'static Lever],
) -> Result<Version> {
    let (settings, levers) = settings_apart(levers);
    let mut draft = Draft {
        variant: below.variant.clone(),
        profiles: below.profiles.clone(),
    };
    let version = match levers.split_last() {
        None if settings.is_empty() => draft.build(run)?,
        None => below.clone(),
        Some((top, lower)) => {
            for lever in lower {
                draft.add(run, lever)?;
            }
            draft.build_with(run, top)?
        }
    };
    version.started_with(run, &settings)
}

/// Builds a variant from its first lever to its last. Profiles that are not among the known ones are made on the way up, of
/// builds with all dependencies of the variant.
pub(crate) fn build_anew(run: &mut Run, variant: &Variant, known: &Profiles) -> Result<Version> {
    let (settings, levers) = settings_apart(&variant.levers);
    let built = Variant {
        levers,
        ..variant.clone()
    };
    let version = build_without_settings(run, &built, known)?;
    version.started_with(run, &settings)
}

fn build_without_settings(run: &mut Run, variant: &Variant, known: &Profiles) -> Result<Version> {
    let levers = variant.levers.iter().copied();
    let dependencies = levers.filter(|lever| lever.step == Step::Dependency);
    let mut draft = Draft {
        variant: dependencies.fold(run.baseline(), |base, lever| base.with(lever)),
        profiles: known.clone(),
    };
    for &lever in &variant.levers {
        match lever.step {
            Step::Dependency => {}
            Step::PostLink => {
                // The profile of a post-link lever fits this build alone.
                draft.variant = variant.without(lever.id);
                return draft.build_with(run, lever);
            }
            _ if draft.profiles.contains_key(lever.id) => {
                draft.variant = draft.variant.with(lever);
            }
            _ => draft.add(run, lever)?,
        }
    }
    draft.variant = variant.clone();
    draft.build(run)
}

/// Separates the levers that change the settings which the program is started with from those that change its build.
fn settings_apart(levers: &[&'static Lever]) -> (Vec<&'static Lever>, Vec<&'static Lever>) {
    let levers = levers.iter().copied();
    levers.partition(|lever| lever.is_setting())
}

impl Version {
    /// Returns the version with further settings that its program is started with.
    fn started_with(self, run: &mut Run, settings: &[&'static Lever]) -> Result<Self> {
        if settings.is_empty() {
            return Ok(self);
        }
        let levers = settings.iter().copied();
        let variant = levers.fold(self.variant, |variant, lever| variant.with(lever));
        let order = Order::new(run, &variant, Purpose::Use, &self.profiles);
        Ok(Self {
            built: with_settings(run, &self.built, order)?,
            variant,
            profiles: self.profiles,
        })
    }
}

/// A version that is not built yet.
struct Draft {
    variant: Variant,
    profiles: Profiles,
}

impl Draft {
    /// Adds a lever on top, with its profile.
    fn add(&mut self, run: &mut Run, lever: &'static Lever) -> Result<()> {
        let made = profile::make(run, &self.variant, &self.profiles, lever)?;
        self.profiles.extend(made.map(|made| (lever.id, made)));
        self.variant = self.variant.with(lever);
        Ok(())
    }

    /// Adds the topmost lever, and carries out the actions that build with it.
    fn build_with(mut self, run: &mut Run, top: &'static Lever) -> Result<Version> {
        let below = self.variant.clone();
        self.add(run, top)?;
        for action in top.build_actions() {
            match action {
                BuildAction::MakeProfilesAnew => {
                    // Earlier profiles hold nothing about the library's code.
                    return build_anew(run, &self.variant, &Profiles::new());
                }
                BuildAction::Rewrite => return self.rewrite(run, &below, top),
                BuildAction::Build(_) | BuildAction::Start => {}
            }
        }
        self.build(run)
    }

    fn build(self, run: &mut Run) -> Result<Version> {
        let order = Order::new(run, &self.variant, Purpose::Use, &self.profiles);
        let built = build(run, &order)?;
        Ok(self.built(built))
    }

    /// Rewrites the relinked build, which was made for the profile.
    fn rewrite(self, run: &mut Run, below: &Variant, top: &'static Lever) -> Result<Version> {
        let order = Order::to_rewrite(run, below, top, &self.profiles);
        let relinked = build(run, &order)?;
        let built = bolt::rewrite(run, &self.variant, &self.profiles, &relinked)?;
        Ok(self.built(built))
    }

    fn built(self, built: Built) -> Version {
        Version {
            variant: self.variant,
            built,
            profiles: self.profiles,
        }
    }
}
