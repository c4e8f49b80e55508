use super::{Flags, Lever, Need, Offer, Step, Toolchain};

const NATIVE: Flags = Flags {
    compile: &["-march=native"],
    ..Flags::NONE
};

pub(super) const LEVER: Lever = Lever {
    id: "native",
    title: "-march=native",
    what: "Lets the compiler use every instruction that this very CPU has, and tunes for it.",
    step: Step::Target,
    offer: Offer::OnRequest,
    flags: &[
        (Toolchain::Clang, NATIVE),
        (Toolchain::Gcc, NATIVE),
        (
            Toolchain::Rust,
            Flags {
                compile: &["-Ctarget-cpu=native"],
                ..Flags::NONE
            },
        ),
    ],
    needs: &[
        Need::KnownCpu(Toolchain::Clang),
        Need::KnownCpu(Toolchain::Gcc),
    ],
    deploy: "The binary runs only on CPUs that have all that the building one has; elsewhere it dies of SIGILL. Products and sums may be fused, so that last digits change.",
    undo: "Build without the target flag.",
    ..Lever::BASE
};
