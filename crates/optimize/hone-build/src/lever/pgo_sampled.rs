use super::{Flags, Lever, Need, Offer, ProfileSource, Step, Toolchain};

/// llvm-profdata raises the counts of functions that were cold in the training and are hot in the samples.
pub(super) const LEVER: Lever = Lever {
    id: "pgo-sampled",
    title: "Instrumented PGO with samples",
    what: "Instrumented PGO whose counts are corrected where branch records show functions hot that the training hardly ran.",
    step: Step::Profile,
    offer: Offer::OnRequest,
    needs: &[Need::Lld, Need::LlvmProfdata],
    flags: &[(
        Toolchain::Clang,
        Flags {
            compile: &["-fprofile-use={profile}"],
            link: &["-fuse-ld=lld", "-fprofile-use={profile}"],
            ..Flags::NONE
        },
    )],
    profile: ProfileSource::SupplementedInstrumentation,
    deploy: "As for instrumented PGO, and a new recording of production from time to time.",
    undo: "Build without the profile.",
    ..Lever::BASE
};
