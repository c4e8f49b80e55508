//! A step of time: what the functions of a service took on each host, in each build.
//!
//! Steps are what is kept for comparisons: a batch of the hub is gathered once for each ([`crate::gather`]), and a look reads
//! the steps of a week. So a step is bounded, whatever the size of the fleet, and hosts beyond [`HOSTS_MAX`] are in groups.

use std::io::Read;

use serde::{Deserialize, Serialize};

use crate::limits::{CALLS_MAX, FUNCTIONS_MAX, HOSTS_MAX, NAME_BYTES_MAX, STEP_BYTES_MAX};

/// Version of the bytes of a step.
const VERSION: u32 = 1;
/// Level of compression.
const LEVEL: i32 = 3;
/// Begin of the name of a group of hosts. No host has a name with a space.
const GROUP: &str = "group ";

/// Sums of a service over a step of time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    version: u32,
    /// Begin of the step, in seconds since 1970.
    pub start_s: u64,
    /// Names of functions, distinct.
    pub functions: Vec<String>,
    /// What ran on a host in a build: at most one cell for each host and build.
    pub cells: Vec<Cell>,
    /// Calls, over all hosts and builds.
    pub calls: Vec<Call>,
}

/// Sums of what ran on a host in a build.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cell {
    /// The host, or a group of hosts.
    pub host: String,
    /// Build id of the program; empty if it has none.
    pub build: String,
    /// Weight of all samples, in nanoseconds of CPU time.
    pub weight: u64,
    /// Number of the samples.
    pub samples: u64,
    /// Functions that were seen, at most one row for each.
    pub rows: Vec<Row>,
}

/// Weight of a function: number of the function, its own weight, and that of the samples with it anywhere in the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row(pub u32, pub u64, pub u64);

/// Weight of the samples in which a function called another: numbers of caller and callee, weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call(pub u32, pub u32, pub u64);

/// Reason why bytes are no step.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StepError {
    /// The bytes cannot be unpacked, or say something else.
    #[error("the bytes are no step: {0}")]
    Form(String),
    /// A version that is not known.
    #[error("version {0} of a step is not known")]
    Version(u32),
    /// More of something than a step has.
    #[error("the step has {count} {what}; it can have {max}")]
    TooMany {
        /// What there is too much of.
        what: &'static str,
        /// Number of them.
        count: usize,
        /// The limit.
        max: usize,
    },
    /// The number of a function that is not there.
    #[error("the step has no function number {0}")]
    Function(u32),
}

impl Step {
    /// Makes a step without anything in it.
    pub fn new(start_s: u64) -> Self {
        Self {
            version: VERSION,
            start_s,
            ..Self::default()
        }
    }

    /// Returns the step as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        // Neither can fail: the step has no maps, and the bytes go to memory.
        let text = serde_json::to_vec(self).unwrap_or_default();
        zstd::stream::encode_all(&text[..], LEVEL).unwrap_or_default()
    }

    /// Reads a step from bytes.
    ///
    /// # Errors
    ///
    /// Returns an error for bytes that are none, or that claim more than a step may have.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, StepError> {
        let form = |error: &dyn std::fmt::Display| StepError::Form(error.to_string());
        let unpacking = zstd::stream::Decoder::new(bytes).map_err(|error| form(&error))?;
        let mut text = Vec::new();
        let most = STEP_BYTES_MAX as u64;
        let mut limited = unpacking.take(most + 1);
        limited
            .read_to_end(&mut text)
            .map_err(|error| form(&error))?;
        too_many("bytes", text.len(), STEP_BYTES_MAX)?;
        let step: Self = serde_json::from_slice(&text).map_err(|error| form(&error))?;
        step.check()?;
        Ok(step)
    }

    fn check(&self) -> Result<(), StepError> {
        if self.version != VERSION {
            return Err(StepError::Version(self.version));
        }
        too_many("functions", self.functions.len(), FUNCTIONS_MAX)?;
        too_many("calls", self.calls.len(), CALLS_MAX)?;
        let rows = self.cells.iter().flat_map(|cell| &cell.rows);
        let rows = rows.map(|row| row.0);
        let calls = self.calls.iter().flat_map(|call| [call.0, call.1]);
        let mut numbers = rows.chain(calls);
        match numbers.find(|number| *number as usize >= self.functions.len()) {
            Some(number) => Err(StepError::Function(number)),
            None => Ok(()),
        }
    }

    /// True if the hosts are in groups.
    pub fn is_grouped(&self) -> bool {
        self.cells.iter().any(|cell| cell.host.starts_with(GROUP))
    }
}

