//! The check of a batch that has arrived, before it is taken.
//!
//! The bytes come from other machines, so whoever calls this should have little to lose: the hub's command does it in a
//! process that may do nothing else.

use std::collections::BTreeSet;
use std::ops::Range;

use hone_batch::Origin;
use hone_profile::{BinaryKind, BuildId};

use crate::store::{Received, batches};

/// Bytes that the names of a batch's services may have in all, each with one more.
pub const SERVICES_BYTES_MAX: usize = 256 << 10;

/// Build ids that a check tells.
pub const BUILDS_MAX: usize = 4096;

/// What the hub needs to know of a batch that can be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checked {
    /// Sender and number.
    pub origin: Origin,
    /// Time that was recorded, in seconds since 1970.
    pub span_s: Range<u64>,
    /// Services in the batch, in order; one is empty if there are samples of which nobody has named the service.
    pub services: Vec<String>,
    /// Build ids of files in the batch, in order and at most [`BUILDS_MAX`].
    pub builds: Vec<BuildId>,
}

impl Checked {
    /// Returns the batch as the store takes it.
    pub fn with_bytes(self, bytes: Vec<u8>) -> Received {
        Received {
            origin: self.origin,
            span_s: self.span_s,
            bytes,
        }
    }
}

/// Reads a batch whole. The error says what is wrong with the batch.
pub fn check(bytes: &[u8]) -> Result<Checked, String> {
    let batch = batches::decode(bytes)?;
    let services: BTreeSet<&str> = batch
        .groups
        .iter()
        .map(|group| group.service.as_str())
        .collect();
    let bytes: usize = services.iter().map(|service| service.len() + 1).sum();
    if bytes > SERVICES_BYTES_MAX {
        return Err(format!(
            "the names of the batch's {} services have {bytes} bytes, and at most {SERVICES_BYTES_MAX} are allowed",
            services.len()
        ));
    }
    let files = batch.binaries.iter();
    let files = files.filter(|binary| binary.kind == BinaryKind::File);
    let builds: BTreeSet<&BuildId> = files.filter_map(|file| file.build_id.as_ref()).collect();
    Ok(Checked {
        builds: builds.into_iter().take(BUILDS_MAX).cloned().collect(),
        services: services.into_iter().map(str::to_owned).collect(),
        origin: batch.origin,
        span_s: batch.span_s,
    })
}

#[cfg(test)]
mod tests {
    use hone_batch::{Batch, Group, wire};
    use hone_profile::Binary;

    use super::*;

    fn of_services(services: impl IntoIterator<Item = String>) -> Batch {
        let groups = services.into_iter().map(|service| Group {
            service,
            ..Group::default()
        });
        Batch {
            span_s: 60..120,
            groups: groups.collect(),
            ..Batch::default()
        }
    }

    #[test]
    fn a_batch_tells_its_time_and_its_services() {
        let services = ["web", "", "checkout", "web"].map(str::to_owned);
        let checked = check(&wire::write(&of_services(services))).unwrap();
        assert_eq!(checked.span_s, 60..120);
        assert_eq!(checked.services, ["", "checkout", "web"]);
    }

    #[test]
    fn a_batch_tells_the_builds_of_its_files() {
        let binary = |id: &[u8], kind| Binary {
            path: "x".to_owned(),
            build_id: BuildId::new(id),
            kind,
        };
        let batch = Batch {
            span_s: 60..120,
            binaries: vec![
                binary(&[2; 20], BinaryKind::File),
                binary(&[1; 20], BinaryKind::File),
                binary(&[2; 20], BinaryKind::File),
                binary(&[3; 20], BinaryKind::Kernel),
                binary(&[], BinaryKind::File),
            ],
            ..Batch::default()
        };
        let checked = check(&wire::write(&batch)).unwrap();
        let expected = [1, 2].map(|byte| BuildId::new(&[byte; 20]).unwrap());
        assert_eq!(checked.builds, expected);
    }

    #[test]
    fn a_batch_of_very_many_services_is_refused() {
        let services = |count| (0..count).map(|service| format!("{service:07}"));
        let most = SERVICES_BYTES_MAX / 8;
        assert!(check(&wire::write(&of_services(services(most)))).is_ok());
        let refused = check(&wire::write(&of_services(services(most + 1))));
        assert!(refused.is_err_and(|why| why.contains("262152 bytes")));
    }

    #[test]
    fn what_is_no_batch_is_refused_with_the_reason() {
        let refused = check(b"not a batch").unwrap_err();
        assert!(refused.contains("does not begin with HONB"), "{refused}");
    }
}
