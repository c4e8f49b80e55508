use super::{Flags, Lever, Offer, Step, Toolchain};

pub(super) const LEVER: Lever = Lever {
    id: "codegen-units",
    title: "One codegen unit",
    what: "Compiles each crate as one unit instead of sixteen, so that rustc inlines within all of it.",
    step: Step::Level,
    offer: Offer::Default,
    flags: &[(
        Toolchain::Rust,
        Flags {
            build_env: &[("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1")],
            ..Flags::NONE
        },
    )],
    deploy: "Set codegen-units = 1 in [profile.release]; the build takes longer.",
    undo: "Take codegen-units out of [profile.release].",
    ..Lever::BASE
};
