//! Observations of a recording that are independent of each other, dealt out by chance, so that halves of the recording can be
//! compared.
//!
//! A profile is worth as much as it says of the next recording, and the halves of a recording are two recordings of half the
//! length. An observation is what one sample brought: the branches of a walk follow each other, so that a walk in many pieces is one
//! observation, as a branch stack of the hardware is.
//!
//! Observations are dealt out in their order, each four of them to four groups, by random numbers of a fixed seed: the same recording
//! has the same halves. Four groups make halves in three ways, whose mean says more than one of them where observations are few;
//! of many the groups become two, which saves memory.
//!
//! Chance mixes what the program did early and late, and so cannot show work that comes in phases longer than the recording. So
//! the counts are kept apart by time as well, in three periods: when the last one has become as long as the others together, the
//! first two become one. Their borders are at 1/3 to 2/3 of the whole time, however long it is.

use crate::counts::add;
use crate::location_counts::Tally;
use hone_profile::{
    BinaryId, BranchRecord, CountedBranches, Event, PieceEnd, Profile, Sample, ThreadId,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Number of groups that observations are dealt out to.
pub(crate) const GROUPS: usize = 4;
/// Number of observations from which on two groups are enough.
const MANY: u64 = 2_000;
/// Number of periods of time.
pub(crate) const PERIODS: usize = 3;
/// Length of the first period to begin with.
const PERIOD_NS: u64 = 1 << 20;
/// Number of equal samples up to which chance deals out each of them.
const EACH_MAX: u64 = 4_096;

/// Counts of the samples of a recording, by groups of independent observations and by time.
#[derive(Clone, Debug)]
pub struct Observations {
    parts: Vec<[Tally; PERIODS]>,
    periods: Periods,
    stacks: Dealer,
    plain: Dealer,
    walks: FxHashMap<ThreadId, Walk>,
    seen: Seen,
}

/// Walk of a thread, which the next piece may continue.
#[derive(Clone, Debug)]
struct Walk {
    end: PieceEnd,
    group: usize,
    /// Binaries that the walk has been counted for.
    binaries: FxHashSet<BinaryId>,
}

/// Numbers of observations by binary; a walk counts for each binary that one of its pieces ended in.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    pub(crate) stacks: FxHashMap<BinaryId, u64>,
    pub(crate) plain: FxHashMap<BinaryId, u64>,
    pub(crate) has_walks: bool,
}

/// The parts of a recording.
#[derive(Clone, Debug)]
pub(crate) struct Parts {
    /// Counts by group, [`GROUPS`] or two, and by period.
    pub(crate) by_group: Vec<[Tally; PERIODS]>,
    /// Number of periods in the first half of the time; `None` if the samples have no times.
    pub(crate) early: Option<usize>,
    pub(crate) seen: Seen,
}

impl Default for Observations {
    fn default() -> Self {
        Self {
            parts: vec![<[Tally; PERIODS]>::default(); GROUPS],
            periods: Periods::default(),
            stacks: Dealer::new(1),
            plain: Dealer::new(2),
            walks: FxHashMap::default(),
            seen: Seen::default(),
        }
    }
}

impl Observations {
    /// Counts one sample with its branch records, newest first.
    pub fn add(&mut self, profile: &Profile, sample: &Sample, newest_first: &[BranchRecord]) {
        let period = self.periods.of(sample.time_ns, &mut self.parts);
        let event = profile.events.get(sample.event.index());
        let has_stack = CountedBranches::of(event, newest_first).is_some();
        if has_stack && event.is_some_and(Event::is_walk) {
            let group = self.group_of_piece(profile, sample, newest_first);
            self.part(group, period).add(profile, sample, newest_first);
            return;
        }
        let (dealer, seen) = match has_stack {
            true => (&mut self.stacks, &mut self.seen.stacks),
            false => (&mut self.plain, &mut self.seen.plain),
        };
        let binary = profile.location(sample.ip).binary;
        add(seen.entry(binary).or_default(), sample.times);
        if sample.times == 1 {
            let group = dealer.next();
            self.part(group, period).add(profile, sample, newest_first);
        } else {
            let dealt = dealer.deal(sample.times);
            for (group, part) in shared_out(sample, dealt) {
                self.part(group, period).add(profile, &part, newest_first);
            }
        }
        self.join_groups_of_many();
    }

