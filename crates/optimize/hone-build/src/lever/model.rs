//! Types that describe levers: toolchains, steps, needs, sources of profiles.

/// Compiler that a lever has flags for. A build uses one of them for the program's own code.
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
    /// Returns the name in hone.toml and in sentences.
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
    /// llvm-profdata of the LLVM that is part of rustc.
    RustProfdata,
    /// llvm-bolt.
    Bolt,
    /// llvm-bolt's instrumentation runtime library.
    BoltRuntime,
    /// An allocator's shared library with its linker name, such as `mimalloc`.
    Library(&'static str),
    /// musl's headers and its static library.
    Musl,
    /// A clang that limits the copies of computed gotos ([`super::limits_dispatch`]).
    DispatchLimit,
    /// A limit on the memory of a run, `ladder.memory`.
    MemoryLimit,
    /// A CPU quota of fewer CPUs than the machine has.
    CpuQuota,
    /// A compiler that fully knows this CPU: it accepts [`CPU_TRIAL`] without a warning. With another compiler, a project
    /// that turns warnings into errors cannot be built.
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
    /// Returns true if the need applies to a build with this toolchain.
    pub fn concerns(self, toolchain: Toolchain) -> bool {
        match self {
            Self::Clang | Self::Lld | Self::LlvmAr | Self::LlvmProfdata | Self::Opt => {
                toolchain == Toolchain::Clang
            }
            Self::DispatchLimit => toolchain == Toolchain::Clang,
            Self::Gcc => toolchain == Toolchain::Gcc,
            Self::RustProfdata => toolchain == Toolchain::Rust,
            Self::KnownCpu(known_to) => toolchain == known_to,
            Self::Bolt | Self::BoltRuntime | Self::Library(_) | Self::Musl => true,
            Self::MemoryLimit | Self::CpuQuota => true,
        }
    }
}

/// The steps of the ladder, lowest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Step {
    /// The compiler.
    Compiler,
    /// The allocator.
    Allocator,
    /// The optimisation level of the compiler.
    Level,
    /// The instructions that the compiler may use.
    Target,
    /// Link-time optimisation.
    WholeProgram,
    /// The addressing of code, and the parts that are linked.
    Linkage,
    /// The copies of an interpreter's dispatch.
    Dispatch,
    /// The sizes in which memory is copied, set and compared.
    CallSizes,
    /// The compiler's knowledge of the program's behaviour.
    Profile,
    /// Further optimisations, most of them with that knowledge.
    Refinement,
    /// A library of the program, rebuilt with the levers of the steps before.
    Dependency,
    /// The layout of the whole binary: changes to it once it is linked, or one more link.
    PostLink,
    /// The growth of the heap between collections of garbage: a setting that the program is started with.
    Collector,
    /// The number of threads that run at a time: a setting too.
    Threads,
}

impl Step {
    /// Returns true if the levers of the step change nothing but the settings that the program is started with.
    pub fn is_of_settings(self) -> bool {
        matches!(self, Self::Collector | Self::Threads)
    }

    /// Returns true if the levers of the step add to each other; in other steps they are alternatives, of which one is kept.
    pub fn is_cumulative(self) -> bool {
        matches!(self, Self::Linkage | Self::Refinement | Self::Dependency)
    }
}

/// Condition under which a lever is tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Offer {
    /// Tried if hone.toml names no levers.
    Default,
    /// Tried if there is time for more (`--budget`), or if hone.toml names the lever.
    Extra,
    /// Tried only if named: the lever changes where the binary runs, or what the program may do.
    OnRequest,
}

/// Source of the profile of a lever.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ProfileSource {
    /// No profile.
    None,
    /// A recording of the rung below, whose branch records become an AutoFDO profile.
    BranchRecords,
    /// The same as [`Self::BranchRecords`], with pseudo-probes: the rung below is built with them for the recording.
    ProbedBranchRecords,
    /// The recording of [`Self::ProbedBranchRecords`], as counters of instrumented PGO: the rung below is compiled once more
    /// for a map of the counters.
    ProbedCounters,
    /// The recording of [`Self::BranchRecords`], but only its IP samples.
    IpSamples,
    /// The recording of [`Self::BranchRecords`]: the sizes in walked calls of `memcpy` and similar functions, as headers in
    /// a directory.
    CallSizes,
    /// The recording of [`Self::BranchRecords`], as the order in which the linker should put functions.
    FunctionOrder,
    /// A special build with the compiler's counters, run on the train workloads.
    CompilerInstrumentation,
    /// The counters of [`Self::CompilerInstrumentation`], corrected by a recording of the rung below.
    SupplementedInstrumentation,
    /// A second instrumented build, made with the counts of the first one: counts by calling context.
    ContextInstrumentation,
    /// A recording of the rung below built with a map of its blocks, as a layout for compiler and linker: a
    /// directory of two files.
    BlockLayout,
    /// A recording of the relinked rung below, whose branch records go to BOLT.
    BoltBranchRecords,
    /// A binary that BOLT instrumented, run on the train workloads.
    BoltInstrumentation,
}

impl ProfileSource {
    /// Returns true if the profile comes from a slow special build, which production cannot run.
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

/// Prediction of a lever's reach before it is built.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reach {
    /// No prediction.
    NotPredicted,
    /// The lever changes virtual calls of functions with a single implementation; these calls can be counted.
    SingleImplementations,
    /// The lever changes functions that jump to many labels; these can be counted.
    ComputedGotos,
    /// The lever needs more code than a huge page holds, and a kernel that gives huge pages to files.
    HugePages,
}

/// Functions that a program must not use, or not hold, for a lever to work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Forbidden {
    /// Names of the functions.
    pub names: &'static [&'static str],
    /// Reason, as a clause that follows the name of a function.
    pub why: &'static str,
}

/// Flags that a lever adds to the calls of one toolchain. `{profile}` stands for the profile's path, `{mimalloc}` or
/// another allocator's name for the directory of its library, `{bolt-runtime}` for the directory of BOLT's runtime,
/// `{musl}` and `{musl-headers}` for the directories of musl and its headers. In the environment of the running program
/// `{memory-limit}` stands for [`crate::Inputs::memory_limit`] and `{whole-cpus}` for [`crate::Inputs::whole_cpus`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Flags {
    /// Flags for every compilation; rustc's own flags for Rust.
    pub compile: &'static [&'static str],
    /// Flags for compilations that make no position-independent code for a shared library (no -fPIC).
    pub compile_program: &'static [&'static str],
    /// Flags for every link of a program or a shared library.
    pub link: &'static [&'static str],
    /// Further flags for the link of a program only.
    pub link_program: &'static [&'static str],
    /// Environment of the build, such as `GOAMD64`; if the variable is a list of flags (`GOFLAGS`), the value is
    /// appended to the existing value.
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

    /// Returns all flags that may hold a placeholder.
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
