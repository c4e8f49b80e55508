//! What the samples of an interval add up to, by kind, metric and sorted tags. Tags are split and sorted for every sample;
//! they are kept as strings of their own, or all of a series in one buffer.

use std::hash::{BuildHasher, Hasher};
use std::sync::Arc;

use foldhash::fast::RandomState;
use hashbrown::{HashMap, HashTable};
use hone_agent::limits::TAGS_BYTES_MAX;
use hone_agent::sample::Kind;
use hone_agent::scan::{BLOCK_BYTES, Scanner, Separators, for_each_tag};
use hone_agent::series::Series;
use hone_agent::store::bins::SignedBins;

/// A name of which every part is a string of its own.
type Strings = (Kind, String, Vec<(String, String)>);

/// What a series came to.
#[derive(Default)]
pub struct Cell {
    pub series: Option<Arc<Series>>,
    pub count: f64,
    pub sum: f64,
    pub total: f64,
    pub last: f64,
    pub min: f64,
    pub max: f64,
    pub bins: Option<Box<SignedBins>>,
}

pub struct Store {
    scanner: Scanner,
    in_one_buffer: bool,
    by_strings: HashMap<Strings, usize, RandomState>,
    by_buffer: HashTable<(u64, Box<[u8]>, usize)>,
    hash: RandomState,
    buffer: Vec<u8>,
    pub cells: Vec<Cell>,
    pub stored: u64,
    pub malformed: u64,
}

impl Store {
    pub fn new(with_vectors: bool, in_one_buffer: bool) -> Self {
        let all = Scanner::all_here();
        let scalar = all.iter().find(|scanner| scanner.name() == "scalar");
        Self {
            scanner: if with_vectors {
                Scanner::best()
            } else {
                *scalar.expect("there is always a scalar one")
            },
            in_one_buffer,
            by_strings: HashMap::default(),
            by_buffer: HashTable::new(),
            hash: RandomState::default(),
            buffer: Vec::new(),
            cells: Vec::new(),
            stored: 0,
            malformed: 0,
        }
    }

    /// Takes a sample. One whose tags are too many is malformed.
    pub fn take(&mut self, kind: Kind, metric: &str, value: f64, tags: &str) {
        let mut found = [Separators::default(); TAGS_BYTES_MAX.div_ceil(BLOCK_BYTES)];
        if tags.len() > TAGS_BYTES_MAX {
            self.malformed += 1;
            return;
        }
        let blocks = self.scanner.find(tags.as_bytes(), &mut found);
        let cell = if self.in_one_buffer {
            self.place_by_buffer(kind, metric, tags, &found[..blocks])
        } else {
            self.place_by_strings(kind, metric, tags, &found[..blocks])
        };
        let cell = &mut self.cells[cell];
        cell.add(kind, value);
        self.stored += 1;
    }

    fn place_by_strings(
        &mut self,
        kind: Kind,
        metric: &str,
        tags: &str,
        found: &[Separators],
    ) -> usize {
        let mut strings = Vec::new();
        for_each_tag(tags, found, &mut |tag| {
            strings.push((tag.key.to_owned(), tag.value.to_owned()))
        });
        strings.sort();
        let name = (kind, metric.to_owned(), strings);
        if let Some(place) = self.by_strings.get(&name) {
            return *place;
        }
        let pairs: Vec<(&str, &str)> = name
            .2
            .iter()
            .map(|(key, value)| (key.as_str(), value.as_str()))
            .collect();
        let place = hold(&mut self.cells, kind, metric, &pairs);
        self.by_strings.insert(name, place);
        place
    }

    fn place_by_buffer(
        &mut self,
        kind: Kind,
        metric: &str,
        tags: &str,
        found: &[Separators],
    ) -> usize {
        let mut pairs: [(&str, &str); 64] = [("", ""); 64];
        let mut count = 0;
        for_each_tag(tags, found, &mut |tag| {
            if let Some(pair) = pairs.get_mut(count) {
                *pair = (tag.key, tag.value);
                count += 1;
            }
        });
        let pairs = &mut pairs[..count];
        pairs.sort_unstable();
        self.buffer.clear();
        self.buffer.push(kind as u8);
        let parts =
            std::iter::once(metric).chain(pairs.iter().flat_map(|(key, value)| [*key, *value]));
        for part in parts {
            self.buffer.extend((part.len() as u16).to_le_bytes());
            self.buffer.extend_from_slice(part.as_bytes());
        }
        let mut hasher = self.hash.build_hasher();
        hasher.write(&self.buffer);
        let hash = hasher.finish();
        let known = self.by_buffer.find(hash, |(own, name, _)| {
            *own == hash && **name == *self.buffer
        });
        if let Some((_, _, place)) = known {
            return *place;
        }
        let place = hold(&mut self.cells, kind, metric, pairs);
        let entry = (hash, self.buffer.as_slice().into(), place);
        self.by_buffer
            .insert_unique(hash, entry, |(hash, ..)| *hash);
        place
    }
}

fn hold(cells: &mut Vec<Cell>, kind: Kind, metric: &str, pairs: &[(&str, &str)]) -> usize {
    let series = Series::new(kind, metric, pairs).map(Arc::new);
    cells.push(Cell {
        series,
        ..Cell::default()
    });
    cells.len() - 1
}

impl Cell {
    fn add(&mut self, kind: Kind, value: f64) {
        if self.count == 0.0 {
            (self.min, self.max) = (value, value);
        }
        self.count += 1.0;
        self.sum += value;
        self.last = value;
        if kind == Kind::Timer {
            self.min = self.min.min(value);
            self.max = self.max.max(value);
            self.bins.get_or_insert_default().add(value, 1.0);
        }
    }
}