    /// Returns the sum of all, and the parts.
    pub(crate) fn finish(self) -> (Tally, Parts) {
        let mut whole = Tally::default();
        for part in self.parts.iter().flatten() {
            whole.take_in(part);
        }
        let parts = Parts {
            by_group: self.parts,
            early: self.periods.early(),
            seen: self.seen,
        };
        (whole, parts)
    }

    fn part(&mut self, group: usize, period: usize) -> &mut Tally {
        let groups = self.parts.len();
        &mut self.parts[group % groups][period]
    }

    /// Returns the group of a piece of a walk: that of the piece before, if it is of the same walk.
    fn group_of_piece(
        &mut self,
        profile: &Profile,
        sample: &Sample,
        newest_first: &[BranchRecord],
    ) -> usize {
        self.seen.has_walks = true;
        let binary = profile.location(sample.ip).binary;
        let before = self.walks.remove(&sample.thread);
        let goes_on = |walk: &Walk| walk.end.goes_on_in(newest_first, sample.time_ns);
        let (group, mut binaries) = match before.filter(goes_on) {
            Some(walk) => (walk.group, walk.binaries),
            None => (self.stacks.next(), FxHashSet::default()),
        };
        if binaries.insert(binary) {
            add(self.seen.stacks.entry(binary).or_default(), 1);
        }
        if let Some(end) = PieceEnd::of(newest_first, sample.time_ns) {
            let walk = Walk {
                end,
                group,
                binaries,
            };
            self.walks.insert(sample.thread, walk);
        }
        self.join_groups_of_many();
        group
    }

    /// Leaves two groups, once both kinds of observations that there are have come often enough.
    fn join_groups_of_many(&mut self) {
        let has_few = |dealer: &Dealer| (1..MANY).contains(&dealer.dealt);
        let is_enough = ![&self.stacks, &self.plain].into_iter().any(has_few);
        if self.parts.len() == GROUPS && is_enough {
            let others = self.parts.split_off(GROUPS / 2);
            join(&mut self.parts, &others);
        }
    }
}

/// Adds the second half of the groups to the first.
fn join(groups: &mut [[Tally; PERIODS]], others: &[[Tally; PERIODS]]) {
    for (sum, other) in groups.iter_mut().zip(others) {
        for (sum, other) in sum.iter_mut().zip(other) {
            sum.take_in(other);
        }
    }
}

/// Returns equal samples as those of each group, with their shares of the weight.
fn shared_out(sample: &Sample, dealt: [u64; GROUPS]) -> impl Iterator<Item = (usize, Sample)> {
    let weight_of = |times: u64| {
        let of_all = u128::from(sample.weight) * u128::from(times);
        (of_all / u128::from(sample.times.max(1))) as u64
    };
    let mut before = 0;
    let groups = dealt.into_iter().enumerate();
    groups.filter_map(move |(group, times)| {
        let from = before;
        before += times;
        (times > 0).then(|| {
            let weight = weight_of(before) - weight_of(from);
            let part = Sample {
                times,
                weight,
                ..sample.clone()
            };
            (group, part)
        })
    })
}

/// Borders of the periods: the first two have one length, and the third takes what comes after them.
#[derive(Clone, Debug)]
struct Periods {
    first_ns: Option<u64>,
    length_ns: u64,
    last_ns: u64,
}

impl Default for Periods {
    fn default() -> Self {
        Self {
            first_ns: None,
            length_ns: PERIOD_NS,
            last_ns: 0,
        }
    }
}

impl Periods {
    /// Returns the period of a time. Where the time is beyond the third one, the periods of all parts are made longer first.
    fn of(&mut self, time_ns: u64, parts: &mut [[Tally; PERIODS]]) -> usize {
        let since_ns = time_ns.saturating_sub(*self.first_ns.get_or_insert(time_ns));
        self.last_ns = self.last_ns.max(since_ns);
        while since_ns / 4 >= self.length_ns {
            self.length_ns *= 2;
            for [first, second, third] in parts.iter_mut() {
                first.take_in(&std::mem::take(second));
                *second = std::mem::take(third);
            }
        }
        ((since_ns / self.length_ns) as usize).min(PERIODS - 1)
    }

