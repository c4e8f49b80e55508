//! The actions that make a lever's profile and the build with it, as data: `--dry-run` prints the lists that a run carries out.

use crate::lever::{Lever, ProfileSource, Reach, by_id};
use crate::plan::PlanOptions;
use crate::variant::Purpose;

/// The levers whose profiles make the profile of [`ProfileSource::SupplementedInstrumentation`]: counts, and samples.
const SUPPLEMENTED: [&str; 2] = ["pgo", "autofdo"];

/// An action on the way to a rung.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Counts the virtual calls of the rung below that a lever can reach.
    CountVirtualCalls,
    /// Makes a profile.
    Profile(ProfileAction),
    /// Builds the program.
    Build(BuildAction),
    /// Runs the user's check.
    Check,
    /// Measures against the rung below.
    Measure,
}

/// An action that makes a profile. "The build" is the build that an action before made, and else the rung below.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProfileAction {
    /// Builds the rung below for a purpose of its own.
    BuildBelow(Purpose),
    /// Records the build on the train workloads.
    Record,
    /// Takes the recording that the user brings.
    TakeRecording,
    /// Lets llvm-bolt put counters into the build.
    InstrumentByBolt,
    /// Runs the train workloads on the build.
    Train,
    /// Converts recordings.
    Convert(Converted),
    /// Merges the counts of all processes of the training.
    Merge,
    /// Makes the profile of another lever, as a part of this one.
    MakeProfileOf(&'static Lever),
    /// Corrects counts by samples.
    Supplement,
}

/// An action that builds the program with a lever on top.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BuildAction {
    /// Makes the profiles of the levers below once more, with a library in them.
    MakeProfilesAnew,
    /// Runs the user's build.
    Build(With),
    /// Rewrites the relinked build by llvm-bolt.
    Rewrite,
    /// Takes the program of the rung below, to be started with other settings.
    Start,
}

/// Result of converting recordings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Converted {
    /// A sample profile by lines, in the form of the variant's compiler.
    ByLines,
    /// The same without branches, as from plain samples.
    ByPlainSamples,
    /// A sample profile by pseudo-probes.
    ByProbes,
    /// Counters of instrumented PGO.
    Counters,
    /// Headers with the sizes of copies.
    Headers,
    /// The order of functions for the linker.
    FunctionOrder,
    /// The order of blocks and functions for compiler and linker.
    BlockOrder,
    /// A profile for llvm-bolt.
    ForBolt,
}

impl Converted {
    /// Returns true for a result that is of the program alone, without the libraries that its build makes beside it.
    pub fn is_of_one_file(self) -> bool {
        matches!(self, Self::FunctionOrder | Self::BlockOrder | Self::ForBolt)
    }
}

/// New input of a build.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum With {
    /// Nothing but flags.
    Flags,
    /// A profile or headers.
    Profile,
    /// An order of functions.
    FunctionOrder,
    /// An order of blocks and functions.
    BlockOrder,
    /// A library that is built without levers.
    Library,
    /// A library that is built with the levers below.
    LibraryWithLevers,
}

impl Lever {
    /// Returns the actions that make the lever's profile on top of the rung below; none if the lever has no profile.
    pub fn profile_actions(&self, options: PlanOptions) -> Vec<ProfileAction> {
        use ProfileAction::{
            BuildBelow, Convert, InstrumentByBolt, MakeProfileOf, Merge, Record, Supplement,
            TakeRecording, Train,
        };
        let recorded = |own: &[ProfileAction]| match options.brings_profile {
            true => vec![TakeRecording],
            false => [own, &[Record]].concat(),
        };
        let converted = |mut actions: Vec<ProfileAction>, to| {
            actions.push(Convert(to));
            actions
        };
        let probed = || recorded(&[BuildBelow(Purpose::Probe)]);
        match self.profile {
            ProfileSource::None => Vec::new(),
            ProfileSource::BranchRecords => converted(recorded(&[]), Converted::ByLines),
            ProfileSource::IpSamples => converted(recorded(&[]), Converted::ByPlainSamples),
            ProfileSource::CallSizes => converted(recorded(&[]), Converted::Headers),
            ProfileSource::ProbedBranchRecords => converted(probed(), Converted::ByProbes),
            ProfileSource::ProbedCounters => {
                let mut actions = probed();
                actions.push(BuildBelow(Purpose::KeepIr));
                converted(actions, Converted::Counters)
            }
            // The names and blocks to be ordered are those of the build that is made here.
            ProfileSource::FunctionOrder => vec![Record, Convert(Converted::FunctionOrder)],
            ProfileSource::BlockLayout => {
                let map = BuildBelow(Purpose::MapBlocks);
                vec![map, Record, Convert(Converted::BlockOrder)]
            }
            ProfileSource::CompilerInstrumentation => {
                vec![BuildBelow(Purpose::Instrument), Train, Merge]
            }
            ProfileSource::ContextInstrumentation => {
                vec![BuildBelow(Purpose::InstrumentContext), Train, Merge]
            }
            ProfileSource::SupplementedInstrumentation => {
                let parts = SUPPLEMENTED.into_iter().filter_map(by_id);
                parts.map(MakeProfileOf).chain([Supplement]).collect()
            }
            ProfileSource::BoltBranchRecords => {
                let relinked = BuildBelow(Purpose::Relink);
                vec![relinked, Record, Convert(Converted::ForBolt)]
            }
            ProfileSource::BoltInstrumentation => {
                vec![BuildBelow(Purpose::Relink), InstrumentByBolt, Train, Merge]
            }
        }
    }

