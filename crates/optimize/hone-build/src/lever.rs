//! Levers: each is one way to make a binary faster, as data, in one small file.
//!
//! A lever says what it needs, which flags it adds for which compiler, where its profile comes from, what
//! it cannot be combined with, how to deploy it and how to undo it. It holds no code: `variant.rs` turns a
//! set of levers into flags, the command carries the plan out. To add a lever, add a file here and its line
//! in [`ALL`].

mod align;
mod autofdo;
mod autofdo_counters;
mod autofdo_ip;
mod autofdo_probes;
mod bolt;
mod bolt_hugify;
mod bolt_instrumented;
mod bundle;
mod codegen_units;
mod cs_pgo;
mod dependency;
mod dispatch;
mod function_order;
mod gc_sections;
mod gcc;
mod go_run_time;
mod hidden;
mod huge_text;
mod icf;
mod icp;
mod jemalloc;
mod local_exec;
mod lto;
mod memops;
mod mimalloc;
mod model;
mod native;
mod no_pie;
mod no_plt;
mod no_semantic_interposition;
mod o3;
mod pgo;
mod pgo_sampled;
mod propeller;
mod static_link;
mod static_musl;
mod tcmalloc;
mod thinlto;
mod wpd;
mod x86_64;

pub(crate) use bundle::incomplete;
pub use bundle::{Bundle, NoBundle};
pub use dependency::{Dependency, PREFIX, Rebuild};
pub(crate) use dispatch::FLAGS as DISPATCH;
pub use dispatch::limits_dispatch;
pub use model::{CPU_TRIAL, Flags, Forbidden, Need, Offer, ProfileSource, Reach, Step, Toolchain};

/// One lever.
#[derive(Debug, PartialEq, Eq)]
pub struct Lever {
    /// Short unique name, used in hone.toml.
    pub id: &'static str,
    /// Title in reports.
    pub title: &'static str,
    /// Effect of the lever, in one sentence.
    pub what: &'static str,
    /// Step of the ladder that the lever belongs to.
    pub step: Step,
    /// Condition under which the lever is tried.
    pub offer: Offer,
    /// True if the lever is built and measured only for comparison, and never part of the winner.
    pub reference_only: bool,
    /// Tools and libraries that must be installed.
    pub needs: &'static [Need],
    /// Ids of levers of which one must be below this lever.
    pub stands_on: &'static [&'static str],
    /// Ids of levers that this lever cannot be combined with.
    pub excludes: &'static [&'static str],
    /// Step that must have a lever above this one; without such a lever, this lever costs more than it gains.
    pub pays_below: Option<Step>,
    /// Functions of libc that the program must not use.
    pub forbidden_imports: &'static [Forbidden],
    /// Functions that the program must not hold.
    pub forbidden_functions: &'static [Forbidden],
    /// Name prefixes of the only shared libraries that the program may need; empty for any library.
    pub only_libraries: &'static [&'static str],
    /// Flags that the lever adds, by toolchain; a toolchain that is not listed does not have the lever.
    pub flags: &'static [(Toolchain, Flags)],
    /// Environment of the running program.
    pub run_env: &'static [(&'static str, &'static str)],
    /// True if runs that share one CPU cannot show the lever's effect: it is measured by one run after the other.
    pub runs_alone: bool,
    /// Source of the lever's profile.
    pub profile: ProfileSource,
    /// Arguments of llvm-bolt, in lists that levers share; empty for levers without llvm-bolt.
    pub bolt: &'static [&'static [&'static str]],
    /// The library that is rebuilt, for levers of [`Step::Dependency`].
    pub rebuilds: Option<Rebuild>,
    /// Prediction of the lever's reach before it is built.
    pub reach: Reach,
    /// Consequences of deploying the lever, as a full sentence.
    pub deploy: &'static str,
    /// Way to undo the lever, as a full sentence.
    pub undo: &'static str,
}

impl Lever {
    /// A lever that does nothing; the base of every other lever, so that a file lists only its own values.
    const BASE: Self = Self {
        id: "",
        title: "",
        what: "",
        step: Step::Linkage,
        offer: Offer::Extra,
        reference_only: false,
        needs: &[],
        stands_on: &[],
        excludes: &[],
        pays_below: None,
        forbidden_imports: &[],
        forbidden_functions: &[],
        only_libraries: &[],
        flags: &[],
        run_env: &[],
        runs_alone: false,
        profile: ProfileSource::None,
        bolt: &[],
        rebuilds: None,
        reach: Reach::NotPredicted,
        deploy: "",
        undo: "",
    };

