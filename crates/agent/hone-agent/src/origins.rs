//! Senders of samples: packets, bytes and values of each process in an interval.
//!
//! Each worker counts for itself, and the counts are taken together with the worker's values. Successive packets mostly
//! come from the same process, so that a count is mostly one comparison and three additions. The number of processes is
//! limited; all further processes of an interval are counted as one.
//!
//! DogStatsD's clients may name their container. Anybody can send any name, so the name is used for nothing but counts
//! of values by container. They work over UDP too, where the kernel reports no process.

mod container_tag;

pub use container_tag::ContainerTag;

use crate::receive::Origin;
use foldhash::fast::RandomState;
use std::collections::HashMap;

/// Limit on processes that are told apart in one interval, by one worker and in the sum over all workers.
const ORIGINS_MAX: usize = 4096;
/// The same limit on containers, and the limit on bytes of a container's id; longer ids are counted with the others.
const CONTAINERS_MAX: usize = 256;
const CONTAINER_BYTES_MAX: usize = 128;

/// Amounts that a process sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sent {
    /// Packets as handled: several received packets may have been merged into one.
    pub packets: u64,
    /// Bytes of the packets.
    pub bytes: u64,
    /// Values of the samples in the packets.
    pub values: u64,
}

impl Sent {
    /// Adds other amounts.
    pub fn add(&mut self, other: Self) {
        self.packets += other.packets;
        self.bytes += other.bytes;
        self.values += other.values;
    }
}

/// Amounts by process, and values by container.
#[derive(Clone, Debug, Default)]
pub struct Origins {
    sent: Vec<(Origin, Sent)>,
    places: HashMap<Origin, usize, RandomState>,
    /// Index in `sent` of the last process that was counted.
    last: usize,
    others: Sent,
    /// Values of each container, by the name that its clients send.
    containers: HashMap<Box<[u8]>, u64, RandomState>,
    /// Values of containers beyond the limit.
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
        // A process is the same whatever listener it sends to.
        let process = Origin {
            listener: 0,
            net: 0,
            ..origin
        };
        self.of(process).add(sent);
    }

    /// Counts values of a sample that names its container.
    pub fn count_container(&mut self, id: &[u8], values: u64) {
        if let Some(counted) = self.containers.get_mut(id) {
            *counted += values;
        } else if self.containers.len() < CONTAINERS_MAX && id.len() <= CONTAINER_BYTES_MAX {
            self.containers.insert(id.into(), values);
        } else {
            self.other_containers += values;
        }
    }

    /// Returns the values of each container by the name that its clients send, in no order.
    pub fn containers(&self) -> impl Iterator<Item = (&[u8], u64)> {
        let containers = self.containers.iter();
        containers.map(|(id, values)| (&**id, *values))
    }

    /// Returns the values of containers beyond the limit.
    pub fn other_containers(&self) -> u64 {
        self.other_containers
    }

    /// Adds the counts of another worker.
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

    /// Returns the amounts of each process. All unknown processes are one entry with the number 0.
    pub fn each(&self) -> &[(Origin, Sent)] {
        &self.sent
    }

    /// Returns the amounts of processes beyond the limit.
    pub fn others(&self) -> Sent {
        self.others
    }

    /// Returns the amounts of all processes together.
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
