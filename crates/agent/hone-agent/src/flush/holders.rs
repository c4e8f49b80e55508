//! Holders of a series. Nearly always one worker holds a series, and there are hundreds of thousands of series, so a single
//! holder takes no allocation.

use crate::store::Place;

/// Number of a worker, and the place of the series in its store.
pub(super) type Holder = (u32, Place);

/// Holders of a series (see the module).
#[derive(Debug, Default)]
pub(super) enum Holders {
    /// No worker any more.
    #[default]
    Nobody,
    /// One worker.
    One(Holder),
    /// Several workers.
    Several(Box<[Holder]>),
}

impl Holders {
    /// Returns all holders.
    pub(super) fn all(&self) -> &[Holder] {
        match self {
            Self::Nobody => &[],
            Self::One(holder) => std::slice::from_ref(holder),
            Self::Several(holders) => holders,
        }
    }

    /// Adds a holder.
    pub(super) fn add(&mut self, holder: Holder) {
        *self = match self {
            Self::Nobody => Self::One(holder),
            _ => Self::Several([self.all(), &[holder]].concat().into()),
        };
    }

    /// Removes the holders for which `stays` returns false.
    pub(super) fn retain(&mut self, stays: impl Fn(Holder) -> bool) {
        let staying = self.all().iter().copied().filter(|holder| stays(*holder));
        let staying: Vec<Holder> = staying.collect();
        *self = match *staying {
            [] => Self::Nobody,
            [holder] => Self::One(holder),
            _ => Self::Several(staying.into()),
        };
    }

    /// Returns true if there is no holder.
    pub(super) fn is_nobody(&self) -> bool {
        self.all().is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holders_come_and_go() {
        let mut holders = Holders::default();
        for holder in [(0, 7), (1, 8), (2, 9)] {
            holders.add(holder);
        }
        assert_eq!(holders.all(), [(0, 7), (1, 8), (2, 9)]);
        holders.retain(|(worker, _)| worker != 1);
        assert_eq!(holders.all(), [(0, 7), (2, 9)]);
        holders.retain(|holder| holder == (2, 9));
        assert!(matches!(holders, Holders::One((2, 9))));
        holders.retain(|_| false);
        assert!(holders.is_nobody());
    }
}
