//! The one place that looks into batches: what the store needs to hold of them before it counts.

use hone_batch::{BUCKET_S, Batch, Limits, wire};

use super::limits::TIME_S_MAX;

/// Reads a batch; the error says what is wrong with it.
pub(crate) fn decode(bytes: &[u8]) -> Result<Batch, String> {
    let batch = wire::read(bytes, &Limits::default()).map_err(|error| error.to_string())?;
    let is_in_time = |bucket: u64| bucket <= TIME_S_MAX / BUCKET_S;
    if batch.span_s.start > TIME_S_MAX || !batch.samples.iter().all(|row| is_in_time(row.bucket)) {
        return Err("its samples are of a time that no clock shows".to_owned());
    }
    Ok(batch)
}
