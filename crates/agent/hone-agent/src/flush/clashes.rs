//! Series that a back end cannot tell apart.
//!
//! Back ends have rules for names: for Prometheus `a.b` and `a-b` are the same, and so are a counter and a gauge of one name.
//! If two values are sent under one name for one time, a back end keeps one of them, or refuses both. So each name belongs to
//! the series that comes first ([`crate::wire::names`]). Another series of the same type with the same names is added to the
//! first series. A series of another type, or a series of which only some names are taken, is sent with the tag [`TYPE_TAG`].
//! This decision stays until the last of these series has expired: no series gets another name because another series ends,
//! and no sum of several series falls.
//!
//! All of this is done when a series comes or goes. At the end of an interval only series that share names are looked up.

use super::claims::{Claims, Owner};
use super::sums::Sums;
use super::{At, Entry, series_at};
use crate::aggregate::{Aggregate, Point};
use crate::sample::Kind;
use crate::series::Series;
use crate::store::{Cell, Fits};
use crate::wire::names::{Name, Rules};
use foldhash::fast::RandomState;
use std::collections::HashMap;
use std::sync::Arc;

/// Tag that tells a series from a series of another type.
pub const TYPE_TAG: &str = "hone_type";

/// Value of [`TYPE_TAG`] for figures of the agent itself, if clients send series of the same name.
const OWN: &str = "agent";

/// Limits on the listed members of a group, and on the listed series of an interval whose names were taken.
const NAMED_MAX: usize = 3;
const COLLIDED_NAMED_MAX: usize = 10;

/// Outcome for a series whose names were taken.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Became {
    /// Added to the series that has the names.
    Merged,
    /// Sent under another name, by [`TYPE_TAG`].
    ToldApart,
}

/// Series that a back end sees as one, or under another name.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Shared {
    /// Outcome for these series.
    pub became: Became,
    /// Series under whose names they are sent.
    pub sent_as: Arc<Series>,
    /// The first few of the series.
    pub series: Vec<Arc<Series>>,
    /// Number of the series.
    pub count: usize,
}

/// Series that are sent as one, or under another name.
#[derive(Debug)]
struct Group {
    sent_as: Arc<Series>,
    members: Vec<At>,
    /// Figure of the agent itself, which is alone in its group.
    own: Option<Arc<Series>>,
    sums: Sums,
    /// Values of this interval.
    cell: Cell,
    /// True if some member is there in this interval.
    is_there: bool,
}

/// Series whose names were taken when they came.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Collided {
    /// Number of series that were added to others.
    pub merged: u64,
    /// Number of series that got another name.
    pub told_apart: u64,
    /// The first few of the series.
    pub first: Vec<Shared>,
}

impl Collided {
    fn count(&mut self, shared: Shared) {
        match shared.became {
            Became::Merged => self.merged += 1,
            Became::ToldApart => self.told_apart += 1,
        }
        if self.first.len() < COLLIDED_NAMED_MAX {
            self.first.push(shared);
        }
    }

    /// Adds the series of another [`Collided`].
    pub(super) fn add(&mut self, other: Self) {
        self.merged += other.merged;
        self.told_apart += other.told_apart;
        let room = COLLIDED_NAMED_MAX.saturating_sub(self.first.len());
        self.first.extend(other.first.into_iter().take(room));
    }
}

/// Names and groups of series by the rules of some back ends.
#[derive(Debug)]
pub(super) struct Apart {
    pub(super) rules: Rules,
    claims: Claims,
    groups: Vec<Option<Group>>,
    free: Vec<u32>,
    /// Group of each entry that is in a group, and the entry's index among the members.
    group_of: HashMap<At, (u32, usize), RandomState>,
    /// Groups of figures of the agent itself.
    own: HashMap<Arc<Series>, u32, RandomState>,
    collided: Collided,
}

impl Apart {
    pub(super) fn new(rules: Rules) -> Self {
        Self {
            rules,
            claims: Claims::default(),
            groups: Vec::new(),
            free: Vec::new(),
            group_of: HashMap::default(),
            own: HashMap::default(),
            collided: Collided::default(),
        }
    }