    /// Returns the actions that build the program with the lever on top, once its profile is made.
    pub fn build_actions(&self) -> Vec<BuildAction> {
        use BuildAction::{Build, MakeProfilesAnew, Rewrite, Start};
        match (self.profile, self.rebuilds) {
            (ProfileSource::BoltBranchRecords | ProfileSource::BoltInstrumentation, _) => {
                vec![Rewrite]
            }
            (ProfileSource::None, Some(rebuild)) if rebuild.with_levers => {
                vec![MakeProfilesAnew, Build(With::LibraryWithLevers)]
            }
            (ProfileSource::None, Some(_)) => vec![Build(With::Library)],
            (ProfileSource::None, None) if self.step.is_of_settings() => vec![Start],
            (ProfileSource::None, None) => vec![Build(With::Flags)],
            (ProfileSource::FunctionOrder, _) => vec![Build(With::FunctionOrder)],
            (ProfileSource::BlockLayout, _) => vec![Build(With::BlockOrder)],
            _ => vec![Build(With::Profile)],
        }
    }

    /// Returns true if the lever changes nothing but the settings that the program is started with.
    pub fn is_setting(&self) -> bool {
        self.build_actions() == [BuildAction::Start]
    }

    /// Returns every action of a rung whose top is this lever, but those of the levers between it and the rung below.
    pub fn actions(&self, options: PlanOptions) -> Vec<Action> {
        let counts = self.reach == Reach::SingleImplementations;
        let mut actions = Vec::from_iter(counts.then_some(Action::CountVirtualCalls));
        let profile = self.profile_actions(options).into_iter();
        actions.extend(profile.map(Action::Profile));
        actions.extend(self.build_actions().into_iter().map(Action::Build));
        // The same program was checked before.
        actions.extend((!self.is_setting()).then_some(Action::Check));
        actions.push(Action::Measure);
        actions
    }
}

/// Describes actions for people; `below` names the rung below.
pub fn describe(actions: &[Action], below: &str, options: PlanOptions) -> Vec<String> {
    let mut words = Vec::new();
    let mut build = below.to_owned();
    for action in actions {
        match action {
            Action::CountVirtualCalls => {
                words.push("count the virtual calls that it can reach".into());
            }
            Action::Profile(ProfileAction::MakeProfileOf(lever)) => {
                let actions = lever.profile_actions(options).into_iter();
                let actions: Vec<_> = actions.map(Action::Profile).collect();
                words.extend(describe(&actions, below, options));
            }
            Action::Profile(action) => {
                words.push(action.in_words(below, &build));
                if matches!(action, ProfileAction::BuildBelow(_)) {
                    build = "it".into();
                }
            }
            Action::Build(action) => words.push(action.in_words().into()),
            Action::Check => words.push("check".into()),
            Action::Measure => words.push("measure against the rung below".into()),
        }
    }
    words
}

