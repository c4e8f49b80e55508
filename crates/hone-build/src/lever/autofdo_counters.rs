use super::{Flags, Lever, Need, Offer, ProfileSource, Step, Toolchain};

/// Passes that read counters of instrumented PGO get more out of the same recording than those that read samples; how
/// the counters are found without running an instrumented build is told in `hone_fdo::counters`.
pub(super) const LEVER: Lever = Lever {
    id: "autofdo-counters",
    title: "AutoFDO as counters",
    what: "AutoFDO whose counts are given to the compiler as those of instrumented PGO, which nobody has to run.",
    step: Step::Profile,
    offer: Offer::Default,
    needs: &[Need::Lld, Need::LlvmProfdata, Need::Opt],
    flags: &[(
        Toolchain::Clang,
        Flags {
            // The counts of a function are those of all its copies together.
            compile: &["-fprofile-use={profile}", "-mllvm", "-disable-preinline"],
            link: &["-fuse-ld=lld", "-fprofile-use={profile}"],
            ..Flags::NONE
        },
    )],
    profile: ProfileSource::ProbedCounters,
    deploy: "Record a build with -fpseudo-probe-for-profiling, and make the profile anew with every release: counters fit one state of the source.",
    undo: "Build without the profile.",
    ..Lever::BASE
};