    /// Adds a new entry. Returns the entries that share names now and did not before: none, if all names of the entry were free.
    pub(super) fn enter(&mut self, at: At, entries: &[Option<Entry>]) -> Vec<At> {
        let Some(Some(entry)) = entries.get(at as usize) else {
            return Vec::new();
        };
        let (series, kind) = (&entry.series, entry.series.kind());
        let mut sent_as = Arc::clone(series);
        let mut names = self.rules.names(&sent_as);
        let mut attempt = 0;
        let (number, first) = loop {
            match self.owner(&names, entries) {
                None if attempt == 0 => {
                    self.claims.add(&names, Owner::Entry(at));
                    return Vec::new();
                }
                None => break (self.found(sent_as, &names), None),
                Some(owner) if self.is_same(owner, kind, &names, entries) => {
                    break self.group(owner, &names, entries);
                }
                Some(_) => {
                    attempt += 1;
                    sent_as = told_apart(series, kind.word(), attempt);
                    names = self.rules.names(&sent_as);
                }
            }
        };
        self.join(at, number, entry);
        self.tell(number, series);
        first.into_iter().chain([at]).collect()
    }

    /// Removes an entry that is about to go.
    pub(super) fn leave(&mut self, at: At, series: &Series) {
        let Some((number, place)) = self.group_of.remove(&at) else {
            let names = self.rules.names(series);
            return self.claims.remove(&names, Owner::Entry(at));
        };
        if let Some(group) = &mut self.groups[number as usize] {
            group.members.swap_remove(place);
            if let Some(moved) = group.members.get(place)
                && let Some((_, place_of)) = self.group_of.get_mut(moved)
            {
                *place_of = place;
            }
            if group.members.is_empty() {
                self.end(number);
            }
        }
    }

    /// Takes the values of an entry in the interval, if the entry is in a group.
    pub(super) fn take(&mut self, at: At, cell: &Cell) -> Option<Fits> {
        let (group, _) = *self.group_of.get(&at)?;
        let group = self.groups[group as usize].as_mut()?;
        group.is_there = true;
        Some(group.cell.merge(cell.clone()))
    }

    /// Returns the points of the groups in the interval.
    pub(super) fn finish(
        &mut self,
        mut value: impl FnMut(&mut Sums, Kind, Cell) -> Option<Aggregate>,
    ) -> Vec<Point> {
        let points = self.groups.iter_mut().flatten().filter_map(|group| {
            if !std::mem::take(&mut group.is_there) {
                return None;
            }
            let cell = std::mem::take(&mut group.cell);
            let value = value(&mut group.sums, group.sent_as.kind(), cell)?;
            let series = Arc::clone(&group.sent_as);
            Some(Point { series, value })
        });
        points.collect()
    }

    /// Returns the series under whose names a figure of the agent itself is sent in this interval.
    pub(super) fn own(&mut self, series: &Arc<Series>, entries: &[Option<Entry>]) -> Arc<Series> {
        let number = match self.own.get(series) {
            Some(&number) => number,
            None => self.enter_own(series, entries),
        };
        let group = self.groups[number as usize].as_mut();
        group.map_or_else(
            || Arc::clone(series),
            |group| {
                group.is_there = true;
                Arc::clone(&group.sent_as)
            },
        )
    }

    fn enter_own(&mut self, series: &Arc<Series>, entries: &[Option<Entry>]) -> u32 {
        let mut sent_as = Arc::clone(series);
        let mut names = self.rules.names(&sent_as);
        let mut attempt = 0;
        while self.owner(&names, entries).is_some() {
            attempt += 1;
            sent_as = told_apart(series, OWN, attempt);
            names = self.rules.names(&sent_as);
        }
        let number = self.found(sent_as, &names);
        if let Some(group) = &mut self.groups[number as usize] {
            group.own = Some(Arc::clone(series));
        }
        if attempt > 0 {
            self.tell(number, series);
        }
        self.own.insert(Arc::clone(series), number);
        number
    }

    /// Frees the names of figures of the agent itself that were not in this interval.
    pub(super) fn own_finish(&mut self) {
        let groups = &mut self.groups;
        let gone = self.own.extract_if(|_, number| {
            let group = groups[*number as usize].as_mut();
            !group.is_some_and(|group| std::mem::take(&mut group.is_there))
        });
        let gone: Vec<u32> = gone.map(|(_, number)| number).collect();
        gone.into_iter().for_each(|number| self.end(number));
    }

    /// Returns true if an entry is in a group.
    pub(super) fn has(&self, at: At) -> bool {
        self.group_of.contains_key(&at)
    }

    /// Returns the series that share names now.
    pub(super) fn shared(&self, entries: &[Option<Entry>]) -> impl Iterator<Item = Shared> {
        let groups = self.groups.iter().flatten();
        groups.filter_map(|group| {
            let members = group.members.iter().take(NAMED_MAX);
            let members = members.filter_map(|at| series_at(entries, *at));
            let shared = group.shared(members.chain(&group.own).cloned().collect());
            // The last remaining member may be the series that the group is sent as.
            let is_itself = shared.count == 1 && shared.series.contains(&group.sent_as);
            (!is_itself).then_some(shared)
        })
    }

