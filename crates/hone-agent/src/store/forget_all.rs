use super::Store;
use std::mem;

impl Store {
    /// Forgets every series, so that none counts against a cap here. What an interval came to must have been taken.
    pub(crate) fn forget_all(&mut self) {
        for held in mem::take(&mut self.held).into_iter().flatten() {
            if let Some(origin) = held.origin {
                self.caps.release(held.series.metric(), origin);
            }
        }
        self.names = Default::default();
        self.places.clear();
        self.free.clear();
        self.cells.clear();
        self.fresh.clear();
    }
}
