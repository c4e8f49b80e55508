use super::{Flags, Lever, Need, Offer, ProfileSource, Step, Toolchain};

/// Pseudo-probes carry the identity of a block through the optimiser, where line numbers blur: He, Yu, Wang,
/// Oh, "Revamping Sampling-Based PGO with Context-Sensitivity and Pseudo-instrumentation", CGO 2024.
pub(super) const LEVER: Lever = Lever {
    id: "autofdo-probes",
    title: "AutoFDO with pseudo-probes",
    what: "AutoFDO whose counts find their blocks by probes in the binary instead of by line numbers.",
    step: Step::Profile,
    offer: Offer::Default,
    needs: &[Need::Lld],
    flags: &[(
        Toolchain::Clang,
        Flags {
            compile: &[
                "-fpseudo-probe-for-profiling",
                "-fprofile-sample-use={profile}",
                "-mllvm",
                "-sample-profile-use-profi",
            ],
            link: &[
                "-fuse-ld=lld",
                "-fpseudo-probe-for-profiling",
                "-fprofile-sample-use={profile}",
                "-Wl,-mllvm,-sample-profile-use-profi",
            ],
            ..Flags::NONE
        },
    )],
    profile: ProfileSource::ProbedBranchRecords,
    deploy: "Keep the profile beside the source, and build with probes so that the next one can be recorded.",
    undo: "Build without the profile and without -fpseudo-probe-for-profiling.",
    ..Lever::BASE
};