    /// Returns true if a variant can hold only one of both levers.
    pub fn clashes(&self, other: &Self) -> bool {
        let is_alternative = self.step == other.step && !self.step.is_cumulative();
        let excludes = |one: &Self, other: &Self| one.excludes.contains(&other.id);
        is_alternative || excludes(self, other) || excludes(other, self)
    }

    /// Returns the flags for the calls of a toolchain; `None` if that toolchain does not have the lever.
    pub fn flags_for(&self, toolchain: Toolchain) -> Option<&'static Flags> {
        let mut known = self.flags.iter();
        known
            .find(|(known, _)| *known == toolchain)
            .map(|(_, flags)| flags)
    }
}

/// All levers except those of a project's dependencies, in ladder order.
pub const ALL: &[&Lever] = &[
    &gcc::LEVER,
    &mimalloc::LEVER,
    &jemalloc::LEVER,
    &tcmalloc::LEVER,
    &mimalloc::PRELOADED,
    &jemalloc::PRELOADED,
    &tcmalloc::PRELOADED,
    &o3::LEVER,
    &codegen_units::LEVER,
    &x86_64::V2,
    &x86_64::V3,
    &x86_64::V4,
    &native::LEVER,
    &thinlto::LEVER,
    &lto::LEVER,
    &static_link::LEVER,
    &static_musl::LEVER,
    &no_pie::LEVER,
    &local_exec::LEVER,
    &no_plt::LEVER,
    &no_semantic_interposition::LEVER,
    &hidden::LEVER,
    &gc_sections::LEVER,
    &icf::LEVER,
    &huge_text::LEVER,
    &dispatch::LEVER,
    &memops::LEVER,
    &autofdo_ip::LEVER,
    &autofdo::LEVER,
    &autofdo_probes::LEVER,
    &autofdo_counters::LEVER,
    &pgo::LEVER,
    &pgo_sampled::LEVER,
    &cs_pgo::LEVER,
    &icp::LEVER,
    &wpd::LEVER,
    &align::LEVER,
    &function_order::LEVER,
    &bolt::LEVER,
    &bolt_hugify::LEVER,
    &bolt_instrumented::LEVER,
    &propeller::LEVER,
    &go_run_time::GOGC_200,
    &go_run_time::GOGC_400,
    &go_run_time::GOGC_800,
    &go_run_time::GOMAXPROCS,
];

/// Returns the lever with this id.
pub fn by_id(id: &str) -> Option<&'static Lever> {
    ALL.iter().find(|lever| lever.id == id).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levers_stand_in_ladder_order_and_have_unique_ids() {
        assert!(ALL.windows(2).all(|pair| pair[0].step <= pair[1].step));
        for (index, lever) in ALL.iter().enumerate() {
            let is_new = ALL[..index].iter().all(|other| other.id != lever.id);
            assert!(is_new && !lever.id.is_empty(), "{}", lever.id);
        }
    }

    #[test]
    fn a_lever_that_uses_a_profile_says_where_the_profile_goes() {
        for lever in ALL {
            let uses_profile = lever.profile != ProfileSource::None;
            let in_bolt = lever
                .bolt
                .iter()
                .flat_map(|list| *list)
                .any(|flag| flag.contains("{profile}"));
            for (toolchain, flags) in lever.flags {
                let in_flags = flags.all().any(|flag| flag.contains("{profile}"));
                let place = format!("{} {}", lever.id, toolchain.name());
                assert_eq!(in_flags || in_bolt, uses_profile, "{place}");
            }
        }
    }

    #[test]
    fn texts_are_sentences_and_every_lever_does_something() {
        for lever in ALL {
            for text in [lever.what, lever.deploy, lever.undo] {
                assert!(text.ends_with('.'), "{}: {text}", lever.id);
            }
            assert!(!lever.flags.is_empty(), "{}", lever.id);
        }
    }

    #[test]
    fn levers_that_are_named_by_others_exist_and_stand_where_they_must() {
        for lever in ALL {
            for below in lever.stands_on {
                let known = by_id(below).unwrap();
                let is_below = known.step <= lever.step;
                assert!(is_below, "{} on {below}", lever.id);
            }
            for other in lever.excludes {
                let known = by_id(other).unwrap();
                assert_ne!(known, *lever);
            }
        }
    }
}
