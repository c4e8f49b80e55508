//! Searches for a good order of blocks: joins chains of blocks two at a time, always the pair and the way that
//! gains most, until no join gains anything.
//!
//! This is the greedy algorithm of Newell and Pupyrev, "Improved Basic Block Reordering", IEEE Transactions on
//! Computers 2020. Two chains are put behind each other, or one chain is cut in two and its parts and the other chain
//! are put into another order, so that a join made too early can be corrected. The remaining chains go behind the chain
//! of the entry by density: executions for each byte.
//!
//! A chain is cut between blocks of which none falls into the other, and at places where the other chain would fit in.
//! Chains with many jumps are not cut, because the time for trying grows with both the jumps and the cuts.

use super::ext_tsp::{Block, Jump, worth};
use rustc_hash::FxHashSet;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

/// Index of the entry block.
const ENTRY: usize = 0;
/// Maximum length, in blocks, of a chain that is cut wherever no fall is lost; the value is from the paper.
const CUT_BLOCKS_MAX: usize = 128;
/// Maximum number of jumps within a chain that is cut at all.
const CUT_JUMPS_MAX: usize = 2048;
/// Minimum gain of a join; a smaller gain is noise of the arithmetic.
const GAIN_MIN: f64 = 1e-6;

/// A piece of two chains that are joined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    /// Blocks of the cut chain before the cut.
    Head,
    /// Blocks of the cut chain behind the cut.
    Tail,
    /// Whole chain that is not cut.
    Other,
}

/// Orders of the parts. Without a tail, the first two orders put one chain behind the other.
const FORMS: [[Part; 3]; 3] = [
    [Part::Head, Part::Other, Part::Tail],
    [Part::Other, Part::Tail, Part::Head],
    [Part::Tail, Part::Head, Part::Other],
];

/// A way to join two chains.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Join {
    /// Chain that is cut before its block `at`; it is not cut if `at` is its length.
    cut: usize,
    at: usize,
    other: usize,
    form: [Part; 3],
}

/// A join with its gain, valid as long as both chains are unchanged.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Candidate {
    gain: f64,
    pair: (usize, usize),
    versions: (u32, u32),
    join: Join,
}

impl Eq for Candidate {}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_gain = self.gain.total_cmp(&other.gain);
        by_gain.then_with(|| other.pair.cmp(&self.pair))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Blocks that lie behind each other.
#[derive(Clone, Debug, Default)]
struct Chain {
    blocks: Vec<usize>,
    size: u64,
    /// Number of executions, summed over the bytes.
    weight: u128,
    /// Score of the jumps within the chain.
    score: f64,
    /// Jumps within the chain, and to and from each other chain; by index.
    inner: Vec<usize>,
    between: BTreeMap<usize, Vec<usize>>,
    version: u32,
}

/// Position of a block.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    chain: usize,
    index: usize,
    offset: u64,
}

/// All chains of a function.
pub(super) struct Chains<'g> {
    blocks: &'g [Block],
    jumps: &'g [Jump],
    pairs: FxHashSet<(usize, usize)>,
    chains: Vec<Chain>,
    places: Vec<Place>,
}

impl<'g> Chains<'g> {
    /// Creates a chain of each block. Each pair of blocks has one jump at most.
    pub(super) fn new(blocks: &'g [Block], jumps: &'g [Jump]) -> Self {
        let chain = |(index, block): (usize, &Block)| Chain {
            blocks: vec![index],
            size: block.size.into(),
            weight: u128::from(block.count) * u128::from(block.size),
            ..Chain::default()
        };
        let place = |chain| Place {
            chain,
            ..Place::default()
        };
        let mut chains: Vec<Chain> = blocks.iter().enumerate().map(chain).collect();
        for (index, jump) in jumps.iter().enumerate() {
            // A block's jump to itself is worth the same in every order.
            if jump.from != jump.to {
                for (chain, near) in [(jump.from, jump.to), (jump.to, jump.from)] {
                    chains[chain].between.entry(near).or_default().push(index);
                }
            }
        }
        Self {
            blocks,
            jumps,
            pairs: jumps.iter().map(|jump| (jump.from, jump.to)).collect(),
            places: (0..blocks.len()).map(place).collect(),
            chains,
        }
    }

