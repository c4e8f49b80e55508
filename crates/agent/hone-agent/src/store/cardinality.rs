//! Number of different members of a set: counted exactly if there are few, estimated by HyperLogLog if there are many.
//!
//! Registers: Flajolet et al., "HyperLogLog: the analysis of a near-optimal cardinality estimation algorithm" (2007).
//! Estimate: Ertl, "New cardinality estimation algorithms for HyperLogLog sketches" (2017), the improved raw estimator
//! (algorithm 6), which needs no correction for small or large counts.

/// Limit on the hashes that are kept one by one before registers take over.
const EXACT_MAX: usize = 256;
/// Base-2 logarithm of the number of registers: 4,096 of one byte each. The standard error is 1.04 / sqrt(4096) = 1.6 %.
const INDEX_BITS: u32 = 12;
const REGISTERS: usize = 1 << INDEX_BITS;
/// Largest value of a register: the longest possible run of zeros, plus one.
const RANK_MAX: usize = (64 - INDEX_BITS) as usize + 1;

/// Distinct members of a set, by their 64-bit hashes.
#[derive(Clone, PartialEq, Debug)]
pub enum Distinct {
    /// All hashes, sorted.
    Exact(Vec<u64>),
    /// For each register, the longest run of zeros at the start of a hash, plus one.
    Registers(Box<[u8; REGISTERS]>),
}

impl Default for Distinct {
    fn default() -> Self {
        Self::Exact(Vec::new())
    }
}

impl Distinct {
    /// Adds a member by its hash, in which all bits must be well mixed.
    pub fn add(&mut self, hash: u64) {
        match self {
            Self::Registers(registers) => raise(registers, hash),
            Self::Exact(hashes) => {
                let Err(at) = hashes.binary_search(&hash) else {
                    return;
                };
                hashes.insert(at, hash);
                if hashes.len() > EXACT_MAX {
                    let mut registers = Box::new([0; REGISTERS]);
                    hashes.iter().for_each(|&hash| raise(&mut registers, hash));
                    *self = Self::Registers(registers);
                }
            }
        }
    }

    /// Adds all members of another set.
    pub fn merge(&mut self, other: &Self) {
        match (&mut *self, other) {
            (_, Self::Exact(hashes)) => hashes.iter().for_each(|&hash| self.add(hash)),
            (Self::Registers(own), Self::Registers(others)) => {
                for (own, other) in own.iter_mut().zip(others.iter()) {
                    *own = (*own).max(*other);
                }
            }
            (Self::Exact(_), Self::Registers(_)) => {
                let few = std::mem::replace(self, other.clone());
                self.merge(&few);
            }
        }
    }

    /// Returns the number of members, estimated if there are many.
    pub fn estimate(&self) -> f64 {
        match self {
            Self::Exact(hashes) => hashes.len() as f64,
            Self::Registers(registers) => estimate(registers),
        }
    }

    /// Returns the content as bytes, to be read by [`Self::from_bytes`]: sorted hashes of eight bytes each, the lowest byte
    /// first, or registers of one byte each.
    pub fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Exact(hashes) => hashes.iter().flat_map(|hash| hash.to_le_bytes()).collect(),
            Self::Registers(registers) => registers.to_vec(),
        }
    }

    /// Reads bytes from [`Self::bytes`]; `None` if they cannot come from there: hashes out of order, registers out of range.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        if let Ok(registers) = <&[u8; REGISTERS]>::try_from(bytes) {
            let are_ranks = registers.iter().all(|rank| usize::from(*rank) <= RANK_MAX);
            return are_ranks.then(|| Self::Registers(Box::new(*registers)));
        }
        let (hashes, rest) = bytes.as_chunks::<8>();
        if !rest.is_empty() || hashes.len() > EXACT_MAX {
            return None;
        }
        let hashes: Vec<u64> = hashes.iter().copied().map(u64::from_le_bytes).collect();
        let in_order = hashes.windows(2).all(|pair| pair[0] < pair[1]);
        in_order.then_some(Self::Exact(hashes))
    }

    /// Returns the bytes on the heap.
    pub fn heap_bytes(&self) -> usize {
        match self {
            Self::Exact(hashes) => hashes.capacity() * size_of::<u64>(),
            Self::Registers(_) => REGISTERS,
        }
    }
}

