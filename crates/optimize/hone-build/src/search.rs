//! Changes from a variant to its neighbours: rungs interact, so a lever that was proven on the way up may not gain
//! anything at the top, and a lever that was not proven may.

use crate::lever::{Lever, ProfileSource};
use crate::variant::Variant;

/// A change of a variant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Move {
    /// Removal of one lever.
    Without(&'static Lever),
    /// Replacement by another lever of the same step.
    Swap {
        /// The lever that is removed.
        from: &'static Lever,
        /// The lever that is added.
        to: &'static Lever,
    },
    /// Addition of one lever, at its place on the ladder.
    With(&'static Lever),
}

impl Move {
    /// Returns the name of the change in reports.
    pub fn title(&self) -> String {
        match self {
            Self::Without(lever) => format!("without {}", lever.title),
            Self::Swap { from, to } => format!("{} in place of {}", to.title, from.title),
            Self::With(lever) => format!("with {}", lever.title),
        }
    }

    /// Returns the lever that is removed, if any.
    pub fn going(&self) -> Option<&'static Lever> {
        match self {
            Self::With(_) => None,
            Self::Without(lever) | Self::Swap { from: lever, .. } => Some(lever),
        }
    }

    /// Returns the lever that is added, if any.
    pub fn coming(&self) -> Option<&'static Lever> {
        match self {
            Self::Without(_) => None,
            Self::Swap { to, .. } | Self::With(to) => Some(to),
        }
    }

    /// Returns the changed variant; `None` if a lever is refused at its place.
    pub fn apply(&self, variant: &Variant) -> Option<Variant> {
        match self {
            Self::Without(lever) => Some(variant.without(lever.id)),
            Self::Swap { from, to } => insert(&variant.without(from.id), to),
            Self::With(lever) => insert(variant, lever),
        }
    }
}

/// Returns the variant with a lever at its place among the others; `None` if a lever is refused.
fn insert(variant: &Variant, lever: &'static Lever) -> Option<Variant> {
    let start = Variant {
        levers: Vec::new(),
        ..*variant
    };
    let place = variant
        .levers
        .iter()
        .position(|other| other.step > lever.step);
    let (below, above) = variant
        .levers
        .split_at(place.unwrap_or(variant.levers.len()));
    let order = below
        .iter()
        .copied()
        .chain([lever])
        .chain(above.iter().copied());
    order.into_iter().try_fold(start, |variant, lever| {
        variant
            .refuses(lever)
            .is_none()
            .then(|| variant.with(lever))
    })
}

/// Returns the changes of `best` that are worth trying with these candidates, the most promising first: each kept
/// lever is removed, except the topmost, which was already measured on all the others; then kept levers are swapped
/// for alternatives; then new levers are added. Changes that need a profile come last.
pub fn moves(best: &Variant, candidates: &[&'static Lever]) -> Vec<Move> {
    let mut moves = Vec::new();
    let lower = best.levers.len().saturating_sub(1);
    moves.extend(best.levers[..lower].iter().copied().map(Move::Without));
    let new = || {
        candidates
            .iter()
            .copied()
            .filter(|lever| !best.has(lever.id))
    };
    for from in &best.levers {
        let alternatives = new().filter(|to| to.step == from.step && !to.step.is_cumulative());
        moves.extend(alternatives.map(|to| Move::Swap { from, to }));
    }
    let is_free = |lever: &&'static Lever| {
        let taken = best.levers.iter().any(|other| other.step == lever.step);
        lever.step.is_cumulative() || !taken
    };
    moves.extend(new().filter(is_free).map(Move::With));
    moves.retain(|step| {
        let reference = step.coming().is_some_and(|lever| lever.reference_only);
        let applied = step.apply(best);
        !reference && applied.is_some_and(|variant| variant.is_complete())
    });
    // A change without a profile is cheap to try.
    moves.sort_by_key(|step| {
        step.coming()
            .is_some_and(|lever| lever.profile != ProfileSource::None)
    });
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lever::by_id;

    fn levers(ids: &[&str]) -> Vec<&'static Lever> {
        ids.iter().map(|id| by_id(id).unwrap()).collect()
    }

    fn variant(ids: &[&str]) -> Variant {
        Variant {
            levers: levers(ids),
            ..Variant::default()
        }
    }

    #[test]
    fn neighbours_are_one_lever_away() {
        let best = variant(&["mimalloc", "thinlto", "pgo"]);
        let candidates = levers(&[
            "jemalloc",
            "mimalloc",
            "autofdo-ip",
            "autofdo",
            "icf",
            "bolt",
        ]);
        let ids: Vec<_> = moves(&best, &candidates)
            .iter()
            .map(|step| step.apply(&best).unwrap().id())
            .collect();
        assert_eq!(
            ids,
            [
                "thinlto+pgo",
                "mimalloc+pgo",
                "jemalloc+thinlto+pgo",
                "mimalloc+thinlto+icf+pgo",
                "mimalloc+thinlto+autofdo",
                "mimalloc+thinlto+pgo+bolt",
            ]
        );
    }

    #[test]
    fn what_cannot_stand_is_no_neighbour() {
        let best = variant(&["static", "pgo"]);
        let candidates = levers(&["mimalloc-preload", "wpd", "cs-pgo"]);
        let titles: Vec<_> = moves(&best, &candidates).iter().map(Move::title).collect();
        assert_eq!(
            titles,
            ["without Static linking", "with Context-sensitive PGO"]
        );
    }
}
