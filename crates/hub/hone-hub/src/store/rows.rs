//! Rows of a table in memory, column by column.

mod order;

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::tables::{Kind, Role, Table};
use super::time::{HOUR_S, Time};
use order::sorted;

pub(crate) use order::ranked;

/// Texts, each once: rows hold their numbers.
#[derive(Clone, Default, Debug)]
pub struct Texts {
    texts: Vec<Arc<str>>,
    numbers: FxHashMap<Arc<str>, u32>,
}

impl Texts {
    /// Returns the number of a text.
    pub fn number(&mut self, text: &str) -> u32 {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let number = self.texts.len() as u32;
        let text: Arc<str> = text.into();
        self.texts.push(text.clone());
        self.numbers.insert(text, number);
        number
    }

    /// Returns the text of a number that [`Texts::number`] gave.
    pub fn text(&self, number: u32) -> &str {
        &self.texts[number as usize]
    }

    /// Returns all texts, at their numbers.
    pub(crate) fn all(&self) -> &[Arc<str>] {
        &self.texts
    }
}

/// Values of a column.
#[derive(Clone, PartialEq, Debug)]
pub enum Values {
    /// 32-bit numbers.
    Int(Vec<i32>),
    /// 64-bit numbers, and microseconds since 1970.
    Long(Vec<i64>),
    /// Numbers of texts in [`Texts`].
    Text(Vec<u32>),
    /// Lists, by the ends of each in one vector.
    List {
        /// Position behind the last item of each list.
        ends: Vec<u32>,
        /// Items of all lists.
        items: Vec<i32>,
    },
}

/// A value that is added to a column.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Cell<'a> {
    Int(i32),
    Long(i64),
    Text(u32),
    List(&'a [i32]),
}

impl Values {
    /// Returns no values of a kind.
    pub(crate) fn new(kind: Kind) -> Self {
        match kind {
            Kind::Int => Self::Int(Vec::new()),
            Kind::Long | Kind::Time => Self::Long(Vec::new()),
            Kind::Text => Self::Text(Vec::new()),
            Kind::List => Self::List {
                ends: Vec::new(),
                items: Vec::new(),
            },
        }
    }

    /// Returns the number of values.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Int(values) => values.len(),
            Self::Long(values) => values.len(),
            Self::Text(values) => values.len(),
            Self::List { ends, .. } => ends.len(),
        }
    }

    fn push(&mut self, cell: Cell<'_>) {
        match (self, cell) {
            (Self::Int(values), Cell::Int(value)) => values.push(value),
            (Self::Long(values), Cell::Long(value)) => values.push(value),
            (Self::Text(values), Cell::Text(value)) => values.push(value),
            (Self::List { ends, items }, Cell::List(value)) => {
                items.extend(value);
                ends.push(items.len() as u32);
            }
            (column, cell) => unreachable!("{cell:?} in a column of {column:?}"),
        }
    }

    /// Adds some values of a column of the same kind.
    fn gather(&mut self, from: &Self, rows: &[u32]) {
        let rows = rows.iter().map(|row| *row as usize);
        match (self, from) {
            (Self::Int(to), Self::Int(from)) => to.extend(rows.map(|row| from[row])),
            (Self::Long(to), Self::Long(from)) => to.extend(rows.map(|row| from[row])),
            (Self::Text(to), Self::Text(from)) => to.extend(rows.map(|row| from[row])),
            (
                Self::List { ends, items },
                Self::List {
                    ends: other,
                    items: values,
                },
            ) => {
                for row in rows {
                    items.extend_from_slice(list(other, values, row));
                    ends.push(items.len() as u32);
                }
            }
            (to, from) => unreachable!("{from:?} in a column of {to:?}"),
        }
    }
}

/// Returns the list at a position.
pub(crate) fn list<'a>(ends: &[u32], items: &'a [i32], at: usize) -> &'a [i32] {
    let start = if at == 0 { 0 } else { ends[at - 1] as usize };
    &items[start..ends[at] as usize]
}

/// Rows of one table.
#[derive(Clone, PartialEq, Debug)]
pub struct Rows {
    table: Table,
    columns: Vec<Values>,
}

impl Rows {
    /// Returns no rows of a table.
    pub fn new(table: Table) -> Self {
        let columns = table.columns().iter();
        Self {
            table,
            columns: columns.map(|column| Values::new(column.kind)).collect(),
        }
    }

    /// Makes rows of columns that have the kinds of the table's and the same lengths.
    pub(crate) fn of_columns(table: Table, columns: Vec<Values>) -> Self {
        Self { table, columns }
    }

    /// Returns the table.
    pub fn table(&self) -> Table {
        self.table
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.columns[0].len()
    }

    /// True if there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the columns, in the order of [`Table::columns`].
    pub fn columns(&self) -> &[Values] {
        &self.columns
    }

    /// Returns a column's 32-bit numbers; none if the table has no such column of that kind.
    pub fn ints(&self, column: &str) -> &[i32] {
        match self.column(column) {
            Some(Values::Int(values)) => values,
            _ => &[],
        }
    }

