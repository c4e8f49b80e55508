//! The levels of x86-64 (x86-64 psABI, "Micro-Architecture Levels").

use super::{Flags, Lever, Offer, Step, Toolchain};

const V2_C: Flags = Flags {
    compile: &["-march=x86-64-v2"],
    ..Flags::NONE
};

pub(super) const V2: Lever = Lever {
    id: "x86-64-v2",
    title: "x86-64-v2",
    what: "Lets the compiler use SSE4.2 and POPCNT.",
    step: Step::Target,
    offer: Offer::OnRequest,
    flags: &[
        (Toolchain::Clang, V2_C),
        (Toolchain::Gcc, V2_C),
        (
            Toolchain::Rust,
            Flags {
                compile: &["-Ctarget-cpu=x86-64-v2"],
                ..Flags::NONE
            },
        ),
        (
            Toolchain::Go,
            Flags {
                build_env: &[("GOAMD64", "v2")],
                ..Flags::NONE
            },
        ),
    ],
    deploy: "The binary runs only on Intel since Nehalem (2008) and AMD since Bulldozer (2011); elsewhere it dies of SIGILL.",
    undo: "Build without the target flag.",
    ..Lever::BASE
};

const V3_C: Flags = Flags {
    compile: &["-march=x86-64-v3"],
    ..Flags::NONE
};

pub(super) const V3: Lever = Lever {
    id: "x86-64-v3",
    title: "x86-64-v3",
    what: "Lets the compiler use AVX2, BMI2 and FMA.",
    step: Step::Target,
    offer: Offer::OnRequest,
    flags: &[
        (Toolchain::Clang, V3_C),
        (Toolchain::Gcc, V3_C),
        (
            Toolchain::Rust,
            Flags {
                compile: &["-Ctarget-cpu=x86-64-v3"],
                ..Flags::NONE
            },
        ),
        (
            Toolchain::Go,
            Flags {
                build_env: &[("GOAMD64", "v3")],
                ..Flags::NONE
            },
        ),
    ],
    deploy: "The binary runs only on Intel since Haswell (2013) and AMD since Zen; elsewhere it dies of SIGILL. Products and sums may be fused, so that last digits change.",
    undo: "Build without the target flag.",
    ..Lever::BASE
};

const V4_C: Flags = Flags {
    compile: &["-march=x86-64-v4"],
    ..Flags::NONE
};

pub(super) const V4: Lever = Lever {
    id: "x86-64-v4",
    title: "x86-64-v4",
    what: "Lets the compiler use AVX-512.",
    step: Step::Target,
    offer: Offer::OnRequest,
    flags: &[
        (Toolchain::Clang, V4_C),
        (Toolchain::Gcc, V4_C),
        (
            Toolchain::Rust,
            Flags {
                compile: &["-Ctarget-cpu=x86-64-v4"],
                ..Flags::NONE
            },
        ),
        (
            Toolchain::Go,
            Flags {
                build_env: &[("GOAMD64", "v4")],
                ..Flags::NONE
            },
        ),
    ],
    deploy: "The binary runs only on Intel servers since Skylake (2017) and AMD since Zen 4; elsewhere it dies of SIGILL. Products and sums may be fused, so that last digits change.",
    undo: "Build without the target flag.",
    ..Lever::BASE
};
