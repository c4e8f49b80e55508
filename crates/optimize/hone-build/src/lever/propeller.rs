use super::{Flags, Lever, Need, Offer, ProfileSource, Step, Toolchain};

/// Shen and others, "Propeller: A Profile Guided, Relinking Optimizer for Warehouse-Scale Applications", ASPLOS 2023.
/// The profile is a directory of two files. With LTO the linker generates the code, and needs the first file too.
pub(super) const LEVER: Lever = Lever {
    id: "propeller",
    title: "Propeller (branch records)",
    what: "Has the compiler and the linker lay out blocks and functions by the recorded branches.",
    step: Step::PostLink,
    offer: Offer::Extra,
    needs: &[Need::Lld],
    excludes: &["bolt", "bolt-hugify", "bolt-instrumented"],
    flags: &[(
        Toolchain::Clang,
        Flags {
            compile: &["-fbasic-block-sections=list={profile}/clusters"],
            link: &[
                "-fuse-ld=lld",
                "-Wl,--lto-basic-block-sections={profile}/clusters",
                "-Wl,--symbol-ordering-file={profile}/order",
                "-Wl,--no-warn-symbol-ordering",
            ],
            ..Flags::NONE
        },
    )],
    profile: ProfileSource::BlockLayout,
    deploy: "Keep both files beside the source and make them anew with every release: they fit one state of source, compiler and flags.",
    undo: "Build without the two files.",
    ..Lever::BASE
};