/// Returns the group of a host, the same in each step.
pub fn group_of(host: &str) -> String {
    if host.starts_with(GROUP) {
        return host.to_owned();
    }
    // FNV-1a: the group has to be the same in all versions of the hub.
    let hash = host.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let mixed = (hash ^ (hash >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    format!("{GROUP}{:02}", mixed % HOSTS_MAX as u64)
}

/// Returns a name that is not too long.
pub(crate) fn short(name: &str) -> &str {
    let mut end = name.len().min(NAME_BYTES_MAX);
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    &name[..end]
}

fn too_many(what: &'static str, count: usize, max: usize) -> Result<(), StepError> {
    match count > max {
        true => Err(StepError::TooMany { what, count, max }),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step() -> Step {
        Step {
            functions: vec!["main".into(), "parse".into()],
            cells: vec![Cell {
                host: "a".into(),
                build: "4f".into(),
                weight: 10,
                samples: 2,
                rows: vec![Row(0, 1, 10), Row(1, 9, 9)],
            }],
            calls: vec![Call(0, 1, 9)],
            ..Step::new(3_600)
        }
    }

    #[test]
    fn bytes_become_the_same_step() {
        assert_eq!(Step::from_bytes(&step().to_bytes()).unwrap(), step());
    }

    #[test]
    fn bytes_that_claim_what_is_not_there_are_refused() {
        let mut beyond = step();
        beyond.calls[0].1 = 2;
        let refused = Step::from_bytes(&beyond.to_bytes()).unwrap_err();
        assert!(matches!(refused, StepError::Function(2)), "{refused}");
        let mut later = step();
        later.version = 7;
        let refused = Step::from_bytes(&later.to_bytes()).unwrap_err();
        assert!(matches!(refused, StepError::Version(7)), "{refused}");
        let mut many = step();
        many.functions.resize(FUNCTIONS_MAX + 1, "f".into());
        let refused = Step::from_bytes(&many.to_bytes()).unwrap_err();
        assert!(refused.to_string().contains("2001 functions"), "{refused}");
        for bytes in [
            &b"nonsense"[..],
            &[],
            &zstd::encode_all(&b"{}"[..], 1).unwrap(),
        ] {
            assert!(matches!(Step::from_bytes(bytes), Err(StepError::Form(_))));
        }
    }

    #[test]
    fn what_unpacks_to_more_than_a_step_is_refused() {
        let bomb = zstd::encode_all(&vec![b' '; STEP_BYTES_MAX + 10][..], 1).unwrap();
        let refused = Step::from_bytes(&bomb).unwrap_err();
        assert!(matches!(refused, StepError::TooMany { .. }), "{refused}");
    }

    #[test]
    fn groups_are_stable_and_even() {
        let groups: Vec<String> = (0..6_400).map(|n| group_of(&format!("web-{n}"))).collect();
        let mut counts = std::collections::BTreeMap::<&str, usize>::new();
        groups
            .iter()
            .for_each(|group| *counts.entry(group).or_default() += 1);
        assert_eq!(counts.len(), HOSTS_MAX);
        assert!(
            counts.values().all(|count| (50..160).contains(count)),
            "{counts:?}"
        );
        assert_eq!(group_of(&groups[5]), groups[5]);
    }
}
