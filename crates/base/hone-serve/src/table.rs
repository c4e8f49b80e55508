//! Who has which place, and who loses it.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::Notify;

/// Time for which a client that has just come, or has just sent something, does not count as slow.
const PATIENCE: Duration = Duration::from_secs(1);
/// Bytes a second with which a client does not count as slow.
const PACE: f64 = 65_536.0;

pub(crate) type Number = u64;

/// Places that are taken.
#[derive(Debug)]
pub(crate) struct Table {
    places: usize,
    beside: usize,
    next: Number,
    taken: HashMap<Number, Entry>,
}

#[derive(Debug)]
struct Entry {
    peer: Peer,
    lost: Arc<Notify>,
    /// Since when the connection waits for its client, and the bytes that have come since; `None` while it is answered.
    waits: Option<(Instant, usize)>,
    kind: Kind,
}

/// Where a connection is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// It has a place.
    Placed,
    /// It is beside the places, and may say what it wants.
    Beside,
    /// It has said so, and waits for its turn.
    Queued,
    /// Its place was given to another client, and the connection ends.
    Lost,
}

/// What is there for a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Turn {
    /// It has a place.
    Now,
    /// Others are before it.
    Later,
    /// Too many others are before it.
    Never,
}

/// A client's machine: its address, or its network of IPv6, in which a machine may have any number of addresses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Peer(IpAddr);

/// What is there for a client that comes.
#[derive(Debug)]
pub(crate) enum Room {
    /// A place, or one beside these, and what tells that it is lost.
    Place(Number, Arc<Notify>),
    /// Nothing now.
    None,
}

impl From<IpAddr> for Peer {
    fn from(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V6(address) => {
                let network = u128::from(address) >> 64 << 64;
                Self(Ipv6Addr::from(network).into())
            }
            address @ IpAddr::V4(_) => Self(address),
        }
    }
}

