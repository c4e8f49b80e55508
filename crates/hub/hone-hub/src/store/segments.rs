//! Segments: batches as they came, durable before they are acknowledged.
//!
//! A segment is a file that is appended to, or an object that is written whole. A batch is acknowledged when its segment is
//! synced; batches that wait for that share one sync. What a crash or a failed write left behind a segment's last whole
//! batch was never acknowledged, and readers ignore it.

mod frame;
mod index;
mod pieces;
mod writer;

pub(crate) use frame::Frame;
pub(crate) use index::{Index, Recent, Stretch};
pub(crate) use pieces::each_frame;
pub(crate) use writer::Segments;

use super::error::{StoreError, Tried};
use super::objects::{Listed, Objects};

/// Returns the directory of a tenant's segments.
pub(crate) fn directory(tenant: &str) -> String {
    format!("{tenant}/segments/")
}

/// Lists the segments of a tenant with their names, oldest first.
pub(crate) fn list(
    objects: &dyn Objects,
    tenant: &str,
) -> Result<Vec<(Listed, SegmentName)>, StoreError> {
    let directory = directory(tenant);
    let listed = objects.list(&directory).tried("list", &directory)?;
    let named = listed.into_iter().map(|listed| {
        let name = SegmentName::parse(&listed.name)?;
        Ok((listed, name))
    });
    named.collect()
}

/// Name of a segment: the second in which it was begun, its writer, and its number, so that names sort by time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SegmentName {
    pub(crate) begun_s: u64,
    pub(crate) writer: u64,
    pub(crate) number: u64,
}

impl SegmentName {
    /// Returns the name of the object.
    pub(crate) fn object(self, tenant: &str) -> String {
        let Self {
            begun_s,
            writer,
            number,
        } = self;
        format!(
            "{}{begun_s:012}-{writer:016x}-{number:08}.segment",
            directory(tenant)
        )
    }

    /// Reads the name of an object.
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`] if the object is not a segment's.
    pub(crate) fn parse(object: &str) -> Result<Self, StoreError> {
        let read = || {
            let file = object.rsplit('/').next()?.strip_suffix(".segment")?;
            let mut parts = file.split('-');
            let name = Self {
                begun_s: parts.next()?.parse().ok()?,
                writer: u64::from_str_radix(parts.next()?, 16).ok()?,
                number: parts.next()?.parse().ok()?,
            };
            parts.next().is_none().then_some(name)
        };
        read().ok_or_else(|| StoreError::Damaged {
            name: object.to_owned(),
            what: "this is not the name of a segment".to_owned(),
        })
    }
}
