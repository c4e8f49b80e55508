//! How finely the rows of an answer are told apart, and what of that is given up where memory is short.
//!
//! Sums stay what they are: rows only become fewer. Minutes go first, since nobody looks at those of a long time, and then
//! hosts and containers, of which a large service has many.

use hone_batch::{BUCKET_S, Group, GroupField};

use super::error::StoreError;
use super::rows::{Rows, Texts};
use super::time::{DAY_S, HOUR_S, Time};

/// Part of the rows that may be in memory below which they are not added up.
const FEW_PART: usize = 8;
/// Part of the rows that has to become fewer, lest adding up is for nothing.
const EQUAL_PART: usize = 8;

const HOST: &str = GroupField::Host.name();
const CONTAINER: &str = GroupField::Container.name();

/// How finely rows are told apart: each detail has less than the one before.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Detail {
    /// All that the store has.
    #[default]
    Minutes,
    /// Samples by the hour.
    Hours,
    /// Everything by the day.
    Days,
    /// The same without hosts.
    NoHosts,
    /// The same without containers.
    NoContainers,
}

impl Detail {
    /// Returns the next detail that has less; `None` if there is none.
    fn less(self) -> Option<Self> {
        Some(match self {
            Self::Minutes => Self::Hours,
            Self::Hours => Self::Days,
            Self::Days => Self::NoHosts,
            Self::NoHosts => Self::NoContainers,
            Self::NoContainers => return None,
        })
    }

    /// Returns the length of a step of time, in seconds.
    pub fn step_s(self) -> u64 {
        match self {
            Self::Minutes => BUCKET_S,
            Self::Hours => HOUR_S,
            _ => DAY_S,
        }
    }

    /// Returns what is left out, for people; empty if nothing is.
    pub fn left_out(self) -> &'static str {
        match self {
            Self::Minutes => "",
            Self::Hours => "minutes",
            Self::Days => "hours",
            Self::NoHosts => "hours, hosts",
            Self::NoContainers => "hours, hosts, containers",
        }
    }

    /// True if this detail has no column of that name.
    pub(crate) fn leaves_out(self, column: &str) -> bool {
        match column {
            HOST => self >= Self::NoHosts,
            CONTAINER => self >= Self::NoContainers,
            _ => false,
        }
    }

    /// Leaves out of a group what this detail does not have.
    pub fn of_group(self, mut group: Group) -> Group {
        if self.leaves_out(HOST) {
            group.host.clear();
        }
        if self.leaves_out(CONTAINER) {
            group.container.clear();
        }
        group
    }

    /// Leaves out of rows what this detail does not have; equal rows are not added up yet.
    pub(crate) fn of_rows(self, rows: &mut Rows, texts: &mut Texts) {
        if self == Self::Minutes {
            return;
        }
        rows.map_longs("time", |time| Time::begin_of_step(time, self.step_s()));
        let nobody = texts.number("");
        for column in [HOST, CONTAINER] {
            if self.leaves_out(column) {
                rows.map_texts(column, |_| nobody);
            }
        }
    }
}

/// What of groups is not told apart, whatever the detail.
#[derive(Clone, Default, Debug)]
pub(crate) struct Merged {
    /// Parts of groups that are empty.
    pub(crate) fields: &'static [GroupField],
    /// Hosts that stay, where others are empty.
    pub(crate) hosts_apart: Vec<String>,
}

impl Merged {
    fn has_field(&self, column: &str) -> bool {
        self.fields.iter().any(|field| field.name() == column)
    }

    /// True if a column is empty whatever it holds.
    pub(crate) fn has_column(&self, column: &str) -> bool {
        let may_stay = column == HOST && !self.hosts_apart.is_empty();
        self.has_field(column) && !may_stay
    }

    /// True if a text of a column becomes empty.
    pub(crate) fn has_text(&self, column: &str, text: &str) -> bool {
        let stays = column == HOST && self.hosts_apart.iter().any(|host| host == text);
        self.has_field(column) && !stays
    }

    /// Leaves out of rows the texts that become empty in columns that do not as a whole; equal rows are not added up yet.
    pub(crate) fn of_rows(&self, rows: &mut Rows, texts: &mut Texts) {
        if self.has_field(HOST) && !self.has_column(HOST) {
            let nobody = texts.number("");
            rows.map_texts(HOST, |host| match self.has_text(HOST, texts.text(host)) {
                true => nobody,
                false => host,
            });
        }
    }
}

/// A limit on the memory of an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RowLimit {
    /// Different rows that may be in memory, frames and stacks among them; twice as many before they are added up.
    pub rows_max: usize,
    /// The detail so far.
    pub detail: Detail,
    /// The least detail that makes sense for who asks.
    pub least: Detail,
}

impl RowLimit {
    /// No limit.
    pub const NONE: Self = Self {
        rows_max: usize::MAX,
        detail: Detail::Minutes,
        least: Detail::Minutes,
    };

    /// Takes the next detail that has less.
    ///
    /// # Errors
    ///
    /// [`StoreError::TooManyRows`] if that would be less than makes sense.
    pub(crate) fn give_up_more(&mut self) -> Result<(), StoreError> {
        let less = self.detail.less().filter(|less| *less <= self.least);
        let max = self.rows_max;
        self.detail = less.ok_or(StoreError::TooManyRows { max })?;
        Ok(())
    }

    /// Gives up detail until the rows are few enough, where there are more than `due`; `count` adds them up in a detail, and counts
    /// them. Returns how many are the next that are too many: twice as many as are left, but not while they are few, nor before
    /// twice the limit if hardly any were equal.
    pub(crate) fn fit(
        &mut self,
        rows: usize,
        due: usize,
        mut count: impl FnMut(Detail) -> usize,
    ) -> Result<usize, StoreError> {
        let few = self.rows_max / FEW_PART;
        let due = due.max(few.saturating_mul(2));
        if rows <= due {
            return Ok(due);
        }
        let mut left = count(self.detail);
        let are_hardly_equal = left > rows / EQUAL_PART * (EQUAL_PART - 1);
        while left > self.rows_max {
            self.give_up_more()?;
            left = count(self.detail);
        }
        Ok(match are_hardly_equal {
            true => self.rows_max.saturating_mul(2),
            false => left.max(few).saturating_mul(2),
        })
    }
}