impl Table {
    pub(crate) fn new(places: usize, beside: usize) -> Self {
        Self {
            places,
            beside,
            next: 0,
            taken: HashMap::new(),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.taken.is_empty()
    }

    pub(crate) fn take(&mut self, peer: IpAddr, now: Instant) -> Room {
        if self.count(Kind::Queued) == 0 && self.has_place(now) {
            return self.add(peer, now, Kind::Placed);
        }
        // Whoever asks for health says so at once.
        if self.count(Kind::Beside) < self.beside
            || self.make_room(now, Kind::Beside, Duration::ZERO)
        {
            return self.add(peer, now, Kind::Beside);
        }
        Room::None
    }

    /// Returns whether a request has its turn: those that wait have theirs in the order in which they came.
    pub(crate) fn turn(&mut self, number: Number, now: Instant) -> Turn {
        let queued = self.numbers(Kind::Queued);
        let kind = self.taken.get(&number).map(|entry| entry.kind);
        let next = match kind {
            Some(Kind::Placed) => return Turn::Now,
            Some(Kind::Beside) if queued.is_empty() && self.has_place(now) => Kind::Placed,
            Some(Kind::Beside) if queued.len() < self.places => Kind::Queued,
            Some(Kind::Queued) if queued.iter().min() == Some(&number) && self.has_place(now) => {
                Kind::Placed
            }
            Some(Kind::Queued) => return Turn::Later,
            _ => return Turn::Never,
        };
        if let Some(entry) = self.taken.get_mut(&number) {
            entry.kind = next;
        }
        match next {
            Kind::Placed => Turn::Now,
            _ => Turn::Later,
        }
    }

    /// True if a place is free, or becomes free since a client is slow.
    fn has_place(&mut self, now: Instant) -> bool {
        self.count(Kind::Placed) < self.places || self.make_room(now, Kind::Placed, PATIENCE)
    }

    pub(crate) fn free(&mut self, number: Number) {
        self.taken.remove(&number);
    }

    pub(crate) fn is_answered(&mut self, number: Number) {
        if let Some(entry) = self.taken.get_mut(&number) {
            entry.waits = None;
        }
    }

    pub(crate) fn waits(&mut self, number: Number, now: Instant) {
        if let Some(entry) = self.taken.get_mut(&number) {
            entry.waits = Some((now, 0));
        }
    }

    pub(crate) fn got(&mut self, number: Number, more: usize) {
        let entry = self.taken.get_mut(&number);
        if let Some((_, bytes)) = entry.and_then(|entry| entry.waits.as_mut()) {
            *bytes = bytes.saturating_add(more);
        }
    }

    fn numbers(&self, kind: Kind) -> Vec<Number> {
        let taken = self.taken.iter();
        let of_kind = taken.filter(|(_, entry)| entry.kind == kind);
        of_kind.map(|(number, _)| *number).collect()
    }

    fn count(&self, kind: Kind) -> usize {
        let taken = self.taken.values();
        taken.filter(|entry| entry.kind == kind).count()
    }

    fn add(&mut self, peer: IpAddr, now: Instant, kind: Kind) -> Room {
        let number = self.next;
        self.next += 1;
        let lost = Arc::new(Notify::new());
        let entry = Entry {
            peer: peer.into(),
            lost: Arc::clone(&lost),
            waits: Some((now, 0)),
            kind,
        };
        self.taken.insert(number, entry);
        Room::Place(number, lost)
    }

    /// Takes the place of a slow client; false if nobody is behind by more than that.
    fn make_room(&mut self, now: Instant, kind: Kind, patience: Duration) -> bool {
        let slow = self.taken.values_mut().filter_map(|entry| {
            let behind = entry.behind(now).filter(|_| entry.kind == kind)?;
            (behind >= patience).then_some((behind, entry))
        });
        let slow: Vec<(Duration, &mut Entry)> = slow.collect();
        let mut of_peers: HashMap<Peer, usize> = HashMap::new();
        for (_, entry) in &slow {
            *of_peers.entry(entry.peer).or_default() += 1;
        }
        let worst = slow
            .into_iter()
            .max_by_key(|(behind, entry)| (of_peers[&entry.peer], *behind));
        let Some((_, entry)) = worst else {
            return false;
        };
        entry.kind = Kind::Lost;
        entry.lost.notify_one();
        true
    }
}

impl Entry {
    /// Returns by how much the client is behind; `None` while its request is answered.
    fn behind(&self, now: Instant) -> Option<Duration> {
        let (since, bytes) = self.waits?;
        let sent = Duration::from_secs_f64(bytes as f64 / PACE);
        Some(now.saturating_duration_since(since).saturating_sub(sent))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MACHINE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    fn peer(number: u8) -> IpAddr {
        [10, 0, 0, number].into()
    }

    /// Takes a place; returns its number, and where that is.
    #[track_caller]
    fn taken(table: &mut Table, peer: IpAddr, now: Instant) -> (Number, Kind) {
        match table.take(peer, now) {
            Room::Place(number, _) => (number, table.taken[&number].kind),
            Room::None => panic!("no place: {table:?}"),
        }
    }

    fn lost(table: &Table) -> Vec<Number> {
        let mut lost = table.numbers(Kind::Lost);
        lost.sort_unstable();
        lost
    }

    #[test]
    fn heads_that_do_not_end_make_room_for_others_the_oldest_of_the_worst_peer_first() {
        let mut table = Table::new(4, 1);
        let begin = Instant::now();
        let at = |ms: u64| begin + Duration::from_millis(ms);
        taken(&mut table, peer(1), at(0));
        for number in 1..4 {
            taken(&mut table, peer(2), at(number));
        }
        let (newcomer, kind) = taken(&mut table, peer(3), at(1_500));
        assert_eq!((kind, lost(&table)), (Kind::Placed, vec![1]));
        taken(&mut table, peer(3), at(1_500));
        // Each peer has one that is slow.
        taken(&mut table, peer(3), at(1_500));
        assert_eq!(lost(&table), [0, 1, 2]);
        table.free(newcomer);
        assert_eq!(taken(&mut table, peer(4), at(1_500)), (7, Kind::Placed));
    }

    #[test]
    fn whoever_is_answered_or_sends_fast_enough_keeps_the_place() {
        let mut table = Table::new(2, 1);
        let begin = Instant::now();
        let (answered, _) = taken(&mut table, MACHINE, begin);
        table.is_answered(answered);
        let (sends, _) = taken(&mut table, MACHINE, begin);
        table.waits(sends, begin);
        table.got(sends, 10 * PACE as usize);
        let after = |seconds| begin + Duration::from_secs(seconds);
        assert_eq!(taken(&mut table, MACHINE, after(10)).1, Kind::Beside);
        assert_eq!(lost(&table), [0; 0]);
        assert_eq!(taken(&mut table, MACHINE, after(12)).1, Kind::Placed);
        assert_eq!(lost(&table), [sends]);
    }

    #[test]
    fn a_place_beside_is_the_newest_clients() {
        let mut table = Table::new(1, 2);
        let now = Instant::now();
        let (normal, _) = taken(&mut table, MACHINE, now);
        table.is_answered(normal);
        let beside: Vec<Number> = (0..5)
            .map(|after| {
                let now = now + Duration::from_millis(after);
                let (number, kind) = taken(&mut table, MACHINE, now);
                assert_eq!(kind, Kind::Beside);
                number
            })
            .collect();
        assert_eq!(lost(&table), beside[..3]);
        for number in &beside[3..] {
            table.is_answered(*number);
        }
        assert!(matches!(table.take(MACHINE, now), Room::None));
        table.free(beside[4]);
        assert_eq!(taken(&mut table, MACHINE, now).1, Kind::Beside);
    }

    #[test]
    fn requests_that_wait_have_their_turns_in_order_and_newcomers_are_behind_them() {
        let mut table = Table::new(2, 4);
        let now = Instant::now();
        let next = |table: &mut Table| {
            let (number, _) = taken(table, MACHINE, now);
            table.is_answered(number);
            number
        };
        let placed = [next(&mut table), next(&mut table)];
        let waiting = [next(&mut table), next(&mut table), next(&mut table)];
        let turns = |table: &mut Table| waiting.map(|number| table.turn(number, now));
        // As many wait as there are places.
        assert_eq!(turns(&mut table), [Turn::Later, Turn::Later, Turn::Never]);
        table.free(placed[1]);
        assert_eq!(taken(&mut table, MACHINE, now).1, Kind::Beside);
        assert_eq!(table.turn(waiting[1], now), Turn::Later);
        assert_eq!(table.turn(waiting[0], now), Turn::Now);
        table.free(waiting[0]);
        assert_eq!(table.turn(waiting[1], now), Turn::Now);
        assert_eq!(table.turn(placed[0], now), Turn::Now);
    }

    #[test]
    fn a_network_of_ipv6_is_one_peer() {
        let peer = |text: &str| Peer::from(text.parse::<IpAddr>().unwrap());
        assert_eq!(peer("2001:db8::1"), peer("2001:db8::2"));
        assert_ne!(peer("2001:db8::1"), peer("2001:db8:0:1::1"));
        assert_eq!(peer("::ffff:10.0.0.1"), peer("10.0.0.1"));
        assert_ne!(peer("10.0.0.1"), peer("10.0.0.2"));
    }
}
