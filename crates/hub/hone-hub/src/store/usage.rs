//! What a tenant takes up.

use super::error::{StoreError, Tried};
use super::{Store, check_tenant, segments};

/// What a tenant takes up in the store.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Usage {
    /// Files of hours and days.
    pub files: u64,
    /// Bytes of these files.
    pub file_bytes: u64,
    /// Segments that are not compacted yet.
    pub segments: u64,
    /// Bytes of these segments.
    pub segment_bytes: u64,
}

impl Store {
    /// Counts what a tenant takes up. Files that others replaced, and that wait for their removal, are not counted.
    pub fn usage(&self, tenant: &str) -> Result<Usage, StoreError> {
        check_tenant(tenant)?;
        let directory = segments::directory(tenant);
        let listed = self.objects.list(&directory).tried("list", &directory)?;
        let state = self.journal.refresh(tenant)?;
        let mut usage = Usage::default();
        for file in state.files.values() {
            usage.files += 1;
            usage.file_bytes += file.bytes;
        }
        for segment in listed {
            if !state.segments.contains(&segment.name) {
                usage.segments += 1;
                usage.segment_bytes += segment.bytes;
            }
        }
        Ok(usage)
    }
}
