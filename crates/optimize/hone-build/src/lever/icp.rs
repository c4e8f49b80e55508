use super::{Flags, Lever, Need, Step, Toolchain};

const INSTRUMENTED: &[&str] = &[
    "pgo",
    "pgo-sampled",
    "autofdo",
    "autofdo-probes",
    "autofdo-counters",
];

/// By default LLVM promotes a target that has 30 % of the remaining calls of a site and 5 % of all calls, at most three
/// targets; with this lever, more targets with smaller shares get a direct call.
pub(super) const LEVER: Lever = Lever {
    id: "icp",
    title: "Wider devirtualisation",
    what: "Turns more targets of indirect calls into compared and direct ones: six a site, down to 5 % of what is left.",
    step: Step::Refinement,
    needs: &[Need::Lld],
    stands_on: INSTRUMENTED,
    flags: &[(
        Toolchain::Clang,
        Flags {
            compile: &[
                // By default the profile names three targets of a site.
                "-mllvm",
                "-icp-max-annotations=6",
                "-mllvm",
                "-icp-max-prom=6",
                "-mllvm",
                "-icp-remaining-percent-threshold=5",
                "-mllvm",
                "-icp-total-percent-threshold=1",
                "-mllvm",
                "-sample-profile-icp-max-prom=6",
            ],
            link: &[
                "-fuse-ld=lld",
                "-Wl,-mllvm,-icp-max-prom=6",
                "-Wl,-mllvm,-icp-remaining-percent-threshold=5",
                "-Wl,-mllvm,-icp-total-percent-threshold=1",
                "-Wl,-mllvm,-sample-profile-icp-max-prom=6",
            ],
            ..Flags::NONE
        },
    )],
    deploy: "The flags are LLVM's internal ones and may change their names with the release.",
    undo: "Build without the -icp flags.",
    ..Lever::BASE
};
