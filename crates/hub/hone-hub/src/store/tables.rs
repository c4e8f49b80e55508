//! Columns of the tables, as other engines see them: flat, signed, and with ids that are dense in a day of a service.
//!
//! Beside these columns every table has two that are the same for all rows of a file, and stand in the Delta log: `day`
//! (`2026-01-31`) and `service` (null if nobody named it). Ids of frames and stacks mean something only together with both.

use hone_batch::GroupField;

/// Name of the column of the day.
pub const DAY: &str = "day";
/// Name of the column of the service.
pub const SERVICE: &str = "service";

/// A table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Table {
    /// Places in code.
    Frames,
    /// Stacks as lists of places.
    Stacks,
    /// Counts of samples.
    Samples,
    /// Counts of taken branches.
    Branches,
    /// Counts of code that ran from a branch's target through the next branch.
    Ranges,
    /// Numbers of samples with branch records.
    Records,
    /// The counts of samples by the hour, without who ran them: what flame graphs of long times are made of.
    Hourly,
    /// The counts of samples without what ran: what CPU use over time is made of.
    Totals,
    /// The counts of taken branches without who took them: what compiler profiles are made of.
    HourlyBranches,
    /// The counts of code that ran between branches, without who ran it: the same.
    HourlyRanges,
}

/// Form of a column's values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// 32 bits, signed.
    Int,
    /// 64 bits, signed.
    Long,
    /// UTF-8.
    Text,
    /// Microseconds since 1970 (UTC).
    Time,
    /// List of 32-bit numbers.
    List,
}

/// What becomes of a column when rows are added up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Rows with equal keys become one.
    Key,
    /// Values of rows with equal keys are added.
    Sum,
}

/// A column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Column {
    /// Name.
    pub name: &'static str,
    /// Form of the values.
    pub kind: Kind,
    /// What becomes of it when rows are added up.
    pub role: Role,
}

const fn key(name: &'static str, kind: Kind) -> Column {
    Column {
        name,
        kind,
        role: Role::Key,
    }
}

const fn sum(name: &'static str) -> Column {
    Column {
        name,
        kind: Kind::Long,
        role: Role::Sum,
    }
}

const BUILD: Column = key(GroupField::Build.name(), Kind::Text);
const CONTAINER: Column = key(GroupField::Container.name(), Kind::Text);
const HOST: Column = key(GroupField::Host.name(), Kind::Text);
const THREAD: Column = key(GroupField::Thread.name(), Kind::Text);
const LABELS: Column = key("labels", Kind::Text);
const TIME: Column = key("time", Kind::Time);
const EVENT: Column = key("event", Kind::Text);
/// Bits of `branch_sample_type` for which the event's branch stacks mean the same; -1 if it has none.
const EVENT_BRANCHES: Column = key("event_branches", Kind::Long);

const STACK: Column = key("stack", Kind::Int);
/// The instruction that ran, where it is not in the innermost frame of the stack; else -1.
const IP_FRAME: Column = key("ip_frame", Kind::Int);
/// 1 if the samples came with branch records.
const HAS_BRANCHES: Column = key("has_branches", Kind::Int);

const FROM_FRAME: Column = key("from_frame", Kind::Int);
const TO_FRAME: Column = key("to_frame", Kind::Int);
const FIRST_FRAME: Column = key("first_frame", Kind::Int);
const LAST_FRAME: Column = key("last_frame", Kind::Int);

/// The columns of events.
const EVENTS: [Column; 2] = [EVENT, EVENT_BRANCHES];

/// The columns by which groups are told apart: one for each of their parts, and one for all labels.
const GROUP: [Column; 5] = [BUILD, CONTAINER, HOST, THREAD, LABELS];

/// Those of them that sums by the hour keep.
const GROUP_OF_HOURS: [Column; 2] = [BUILD, LABELS];

/// The names of the columns by which groups are told apart. The service has none: it is the same for all rows of a file.
pub(crate) const GROUP_NAMES: [&str; GROUP.len()] = {
    let mut names = [""; GROUP.len()];
    let mut at = 0;
    while at < names.len() {
        names[at] = GROUP[at].name;
        at += 1;
    }
    names
};

/// Returns the columns of several lists, one after the other.
const fn joined<const COLUMNS: usize>(lists: &[&[Column]]) -> [Column; COLUMNS] {
    let mut all = [EVENT; COLUMNS];
    let (mut list, mut at) = (0, 0);
    while list < lists.len() {
        let mut column = 0;
        while column < lists[list].len() {
            all[at] = lists[list][column];
            (column, at) = (column + 1, at + 1);
        }
        list += 1;
    }
    assert!(at == COLUMNS);
    all
}

/// Joins lists of columns.
macro_rules! columns {
    ($($list:expr),+) => {{
        const COLUMNS: usize = 0 $(+ $list.len())+;
        &joined::<COLUMNS>(&[$($list),+])
    }};
}

