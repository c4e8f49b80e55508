use super::{Lever, Need, ProfileSource, Step};

pub(super) const LEVER: Lever = Lever {
    id: "autofdo-ip",
    title: "AutoFDO (IP samples only)",
    what: "The same as AutoFDO from plain samples without branch records, to show what the branch records add.",
    step: Step::Profile,
    by_default: false,
    reference_only: true,
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
    profile: ProfileSource::IpSamples,
    bolt: &[],
    deploy: "Not meant for deployment.",
    undo: "Build without -fprofile-sample-use.",
};