    /// Returns a column's 64-bit numbers or times; none if the table has no such column of that kind.
    pub fn longs(&self, column: &str) -> &[i64] {
        match self.column(column) {
            Some(Values::Long(values)) => values,
            _ => &[],
        }
    }

    /// Returns a column's numbers of texts; none if the table has no such column of that kind.
    pub fn texts(&self, column: &str) -> &[u32] {
        match self.column(column) {
            Some(Values::Text(values)) => values,
            _ => &[],
        }
    }

    /// Returns the list of a row; none if the table has no such column of that kind.
    pub fn list(&self, column: &str, row: usize) -> &[i32] {
        match self.column(column) {
            Some(Values::List { ends, items }) => list(ends, items, row),
            _ => &[],
        }
    }

    fn column(&self, name: &str) -> Option<&Values> {
        Some(&self.columns[self.table.position(name)?])
    }

    /// Adds a row.
    pub(crate) fn push<'a>(&mut self, cells: impl IntoIterator<Item = Cell<'a>>) {
        for (column, cell) in self.columns.iter_mut().zip(cells) {
            column.push(cell);
        }
    }

    /// Adds all rows of another that has the same table and texts.
    pub(crate) fn append(&mut self, other: Self) {
        match self.is_empty() {
            true => *self = other,
            false => self.extend(&other, |_| true),
        }
    }

    /// Adds those rows of another that are wanted; it has the same table and texts.
    pub(crate) fn extend(&mut self, other: &Self, is_wanted: impl Fn(usize) -> bool) {
        let wanted: Vec<u32> = (0..other.len() as u32)
            .filter(|row| is_wanted(*row as usize))
            .collect();
        self.gather(other, &wanted);
    }

    /// Adds some rows of another that has the same table and texts.
    fn gather(&mut self, other: &Self, rows: &[u32]) {
        for (to, from) in self.columns.iter_mut().zip(&other.columns) {
            to.gather(from, rows);
        }
    }

    /// Returns these rows added up in another table, whose columns are some of this one's. Those of [`Table::Hourly`] have the
    /// begin of their hour, but none before `from_us` that are not there.
    pub(crate) fn summed(&self, table: Table, texts: &Texts, from_us: i64) -> Self {
        let columns = table.columns().iter();
        let columns = columns.filter_map(|column| self.column(column.name).cloned());
        let mut summed = Self::of_columns(table, columns.collect());
        if table == Table::Hourly {
            summed.map_longs("time", |time| {
                Time::begin_of_step(time, HOUR_S).max(from_us.min(time))
            });
        }
        summed.add_up(texts);
        summed
    }

    /// Changes a column of texts by their numbers, if the table has the column.
    pub(crate) fn map_texts(&mut self, column: &str, change: impl Fn(u32) -> u32) {
        if let Some(at) = self.table.position(column)
            && let Values::Text(values) = &mut self.columns[at]
        {
            for value in values {
                *value = change(*value);
            }
        }
    }

    /// Changes a column of numbers, if the table has the column.
    pub(crate) fn map_longs(&mut self, column: &str, change: impl Fn(i64) -> i64) {
        if let Some(at) = self.table.position(column)
            && let Values::Long(values) = &mut self.columns[at]
        {
            for value in values {
                *value = change(*value);
            }
        }
    }

    /// Sorts by keys and adds up rows with equal ones. Sums end at the largest 64-bit number.
    pub(crate) fn add_up(&mut self, texts: &Texts) {
        let is_key = |at: &usize| self.table.columns()[*at].role == Role::Key;
        let (keys, sums): (Vec<usize>, Vec<usize>) = (0..self.columns.len()).partition(is_key);
        let keys: Vec<&Values> = keys.iter().map(|at| &self.columns[*at]).collect();
        let (order, firsts) = sorted(&keys, self.len(), texts);
        let mut result = Self::new(self.table);
        let first_rows: Vec<u32> = firsts.iter().map(|at| order[*at]).collect();
        result.gather(self, &first_rows);
        let ends = firsts.iter().skip(1).copied().chain([order.len()]);
        for (row, (first, end)) in firsts.iter().zip(ends).enumerate() {
            for other in &order[first + 1..end] {
                result.add_to(row, &sums, self, *other as usize);
            }
        }
        *self = result;
    }

    fn add_to(&mut self, row: usize, sums: &[usize], other: &Self, from_row: usize) {
        for at in sums {
            if let (Values::Long(to), Values::Long(from)) =
                (&mut self.columns[*at], &other.columns[*at])
            {
                to[row] = to[row].saturating_add(from[from_row]);
            }
        }
    }

    /// Sorts by a column, largest first; rows with equal numbers stay in their order.
    pub(crate) fn sort_by_largest(&mut self, column: &str) {
        let numbers = self.longs(column);
        let mut order: Vec<u32> = (0..numbers.len() as u32).collect();
        order.sort_by_key(|row| std::cmp::Reverse(numbers[*row as usize]));
        let mut result = Self::new(self.table);
        result.gather(self, &order);
        *self = result;
    }
}
