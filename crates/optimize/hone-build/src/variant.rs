//! Variants: builds of the program with a set of levers. This module turns the set into flags.

mod flags;
mod key;

use crate::lever::{Bundle, DISPATCH, Lever, Need, ProfileSource, Toolchain, incomplete};
use flags::{AS_WITHOUT_PROFILE, keep_first, profiling_flags, quiet_flags, strings};

pub use flags::{Inputs, Purpose, Rebuilt, VariantFlags};
pub use key::BuildKey;

/// A set of levers, lowest first; the empty set is the baseline.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Variant {
    /// Compiler of the variant, unless a lever changes it.
    pub base: Toolchain,
    /// The levers.
    pub levers: Vec<&'static Lever>,
}

impl Variant {
    /// Returns the variant with one more lever on top.
    pub fn with(&self, lever: &'static Lever) -> Self {
        let mut levers = self.levers.clone();
        levers.push(lever);
        Self { levers, ..*self }
    }

    /// Returns the levers of a bundle that the variant does not have, lowest first.
    pub fn lacks(&self, bundle: &Bundle) -> Vec<&'static Lever> {
        let levers = bundle.levers().iter().copied();
        levers.filter(|lever| !self.has(lever.id)).collect()
    }

    /// Returns the variant with all levers of a bundle; missing levers are added on top.
    pub fn with_all(&self, bundle: &Bundle) -> Self {
        let levers = self.lacks(bundle);
        let levers = levers.into_iter();
        levers.fold(self.clone(), |variant, lever| variant.with(lever))
    }

    /// Returns the reason why the missing levers of a bundle cannot be added, as a clause; `None` if they can.
    pub fn refuses_any(&self, bundle: &Bundle) -> Option<String> {
        let mut below = self.clone();
        for lever in self.lacks(bundle) {
            if let Some(reason) = below.refuses(lever) {
                return Some(reason);
            }
            below = below.with(lever);
        }
        None
    }

    /// Returns true if every lever has the lever above it without which it would cost more than it gains.
    pub fn is_complete(&self) -> bool {
        incomplete(&self.levers).is_none()
    }

    /// Returns the variant without one of its levers, and without the levers that need it.
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

    /// Returns the name in paths and reports: lever ids joined by `+`, or `baseline`.
    pub fn id(&self) -> String {
        if self.levers.is_empty() {
            return "baseline".into();
        }
        self.lever_ids().join("+")
    }

    /// Returns the ids of the levers, lowest first.
    pub fn lever_ids(&self) -> Vec<&'static str> {
        self.levers.iter().map(|lever| lever.id).collect()
    }

    /// Returns true if the variant holds the lever.
    pub fn has(&self, id: &str) -> bool {
        self.levers.iter().any(|lever| lever.id == id)
    }

    /// Returns the compiler of the variant.
    pub fn toolchain(&self) -> Toolchain {
        if self.has("gcc") {
            Toolchain::Gcc
        } else {
            self.base
        }
    }

    /// Returns the reason why the lever cannot be added to the variant, as a clause; `None` if it can.
    pub fn refuses(&self, lever: &'static Lever) -> Option<String> {
        let toolchain = self.with(lever).toolchain();
        if lever.flags_for(toolchain).is_none() {
            return Some(format!("{} has no such lever", toolchain.name()));
        }
        let stands = lever.stands_on.is_empty() || lever.stands_on.iter().any(|id| self.has(id));
        if !stands {
            return Some(format!(
                "it needs {}, which was not kept",
                lever.stands_on.join(" or ")
            ));
        }
        if lever.rebuilds.is_some() && !self.changes_code() {
            return Some("no lever was kept that would change the library's code".into());
        }
        let other = self.levers.iter().find(|other| other.clashes(lever))?;
        Some(format!("it cannot be combined with {}", other.title))
    }

    /// Returns true if any lever compiles differently than the user's build does.
    fn changes_code(&self) -> bool {
        let toolchain = self.toolchain();
        let own = |lever: &&'static Lever| lever.flags_for(toolchain);
        let mut flags = self.levers.iter().filter_map(own);
        flags.any(|flags| !flags.compile.is_empty() || !flags.compile_program.is_empty())
    }

    /// Returns true if the variant has levers, and none of them changes the compiler or its flags. Levers with a profile do
    /// not count: recordings for BOLT need lines too, since the quality of a profile is judged by lines.
    fn only_links_otherwise(&self) -> bool {
        let is_c = matches!(self.toolchain(), Toolchain::Clang | Toolchain::Gcc);
        let is_same_compiler = self.toolchain() == self.base;
        let is_recorded = |lever: &&Lever| lever.profile != ProfileSource::None;
        let only_links = !self.levers.is_empty() && !self.changes_code();
        is_c && is_same_compiler && only_links && !self.levers.iter().any(is_recorded)
    }

    /// Returns everything that must be installed for the variant.
    pub fn needs(&self) -> impl Iterator<Item = Need> + '_ {
        let toolchain = self.toolchain();
        let needs = self.levers.iter().flat_map(|lever| lever.needs);
        needs.copied().filter(move |need| need.concerns(toolchain))
    }

    /// Returns the flags for one purpose. `inputs` must hold the files that the levers' placeholders name; a placeholder
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
        if toolchain == Toolchain::Clang {
            match flags.has_profile() {
                false => flags.compile.extend(and_compile(&AS_WITHOUT_PROFILE)),
                true if inputs.limits_dispatch && !self.has("dispatch") => {
                    flags.compile.extend(strings(DISPATCH.compile));
                    flags.link.extend(strings(DISPATCH.link));
                }
                true => {}
            }
        }
        flags.compile.extend(and_compile(quiet_flags(toolchain)));
        keep_first(&mut flags.link);
        flags
    }

    /// Returns the lever on top, if any.
    pub fn top(&self) -> Option<&'static Lever> {
        self.levers.last().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lever::{ALL, by_id};
    use std::collections::BTreeMap;
    use std::path::PathBuf;

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
            memory_limit: Some(1 << 20),
            whole_cpus: Some(1),
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
                let marks = ["{p", "{m", "{j", "{b", "{w"];
                assert!(!marks.iter().any(|mark| text.contains(mark)), "{text}");
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
    fn of_a_bundle_only_what_is_not_there_comes_on_top() {
        let kept = variant(&["thinlto"]);
        let bundle = |text| Bundle::parse(text).unwrap();
        let both = bundle("thinlto+pgo");
        assert_eq!(kept.with_all(&both).id(), "thinlto+pgo");
        assert_eq!(kept.refuses_any(&both), None);
        assert_eq!(Variant::default().with_all(&both).id(), "thinlto+pgo");
        let other = kept.refuses_any(&bundle("lto+pgo"));
        assert!(other.unwrap().contains("cannot be combined with ThinLTO"));
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
        let linked = flags(&["mimalloc"], Purpose::Use, &own);
        assert!(
            linked.compile.is_empty() && !linked.link_program.is_empty(),
            "{linked:?}"
        );
        let lines = "-gline-tables-only".to_string();
        for (ids, purpose, inputs) in [
            (&["mimalloc"][..], Purpose::Record, &own),
            (&["mimalloc", "thinlto"], Purpose::Use, &own),
            // Functions in their own sections make different objects.
            (&["mimalloc", "icf"], Purpose::Use, &own),
            // The binary that llvm-bolt rewrites is recorded.
            (&["mimalloc", "bolt"], Purpose::Use, &own),
            // The user's build has another compiler.
            (&["mimalloc"], Purpose::Use, &Inputs::default()),
            // The build without levers that is recorded.
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