const FRAMES: &[Column] = &[
    key("frame", Kind::Int),
    key("file", Kind::Text),
    key("file_build", Kind::Text),
    key("file_kind", Kind::Text),
    // 1 if the sender named the function, and there is no offset.
    key("is_named", Kind::Int),
    // Addresses of the kernel are negative: 64 bits in two's complement.
    key("file_offset", Kind::Long),
    key("name", Kind::Text),
];

const STACKS: &[Column] = &[
    STACK,
    // 1 if no callers were recorded.
    key("is_leaf_only", Kind::Int),
    // Innermost first.
    key("frames", Kind::List),
];

const SAMPLES: &[Column] = columns!(
    &EVENTS,
    &GROUP,
    &[
        STACK,
        IP_FRAME,
        HAS_BRANCHES,
        TIME,
        sum("times"),
        sum("weight")
    ]
);

const BRANCHES: &[Column] = columns!(
    &GROUP,
    &[
        TIME,
        FROM_FRAME,
        TO_FRAME,
        sum("taken"),
        sum("mispredicted")
    ]
);

const RANGES: &[Column] = columns!(&GROUP, &[TIME, FIRST_FRAME, LAST_FRAME, sum("times")]);

const RECORDS: &[Column] = columns!(
    &EVENTS,
    &GROUP,
    &[TIME, sum("samples"), sum("branches"), sum("repeated")]
);

const HOURLY: &[Column] = columns!(
    &EVENTS,
    &GROUP_OF_HOURS,
    &[
        STACK,
        IP_FRAME,
        HAS_BRANCHES,
        TIME,
        sum("times"),
        sum("weight")
    ]
);

const TOTALS: &[Column] = columns!(&EVENTS, &GROUP, &[TIME, sum("times"), sum("weight")]);

const HOURLY_BRANCHES: &[Column] = columns!(
    &GROUP_OF_HOURS,
    &[
        TIME,
        FROM_FRAME,
        TO_FRAME,
        sum("taken"),
        sum("mispredicted")
    ]
);

const HOURLY_RANGES: &[Column] = columns!(
    &GROUP_OF_HOURS,
    &[TIME, FIRST_FRAME, LAST_FRAME, sum("times")]
);

impl Table {
    /// All tables, those that others refer to first.
    pub const ALL: [Self; 10] = [
        Self::Frames,
        Self::Stacks,
        Self::Samples,
        Self::Branches,
        Self::Ranges,
        Self::Records,
        Self::Hourly,
        Self::Totals,
        Self::HourlyBranches,
        Self::HourlyRanges,
    ];

    /// The tables of counts.
    pub const COUNTS: [Self; 4] = [Self::Samples, Self::Branches, Self::Ranges, Self::Records];

    /// The tables that sum up tables of counts.
    pub const SUMS: [Self; 4] = [
        Self::Hourly,
        Self::Totals,
        Self::HourlyBranches,
        Self::HourlyRanges,
    ];

    /// Returns the table that this one sums up; `None` if it is no sum.
    pub fn source(self) -> Option<Self> {
        match self {
            Self::Hourly | Self::Totals => Some(Self::Samples),
            Self::HourlyBranches => Some(Self::Branches),
            Self::HourlyRanges => Some(Self::Ranges),
            _ => None,
        }
    }

    /// Returns the tables that sum up this one.
    pub(crate) fn sums(self) -> impl Iterator<Item = Self> {
        let is_of_this = move |sum: &Self| sum.source() == Some(self);
        Self::SUMS.into_iter().filter(is_of_this)
    }

    /// The tables whose rows are added up over time: counts, and sums of them.
    pub(crate) fn timed() -> impl Iterator<Item = Self> {
        Self::COUNTS.into_iter().chain(Self::SUMS)
    }

    /// Returns the name, which is that of the directory too.
    pub fn name(self) -> &'static str {
        match self {
            Self::Frames => "frames",
            Self::Stacks => "stacks",
            Self::Samples => "samples",
            Self::Branches => "branches",
            Self::Ranges => "ranges",
            Self::Records => "records",
            Self::Hourly => "hourly",
            Self::Totals => "totals",
            Self::HourlyBranches => "hourly_branches",
            Self::HourlyRanges => "hourly_ranges",
        }
    }

    /// Returns the columns, in the order by which rows are sorted.
    pub fn columns(self) -> &'static [Column] {
        match self {
            Self::Frames => FRAMES,
            Self::Stacks => STACKS,
            Self::Samples => SAMPLES,
            Self::Branches => BRANCHES,
            Self::Ranges => RANGES,
            Self::Records => RECORDS,
            Self::Hourly => HOURLY,
            Self::Totals => TOTALS,
            Self::HourlyBranches => HOURLY_BRANCHES,
            Self::HourlyRanges => HOURLY_RANGES,
        }
    }

    /// True if rows refer to frames or stacks by their ids.
    pub(crate) fn has_ids(self) -> bool {
        !matches!(self, Self::Records | Self::Totals)
    }

    /// Returns the position of a column; `None` if the table has none of that name.
    pub fn position(self, column: &str) -> Option<usize> {
        self.columns().iter().position(|known| known.name == column)
    }
}
