//! Which frames came already, so that one whose answer got lost counts once.

use super::Origin;
use std::collections::{HashSet, VecDeque};

/// The origins of the last frames, so many of them.
#[derive(Debug)]
pub struct Seen {
    known: HashSet<Origin>,
    order: VecDeque<Origin>,
    max: usize,
}

impl Seen {
    /// Remembers at most `max`.
    pub fn new(max: usize) -> Self {
        Self {
            known: HashSet::new(),
            order: VecDeque::new(),
            max: max.max(1),
        }
    }

    /// Whether this one is new; it is not from now on.
    pub fn is_new(&mut self, origin: Origin) -> bool {
        if !self.known.insert(origin) {
            return false;
        }
        self.order.push_back(origin);
        if self.order.len() > self.max {
            let oldest = self.order.pop_front().expect("one was just added");
            self.known.remove(&oldest);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_is_known_until_enough_others_came() {
        let mut seen = Seen::new(2);
        let origin = |sequence| Origin {
            source: 7,
            sequence,
        };
        assert!(seen.is_new(origin(1)) && !seen.is_new(origin(1)));
        assert!(seen.is_new(origin(2)) && seen.is_new(origin(3)));
        assert!(!seen.is_new(origin(3)) && !seen.is_new(origin(2)));
        assert!(seen.is_new(origin(1)));
    }
}
