//! Flags of a variant: their input files, their purposes, and the values of levers' placeholders.

use crate::lever::{Flags, Lever, ProfileSource, Rebuild, Toolchain};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Files that the flags refer to.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// Profile of each lever that uses one, by lever id.
    pub profiles: BTreeMap<&'static str, PathBuf>,
    /// Directory of each library that levers need, by the library's name such as `mimalloc`.
    pub libraries: BTreeMap<&'static str, PathBuf>,
    /// Directory for the raw profiles of an instrumented program, for compilers that need to know it.
    pub raw_profiles: Option<PathBuf>,
    /// Memory that the Go program may take before its collector works harder, in bytes.
    pub memory_limit: Option<u64>,
    /// Number of whole CPUs in the CPU quota, at least 1.
    pub whole_cpus: Option<u64>,
    /// True if clang limits the copies of computed gotos.
    pub limits_dispatch: bool,
    /// Directory of the prefixes that dependencies are installed to, each under its name.
    pub prefixes: PathBuf,
    /// True if the user's own build compiles with the levers' compiler. A variant that differs only in the link then takes
    /// the objects of that build as they are.
    pub takes_own_objects: bool,
}

/// A variant's flags, ready for the compiler wrapper and for llvm-bolt.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct VariantFlags {
    /// Toolchain of the flags; other compilers are replaced by it. `None`: the user's own build, untouched.
    pub toolchain: Option<Toolchain>,
    /// Flags added to every compilation.
    pub compile: Vec<String>,
    /// Flags added to compilations without -fPIC.
    pub compile_program: Vec<String>,
    /// Flags added to every link.
    pub link: Vec<String>,
    /// Flags added to links of programs, not of shared libraries.
    pub link_program: Vec<String>,
    /// Environment of the build.
    pub build_env: BTreeMap<String, String>,
    /// Environment of the running program.
    pub run_env: BTreeMap<String, String>,
    /// Arguments of llvm-bolt; empty if llvm-bolt does not run.
    pub bolt: Vec<String>,
    /// True if objects may be bitcode, which only LLVM's archiver understands.
    pub bitcode: bool,
    /// Libraries that are built for the variant and linked as archives.
    pub dependencies: Vec<Rebuilt>,
}

/// A library that Hone builds, and that links take as an archive.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Rebuilt {
    /// The dependency's name.
    pub name: String,
    /// Name of the library in links, such as `z`.
    pub library: String,
    /// Directory that the library is installed to.
    pub prefix: PathBuf,
    /// Path of the archive that replaces the library in links.
    pub archive: PathBuf,
    /// Further arguments of links that take the archive.
    pub link: Vec<String>,
    /// True if the library is built with the variant's flags.
    pub with_levers: bool,
}

/// Purpose of a build of a variant.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Purpose {
    /// The user's own build, without any flag of Hone.
    Baseline,
    /// To be measured and perhaps shipped.
    Use,
    /// To be recorded, with the debug information that profiles by lines need.
    Record,
    /// To be recorded, with pseudo-probes.
    Probe,
    /// To be recorded, with a map of its blocks.
    MapBlocks,
    /// To keep the IR of the sources; neither recorded nor measured.
    KeepIr,
    /// To be run once on the train workloads, with the compiler's counters.
    Instrument,
    /// To be run once with counters behind the inliner, on a build that uses the counts of the first run.
    InstrumentContext,
    /// To be rewritten by llvm-bolt: what the variant is before llvm-bolt runs, with relocations.
    Relink,
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

    /// Returns true if compilations read a profile or count for one.
    pub(super) fn has_profile(&self) -> bool {
        let begins = ["-fprofile-", "-fcs-profile-"];
        let mut words = self.compile.iter();
        words.any(|word| begins.iter().any(|begin| word.starts_with(begin)))
    }

    /// Returns true if programs are linked without shared libraries.
    pub(crate) fn links_statically(&self) -> bool {
        self.link_program.iter().any(|flag| flag == "-static")
    }

    /// The lists of flags that compilers get.
    pub fn of_compilers(&self) -> [&[String]; 4] {
        [
            &self.compile,
            &self.compile_program,
            &self.link,
            &self.link_program,
        ]
    }

    /// Returns the flags for building one of the dependencies.
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
            (Purpose::Relink, _) => {
                self.bolt.clear();
                return;
            }
            (Purpose::Baseline | Purpose::Use | Purpose::Record | Purpose::KeepIr, _) => return,
            (Purpose::Probe, _) => (
                &["-fpseudo-probe-for-profiling"],
                &["-fpseudo-probe-for-profiling"],
            ),
            // With LTO the linker generates the code.
            (Purpose::MapBlocks, _) => (
                &["-fbasic-block-address-map"],
                &["-fuse-ld=lld", "-Wl,--lto-basic-block-address-map"],
            ),
            (Purpose::InstrumentContext, _) => {
                (&["-fcs-profile-generate"], &["-fcs-profile-generate"])
            }
            // Threads share counters, which without atomic updates would not add up.
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

/// Returns flags for the debug information that maps a profile back to the source. Every variant has the flags, except
/// the baseline and variants that take its objects. They change no instruction, with [`AS_WITHOUT_PROFILE`] for clang.
pub(super) fn profiling_flags(toolchain: Toolchain) -> &'static [&'static str] {
    match toolchain {
        Toolchain::Clang => &[
            "-gline-tables-only",
            "-fdebug-info-for-profiling",
            "-funique-internal-linkage-names",
        ],
        Toolchain::Gcc => &["-g"],
        // Cargo strips a binary that has no debug information of its own.
        Toolchain::Rust => &["-Cdebuginfo=1", "-Cstrip=none"],
        Toolchain::Go => &[],
    }
}

/// Flags that let clang inline as in a build without profiles: -fdebug-info-for-profiling and -fpseudo-probe-for-profiling alone make
/// its inliner put off calls, as it does with a profile (`PGOOpt` in LLVM's PassBuilderPipelines.cpp).
pub(super) const AS_WITHOUT_PROFILE: [&str; 2] =
    ["-mllvm", "-enable-npm-pgo-inline-deferral=false"];

/// Returns flags that keep warnings about stale or missing profile data from breaking a build with `-Werror`.
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

/// Removes repeated flags: several levers add `-fuse-ld=lld`, and one is enough.
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
    let text = libraries.fold(text, |text, (name, directory)| {
        replace(text, &format!("{{{name}}}"), directory)
    });
    let amounts = [
        ("{memory-limit}", inputs.memory_limit),
        ("{whole-cpus}", inputs.whole_cpus),
    ];
    amounts
        .iter()
        .fold(text, |text, (mark, amount)| match amount {
            Some(amount) => text.replace(mark, &amount.to_string()),
            None => text,
        })
}
