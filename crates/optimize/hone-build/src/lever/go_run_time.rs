//! Settings that a Go program is started with (package `runtime`, "Environment Variables").

use super::{Flags, Forbidden, Lever, Need, Offer, Step, Toolchain};

/// Go's collector lets memory grow to this multiple of its live heap, as long as it stays below the limit.
const GOGC: Lever = Lever {
    step: Step::Collector,
    needs: &[Need::MemoryLimit],
    flags: &[(Toolchain::Go, Flags::NONE)],
    // As the symbols of a binary have them: debug.SetGCPercent itself is inlined.
    forbidden_functions: &[
        Forbidden {
            names: &["hone/go/tune.GC"],
            why: "which chooses GOGC itself",
        },
        Forbidden {
            names: &["runtime/debug.setGCPercent"],
            why: "which replaces GOGC",
        },
    ],
    deploy: "Set both variables where the program starts; peak memory grows. GOMEMLIMIT is nine tenths of ladder.memory: \
             set it again where the limit is another one, or let package tune follow the limit (docs/rpc/tuning.md).",
    undo: "Start the program without GOGC and GOMEMLIMIT.",
    ..Lever::BASE
};

pub(super) const GOGC_200: Lever = Lever {
    id: "gogc-200",
    title: "GOGC=200",
    what: "Starts Go's garbage collector when the heap is three times what lived at the last collection, in place of twice.",
    offer: Offer::Default,
    run_env: &[("GOGC", "200"), ("GOMEMLIMIT", "{memory-limit}")],
    ..GOGC
};

pub(super) const GOGC_400: Lever = Lever {
    id: "gogc-400",
    title: "GOGC=400",
    what: "Starts Go's garbage collector when the heap is five times what lived at the last collection, in place of twice.",
    offer: Offer::Default,
    run_env: &[("GOGC", "400"), ("GOMEMLIMIT", "{memory-limit}")],
    ..GOGC
};

pub(super) const GOGC_800: Lever = Lever {
    id: "gogc-800",
    title: "GOGC=800",
    what: "Starts Go's garbage collector when the heap is nine times what lived at the last collection, in place of twice.",
    offer: Offer::Extra,
    run_env: &[("GOGC", "800"), ("GOMEMLIMIT", "{memory-limit}")],
    ..GOGC
};

pub(super) const GOMAXPROCS: Lever = Lever {
    id: "gomaxprocs",
    title: "GOMAXPROCS by the quota",
    what: "Lets Go run as many threads at a time as the CPU quota has whole CPUs, so that the quota is not used up early in each period.",
    step: Step::Threads,
    offer: Offer::Extra,
    needs: &[Need::CpuQuota],
    forbidden_functions: &[Forbidden {
        names: &["hone/go/tune.CPU", "go.uber.org/automaxprocs/maxprocs.Set"],
        why: "which chooses GOMAXPROCS itself",
    }],
    flags: &[(Toolchain::Go, Flags::NONE)],
    run_env: &[("GOMAXPROCS", "{whole-cpus}")],
    runs_alone: true,
    deploy: "Set GOMAXPROCS where the program starts, and again where the quota is another one; package tune follows a \
             quota that changes (docs/rpc/tuning.md).",
    undo: "Start the program without GOMAXPROCS.",
    ..Lever::BASE
};
