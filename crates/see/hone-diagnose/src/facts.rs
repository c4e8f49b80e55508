//! Facts about the binaries into which samples fell: kind, instrumentation and the machine code of hot functions.

use crate::code::HotFunction;
use crate::name::is_one_of;
use crate::unoptimised::Optimisation;
use hone_fdo::layout::Layout;
use hone_profile::Svma;
use hone_symbols::{Binary, BinaryType, DebugInfo, imported_symbols};
use hone_views::weights_of_functions;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Functions below this share of all time are not disassembled.
const HOT: f64 = 0.003;

/// Libraries that come with the compiler and libc, by the start of their file's name.
const SYSTEM_LIBRARIES: [&str; 14] = [
    "libc.so",
    "libc-",
    "libm.so",
    "libm-",
    "libstdc++",
    "libc++",
    "libgcc_s",
    "libpthread",
    "ld-linux",
    "libdl.so",
    "libdl-",
    "librt.so",
    "librt-",
    "ld-musl",
];

/// Kind of a binary: program or shared library.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// A program.
    Program,
    /// A shared library.
    Library,
}

/// Instrumentation or run time that was built into a binary.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Mark {
    /// Checks of AddressSanitizer.
    AddressSanitizer,
    /// Checks of ThreadSanitizer.
    ThreadSanitizer,
    /// Checks of MemorySanitizer.
    MemorySanitizer,
    /// Checks of UndefinedBehaviorSanitizer that report.
    UndefinedBehaviorSanitizer,
    /// Counters for coverage or for a profile.
    Counters,
    /// Go's run time.
    Go,
}

/// Symbols that only binaries with the mark have, as whole names or starts of names ([`is_one_of`]).
const MARKS: [(&str, Mark); 9] = [
    ("__asan_init*", Mark::AddressSanitizer),
    ("__tsan_init*", Mark::ThreadSanitizer),
    ("__msan_init*", Mark::MemorySanitizer),
    ("__ubsan_handle_*", Mark::UndefinedBehaviorSanitizer),
    ("__gcov_init*", Mark::Counters),
    ("__llvm_profile_*", Mark::Counters),
    ("__sanitizer_cov_trace_*", Mark::Counters),
    ("mcount", Mark::Counters),
    ("runtime.mallocgc*", Mark::Go),
];

impl Mark {
    /// Name of the mark for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::AddressSanitizer => "AddressSanitizer",
            Self::ThreadSanitizer => "ThreadSanitizer",
            Self::MemorySanitizer => "MemorySanitizer",
            Self::UndefinedBehaviorSanitizer => "UndefinedBehaviorSanitizer",
            Self::Counters => "counters for coverage or a profile",
            Self::Go => "Go's run time",
        }
    }
}

/// Facts about one binary.
#[derive(Clone, Debug)]
pub struct BinaryFacts {
    /// Path as recorded.
    pub path: String,
    /// Program or library.
    pub role: Role,
    /// True if the binary needs no dynamic linker.
    pub is_static: bool,
    /// Instrumentation and run times found in the binary.
    pub marks: BTreeSet<Mark>,
    /// True if the binary has debug information.
    pub has_debug_info: bool,
    /// Weight of the samples in the binary.
    pub weight: u64,
    /// Hot functions with their code, heaviest first.
    pub functions: Vec<HotFunction>,
    /// Weight of the samples in code compiled without optimisation, and in other code.
    pub optimisation: Optimisation,
    /// Layout of the hot code; `None` if the layout was not computed.
    pub layout: Option<Layout>,
}

impl BinaryFacts {
    /// Collects the facts about a binary.
    ///
    /// `weights` are the samples' weights by address ([`hone_views::weights_in`]); `all` is the weight of all
    /// samples of the recording, in any binary.
    pub fn new(
        path: &str,
        binary: &Binary<'_>,
        debug: &DebugInfo<'_>,
        weights: &FxHashMap<Svma, u64>,
        all: u64,
    ) -> Self {
        let role = match binary.kind() {
            BinaryType::SharedLibrary | BinaryType::Other => Role::Library,
            BinaryType::Fixed | BinaryType::PositionIndependent => Role::Program,
        };
        Self {
            path: path.to_owned(),
            role,
            is_static: binary.is_statically_linked(),
            marks: marks(binary),
            has_debug_info: debug.has_debug_info(),
            weight: weights.values().sum(),
            functions: hot_functions(binary, debug, weights, all),
            optimisation: Optimisation::of_samples(binary, debug, weights),
            layout: None,
        }
    }

    /// True if the binary comes with the compiler or with libc.
    pub fn is_system(&self) -> bool {
        is_system_library(self.file_name())
    }

    /// Name of the file without directories.
    pub fn file_name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }
}

fn marks(binary: &Binary<'_>) -> BTreeSet<Mark> {
    let imported = imported_symbols(binary.data()).unwrap_or_default();
    let functions = binary.functions().iter().map(|function| function.name);
    let of = |name: &str| {
        let mut known = MARKS.iter();
        known
            .find(|(pattern, _)| is_one_of(name, &[*pattern]))
            .map(|(_, mark)| *mark)
    };
    functions.chain(imported).filter_map(of).collect()
}

fn hot_functions(
    binary: &Binary<'_>,
    debug: &DebugInfo<'_>,
    weights: &FxHashMap<Svma, u64>,
    all: u64,
) -> Vec<HotFunction> {
    let is_hot = |weight: u64| weight as f64 >= HOT * all as f64;
    let mut functions: Vec<HotFunction> = weights_of_functions(binary, weights)
        .into_iter()
        .filter(|(_, weight)| is_hot(*weight))
        .filter_map(|(start, weight)| {
            let function = binary.functions().starting_at(start)?;
            Some(HotFunction::new(binary, debug, function, weight, weights))
        })
        .collect();
    functions.sort_by(|a, b| (b.weight, a.start).cmp(&(a.weight, b.start)));
    functions
}

/// True if a file of this name comes with the compiler or with libc.
pub(crate) fn is_system_library(file_name: &str) -> bool {
    SYSTEM_LIBRARIES
        .iter()
        .any(|start| file_name.starts_with(start))
}
