//! A variant is one build of the program with a set of levers; here the set becomes flags.

use crate::lever::{Lever, Need, ProfileSource};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Debug information that a profile needs to find its way back to the source, in every variant but the
/// baseline. It changes no instruction.
pub const PROFILING_FLAGS: &[&str] = &[
    "-gline-tables-only",
    "-fdebug-info-for-profiling",
    "-funique-internal-linkage-names",
];

/// What the compiler's instrumentation adds to the levers below it.
pub const INSTRUMENTATION_FLAGS: &[&str] = &["-fprofile-generate"];

/// Warnings about stale or missing profile data must not break a build with `-Werror`.
const QUIET_FLAGS: &[&str] = &[
    "-Wno-unused-command-line-argument",
    "-Wno-profile-instr-unprofiled",
    "-Wno-profile-instr-out-of-date",
    "-Wno-backend-plugin",
];

/// A set of levers, lowest first; none is the baseline.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Variant {
    /// The levers.
    pub levers: Vec<&'static Lever>,
}

/// Files that the flags refer to.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// Profile of each lever that uses one, by lever id.
    pub profiles: BTreeMap<&'static str, PathBuf>,
    /// Directory of the mimalloc library.
    pub mimalloc_dir: Option<PathBuf>,
}

/// A variant's flags, ready for the compiler wrapper and for llvm-bolt.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct VariantFlags {
    /// Added to every compilation.
    pub compile: Vec<String>,
    /// Added to every link.
    pub link: Vec<String>,
    /// Added to links of programs, not of shared libraries.
    pub link_program: Vec<String>,
    /// Arguments of llvm-bolt; empty where it does not run.
    pub bolt: Vec<String>,
    /// Whether the flags are clang's own, so that another compiler must give way.
    pub clang_only: bool,
    /// Whether objects may be bitcode, which only LLVM's archiver understands.
    pub bitcode: bool,
}

/// What a variant is built for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// To be measured and, perhaps, shipped.
    Use,
    /// To be run once on the train workloads with the compiler's instrumentation.
    Instrument,
    /// As the user builds it: no flag of ours at all.
    Baseline,
}

impl Variant {
    /// The variant with one more lever on top.
    pub fn with(&self, lever: &'static Lever) -> Self {
        let mut levers = self.levers.clone();
        levers.push(lever);
        Self { levers }
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

    /// Everything that must be installed for it.
    pub fn needs(&self) -> impl Iterator<Item = Need> + '_ {
        self.levers
            .iter()
            .flat_map(|lever| lever.needs.iter().copied())
    }

    /// The flags for one purpose. `inputs` must hold what the levers' placeholders name; a placeholder
    /// without its file stays as it is, and the build fails on it.
    pub fn flags(&self, purpose: Purpose, inputs: &Inputs) -> VariantFlags {
        if purpose == Purpose::Baseline {
            return VariantFlags::default();
        }
        let mut flags = VariantFlags {
            compile: strings(PROFILING_FLAGS),
            ..Default::default()
        };
        for lever in &self.levers {
            let fill = |list: &[&str]| fill(list, lever, inputs);
            flags.compile.extend(fill(lever.compile));
            flags.link.extend(fill(lever.link));
            flags.link_program.extend(fill(lever.link_program));
            flags.bolt.extend(fill(lever.bolt));
        }
        if purpose == Purpose::Instrument {
            flags.compile.extend(strings(INSTRUMENTATION_FLAGS));
            flags.link.extend(strings(INSTRUMENTATION_FLAGS));
        }
        flags.compile.extend(strings(QUIET_FLAGS));
        flags.link.dedup();
        flags.clang_only = true;
        flags.bitcode = self.needs().any(|need| need == Need::LlvmAr);
        flags
    }

    /// The lever on top, if any.
    pub fn top(&self) -> Option<&'static Lever> {
        self.levers.last().copied()
    }
}

fn strings(list: &[&str]) -> Vec<String> {
    list.iter().map(|&flag| flag.into()).collect()
}

fn fill(list: &[&str], lever: &Lever, inputs: &Inputs) -> Vec<String> {
    let profile = inputs
        .profiles
        .get(lever.id)
        .filter(|_| lever.profile != ProfileSource::None);
    let replace = |text: &str, mark: &str, path: Option<&PathBuf>| match path {
        Some(path) => text.replace(mark, &path.to_string_lossy()),
        None => text.to_owned(),
    };
    list.iter()
        .map(|flag| replace(flag, "{profile}", profile))
        .map(|flag| replace(&flag, "{mimalloc}", inputs.mimalloc_dir.as_ref()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lever::by_id;

    fn variant(ids: &[&str]) -> Variant {
        Variant {
            levers: ids.iter().map(|id| by_id(id).unwrap()).collect(),
        }
    }

    #[test]
    fn the_baseline_gets_no_flag_at_all() {
        let flags = Variant::default().flags(Purpose::Baseline, &Inputs::default());
        assert_eq!(flags, VariantFlags::default());
    }

    #[test]
    fn profiles_and_directories_are_filled_in() {
        let inputs = Inputs {
            profiles: BTreeMap::from([("autofdo", "/p/a.prof".into())]),
            mimalloc_dir: Some("/lib/m".into()),
        };
        let flags = variant(&["mimalloc", "thinlto", "autofdo"]).flags(Purpose::Use, &inputs);
        assert!(
            flags
                .compile
                .contains(&"-fprofile-sample-use=/p/a.prof".to_string())
        );
        assert!(flags.link_program.contains(&"-L/lib/m".to_string()));
        let all = [
            flags.compile.join(" "),
            flags.link.join(" "),
            flags.link_program.join(" "),
        ];
        assert!(all.iter().all(|list| !list.contains('{')), "{all:?}");
    }

    #[test]
    fn instrumentation_stands_on_the_levers_below() {
        let flags = variant(&["thinlto"]).flags(Purpose::Instrument, &Inputs::default());
        for flag in ["-flto=thin", "-fprofile-generate"] {
            assert!(
                flags.compile.iter().any(|f| f == flag) && flags.link.iter().any(|f| f == flag)
            );
        }
    }

    #[test]
    fn names_are_the_levers() {
        assert_eq!(Variant::default().id(), "baseline");
        assert_eq!(
            variant(&["thinlto", "pgo", "bolt"]).id(),
            "thinlto+pgo+bolt"
        );
    }
}
