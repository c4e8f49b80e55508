use super::{Flags, Lever, Need, Offer, ProfileSource, Step, Toolchain};

/// profi (`-sample-profile-use-profi`) makes the sampled counts a consistent flow before the compiler
/// uses them: He, Mestre, Pupyrev, Wang, Yu, "Profile inference revisited", POPL 2022.
pub(super) const LEVER: Lever = Lever {
    id: "autofdo",
    title: "AutoFDO (branch records)",
    what: "Lets the compiler lay out, inline and devirtualise speculatively as the recorded branches suggest.",
    step: Step::Profile,
    offer: Offer::Default,
    needs: &[Need::Lld],
    flags: &[
        (
            Toolchain::Clang,
            Flags {
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
                ..Flags::NONE
            },
        ),
        (
            Toolchain::Gcc,
            Flags {
                compile: &["-fauto-profile={profile}"],
                ..Flags::NONE
            },
        ),
        // rustc has had the flag since 2021 and does not call it stable.
        (
            Toolchain::Rust,
            Flags {
                compile: &["-Zprofile-sample-use={profile}"],
                build_env: &[("RUSTC_BOOTSTRAP", "1")],
                ..Flags::NONE
            },
        ),
        (
            Toolchain::Go,
            Flags {
                build_env: &[("GOFLAGS", "-pgo={profile}")],
                ..Flags::NONE
            },
        ),
    ],
    profile: ProfileSource::BranchRecords,
    deploy: "Keep the profile beside the source and record a new one when the program or its load has changed.",
    undo: "Build without the profile.",
    ..Lever::BASE
};
