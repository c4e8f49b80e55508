//! CPU use over time, without what ran: questions that read no stacks.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::filter::Filter;
use super::{NoAnswer, Question, check_services};
use crate::series::{Adding, Sum};
use crate::store::tables::{GROUP_NAMES, Table};
use crate::store::time::Time;
use crate::store::{Detail, Part, Store};

/// Adds the samples of a question to a series, whatever its tables are, with about twice so many rows in memory. Returns what
/// is told apart in it: less where there was too much.
///
/// # Errors
///
/// As for [`answer`](super::answer).
pub fn add_totals(
    store: &Store,
    tenant: &str,
    question: &Question,
    rows_max: usize,
    adding: &mut Adding,
) -> Result<Detail, NoAnswer> {
    let mut filter = Filter::new(question);
    let mut parts = question.read(store, tenant, &[Table::Totals], rows_max)?;
    let asked: BTreeSet<&str> = question.services.iter().map(String::as_str).collect();
    let mut without = asked.clone();
    let mut is_any = false;
    for part in parts.by_ref() {
        let part = part?;
        without.remove(part.service.as_str());
        is_any |= add_part(&part, &mut filter, adding);
    }
    check_services(store, tenant, &asked, &without)?;
    match is_any {
        true => Ok(parts.detail()),
        false => Err(filter.refusal()),
    }
}

/// Adds the rows of a day of a service that pass; returns whether there are any.
fn add_part(part: &Part, filter: &mut Filter<'_>, adding: &mut Adding) -> bool {
    let rows = part.rows(Table::Totals);
    let events = rows.texts("event");
    let groups = GROUP_NAMES.map(|column| rows.texts(column));
    let [times, counts, weights] = ["time", "times", "weight"].map(|column| rows.longs(column));
    // Numbers of lines by the texts of the columns; `None` for what does not pass.
    let mut lines: FxHashMap<(u32, [u32; GROUP_NAMES.len()]), Option<usize>> = FxHashMap::default();
    let mut is_any = false;
    for row in 0..rows.len() {
        let key = (events[row], groups.map(|column| column[row]));
        let line = lines.entry(key).or_insert_with(|| {
            let group = filter.pass(part.group_of(rows, row))?;
            Some(adding.line(part.texts.text(events[row]), &group))
        });
        let Some(line) = *line else {
            continue;
        };
        let sum = Sum::of(counts[row] as u64, weights[row] as u64);
        adding.add(line, Time::seconds(times[row]), sum);
        is_any = true;
    }
    is_any
}
