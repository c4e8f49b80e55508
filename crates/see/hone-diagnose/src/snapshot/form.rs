//! Form of a snapshot: JSON, one item on each line. `crates/see/hone-look/tests/look/snapshots.rs` writes snapshots, and tests
//! here read them.

use serde::{Deserialize, Serialize};

/// An item on a line of its own.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Item {
    Recording(Recording),
    Memory(Memory),
    Quota(Quota),
    Binary(Binary),
    /// A hot function of the binary above.
    Function(Function),
    /// What walks met at an instruction of the binary above.
    Met(Met),
    Frame(Frame),
    Stack(Stack),
}

/// Facts about the whole recording.
#[derive(Serialize, Deserialize)]
pub(crate) struct Recording {
    pub(crate) event: String,
    pub(crate) features: Vec<String>,
    pub(crate) lost_samples: u64,
    /// Weight of the samples without a name, by path.
    pub(crate) unknown: Vec<(String, u64)>,
}

/// Memory of a Go program.
#[derive(Serialize, Deserialize)]
pub(crate) struct Memory {
    pub(crate) pid: i32,
    pub(crate) peak_rss_bytes: u64,
    pub(crate) may_use_bytes: u64,
    pub(crate) limit_bytes: u64,
    pub(crate) has_limit_group: bool,
    pub(crate) go_limit_bytes: Option<u64>,
    pub(crate) go_percent: Option<u64>,
}

/// CPU quota.
#[derive(Serialize, Deserialize)]
pub(crate) struct Quota {
    pub(crate) quota_us: u64,
    pub(crate) period_us: u64,
    pub(crate) wall_us: u64,
    pub(crate) usage_us: u64,
    pub(crate) periods: u64,
    pub(crate) throttled: u64,
    pub(crate) throttled_us: u64,
}

/// Facts about a binary.
#[derive(Serialize, Deserialize)]
pub(crate) struct Binary {
    pub(crate) path: String,
    pub(crate) is_library: bool,
    pub(crate) is_static: bool,
    /// Names of the marks.
    pub(crate) marks: Vec<String>,
    pub(crate) has_debug_info: bool,
    pub(crate) weight: u64,
    pub(crate) unoptimised: u64,
    pub(crate) optimised: u64,
    /// Lines of the instruction cache that hold 90 % of the weight; then the lower end of the interval of these.
    pub(crate) hot_lines: [u64; 2],
}

/// Operands that walks met at an instruction.
#[derive(Serialize, Deserialize)]
pub(crate) struct Met {
    pub(crate) at: u64,
    pub(crate) divides: bool,
    pub(crate) walks: u64,
    pub(crate) executions: u64,
    pub(crate) squares: u64,
    pub(crate) odd: u64,
    pub(crate) value: u64,
    /// Cache lines, of loads alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) lines: Option<u64>,
}

/// Code and samples of a hot function.
#[derive(Serialize, Deserialize)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) start: u64,
    pub(crate) size: u64,
    pub(crate) weight: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) producer: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) layout: Option<Layout>,
    /// Pieces of the code: the offset in the function and the bytes in hexadecimal digits.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) code: Vec<(u64, String)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) files: Vec<String>,
    /// Instructions with samples: the offset in the function, the weight, the position in `files` and the line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) samples: Vec<(u64, u64, usize, u32)>,
}

/// Layout of a function.
#[derive(Serialize, Deserialize)]
pub(crate) struct Layout {
    pub(crate) hot_bytes: u64,
    pub(crate) cold_bytes_inside: u64,
    pub(crate) error_bytes_inside: u64,
    pub(crate) unseen_share_max: f64,
}

/// A level of stacks.
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Frame {
    pub(crate) function: String,
    pub(crate) binary: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) file: String,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) line: u32,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) is_inlined: bool,
}

/// Samples that have thread and frames in common.
#[derive(Serialize, Deserialize)]
pub(crate) struct Stack {
    /// Positions among the frames of the snapshot, leaf first.
    pub(crate) frames: Vec<usize>,
    pub(crate) pid: i32,
    pub(crate) tid: i32,
    pub(crate) samples: u64,
    pub(crate) weight: u64,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(line: &u32) -> bool {
    *line == 0
}
