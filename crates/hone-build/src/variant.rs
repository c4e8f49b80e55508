//! A variant is one build of the program with a set of levers; here the set becomes flags.

use crate::lever::{Flags, Lever, Need, ProfileSource, Rebuild, Toolchain};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A set of levers, lowest first; none is the baseline.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Variant {
    /// What compiles it, unless a lever changes that.
    pub base: Toolchain,
    /// The levers.
    pub levers: Vec<&'static Lever>,
}

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
    /// To be run once on the train workloads with the compiler's counters.
    Instrument,
    /// The same with counters behind the inliner, on a build that uses the first ones' counts.
    InstrumentContext,
}

impl Variant {
    /// The variant with one more lever on top.
    pub fn with(&self, lever: &'static Lever) -> Self {
        let mut levers = self.levers.clone();
        levers.push(lever);
        Self { levers, ..*self }
    }

    /// The variant without one of its levers, and without those that cannot stand without it.
    pub fn without(&self, id: &str) -> Self {
        let start = Self {
            levers: Vec::new(),
            ..*self
        };
        let kept = self.levers.iter().filter(|lever| lever.id != id);
        kept.fold(start, |variant, lever| match variant.refuses(lever) {
            None => variant.with(lever),
            Some(_) => variant,
        })
    }

    /// Its name in paths and reports: lever ids joined by `+`, or `baseline`.
    pub fn id(&self) -> String {
        if self.levers.is_empty() {
            return "baseline".into();
        }
        self.lever_ids().join("+")
    }

    /// The ids of its levers, lowest first.
    pub fn lever_ids(&self) -> Vec<&'static str> {
        self.levers.iter().map(|lever| lever.id).collect()
    }

    /// Whether it holds the lever.
    pub fn has(&self, id: &str) -> bool {
        self.levers.iter().any(|lever| lever.id == id)
    }

    /// What compiles it.
    pub fn toolchain(&self) -> Toolchain {
        if self.has("gcc") {
            Toolchain::Gcc
        } else {
            self.base
        }
    }

    /// Why this lever cannot stand on the variant, as a clause; `None` if it can.
    pub fn refuses(&self, lever: &'static Lever) -> Option<String> {
        let toolchain = self.with(lever).toolchain();
        if lever.flags_for(toolchain).is_none() {
            return Some(format!("{} has no such lever", toolchain.name()));
        }
        let stands = lever.stands_on.is_empty() || lever.stands_on.iter().any(|id| self.has(id));
        if !stands {
            return Some(format!(
                "it stands on {}, which was not kept",
                lever.stands_on.join(" or ")
            ));
        }
        if lever.rebuilds.is_some() && !self.changes_code() {
            return Some("no lever was kept that would change the library's code".into());
        }
        let clashes = |other: &&&'static Lever| {
            lever.excludes.contains(&other.id) || other.excludes.contains(&lever.id)
        };
        let other = self.levers.iter().find(clashes)?;
        Some(format!("it cannot be combined with {}", other.title))
    }

    /// Whether any of its levers compiles otherwise than the build does by itself.
    fn changes_code(&self) -> bool {
        let toolchain = self.toolchain();
        let own = |lever: &&'static Lever| lever.flags_for(toolchain);
        let mut flags = self.levers.iter().filter_map(own);
        flags.any(|flags| !flags.compile.is_empty() || !flags.compile_program.is_empty())
    }

    /// Whether it has levers, and none of them has a word for the C compiler.
    fn only_links_otherwise(&self) -> bool {
        let is_c = matches!(self.toolchain(), Toolchain::Clang | Toolchain::Gcc);
        let is_same_compiler = self.toolchain() == self.base;
        is_c && is_same_compiler && !self.levers.is_empty() && !self.changes_code()
    }

    /// Everything that must be installed for it.
    pub fn needs(&self) -> impl Iterator<Item = Need> + '_ {
        let toolchain = self.toolchain();
        let needs = self.levers.iter().flat_map(|lever| lever.needs);
        needs.copied().filter(move |need| need.concerns(toolchain))
    }

    /// The flags for one purpose. `inputs` must hold what the levers' placeholders name; a placeholder
    /// without its file stays as it is, and the build fails on it.
    pub fn flags(&self, purpose: Purpose, inputs: &Inputs) -> VariantFlags {
        if purpose == Purpose::Baseline {
            return VariantFlags::default();
        }
        let toolchain = self.toolchain();
        let is_own_code =
            purpose == Purpose::Use && inputs.takes_own_objects && self.only_links_otherwise();
        let and_compile = |flags: &'static [&str]| match is_own_code {
            true => Vec::new(),
            false => strings(flags),
        };
        let mut flags = VariantFlags {
            toolchain: Some(toolchain),
            compile: and_compile(profiling_flags(toolchain)),
            bitcode: self.needs().any(|need| need == Need::LlvmAr),
            ..Default::default()
        };
        for lever in &self.levers {
            flags.add(lever, toolchain, inputs);
        }
        flags.instrument(purpose, toolchain, inputs);
        flags.compile.extend(and_compile(quiet_flags(toolchain)));
        keep_first(&mut flags.link);
        flags
    }

    /// The lever on top, if any.
    pub fn top(&self) -> Option<&'static Lever> {
        self.levers.last().copied()
    }
}

