//! A variant's flags: what they refer to, what they are for, and how levers' placeholders are filled in.

use crate::lever::{Flags, Lever, ProfileSource, Rebuild, Toolchain};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Files that the flags refer to.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// Profile of each lever that uses one, by lever id.
    pub profiles: BTreeMap<&'static str, PathBuf>,
    /// Directory of each library that levers want, by its name such as `mimalloc`.
    pub libraries: BTreeMap<&'static str, PathBuf>,
    /// Where an instrumented program writes its raw profiles, for compilers that want to know.
    pub raw_profiles: Option<PathBuf>,
    /// Directory of the prefixes that dependencies are installed to, each under its name.
    pub prefixes: PathBuf,
    /// Whether the user's own build compiles with the levers' compiler: what only links otherwise then takes the
    /// objects of that build as they are.
    pub takes_own_objects: bool,
}

/// A variant's flags, ready for the compiler wrapper and for llvm-bolt.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct VariantFlags {
    /// Whose flags they are; another compiler gives way to it. `None`: the user's own build, untouched.
    pub toolchain: Option<Toolchain>,
    /// Added to every compilation.
    pub compile: Vec<String>,
    /// Added to compilations without -fPIC.
    pub compile_program: Vec<String>,
    /// Added to every link.
    pub link: Vec<String>,
    /// Added to links of programs, not of shared libraries.
    pub link_program: Vec<String>,
    /// Environment of the build.
    pub build_env: BTreeMap<String, String>,
    /// Environment of the running program.
    pub run_env: BTreeMap<String, String>,
    /// Arguments of llvm-bolt; empty where it does not run.
    pub bolt: Vec<String>,
    /// Whether objects may be bitcode, which only LLVM's archiver understands.
    pub bitcode: bool,
    /// Libraries that are built for the variant and linked as archives.
    pub dependencies: Vec<Rebuilt>,
}

/// A library that links take from an archive of our own building.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Rebuilt {
    /// The dependency's name.
    pub name: String,
    /// What links call it, such as `z`.
    pub library: String,
    /// The directory that it is installed to.
    pub prefix: PathBuf,
    /// What links get in its place.
    pub archive: PathBuf,
    /// What else they need then.
    pub link: Vec<String>,
    /// Whether it is built with the variant's flags.
    pub with_levers: bool,
}

/// What a variant is built for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// As the user builds it: no flag of ours at all.
    Baseline,
    /// To be measured and, perhaps, shipped.
    Use,
    /// To be recorded, with the debug information that profiles by lines need.
    Record,
    /// To be recorded with pseudo-probes in it.
    Probe,
    /// To be recorded with a map of its blocks in it.
    MapBlocks,
    /// To have the IR of its sources kept; neither recorded nor measured.
    KeepIr,
    /// To be run once on the train workloads with the compiler's counters.
    Instrument,
    /// The same with counters behind the inliner, on a build that uses the first ones' counts.
    InstrumentContext,
}

impl VariantFlags {
    pub(super) fn add(&mut self, lever: &Lever, toolchain: Toolchain, inputs: &Inputs) {
        let own = lever.flags_for(toolchain).unwrap_or(&Flags::NONE);
        let fill_all = |list: &'static [&str]| list.iter().map(|flag| fill(flag, lever, inputs));
        self.compile.extend(fill_all(own.compile));
        self.compile_program.extend(fill_all(own.compile_program));
        self.link.extend(fill_all(own.link));
        self.link_program.extend(fill_all(own.link_program));
        self.bolt
            .extend(lever.bolt.iter().flat_map(|list| fill_all(list)));
        let rebuilt = lever.rebuilds.and_then(|rebuild| rebuilt(rebuild, inputs));
        self.dependencies.extend(rebuilt);
        for (name, value) in own.build_env {
            self.build_env
                .insert((*name).into(), fill(value, lever, inputs));
        }
        for (name, value) in lever.run_env {
            self.run_env
                .insert((*name).into(), fill(value, lever, inputs));
        }
    }

    /// The flags for building one of the dependencies.
    pub fn for_dependency(&self, dependency: &Rebuilt) -> Self {
        if dependency.with_levers {
            Self {
                dependencies: Vec::new(),
                ..self.clone()
            }
        } else {
            Self {
                toolchain: self.toolchain,
                ..Self::default()
            }
        }
    }

