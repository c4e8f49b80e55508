//! Forms of profiles that sums can become. The names are those of `hone convert --to`.

use serde::{Deserialize, Serialize};

/// Form of a profile.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// LLVM sample profile, text.
    AutofdoText,
    /// LLVM sample profile, extended binary.
    AutofdoExtbinary,
    /// GCC's profile for `-fauto-profile`.
    GccGcov,
    /// BOLT's fdata.
    BoltFdata,
    /// BOLT's pre-aggregated branches and ranges. perf2bolt makes YAML of it, for stale matching.
    BoltPreaggregated,
    /// Functions in the order in which they should lie, for lld.
    SymbolOrder,
    /// The same as sections, for gold.
    SectionOrder,
    /// `default.pgo` for Go.
    GoPgo,
}

/// Reason why a form of `hone convert` cannot be made of sums.
const WITHOUT: [(&str, &str); 6] = [
    (
        "profdata",
        "it needs the IR of the sources: make it with hone convert --ir, where the build is",
    ),
    (
        "propeller",
        "it is a directory of two files, and a profile is pinned as one",
    ),
    (
        "memops",
        "it needs the sizes of copies, which sums do not hold: record one host for it",
    ),
    (
        "memops-headers",
        "it needs the sizes of copies, which sums do not hold: record one host for it",
    ),
    ("json", "it is a table for people, and no compiler reads it"),
    ("text", "it is a table for people, and no compiler reads it"),
];

impl Form {
    /// All forms.
    pub const ALL: [Self; 8] = [
        Self::AutofdoText,
        Self::AutofdoExtbinary,
        Self::GccGcov,
        Self::BoltFdata,
        Self::BoltPreaggregated,
        Self::SymbolOrder,
        Self::SectionOrder,
        Self::GoPgo,
    ];

    /// True if a profile of this form is made of stacks: others need the instructions that ran.
    pub fn needs_stacks(self) -> bool {
        self == Self::GoPgo
    }

    /// Returns the form of this name, or the reason why there is none: `None` if no form is called so.
    pub fn named(name: &str) -> Result<Self, Option<&'static str>> {
        let form = Self::ALL.into_iter().find(|form| form.name() == name);
        form.ok_or_else(|| {
            let mut without = WITHOUT.iter();
            without
                .find(|(other, _)| *other == name)
                .map(|(_, why)| *why)
        })
    }

    /// The name on the command line and in file names.
    pub fn name(self) -> &'static str {
        match self {
            Self::AutofdoText => "autofdo-text",
            Self::AutofdoExtbinary => "autofdo-extbinary",
            Self::GccGcov => "gcc-gcov",
            Self::BoltFdata => "bolt-fdata",
            Self::BoltPreaggregated => "bolt-preaggregated",
            Self::SymbolOrder => "symbol-order",
            Self::SectionOrder => "section-order",
            Self::GoPgo => "go-pgo",
        }
    }

    /// The ending of file names, without a dot.
    pub fn ending(self) -> &'static str {
        match self {
            Self::AutofdoText | Self::AutofdoExtbinary => "prof",
            Self::GccGcov => "gcov",
            Self::BoltFdata => "fdata",
            Self::BoltPreaggregated => "preagg",
            Self::SymbolOrder | Self::SectionOrder => "order",
            Self::GoPgo => "pgo",
        }
    }

    /// True if the form names places in the source, so that counts of other builds are worth something to the target.
    pub fn is_by_source(self) -> bool {
        matches!(
            self,
            Self::AutofdoText | Self::AutofdoExtbinary | Self::GccGcov | Self::GoPgo
        )
    }

    /// True if the form names addresses of one build, so that a profile is worth nothing for any other.
    pub fn is_of_one_build(self) -> bool {
        matches!(self, Self::BoltFdata | Self::BoltPreaggregated)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_those_of_hone_convert_or_have_a_reason() {
        for form in hone_convert::Form::ALL {
            let named = Form::named(form.name());
            assert_ne!(named, Err(None), "{} is not known here", form.name());
        }
        for form in Form::ALL {
            let is_there = |other: &hone_convert::Form| other.name() == form.name();
            assert!(hone_convert::Form::ALL.iter().any(is_there), "{form:?}");
            let json = serde_json::to_string(&form).unwrap();
            assert_eq!(json.trim_matches('"'), form.name());
        }
        assert_eq!(Form::named("nonsense"), Err(None));
    }
}