    /// Returns the number of periods before the border that is nearer to the middle.
    fn early(&self) -> Option<usize> {
        match self.last_ns / self.length_ns {
            0 => None,
            1 | 2 => Some(1),
            _ => Some(2),
        }
    }
}

/// Deals out observations.
#[derive(Clone, Debug)]
struct Dealer {
    random: Random,
    /// Groups that have not got one of these four yet.
    left: Vec<usize>,
    dealt: u64,
}

impl Dealer {
    fn new(seed: u64) -> Self {
        Self {
            random: Random(seed),
            left: Vec::new(),
            dealt: 0,
        }
    }

    fn next(&mut self) -> usize {
        self.dealt += 1;
        if self.left.is_empty() {
            self.left = (0..GROUPS).collect();
        }
        let at = (self.random.next() % self.left.len() as u64) as usize;
        self.left.swap_remove(at)
    }

    /// Deals out equal observations, each by chance, since equal shares would make halves more alike than recordings are.
    fn deal(&mut self, times: u64) -> [u64; GROUPS] {
        self.dealt = self.dealt.saturating_add(times);
        let first = self.random.half_of(times);
        let (one, three) = (
            self.random.half_of(first),
            self.random.half_of(times - first),
        );
        [one, first - one, three, times - first - three]
    }
}

