//! Who holds a series. Nearly always that is one worker, and there are hundreds of thousands of series, so that one
//! holder takes no allocation.

use crate::store::Place;

/// A worker, by its number, and where it has the series.
pub(super) type Holder = (u32, Place);

/// See the module.
#[derive(Debug, Default)]
pub(super) enum Holders {
    /// Nobody any more.
    #[default]
    Nobody,
    /// One worker.
    One(Holder),
    /// Several.
    Several(Box<[Holder]>),
}

impl Holders {
    /// All of them.
    pub(super) fn all(&self) -> &[Holder] {
        match self {
            Self::Nobody => &[],
            Self::One(holder) => std::slice::from_ref(holder),
            Self::Several(holders) => holders,
        }
    }

    /// Adds one.
    pub(super) fn add(&mut self, holder: Holder) {
        *self = match self {
            Self::Nobody => Self::One(holder),
            _ => Self::Several([self.all(), &[holder]].concat().into()),
        };
    }

    /// Lets those go of whom it is not so.
    pub(super) fn retain(&mut self, stays: impl Fn(Holder) -> bool) {
        let staying = self.all().iter().copied().filter(|holder| stays(*holder));
        let staying: Vec<Holder> = staying.collect();
        *self = match *staying {
            [] => Self::Nobody,
            [holder] => Self::One(holder),
            _ => Self::Several(staying.into()),
        };
    }

    /// Whether nobody holds it.
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