    pub(super) fn instrument(&mut self, purpose: Purpose, toolchain: Toolchain, inputs: &Inputs) {
        let raw = inputs.raw_profiles.as_deref();
        let raw = raw.map_or("{raw}".into(), |path| path.to_string_lossy());
        let (compile, link): (&[&str], &[&str]) = match (purpose, toolchain) {
            (Purpose::Baseline | Purpose::Use | Purpose::Record | Purpose::KeepIr, _) => return,
            (Purpose::Probe, _) => (
                &["-fpseudo-probe-for-profiling"],
                &["-fpseudo-probe-for-profiling"],
            ),
            // With LTO the linker makes the code.
            (Purpose::MapBlocks, _) => (
                &["-fbasic-block-address-map"],
                &["-fuse-ld=lld", "-Wl,--lto-basic-block-address-map"],
            ),
            (Purpose::InstrumentContext, _) => {
                (&["-fcs-profile-generate"], &["-fcs-profile-generate"])
            }
            // Threads count together, or the counts would not add up.
            (Purpose::Instrument, Toolchain::Gcc) => (
                &["-fprofile-generate={raw}", "-fprofile-update=prefer-atomic"],
                &["-fprofile-generate={raw}"],
            ),
            (Purpose::Instrument, Toolchain::Rust) => (&["-Cprofile-generate={raw}"], &[]),
            (Purpose::Instrument, _) => (&["-fprofile-generate"], &["-fprofile-generate"]),
        };
        let fill = |flag: &&str| flag.replace("{raw}", &raw);
        self.compile.extend(compile.iter().map(fill));
        self.link.extend(link.iter().map(fill));
    }
}

fn rebuilt(rebuild: Rebuild, inputs: &Inputs) -> Option<Rebuilt> {
    let dependency = rebuild.of;
    let prefix = inputs.prefixes.join(&dependency.name);
    Some(Rebuilt {
        name: dependency.name.clone(),
        library: dependency.library()?.into(),
        archive: dependency.archive_in(&prefix),
        prefix,
        link: dependency.link.clone(),
        with_levers: rebuild.with_levers,
    })
}

/// Debug information that a profile needs to find its way back to the source, in every variant but the
/// baseline and those that take its objects. It changes no instruction.
pub(super) fn profiling_flags(toolchain: Toolchain) -> &'static [&'static str] {
    match toolchain {
        Toolchain::Clang => &[
            "-gline-tables-only",
            "-fdebug-info-for-profiling",
            "-funique-internal-linkage-names",
        ],
        Toolchain::Gcc => &["-g"],
        // Cargo strips what has no debug information of its own.
        Toolchain::Rust => &["-Cdebuginfo=1", "-Cstrip=none"],
        Toolchain::Go => &[],
    }
}

/// Warnings about stale or missing profile data must not break a build with `-Werror`.
pub(super) fn quiet_flags(toolchain: Toolchain) -> &'static [&'static str] {
    match toolchain {
        Toolchain::Clang => &[
            "-Wno-unused-command-line-argument",
            "-Wno-profile-instr-unprofiled",
            "-Wno-profile-instr-out-of-date",
            "-Wno-backend-plugin",
        ],
        Toolchain::Gcc => &[
            "-Wno-missing-profile",
            "-Wno-coverage-mismatch",
            "-Wno-error=coverage-mismatch",
        ],
        Toolchain::Rust | Toolchain::Go => &[],
    }
}

pub(super) fn strings(list: &[&str]) -> Vec<String> {
    list.iter().map(|&flag| flag.into()).collect()
}

/// Levers repeat each other's `-fuse-ld=lld`; one is enough.
pub(super) fn keep_first(flags: &mut Vec<String>) {
    let mut seen = std::collections::BTreeSet::new();
    flags.retain(|flag| seen.insert(flag.clone()));
}

fn fill(flag: &str, lever: &Lever, inputs: &Inputs) -> String {
    let profile = inputs
        .profiles
        .get(lever.id)
        .filter(|_| lever.profile != ProfileSource::None);
    let replace =
        |text: String, mark: &str, path: &PathBuf| text.replace(mark, &path.to_string_lossy());
    let text = match profile {
        Some(profile) => replace(flag.to_owned(), "{profile}", profile),
        None => flag.to_owned(),
    };
    let libraries = inputs.libraries.iter();
    libraries.fold(text, |text, (name, directory)| {
        replace(text, &format!("{{{name}}}"), directory)
    })
}
