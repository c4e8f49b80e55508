//! Levers that are tried as one rung, since some levers cost performance alone and gain together.

use super::{ALL, Lever, Offer, Step, Toolchain, by_id};

/// Levers that are built and measured as one rung, lowest first; usually a single lever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bundle(Vec<&'static Lever>);

/// Reason why a text is not a valid bundle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoBundle {
    /// There is no lever of this name.
    Unknown(String),
    /// A lever is named twice.
    Twice(&'static Lever),
    /// Two levers are alternatives or exclude each other.
    Apart(&'static Lever, &'static Lever),
    /// A lever costs more than it gains without a lever of another step above it.
    Alone(&'static Lever),
}

/// Bundles of several levers that are tried if hone.toml names no levers. GCC has no probes. Clang makes a call direct
/// only if it sees the body of the target, so a profile finds more to do on top of ThinLTO; if the ladder has already
/// kept ThinLTO, the bundle is the same as the profile alone and is skipped.
const DEFAULT: &[(&[&str], &[Toolchain])] = &[
    (&["thinlto", "autofdo"], &[Toolchain::Clang]),
    (&["thinlto", "pgo"], &[Toolchain::Clang]),
    (&["memops", "autofdo"], &[Toolchain::Gcc]),
    (&["memops", "autofdo-probes"], &[Toolchain::Clang]),
    (&["memops", "pgo"], &[Toolchain::Clang, Toolchain::Gcc]),
];

impl Bundle {
    /// Returns the bundle of one lever.
    pub fn of(lever: &'static Lever) -> Self {
        Self(vec![lever])
    }

    /// Parses a bundle such as `memops+pgo`: ids of levers joined by `+`, in any order.
    pub fn parse(text: &str) -> Result<Self, NoBundle> {
        let mut levers: Vec<&'static Lever> = Vec::new();
        for id in text.split('+').map(str::trim) {
            let lever = by_id(id).ok_or_else(|| NoBundle::Unknown(id.into()))?;
            if levers.contains(&lever) {
                return Err(NoBundle::Twice(lever));
            }
            levers.push(lever);
        }
        levers.sort_by_key(|lever| place(lever));
        for (index, lever) in levers.iter().enumerate() {
            if let Some(other) = levers[..index].iter().find(|other| other.clashes(lever)) {
                return Err(NoBundle::Apart(other, lever));
            }
        }
        match incomplete(&levers) {
            Some(lever) => Err(NoBundle::Alone(lever)),
            None => Ok(Self(levers)),
        }
    }

    /// Returns the bundles to try for a toolchain if hone.toml names no levers, in ladder order.
    pub fn defaults(toolchain: Toolchain) -> Vec<Self> {
        // Default levers that the toolchain does not have are left out silently.
        let has_it = |lever: &&&'static Lever| lever.flags_for(toolchain).is_some();
        let single = ALL
            .iter()
            .filter(|lever| lever.offer == Offer::Default)
            .filter(has_it)
            .map(|&lever| Self::of(lever));
        let several = DEFAULT
            .iter()
            .filter(|(_, toolchains)| toolchains.contains(&toolchain))
            .map(|(ids, _)| Self(ids.iter().filter_map(|id| by_id(id)).collect()));
        let mut all: Vec<_> = single.chain(several).collect();
        all.sort_by_key(Self::place);
        all
    }

    /// Returns the bundle with AutoFDO by lines in place of AutoFDO that needs probes.
    pub fn without_probes(&self) -> Self {
        let by_lines = by_id("autofdo");
        let levers = self.0.iter().map(|&lever| match (lever.id, by_lines) {
            ("autofdo-probes" | "autofdo-counters", Some(by_lines)) => by_lines,
            _ => lever,
        });
        Self(levers.collect())
    }

    /// Returns the levers of the bundle, lowest first.
    pub fn levers(&self) -> &[&'static Lever] {
        &self.0
    }

    /// Returns the topmost lever, whose step gives the bundle its place on the ladder.
    pub fn top(&self) -> &'static Lever {
        self.0[self.0.len() - 1]
    }

    /// Returns the ids of the levers, joined by `+`.
    pub fn id(&self) -> String {
        let ids: Vec<_> = self.0.iter().map(|lever| lever.id).collect();
        ids.join("+")
    }

    /// Returns the titles of the levers, joined by ` + `.
    pub fn title(&self) -> String {
        let titles: Vec<_> = self.0.iter().map(|lever| lever.title).collect();
        titles.join(" + ")
    }

    /// Returns true if the bundle is measured only for comparison.
    pub fn is_reference(&self) -> bool {
        self.0.iter().any(|lever| lever.reference_only)
    }

    /// Returns the sort key of the bundle: the place of the topmost lever, then the number of levers.
    pub fn place(&self) -> (usize, usize) {
        (place(self.top()), self.0.len())
    }
}

impl std::fmt::Display for NoBundle {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unknown(name) => {
                let known: Vec<_> = ALL.iter().map(|lever| lever.id).collect();
                let known = known.join(", ");
                write!(to, "there is no lever {name:?}; the levers are: {known}")
            }
            Self::Twice(lever) => write!(to, "{:?} is named twice", lever.id),
            Self::Apart(one, other) => {
                let (one, other) = (one.id, other.id);
                write!(
                    to,
                    "{one:?} and {other:?} cannot be combined: name them apart"
                )
            }
            Self::Alone(lever) => {
                let id = lever.id;
                write!(
                    to,
                    "{id:?} alone costs more than it gives: join it to a lever with a profile, such as \
                     \"{id}+autofdo-probes\" (with gcc \"{id}+autofdo\") or \"{id}+pgo\""
                )
            }
        }
    }
}

impl std::error::Error for NoBundle {}

/// Returns the first lever that costs more than it gains without a lever of another step, if `levers` has none of that step.
pub(crate) fn incomplete(levers: &[&'static Lever]) -> Option<&'static Lever> {
    let has = |step: Step| levers.iter().any(|lever| lever.step == step);
    let mut alone = levers.iter().copied();
    alone.find(|lever| lever.pays_below.is_some_and(|step| !has(step)))
}

fn place(lever: &Lever) -> usize {
    let known = ALL.iter().position(|known| known.id == lever.id);
    known.unwrap_or(ALL.len())
}