    /// Joins chains as long as a join gains, and returns the order of all blocks.
    pub(super) fn merged(mut self) -> Vec<usize> {
        let mut heap: BinaryHeap<Candidate> = BinaryHeap::new();
        for chain in 0..self.chains.len() {
            let near = self.chains[chain].between.range(chain + 1..);
            heap.extend(near.filter_map(|(&other, _)| self.best(chain, other)));
        }
        while let Some(candidate) = heap.pop() {
            if self.versions(candidate.pair) != candidate.versions {
                continue;
            }
            let chain = self.join(&candidate);
            let near = self.chains[chain].between.keys();
            heap.extend(near.filter_map(|&other| self.best(chain.min(other), chain.max(other))));
        }
        self.concatenated()
    }

    fn versions(&self, (a, b): (usize, usize)) -> (u32, u32) {
        (self.chains[a].version, self.chains[b].version)
    }

    /// Returns the join of two chains that gains most, if any join gains.
    fn best(&self, a: usize, b: usize) -> Option<Candidate> {
        let whole = |form| Join {
            cut: a,
            at: self.chains[a].blocks.len(),
            other: b,
            form,
        };
        let whole = FORMS[..2].iter().map(|&form| whole(form));
        let cuts = self.cuts(a, b).chain(self.cuts(b, a));
        let mut best: Option<(f64, Join)> = None;
        for join in whole.chain(cuts).filter(|join| self.keeps_entry(join)) {
            let gain = self.gain(&join);
            if gain > best.map_or(GAIN_MIN, |(most, _)| most) {
                best = Some((gain, join));
            }
        }
        let (gain, join) = best?;
        Some(Candidate {
            gain,
            pair: (a, b),
            versions: self.versions((a, b)),
            join,
        })
    }

    /// Returns the joins that cut the first chain.
    fn cuts(&self, cut: usize, other: usize) -> impl Iterator<Item = Join> + use<> {
        let places = self.cut_places(cut, other);
        let joins = move |at| {
            FORMS.map(|form| Join {
                cut,
                at,
                other,
                form,
            })
        };
        places.into_iter().flat_map(joins)
    }

    /// Returns the places at which the first chain may be cut to let the second in.
    fn cut_places(&self, cut: usize, other: usize) -> BTreeSet<usize> {
        let (chain, guest) = (&self.chains[cut], &self.chains[other]);
        let mut places = BTreeSet::new();
        if chain.inner.len() > CUT_JUMPS_MAX {
            return places;
        }
        let between = chain.between.get(&other).into_iter().flatten();
        for jump in between.map(|&index| &self.jumps[index]) {
            if self.places[jump.from].chain == cut && guest.blocks.first() == Some(&jump.to) {
                places.insert(self.places[jump.from].index + 1);
            }
            if self.places[jump.to].chain == cut && guest.blocks.last() == Some(&jump.from) {
                places.insert(self.places[jump.to].index);
            }
        }
        if chain.blocks.len() <= CUT_BLOCKS_MAX {
            let loses_none = |at: &usize| {
                let border = (chain.blocks[at - 1], chain.blocks[*at]);
                !self.pairs.contains(&border)
            };
            places.extend((1..chain.blocks.len()).filter(loses_none));
        }
        places.retain(|&at| at > 0 && at < chain.blocks.len());
        places
    }

    /// Returns true if the entry block stays in front.
    fn keeps_entry(&self, join: &Join) -> bool {
        let first = match join.form[0] {
            Part::Head => self.chains[join.cut].blocks.first(),
            Part::Tail => self.chains[join.cut].blocks.get(join.at),
            Part::Other => self.chains[join.other].blocks.first(),
        };
        let home = self.places[ENTRY].chain;
        first == Some(&ENTRY) || (home != join.cut && home != join.other)
    }