/// Random numbers: SplitMix64 (Steele, Lea and Flood, *Fast splittable pseudorandom number generators*, 2014).
#[derive(Clone, Debug)]
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns how many of so many tossed coins show heads.
    fn half_of(&mut self, coins: u64) -> u64 {
        if coins <= EACH_MAX {
            let words = (0..coins.div_ceil(64)).map(|word| {
                let unused = (64 * (word + 1)).saturating_sub(coins);
                u64::from((self.next() << (unused % 64)).count_ones())
            });
            return words.sum();
        }
        // Of many coins the number is distributed normally; a sum of twelve uniform numbers nearly is.
        let unit = |bits: u64| (bits >> 11) as f64 / (1_u64 << 53) as f64;
        let normal = (0..12).map(|_| unit(self.next())).sum::<f64>() - 6.0;
        let heads = coins as f64 / 2.0 + normal * (coins as f64).sqrt() / 2.0;
        (heads.round().max(0.0) as u64).min(coins)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hone_profile::{
        Binary, BinaryKind, BranchKind, BranchStacks, EventId, FileOffset, LocationId,
        ThirdArgument, Thread, WALK_EVENT,
    };

    struct Made {
        profile: Profile,
        observations: Observations,
        places: Vec<LocationId>,
    }

    impl Made {
        fn new() -> Self {
            let mut profile = Profile::default();
            profile.events = [WALK_EVENT, "cycles:u"]
                .map(|name| Event {
                    name: name.into(),
                    branches: BranchStacks::Whole,
                })
                .into();
            profile.intern_thread(Thread::default());
            let file = profile.intern_binary(Binary {
                path: "/srv/app".into(),
                build_id: None,
                kind: BinaryKind::File,
            });
            let places = (0..64).map(|at| profile.intern_location(file, FileOffset(16 * at)));
            Self {
                places: places.collect(),
                profile,
                observations: Observations::default(),
            }
        }

        /// Adds a sample with a branch from each of these places to the next, oldest first.
        fn add(&mut self, event: u32, time_ns: u64, times: u64, through: &[usize]) {
            let pairs = through.windows(2).rev();
            let records: Vec<BranchRecord> = pairs
                .map(|pair| BranchRecord {
                    from: self.places[pair[0]],
                    to: self.places[pair[1]],
                    mispredicted: false,
                    kind: BranchKind::Unknown,
                    third_argument: ThirdArgument::UNKNOWN,
                })
                .collect();
            let sample = Sample {
                event: EventId(event),
                thread: ThreadId(0),
                time_ns,
                weight: 10 * times,
                times,
                ip: self.places[0],
                stack: None,
                branches: 0..0,
            };
            self.observations.add(&self.profile, &sample, &records);
        }

        fn parts(self) -> (Tally, Parts) {
            self.observations.finish()
        }
    }

    fn sums(parts: &Parts, of: impl Fn(&Tally) -> u64) -> Vec<u64> {
        let groups = parts.by_group.iter();
        groups.map(|group| group.iter().map(&of).sum()).collect()
    }

    #[test]
    fn the_pieces_of_a_walk_are_one_observation_and_stay_together() {
        let mut made = Made::new();
        for walk in 0..4 {
            let at_ns = 1_000_000 * walk;
            made.add(0, at_ns, 1, &[1, 2, 3]);
            made.add(0, at_ns + 1, 1, &[2, 3, 4]);
            made.add(0, at_ns + 2, 1, &[3, 4, 5]);
        }
        let (whole, parts) = made.parts();
        assert_eq!(parts.seen.stacks[&BinaryId(0)], 4);
        assert_eq!(whole.samples, 12);
        assert_eq!(sums(&parts, |tally| tally.samples), [3; GROUPS]);
    }

    /// The loop ends and begins each walk with the same branch.
    #[test]
    fn walks_of_one_loop_are_several_observations() {
        let mut made = Made::new();
        for walk in 0..8 {
            made.add(0, 5_000_000 * walk, 1, &[1, 1, 1]);
            made.add(0, 5_000_000 * walk + 1, 1, &[1, 1, 1]);
        }
        let (_, parts) = made.parts();
        assert_eq!(parts.seen.stacks[&BinaryId(0)], 8);
    }

    #[test]
    fn the_parts_are_the_whole() {
        let mut made = Made::new();
        let mut alone = Tally::default();
        for time in 0..9_000_u64 {
            let event = (time % 3 != 0) as u32;
            let through = [time as usize % 7, time as usize % 11 + 1, 20];
            made.add(
                event,
                time * 100_000,
                1 + time % 5 * u64::from(event),
                &through,
            );
        }
        let profile = made.profile.clone();
        for group in &made.observations.parts {
            group.iter().for_each(|part| alone.take_in(part));
        }
        let (whole, parts) = made.parts();
        assert_eq!(profile.binaries.len(), 1);
        assert_eq!(parts.by_group.len(), 2, "many need but two groups");
        assert_eq!(whole.branches, alone.branches);
        assert_eq!(
            whole.samples,
            sums(&parts, |tally| tally.samples).iter().sum::<u64>()
        );
        // Equal samples are told apart by chance, and none is lost.
        let expected: u64 = (0..9_000_u64)
            .map(|time| 1 + time % 5 * u64::from(time % 3 != 0))
            .sum();
        assert_eq!(whole.samples, expected);
        let [one, other] = sums(&parts, |tally| tally.samples)[..] else {
            panic!("two groups");
        };
        assert!(one.abs_diff(other) < expected / 20, "{one} {other}");
    }

    #[test]
    fn periods_part_the_time_near_its_middle() {
        for millis in [3_u64, 10, 100, 1_000, 3_333, 60_000] {
            let mut made = Made::new();
            for time in 0..=1_000 {
                made.add(1, time * millis * 1_000, 1, &[1, 2, 3]);
            }
            let (_, parts) = made.parts();
            let early = parts.early.expect("times");
            let of_periods = |of: std::ops::Range<usize>| -> u64 {
                let groups = parts.by_group.iter();
                groups
                    .flat_map(|group| &group[of.clone()])
                    .map(|part| part.samples)
                    .sum()
            };
            let first = of_periods(0..early);
            assert!((300..=700).contains(&first), "{millis} ms: {first}");
            assert_eq!(first + of_periods(early..PERIODS), 1_001);
        }
    }

    #[test]
    fn samples_without_times_have_no_early_half() {
        let mut made = Made::new();
        (0..10).for_each(|_| made.add(1, 0, 1, &[1, 2, 3]));
        assert_eq!(made.parts().1.early, None);
    }

    #[test]
    fn coins_are_fair_in_any_number() {
        let mut random = Random(7);
        for coins in [1_u64, 3, 64, 65, 1_000, 4_097, 1_000_000] {
            let rounds = 400;
            let heads: u64 = (0..rounds).map(|_| random.half_of(coins)).sum();
            let share = heads as f64 / (rounds * coins) as f64;
            let error = 0.5 / ((rounds * coins) as f64).sqrt();
            assert!((share - 0.5).abs() < 4.0 * error, "{coins}: {share}");
        }
        assert_eq!(random.half_of(0), 0);
    }
}