impl ProfileAction {
    fn in_words(self, below: &str, build: &str) -> String {
        match self {
            Self::BuildBelow(purpose) => match purpose {
                Purpose::Baseline | Purpose::Use | Purpose::Record => format!("build {below}"),
                Purpose::Probe => format!("build {below} with probes"),
                Purpose::MapBlocks => format!("build {below} with a map of its blocks"),
                Purpose::KeepIr => format!("compile {below} for a map of its counters"),
                Purpose::Instrument => format!("build {below} instrumented"),
                Purpose::InstrumentContext => {
                    format!("build {below} instrumented behind the inliner")
                }
                Purpose::Relink => format!("link {below} with relocations"),
            },
            Self::Record => format!("record {build} on the train workloads"),
            Self::TakeRecording => "take the given recording".into(),
            Self::InstrumentByBolt => "instrument it with llvm-bolt".into(),
            Self::Train => "run the train workloads".into(),
            Self::Convert(Converted::Headers) => "convert to headers".into(),
            Self::Convert(Converted::FunctionOrder) => "order its functions".into(),
            Self::Convert(Converted::BlockOrder) => "order its blocks and functions".into(),
            Self::Convert(_) => "convert".into(),
            Self::Merge => "merge".into(),
            Self::MakeProfileOf(lever) => format!("make the profile of {}", lever.title),
            Self::Supplement => "correct the counts by the samples".into(),
        }
    }
}

impl BuildAction {
    fn in_words(self) -> &'static str {
        match self {
            Self::MakeProfilesAnew => "make the profiles below anew with the library in them",
            Self::Build(With::Flags) => "build",
            Self::Build(With::Profile) => "build with the profile",
            Self::Build(With::FunctionOrder) => "link in that order",
            Self::Build(With::BlockOrder) => "build in that order",
            Self::Build(With::Library) => "build the library without levers, build the program",
            Self::Build(With::LibraryWithLevers) => "build the library and the program",
            Self::Rewrite => "rewrite with llvm-bolt",
            Self::Start => "start the program with the setting",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lever::ALL;

    fn described(id: &str, options: PlanOptions) -> String {
        let actions = by_id(id).unwrap().actions(options);
        describe(&actions, "the rung below", options).join(", ")
    }

    #[test]
    fn every_lever_ends_with_one_build_its_check_and_a_measurement() {
        for lever in ALL {
            let actions = lever.actions(PlanOptions::default());
            let builds = actions.iter();
            let anew = Action::Build(BuildAction::MakeProfilesAnew);
            let builds =
                builds.filter(|action| matches!(action, Action::Build(_)) && **action != anew);
            assert_eq!(builds.count(), 1, "{}", lever.id);
            let checked = [Action::Check, Action::Measure];
            assert_eq!(actions.ends_with(&checked), !lever.is_setting());
            assert!(actions.ends_with(&checked[1..]));
        }
    }

    #[test]
    fn a_brought_recording_takes_the_place_of_recording_but_not_of_orders_and_counts() {
        let own = PlanOptions::default();
        let brought = PlanOptions {
            brings_profile: true,
            ..own
        };
        for lever in ALL {
            let records = |options| {
                let actions = lever.profile_actions(options);
                actions.contains(&ProfileAction::Record)
            };
            let is_sample_profile = matches!(
                lever.profile,
                ProfileSource::BranchRecords
                    | ProfileSource::IpSamples
                    | ProfileSource::CallSizes
                    | ProfileSource::ProbedBranchRecords
                    | ProfileSource::ProbedCounters
            );
            assert_eq!(
                records(brought),
                records(own) && !is_sample_profile,
                "{}",
                lever.id
            );
        }
    }

    #[test]
    fn actions_are_told_in_words() {
        let own = PlanOptions::default();
        assert_eq!(
            described("autofdo-counters", own),
            "build the rung below with probes, record it on the train workloads, compile the rung below for a map of its \
             counters, convert, build with the profile, check, measure against the rung below"
        );
        assert_eq!(
            described("bolt", own),
            "link the rung below with relocations, record it on the train workloads, convert, rewrite with llvm-bolt, check, \
             measure against the rung below"
        );
        let brought = PlanOptions {
            brings_profile: true,
            ..own
        };
        let counters = described("autofdo-counters", brought);
        assert!(
            counters.starts_with("take the given recording, compile"),
            "{counters}"
        );
        let supplemented = described("pgo-sampled", brought);
        assert!(
            supplemented.contains("merge, take the given recording"),
            "{supplemented}"
        );
    }
}