impl VariantFlags {
    fn add(&mut self, lever: &Lever, toolchain: Toolchain, inputs: &Inputs) {
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

    fn instrument(&mut self, purpose: Purpose, toolchain: Toolchain, inputs: &Inputs) {
        let raw = inputs.raw_profiles.as_deref();
        let raw = raw.map_or("{raw}".into(), |path| path.to_string_lossy());
        let (compile, link): (&[&str], &[&str]) = match (purpose, toolchain) {
            (Purpose::Baseline | Purpose::Use | Purpose::Record, _) => return,
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
fn profiling_flags(toolchain: Toolchain) -> &'static [&'static str] {
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
fn quiet_flags(toolchain: Toolchain) -> &'static [&'static str] {
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

fn strings(list: &[&str]) -> Vec<String> {
    list.iter().map(|&flag| flag.into()).collect()
}

/// Levers repeat each other's `-fuse-ld=lld`; one is enough.
fn keep_first(flags: &mut Vec<String>) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lever::{ALL, by_id};

    fn variant(ids: &[&str]) -> Variant {
        Variant {
            levers: ids.iter().map(|id| by_id(id).unwrap()).collect(),
            ..Variant::default()
        }
    }

    #[test]
    fn the_baseline_gets_no_flag_at_all() {
        let flags = Variant::default().flags(Purpose::Baseline, &Inputs::default());
        assert_eq!(flags, VariantFlags::default());
    }

    #[test]
    fn profiles_and_directories_are_filled_in() {
        let libraries = "mimalloc jemalloc tcmalloc bolt-runtime musl musl-headers";
        let libraries = libraries.split(' ');
        let inputs = Inputs {
            profiles: ALL
                .iter()
                .map(|lever| (lever.id, "/p/a.prof".into()))
                .collect(),
            libraries: libraries.map(|name| (name, "/lib/m".into())).collect(),
            ..Inputs::default()
        };
        for lever in ALL {
            for (toolchain, _) in lever.flags {
                let variant = Variant {
                    base: *toolchain,
                    levers: vec![lever],
                };
                let flags = variant.flags(Purpose::Use, &inputs);
                let text = format!("{flags:?}");
                assert!(
                    !text.contains("{p")
                        && !text.contains("{m")
                        && !text.contains("{j")
                        && !text.contains("{b"),
                    "{text}"
                );
            }
        }
        let flags = variant(&["mimalloc", "thinlto", "autofdo"]).flags(Purpose::Use, &inputs);
        let expected = "-fprofile-sample-use=/p/a.prof".to_string();
        assert!(flags.compile.contains(&expected));
        assert!(flags.link_program.contains(&"-L/lib/m".to_string()));
        let lld = flags.link.iter().filter(|flag| *flag == "-fuse-ld=lld");
        assert_eq!(lld.count(), 1);
    }

    #[test]
    fn instrumentation_stands_on_the_levers_below() {
        let flags = variant(&["thinlto"]).flags(Purpose::Instrument, &Inputs::default());
        for flag in ["-flto=thin", "-fprofile-generate"] {
            let is_in = |list: &[String]| list.iter().any(|known| known == flag);
            assert!(is_in(&flags.compile) && is_in(&flags.link), "{flag}");
        }
    }

    #[test]
    fn what_only_links_otherwise_compiles_as_the_user_does() {
        let own = Inputs {
            takes_own_objects: true,
            ..Inputs::default()
        };
        let flags = |ids: &[&str], purpose, inputs: &Inputs| variant(ids).flags(purpose, inputs);
        let linked = flags(&["mimalloc", "bolt"], Purpose::Use, &own);
        assert!(
            linked.compile.is_empty() && !linked.link_program.is_empty(),
            "{linked:?}"
        );
        let lines = "-gline-tables-only".to_string();
        for (ids, purpose, inputs) in [
            (&["mimalloc"][..], Purpose::Record, &own),
            (&["mimalloc", "thinlto"], Purpose::Use, &own),
            // Functions in sections of their own are other objects.
            (&["mimalloc", "icf"], Purpose::Use, &own),
            // The user's compiler is another.
            (&["mimalloc"], Purpose::Use, &Inputs::default()),
            // The build that recordings of no lever are made on.
            (&[], Purpose::Use, &own),
        ] {
            assert!(
                flags(ids, purpose, inputs).compile.contains(&lines),
                "{ids:?}"
            );
        }
    }

    #[test]
    fn a_map_of_blocks_is_asked_of_the_compiler_and_of_the_linker() {
        let flags = variant(&["thinlto"]).flags(Purpose::MapBlocks, &Inputs::default());
        assert!(flags.compile.contains(&"-fbasic-block-address-map".into()));
        let at_link = "-Wl,--lto-basic-block-address-map";
        assert!(flags.link.contains(&at_link.into()));
    }

    #[test]
    fn names_are_the_levers() {
        assert_eq!(Variant::default().id(), "baseline");
        assert_eq!(
            variant(&["thinlto", "pgo", "bolt"]).id(),
            "thinlto+pgo+bolt"
        );
    }

    #[test]
    fn levers_refuse_what_they_cannot_stand_on() {
        let refusal = |below: &[&str], id: &str| variant(below).refuses(by_id(id).unwrap());
        assert_eq!(refusal(&["thinlto"], "wpd"), None);
        assert!(refusal(&[], "wpd").unwrap().contains("thinlto or lto"));
        assert!(refusal(&["gcc"], "thinlto").unwrap().contains("gcc has no"));
        assert_eq!(refusal(&["gcc"], "lto"), None);
        let gcc = refusal(&["gcc"], "propeller").unwrap();
        assert!(gcc.contains("gcc has no"), "{gcc}");
        assert!(refusal(&["bolt"], "propeller").is_some());
        assert_eq!(refusal(&["thinlto", "pgo"], "propeller"), None);
        assert!(refusal(&["static"], "mimalloc-preload").is_some());
        assert!(refusal(&["mimalloc-preload"], "static").is_some());
    }

    #[test]
    fn a_dependency_gets_the_flags_that_were_kept_or_none_at_all() {
        let dependency = crate::lever::Dependency {
            name: "zlib".into(),
            source: "../zlib".into(),
            exclude: Vec::new(),
            command: "make prefix={prefix} install".into(),
            env: BTreeMap::new(),
            archive: "lib/libz.a".into(),
            link: vec!["-lm".into()],
        };
        let [plain, rebuilt] = dependency.levers();
        let refusal = variant(&["mimalloc"]).refuses(rebuilt).unwrap();
        assert!(refusal.contains("no lever was kept"), "{refusal}");
        let below = variant(&["mimalloc", "o3"]);
        assert_eq!(below.refuses(rebuilt), None);
        let inputs = Inputs {
            prefixes: "/h/deps".into(),
            ..Inputs::default()
        };
        for (lever, has_o3) in [(plain, false), (rebuilt, true)] {
            let flags = below.with(lever).flags(Purpose::Use, &inputs);
            let [of] = &flags.dependencies[..] else {
                panic!("{flags:?}")
            };
            assert_eq!(of.archive, PathBuf::from("/h/deps/zlib/lib/libz.a"));
            let own = flags.for_dependency(of);
            assert_eq!(own.compile.contains(&"-O3".to_string()), has_o3);
            assert_eq!(own.toolchain, Some(Toolchain::Clang));
            assert!(own.dependencies.is_empty());
        }
        let rust = Variant {
            base: Toolchain::Rust,
            levers: vec![by_id("codegen-units").unwrap()],
        };
        assert!(rust.refuses(rebuilt).unwrap().contains("rustc has no"));
    }

    #[test]
    fn what_stands_on_a_lever_goes_with_it() {
        let full = variant(&["mimalloc", "thinlto", "pgo", "cs-pgo", "bolt"]);
        assert_eq!(full.without("pgo").id(), "mimalloc+thinlto+bolt");
        assert_eq!(full.without("mimalloc").id(), "thinlto+pgo+cs-pgo+bolt");
    }
}
