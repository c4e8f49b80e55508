use super::{Flags, Lever, Need, ProfileSource, Step, Toolchain};

/// Orders by call affinity: Ottoni, Maher, "Optimizing Function Placement for Large-Scale Data-Center
/// Applications", CGO 2017 (C3).
pub(super) const LEVER: Lever = Lever {
    id: "function-order",
    title: "Function ordering by the linker",
    what: "Puts functions that call each other often beside each other in the binary.",
    step: Step::Refinement,
    needs: &[Need::Lld],
    flags: &[(
        Toolchain::Clang,
        Flags {
            compile: &["-ffunction-sections"],
            link: &[
                "-fuse-ld=lld",
                "-Wl,--symbol-ordering-file={profile}",
                "-Wl,--no-warn-symbol-ordering",
            ],
            ..Flags::NONE
        },
    )],
    profile: ProfileSource::FunctionOrder,
    deploy: "Keep the order file beside the source; functions that it does not know come last.",
    undo: "Link without --symbol-ordering-file.",
    ..Lever::BASE
};
