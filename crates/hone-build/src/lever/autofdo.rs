use super::{Lever, Need, ProfileSource, Step};

/// profi (`-sample-profile-use-profi`) makes the sampled counts a consistent flow before the compiler
/// uses them: He, Mestre, Pupyrev, Wang, Yu, "Profile inference revisited", POPL 2022.
pub(super) const LEVER: Lever = Lever {
    id: "autofdo",
    title: "AutoFDO (branch records)",
    what: "Lets the compiler lay out, inline and devirtualise speculatively as the recorded branches suggest.",
    step: Step::Profile,
    by_default: true,
    reference_only: false,
    needs: &[Need::Clang, Need::Lld],
    compile: &[
        "-fprofile-sample-use={profile}",
        "-mllvm",
        "-sample-profile-use-profi",
    ],
    link: &[
        "-fuse-ld=lld",
        "-fprofile-sample-use={profile}",
        "-Wl,-mllvm,-sample-profile-use-profi",
    ],
    link_program: &[],
    profile: ProfileSource::BranchRecords,
    bolt: &[],
    deploy: "Keep the profile beside the source and record a new one when the program or its load has changed.",
    undo: "Build without -fprofile-sample-use.",
};
