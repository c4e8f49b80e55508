use super::{Flags, Lever, Need, Offer, ProfileSource, Step, Toolchain};

pub(super) const LEVER: Lever = Lever {
    id: "pgo",
    title: "Instrumented PGO",
    what: "Lets the compiler use exact counts from a slow special build, run on the train workloads.",
    step: Step::Profile,
    offer: Offer::Default,
    needs: &[Need::Lld, Need::LlvmProfdata, Need::RustProfdata],
    flags: &[
        (
            Toolchain::Clang,
            Flags {
                compile: &["-fprofile-use={profile}"],
                link: &["-fuse-ld=lld", "-fprofile-use={profile}"],
                ..Flags::NONE
            },
        ),
        (
            Toolchain::Gcc,
            Flags {
                compile: &[
                    "-fprofile-use={profile}",
                    "-fprofile-correction",
                    "-Wno-missing-profile",
                ],
                link: &["-fprofile-use={profile}"],
                ..Flags::NONE
            },
        ),
        (
            Toolchain::Rust,
            Flags {
                compile: &["-Cprofile-use={profile}"],
                ..Flags::NONE
            },
        ),
    ],
    profile: ProfileSource::CompilerInstrumentation,
    deploy: "Every change of the source wants a new instrumented build and training run.",
    undo: "Build without the profile.",
    ..Lever::BASE
};