    /// Returns the increase of the score of both chains by a join.
    fn gain(&self, join: &Join) -> f64 {
        let (chain, other) = (&self.chains[join.cut], &self.chains[join.other]);
        let head = self.head_size(join);
        let mut bases = [0; 3];
        let mut at = 0;
        for part in join.form {
            bases[part as usize] = at;
            at += match part {
                Part::Head => head,
                Part::Tail => chain.size - head,
                Part::Other => other.size,
            };
        }
        let start = |block: usize| {
            let place = &self.places[block];
            if place.chain == join.other {
                bases[Part::Other as usize] + place.offset
            } else if place.index < join.at {
                bases[Part::Head as usize] + place.offset
            } else {
                bases[Part::Tail as usize] + (place.offset - head)
            }
        };
        let worth = |&index: &usize| {
            let jump = &self.jumps[index];
            let end = start(jump.from) + u64::from(self.blocks[jump.from].size);
            worth(jump.count, end, start(jump.to))
        };
        let between = chain.between.get(&join.other).into_iter().flatten();
        let gained: f64 = between.map(worth).sum();
        if join.at == chain.blocks.len() {
            return gained;
        }
        gained + chain.inner.iter().map(worth).sum::<f64>() - chain.score
    }

    /// Returns the number of bytes before the cut.
    fn head_size(&self, join: &Join) -> u64 {
        let chain = &self.chains[join.cut];
        let behind = chain.blocks.get(join.at);
        behind.map_or(chain.size, |&block| self.places[block].offset)
    }

    /// Carries a join out, and returns the chain that then holds both.
    fn join(&mut self, candidate: &Candidate) -> usize {
        let Join {
            cut,
            at,
            other,
            form,
        } = candidate.join;
        let mut head = std::mem::take(&mut self.chains[cut]);
        let mut other = std::mem::take(&mut self.chains[other]);
        let (into, gone) = candidate.pair;
        let tail = head.blocks.split_off(at);
        let parts = form.map(|part| match part {
            Part::Head => head.blocks.as_slice(),
            Part::Tail => tail.as_slice(),
            Part::Other => other.blocks.as_slice(),
        });
        let blocks = parts.concat();
        let mut offset = 0;
        for (index, &block) in blocks.iter().enumerate() {
            self.places[block] = Place {
                chain: into,
                index,
                offset,
            };
            offset += u64::from(self.blocks[block].size);
        }
        let mut inner = head.inner;
        inner.append(&mut other.inner);
        inner.extend(
            head.between
                .remove(&candidate.join.other)
                .into_iter()
                .flatten(),
        );
        other.between.remove(&cut);
        let mut between = head.between;
        for (near, mut jumps) in other.between {
            between.entry(near).or_default().append(&mut jumps);
        }
        for (&near, jumps) in &between {
            let back = &mut self.chains[near].between;
            back.remove(&gone);
            back.insert(into, jumps.clone());
        }
        self.chains[gone].version = u32::MAX;
        self.chains[into] = Chain {
            blocks,
            size: offset,
            weight: head.weight.saturating_add(other.weight),
            score: head.score + other.score + candidate.gain,
            inner,
            between,
            version: head.version.max(other.version) + 1,
        };
        into
    }

    /// Returns the blocks of all chains: the entry's chain first, then the densest first.
    fn concatenated(mut self) -> Vec<usize> {
        let home = self.places.first().map(|place| place.chain);
        let mut rest: Vec<usize> = (0..self.chains.len()).collect();
        rest.retain(|&chain| Some(chain) != home && !self.chains[chain].blocks.is_empty());
        rest.sort_by(|&a, &b| {
            let (one, two) = (&self.chains[a], &self.chains[b]);
            let size = |chain: &Chain| u128::from(chain.size.max(1));
            let density = |chain: &Chain, by: u128| chain.weight.saturating_mul(by);
            density(two, size(one))
                .cmp(&density(one, size(two)))
                .then_with(|| a.cmp(&b))
        });
        let order = home.into_iter().chain(rest);
        order
            .flat_map(|chain| std::mem::take(&mut self.chains[chain].blocks))
            .collect()
    }
}
