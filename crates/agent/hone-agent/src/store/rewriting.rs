//! Rules on the series of clients ([`crate::rewrite`]), where a raw form gets its place: once for each, and none where a rule drops it.

use super::names::{DROPPED, Names};
use super::{Origin, Place, Store};
use crate::canonical::{Refused, meant};
use crate::rewrite::{Outcome, Rewrite};
use crate::sample::RawSeries;
use std::sync::Arc;

/// Number of swaps after which raw forms that a rule drops are forgotten, so that those which come no more take no room.
pub(super) const DROPPED_KEPT_FOR: u32 = 32;

/// Returns the place of a raw form that is known, unless a rule drops it.
pub(super) fn known(place: Place) -> Result<Place, Refused> {
    match place {
        DROPPED => Err(Refused::ByRule),
        place => Ok(place),
    }
}

impl Store {
    /// Changes the rules for the series of clients. Series under names that the rules before gave get no more samples, and expire.
    pub fn rewrite(&mut self, rules: Arc<Rewrite>) {
        // Samples that came before are stored by the rules of their time.
        self.settle();
        self.rewrite = rules;
        self.caps.release_forms(self.names.further_bytes());
        self.names = Names::default();
        let held = self.held.iter_mut().flatten();
        held.for_each(|held| held.first_form = None);
    }

    /// Returns the place of the series that rules make of a raw form which is not known.
    pub(super) fn place_of_new(
        &mut self,
        form: u64,
        raw: &RawSeries<'_>,
        values: u64,
        origin: Origin,
    ) -> Result<Place, Refused> {
        let sent = meant(raw)?;
        match self.rewrite.apply(&sent) {
            Outcome::AsSent => self.place_of(&sent, form, raw, values, origin),
            Outcome::Changed(changed) => {
                self.place_of(&changed.meant()?, form, raw, values, origin)
            }
            Outcome::Dropped => {
                let bytes = raw.metric.len() + raw.tags.len();
                if self.names.len() < self.forms_max && self.caps.admit_form(bytes) {
                    self.names.insert_further(form, raw, DROPPED);
                }
                Err(Refused::ByRule)
            }
        }
    }

    /// Counts a swap, and forgets the raw forms that a rule drops from time to time.
    pub(super) fn forget_dropped(&mut self) {
        self.swaps += 1;
        if self.swaps == DROPPED_KEPT_FOR {
            self.swaps = 0;
            self.caps.release_forms(self.names.forget_further(DROPPED));
        }
    }
}
