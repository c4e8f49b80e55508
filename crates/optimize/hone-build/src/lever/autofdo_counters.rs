use super::{Flags, Lever, Need, Offer, ProfileSource, Step, Toolchain};

/// Compiler passes that read counters of instrumented PGO gain more from the same recording than passes that read
/// samples. `hone_fdo::counters` describes how the counters are computed without running an instrumented build.
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
            compile: &[
                "-fprofile-use={profile}",
                // The counts of a function are the sums over all its copies.
                "-mllvm",
                "-disable-preinline",
            ],
            link: &["-fuse-ld=lld", "-fprofile-use={profile}"],
            ..Flags::NONE
        },
    )],
    profile: ProfileSource::ProbedCounters,
    deploy: "Record a build with -fpseudo-probe-for-profiling, and make the profile anew with every release: counters fit one state of the source.",
    undo: "Build without the profile.",
    ..Lever::BASE
};
