//! Who sends how much: for each process, what came of it in an interval.
//!
//! Counted by each worker for itself and taken with its values. Packets mostly come several of one process, so that
//! the count is mostly one comparison and three additions. There is room for so many processes; all further ones of an
//! interval are counted as one.
//!
//! DogStatsD's clients may say which container they are in. Anybody can say anything there, so that counts for nothing
//! but this: values by container, over UDP too, where the kernel tells nothing of processes.

mod container_tag;

pub use container_tag::ContainerTag;

use crate::receive::Origin;
use foldhash::fast::RandomState;
use std::collections::HashMap;

/// Processes that are told apart in one interval by one worker, and in what is put together of all.
const ORIGINS_MAX: usize = 4096;
/// Containers that are told apart in the same way, and bytes of an id; what is longer is none.
const CONTAINERS_MAX: usize = 256;
const CONTAINER_BYTES_MAX: usize = 128;

/// What came of a process.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sent {
    /// Packets, as they were handled: several may have been merged into one.
    pub packets: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Values of the samples in them.
    pub values: u64,
}

impl Sent {
    /// Adds what else came.
    pub fn add(&mut self, other: Self) {
        self.packets += other.packets;
        self.bytes += other.bytes;
        self.values += other.values;
    }
}

/// See the module.
#[derive(Clone, Debug, Default)]
pub struct Origins {
    sent: Vec<(Origin, Sent)>,
    places: HashMap<Origin, usize, RandomState>,
    /// Where the last one stands.
    last: usize,
    others: Sent,
    /// Values of each container, as it calls itself.
    containers: HashMap<Box<[u8]>, u64, RandomState>,
    /// Values of those for whom there was no room.
    other_containers: u64,
}

impl Origins {
    /// Counts a packet.
    pub fn count(&mut self, origin: Origin, bytes: usize, values: u64) {
        let sent = Sent {
            packets: 1,
            bytes: bytes as u64,
            values,
        };
        // Wherever a process sends to, it is the same one.
        let process = Origin {
            listener: 0,
            net: 0,
            ..origin
        };
        self.of(process).add(sent);
    }

    /// Counts values of a sample that says which container it is from.
    pub fn count_container(&mut self, id: &[u8], values: u64) {
        if let Some(counted) = self.containers.get_mut(id) {
            *counted += values;
        } else if self.containers.len() < CONTAINERS_MAX && id.len() <= CONTAINER_BYTES_MAX {
            self.containers.insert(id.into(), values);
        } else {
            self.other_containers += values;
        }
    }

    /// Values of each container, by what it calls itself, in no order.
    pub fn containers(&self) -> impl Iterator<Item = (&[u8], u64)> {
        let containers = self.containers.iter();
        containers.map(|(id, values)| (&**id, *values))
    }

    /// Values of containers for whom there was no room.
    pub fn other_containers(&self) -> u64 {
        self.other_containers
    }

    /// Adds what another worker counted.
    pub fn add(&mut self, other: Self) {
        for (origin, sent) in other.sent {
            self.of(origin).add(sent);
        }
        self.others.add(other.others);
        for (id, values) in other.containers {
            self.count_container(&id, values);
        }
        self.other_containers += other.other_containers;
    }

    /// Each process, those of whom nothing is known as one with the number 0.
    pub fn each(&self) -> &[(Origin, Sent)] {
        &self.sent
    }

    /// What came of those for whom there was no room.
    pub fn others(&self) -> Sent {
        self.others
    }

    /// What came of all.
    pub fn all(&self) -> Sent {
        let mut all = self.others;
        self.sent.iter().for_each(|(_, sent)| all.add(*sent));
        all
    }

    fn of(&mut self, origin: Origin) -> &mut Sent {
        let is_last = self
            .sent
            .get(self.last)
            .is_some_and(|(last, _)| *last == origin);
        if !is_last {
            match self.places.get(&origin) {
                Some(&place) => self.last = place,
                None if self.sent.len() == ORIGINS_MAX => return &mut self.others,
                None => {
                    self.last = self.sent.len();
                    self.places.insert(origin, self.last);
                    self.sent.push((origin, Sent::default()));
                }
            }
        }
        &mut self.sent[self.last].1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn process(pid: u32) -> Origin {
        Origin {
            pid,
            uid: 1000,
            ..Origin::default()
        }
    }

    #[test]
    fn each_process_has_its_own_sum_in_whatever_order_it_sends() {
        let mut origins = Origins::default();
        for pid in [1, 2, 1, 1, 2] {
            origins.count(process(pid), 10, u64::from(pid));
        }
        let mut others = Origins::default();
        others.count(process(2), 5, 7);
        origins.add(others);
        let sent = |packets, bytes, values| Sent {
            packets,
            bytes,
            values,
        };
        let expected = [(process(1), sent(3, 30, 3)), (process(2), sent(3, 25, 11))];
        assert_eq!(origins.each(), expected);
        assert_eq!(origins.all(), sent(6, 55, 14));
    }

    #[test]
    fn containers_are_told_apart_as_long_as_there_is_room() {
        let mut origins = Origins::default();
        let mut worker = Origins::default();
        for number in 0..1000_u32 {
            worker.count_container(&number.to_le_bytes(), 2);
            origins.count_container(&0_u32.to_le_bytes(), 1);
        }
        worker.count_container(&[b'x'; CONTAINER_BYTES_MAX + 1], 5);
        origins.add(worker);
        assert_eq!(origins.containers().count(), CONTAINERS_MAX);
        let first = origins.containers().find(|(id, _)| *id == [0; 4]);
        assert_eq!(first.unwrap().1, 1002);
        let told: u64 = origins.containers().map(|(_, values)| values).sum();
        assert_eq!(told + origins.other_containers(), 2 * 1000 + 1000 + 5);
    }

    #[test]
    fn a_flood_of_processes_takes_no_more_room_and_loses_nothing() {
        let mut origins = Origins::default();
        for pid in 0..10_000 {
            origins.count(process(pid), 1, 1);
        }
        origins.count(process(7), 1, 1);
        assert_eq!(origins.each().len(), ORIGINS_MAX);
        assert_eq!(origins.each()[7].1.values, 2);
        assert_eq!(origins.others().values, 10_000 - ORIGINS_MAX as u64);
        assert_eq!(origins.all().packets, 10_001);
    }
}
