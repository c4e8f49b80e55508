//! The words that levers are written in: toolchains, steps, needs, where profiles come from.

/// The compilers whose flags a lever knows. A build uses one of them for the program's own code.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Debug,
    Default,
    serde::Serialize,
    serde::Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Toolchain {
    /// clang and clang++ with lld.
    #[default]
    Clang,
    /// gcc and g++ with GNU ld.
    Gcc,
    /// rustc, called by cargo.
    Rust,
    /// go build.
    Go,
}

impl Toolchain {
    /// Its name in hone.toml and in sentences.
    pub fn name(self) -> &'static str {
        match self {
            Self::Clang => "clang",
            Self::Gcc => "gcc",
            Self::Rust => "rustc",
            Self::Go => "go",
        }
    }
}

/// Something that must be on the machine for a lever to work.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Need {
    /// clang and clang++; the build is moved to them if it uses another compiler.
    Clang,
    /// gcc and g++; the build is moved to them if it uses another compiler.
    Gcc,
    /// LLVM's linker.
    Lld,
    /// LLVM's archiver, which understands bitcode objects.
    LlvmAr,
    /// llvm-profdata, to merge raw instrumentation profiles.
    LlvmProfdata,
    /// LLVM's optimiser as a program of its own.
    Opt,
    /// llvm-profdata of the LLVM that rustc holds.
    RustProfdata,
    /// llvm-bolt.
    Bolt,
    /// llvm-bolt's instrumentation runtime library.
    BoltRuntime,
    /// An allocator's shared library with its linker name, such as `mimalloc`.
    Library(&'static str),
    /// musl's headers and its static library.
    Musl,
    /// A compiler that knows this CPU whole: it takes [`CPU_TRIAL`] without a warning. A project that turns warnings
    /// into errors cannot be built otherwise.
    KnownCpu(Toolchain),
}

/// Arguments of clang or gcc that fail where `-march=native` makes the compiler warn.
pub const CPU_TRIAL: &[&str] = &[
    "-march=native",
    "-Werror",
    "-xc",
    "-c",
    "-o",
    "/dev/null",
    "/dev/null",
];

impl Need {
    /// Whether a build with this toolchain has the need at all.
    pub fn concerns(self, toolchain: Toolchain) -> bool {
        match self {
            Self::Clang | Self::Lld | Self::LlvmAr | Self::LlvmProfdata | Self::Opt => {
                toolchain == Toolchain::Clang
            }
            Self::Gcc => toolchain == Toolchain::Gcc,
            Self::RustProfdata => toolchain == Toolchain::Rust,
            Self::KnownCpu(known_to) => toolchain == known_to,
            Self::Bolt | Self::BoltRuntime | Self::Library(_) | Self::Musl => true,
        }
    }
}

/// The steps of the ladder, lowest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Step {
    /// Which compiler.
    Compiler,
    /// Which malloc.
    Allocator,
    /// How hard the compiler tries.
    Level,
    /// Which instructions it may use.
    Target,
    /// Link-time optimisation.
    WholeProgram,
    /// How code is addressed and what is linked.
    Linkage,
    /// Which sizes memory is copied, set and compared in.
    CallSizes,
    /// What the compiler knows of the program's behaviour.
    Profile,
    /// What is done with that knowledge.
    Refinement,
    /// A library of the program, rebuilt with all of that.
    Dependency,
    /// The layout of the whole binary: changes to it once it is linked, or one more link.
    PostLink,
}

impl Step {
    /// Whether its levers add to each other; in other steps they are alternatives, of which one is kept.
    pub fn is_cumulative(self) -> bool {
        matches!(self, Self::Linkage | Self::Refinement | Self::Dependency)
    }
}

/// When a lever is tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Offer {
    /// Where hone.toml names no levers.
    Default,
    /// Where there is time for more (`--budget`), or it is named.
    Extra,
    /// Only where it is named: it changes where the binary runs, or what the program may do.
    OnRequest,
}

/// Where the profile of a lever comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ProfileSource {
    /// It needs none.
    None,
    /// A recording of the rung below, whose branch records become an AutoFDO profile.
    BranchRecords,
    /// The same with pseudo-probes: the rung below is built with them for the recording.
    ProbedBranchRecords,
    /// That recording, as counters of instrumented PGO: the rung below is compiled once more for a map of them.
    ProbedCounters,
    /// The recording of [`Self::BranchRecords`], but only its IP samples.
    IpSamples,
    /// The same recording: the sizes that walked calls of `memcpy` and its like had, as headers in a directory.
    CallSizes,
    /// The same recording, as the order in which the linker should put functions.
    FunctionOrder,
    /// A special build with the compiler's counters, run on the train workloads.
    CompilerInstrumentation,
    /// The same, corrected by a recording of the rung below.
    SupplementedInstrumentation,
    /// A second one, of the build that the first one's counts made: counts by calling context.
    ContextInstrumentation,
    /// A recording of the rung below, built with a map of its blocks, as a layout for compiler and linker: a
    /// directory of two files.
    BlockLayout,
    /// A recording of the relinked rung below, whose branch records go to BOLT.
    BoltBranchRecords,
    /// A binary that BOLT instrumented, run on the train workloads.
    BoltInstrumentation,
}

impl ProfileSource {
    /// Whether it runs a slow special build, which production cannot.
    pub fn is_instrumented(self) -> bool {
        matches!(
            self,
            Self::CompilerInstrumentation
                | Self::SupplementedInstrumentation
                | Self::ContextInstrumentation
                | Self::BoltInstrumentation
        )
    }
}

/// What can be said of a lever's reach before it is built.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reach {
    /// Nothing.
    NotPredicted,
    /// It changes virtual calls of functions that have a single implementation; they can be counted.
    SingleImplementations,
    /// It needs more code than a huge page holds, and a kernel that gives huge pages to files.
    HugePages,
}

/// Functions that a program must not use for a lever to work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Forbidden {
    /// Their names.
    pub names: &'static [&'static str],
    /// Why not, as a clause behind the name of one.
    pub why: &'static str,
}

/// What a lever adds to the calls of one toolchain. `{profile}` stands for the profile's path, `{mimalloc}` or
/// another allocator's name for the directory of its library, `{bolt-runtime}` for that of BOLT's, `{musl}` and
/// `{musl-headers}` for those of musl.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Flags {
    /// For every compilation; rustc's own flags for Rust.
    pub compile: &'static [&'static str],
    /// For compilations that make no position-independent code for a shared library (no -fPIC).
    pub compile_program: &'static [&'static str],
    /// For every link of a program or a shared library.
    pub link: &'static [&'static str],
    /// Further flags for the link of a program only.
    pub link_program: &'static [&'static str],
    /// Environment of the build, such as `GOAMD64`; a value is appended to one that is there where the
    /// variable is a list of flags (`GOFLAGS`).
    pub build_env: &'static [(&'static str, &'static str)],
}

impl Flags {
    /// No flags; the base of every other value.
    pub const NONE: Self = Self {
        compile: &[],
        compile_program: &[],
        link: &[],
        link_program: &[],
        build_env: &[],
    };

    /// All flags that may hold a placeholder.
    pub fn all(&self) -> impl Iterator<Item = &'static str> {
        let lists = [
            self.compile,
            self.compile_program,
            self.link,
            self.link_program,
        ];
        let values = self.build_env.iter().map(|(_, value)| *value);
        lists.into_iter().flatten().copied().chain(values)
    }
}