fn raise(registers: &mut [u8; REGISTERS], hash: u64) {
    let register = (hash >> (64 - INDEX_BITS)) as usize;
    // The bit below the rest of the hash limits the run.
    let rest = hash << INDEX_BITS | 1 << (INDEX_BITS - 1);
    let rank = rest.leading_zeros() as u8 + 1;
    registers[register] = registers[register].max(rank);
}

fn estimate(registers: &[u8; REGISTERS]) -> f64 {
    let mut with_rank = [0.0; RANK_MAX + 1];
    for &rank in registers.iter() {
        with_rank[usize::from(rank).min(RANK_MAX)] += 1.0;
    }
    let all = REGISTERS as f64;
    let mut sum = all * tau(1.0 - with_rank[RANK_MAX] / all);
    for count in with_rank[1..RANK_MAX].iter().rev() {
        sum = 0.5 * (sum + count);
    }
    sum += all * sigma(with_rank[0] / all);
    all * all / (2.0 * std::f64::consts::LN_2 * sum)
}

/// Computes the correction for registers that are zero.
fn sigma(share: f64) -> f64 {
    if share == 1.0 {
        return f64::INFINITY;
    }
    let (mut x, mut y, mut z) = (share, 1.0, share);
    loop {
        x *= x;
        let before = z;
        z += x * y;
        y += y;
        if z == before {
            return z;
        }
    }
}

/// Computes the correction for registers that are full.
fn tau(share: f64) -> f64 {
    if share == 0.0 || share == 1.0 {
        return 0.0;
    }
    let (mut x, mut y, mut z) = (share, 1.0, 1.0 - share);
    loop {
        x = x.sqrt();
        let before = z;
        y *= 0.5;
        z -= (1.0 - x).powi(2) * y;
        if z == before {
            return z / 3.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computes Steele, Lea and Flood's splitmix64: well-mixed bits from a counter.
    fn hash(number: u64) -> u64 {
        let mut z = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn of(numbers: std::ops::Range<u64>) -> Distinct {
        let mut set = Distinct::default();
        numbers.for_each(|number| set.add(hash(number)));
        set
    }

    #[test]
    fn few_are_counted_exactly_however_often_they_come() {
        let mut set = of(0..200);
        set.merge(&of(100..200));
        assert_eq!(set.estimate(), 200.0);
        assert_eq!(Distinct::default().estimate(), 0.0);
    }

    #[test]
    fn many_are_estimated_within_five_standard_errors() {
        for count in [300, 3_000, 30_000, 1_000_000] {
            let error = of(0..count).estimate() / count as f64 - 1.0;
            assert!(error.abs() < 5.0 * 1.04 / 64.0, "{count}: {error}");
        }
    }

    #[test]
    fn sets_come_back_from_their_bytes_and_nothing_else_does() {
        for set in [of(0..0), of(0..1), of(0..256), of(0..257), of(0..100_000)] {
            assert_eq!(Distinct::from_bytes(&set.bytes()), Some(set));
        }
        let mut registers = of(0..1000).bytes();
        registers[7] = RANK_MAX as u8 + 1;
        let mut unsorted = of(0..2).bytes();
        unsorted.rotate_left(8);
        let twice = [7; 16].to_vec();
        let many = vec![0; 8 * (EXACT_MAX + 1)];
        for bytes in [registers, unsorted, twice, many, vec![0; 7]] {
            assert_eq!(Distinct::from_bytes(&bytes), None);
        }
    }

    #[test]
    fn merging_is_the_union() {
        for (a, b) in [
            (0..100, 50..5_000),
            (0..5_000, 50..100),
            (0..5_000, 2_000..9_000),
        ] {
            let mut merged = of(a.clone());
            merged.merge(&of(b.clone()));
            assert_eq!(merged, of(a.start..b.end.max(a.end)), "{a:?} and {b:?}");
        }
    }
}