    /// Returns the series that came since the last call and whose names were taken.
    pub(super) fn collided(&mut self) -> Collided {
        std::mem::take(&mut self.collided)
    }

    fn tell(&mut self, number: u32, series: &Arc<Series>) {
        if let Some(group) = &self.groups[number as usize] {
            self.collided.count(group.shared(vec![Arc::clone(series)]));
        }
    }

    fn owner(&self, names: &[Name], entries: &[Option<Entry>]) -> Option<Owner> {
        self.claims
            .owner(names, |owner| self.names_of(owner, entries))
    }

    fn names_of(&self, owner: Owner, entries: &[Option<Entry>]) -> Vec<Name> {
        let series = match owner {
            Owner::Entry(at) => series_at(entries, at),
            Owner::Group(number) => {
                let group = self.groups[number as usize].as_ref();
                group.map(|group| &group.sent_as)
            }
            Owner::Sharers => None,
        };
        series.map_or_else(Vec::new, |series| self.rules.names(series))
    }

    /// Returns true if values of this kind under these names can be added to the owner's values.
    fn is_same(&self, owner: Owner, kind: Kind, names: &[Name], entries: &[Option<Entry>]) -> bool {
        let own = match owner {
            Owner::Entry(at) => series_at(entries, at).map(|series| series.kind()),
            Owner::Group(number) => {
                let group = self.groups[number as usize].as_ref();
                let of_clients = group.filter(|group| group.own.is_none());
                of_clients.map(|group| group.sent_as.kind())
            }
            Owner::Sharers => None,
        };
        own == Some(kind) && self.names_of(owner, entries) == names
    }

    /// Returns the group of an owner; and the entry that is its first member, if the group is new.
    fn group(
        &mut self,
        owner: Owner,
        names: &[Name],
        entries: &[Option<Entry>],
    ) -> (u32, Option<At>) {
        let at = match owner {
            Owner::Group(number) => return (number, None),
            Owner::Entry(at) => at,
            Owner::Sharers => unreachable!("they are not the same as one of another type"),
        };
        let entry = entries[at as usize].as_ref().expect("it has a name");
        self.claims.remove(names, owner);
        let number = self.found(Arc::clone(&entry.series), names);
        self.join(at, number, entry);
        (number, Some(at))
    }

    /// Makes a new group with these names.
    fn found(&mut self, sent_as: Arc<Series>, names: &[Name]) -> u32 {
        let group = Some(Group {
            sent_as,
            members: Vec::new(),
            own: None,
            sums: Sums::default(),
            cell: Cell::Empty,
            is_there: false,
        });
        let number = match self.free.pop() {
            Some(number) => {
                self.groups[number as usize] = group;
                number
            }
            None => {
                self.groups.push(group);
                (self.groups.len() - 1) as u32
            }
        };
        self.claims.add(names, Owner::Group(number));
        number
    }

    fn join(&mut self, at: At, number: u32, entry: &Entry) {
        if let Some(group) = &mut self.groups[number as usize] {
            self.group_of.insert(at, (number, group.members.len()));
            group.members.push(at);
            group.sums.join(entry.series.kind(), &entry.sums);
        }
    }

    fn end(&mut self, number: u32) {
        if let Some(group) = self.groups[number as usize].take() {
            let names = self.rules.names(&group.sent_as);
            self.claims.remove(&names, Owner::Group(number));
            self.free.push(number);
        }
    }
}

impl Group {
    fn shared(&self, series: Vec<Arc<Series>>) -> Shared {
        Shared {
            became: match self.members.len() {
                0 | 1 => Became::ToldApart,
                _ => Became::Merged,
            },
            sent_as: Arc::clone(&self.sent_as),
            count: self.members.len().max(1),
            series,
        }
    }
}

/// Returns the series with a value of [`TYPE_TAG`] that tells it apart. Each attempt gives another value.
fn told_apart(series: &Arc<Series>, word: &str, attempt: u32) -> Arc<Series> {
    let known = series.tag(TYPE_TAG).map(|value| format!("{value}."));
    let known = known.unwrap_or_default();
    let value = match attempt {
        1 => format!("{known}{word}"),
        _ => format!("{known}{word}.{attempt}"),
    };
    let mut tags: Vec<_> = series
        .tags()
        .filter(|(key, _)| *key != TYPE_TAG)
        .chain([(TYPE_TAG, &*value)])
        .collect();
    tags.sort_by_key(|(key, _)| *key);
    let series = Series::new(series.kind(), series.metric(), &tags);
    Arc::new(series.expect("what clients may send leaves room"))
}
