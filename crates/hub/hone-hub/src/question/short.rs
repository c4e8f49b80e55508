//! Questions of people, who do not wait for minutes.

use hone_batch::Batch;

use super::{Answer, NoAnswer, Question, answer};
use crate::store::tables::Table;
use crate::store::{Detail, Store, StoreError};

/// Rows of samples in files, for each row that may be in memory, beyond which their sums by the hour are read instead.
const FILE_ROWS_MAX: u64 = 8;
/// What sums by the hour do not tell apart, beside minutes.
const SUMS_LACK: &str = "hosts, containers, threads";

/// An answer for people, who would not wait for all that the store has.
#[derive(Clone, Debug)]
pub struct ShortAnswer {
    /// The sum of all that was asked for.
    pub batch: Batch,
    /// What is not told apart in it, in words; empty if everything is.
    pub left_out: String,
}

/// Does what [`answer`] does, but takes sums by the hour in place of very many samples, if hosts, containers and threads are not
/// chosen by.
///
/// # Errors
///
/// [`NoAnswer`] says what there is instead.
pub fn short_answer(
    store: &Store,
    tenant: &str,
    question: &Question,
    rows_max: usize,
) -> Result<ShortAnswer, NoAnswer> {
    let may_be_summed = question.is_of_all() && question.tables.contains(&Table::Samples);
    let are_many = || -> Result<bool, StoreError> {
        let rows = store.file_rows(tenant, &question.query(&question.tables), Table::Samples)?;
        Ok(rows > FILE_ROWS_MAX.saturating_mul(rows_max as u64))
    };
    let is_summed = may_be_summed && are_many()?;
    let Answer { batch, detail } = match is_summed {
        true => answer(store, tenant, &question.summed(), rows_max)?,
        false => answer(store, tenant, question, rows_max)?,
    };
    let left_out = match is_summed {
        true => format!("{}, {SUMS_LACK}", detail.min(Detail::Days).left_out()),
        false => detail.left_out().to_owned(),
    };
    Ok(ShortAnswer { batch, left_out })
}
