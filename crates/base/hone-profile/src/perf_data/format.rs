//! The numbers of the format: record types, sample fields, flags and feature bits.
//!
//! The names are the kernel's and perf's, without their prefix.

/// First bytes of a perf.data file.
pub(crate) const MAGIC: [u8; 8] = *b"PERFILE2";
/// First bytes of a file in version 1 of the format.
pub(crate) const MAGIC_1: [u8; 8] = *b"PERFFILE";
/// First bytes of a file from a machine of the other byte order.
pub(crate) const MAGIC_SWAPPED: [u8; 8] = *b"2ELIFREP";
/// Length of the header of a seekable file.
pub(crate) const FILE_HEADER_BYTES: u64 = 104;
/// Length of the header of a file written to a pipe.
pub(crate) const PIPE_HEADER_BYTES: u64 = 16;
/// Length of the header that every record starts with.
pub(crate) const RECORD_HEADER_BYTES: usize = 8;

/// Bits of `perf_event_attr::sample_type`: the fields of a sample, in this crate's words.
pub mod sample_type {
    /// Instruction pointer.
    pub const IP: u64 = 1 << 0;
    /// Process and thread id.
    pub const TID: u64 = 1 << 1;
    /// Time stamp.
    pub const TIME: u64 = 1 << 2;
    /// Data address.
    pub const ADDR: u64 = 1 << 3;
    /// Counter values.
    pub const READ: u64 = 1 << 4;
    /// Call chain.
    pub const CALLCHAIN: u64 = 1 << 5;
    /// Counter id.
    pub const ID: u64 = 1 << 6;
    /// CPU number.
    pub const CPU: u64 = 1 << 7;
    /// Period.
    pub const PERIOD: u64 = 1 << 8;
    /// Id of the counter itself, also if the counter was inherited.
    pub const STREAM_ID: u64 = 1 << 9;
    /// Raw bytes of a tracepoint.
    pub const RAW: u64 = 1 << 10;
    /// Branch stack.
    pub const BRANCH_STACK: u64 = 1 << 11;
    /// User registers.
    pub const REGS_USER: u64 = 1 << 12;
    /// Copy of the user stack.
    pub const STACK_USER: u64 = 1 << 13;
    /// Counter id once more, at a place that does not depend on the other fields.
    pub const IDENTIFIER: u64 = 1 << 16;
}

/// Bits of `perf_event_attr::branch_sample_type`.
pub mod branch_type {
    /// Branches in user code.
    pub const USER: u64 = 1 << 0;
    /// Branches in the kernel.
    pub const KERNEL: u64 = 1 << 1;
    /// Every kind of taken branch.
    pub const ANY: u64 = 1 << 3;
    /// The kind of each branch is stored in its flags.
    pub const TYPE_SAVE: u64 = 1 << 16;
    /// The stack starts with the hardware's index.
    pub const HW_INDEX: u64 = 1 << 17;
}

/// Bits of `perf_event_attr::read_format`.
pub(crate) mod read_format {
    pub(crate) const TOTAL_TIME_ENABLED: u64 = 1 << 0;
    pub(crate) const TOTAL_TIME_RUNNING: u64 = 1 << 1;
    pub(crate) const ID: u64 = 1 << 2;
    pub(crate) const GROUP: u64 = 1 << 3;
    pub(crate) const LOST: u64 = 1 << 4;
}

/// Bits of the flag word of `perf_event_attr`.
pub(crate) mod attr_flag {
    pub(crate) const EXCLUDE_KERNEL: u64 = 1 << 5;
    pub(crate) const EXCLUDE_HV: u64 = 1 << 6;
    pub(crate) const MMAP: u64 = 1 << 8;
    pub(crate) const COMM: u64 = 1 << 9;
    pub(crate) const FREQ: u64 = 1 << 10;
    pub(crate) const TASK: u64 = 1 << 13;
    pub(crate) const SAMPLE_ID_ALL: u64 = 1 << 18;
    pub(crate) const MMAP2: u64 = 1 << 23;
    pub(crate) const COMM_EXEC: u64 = 1 << 24;
}

/// Record types that this crate reads or writes.
pub(crate) mod record_type {
    pub(crate) const MMAP: u32 = 1;
    pub(crate) const LOST: u32 = 2;
    pub(crate) const COMM: u32 = 3;
    pub(crate) const EXIT: u32 = 4;
    pub(crate) const FORK: u32 = 7;
    pub(crate) const SAMPLE: u32 = 9;
    pub(crate) const MMAP2: u32 = 10;
    pub(crate) const LOST_SAMPLES: u32 = 13;
    pub(crate) const HEADER_ATTR: u32 = 64;
    pub(crate) const BUILD_ID: u32 = 67;
    pub(crate) const AUXTRACE: u32 = 71;
    pub(crate) const TRACING_DATA: u32 = 66;
    pub(crate) const FINISHED_ROUND: u32 = 68;
    pub(crate) const EVENT_UPDATE: u32 = 78;
    pub(crate) const HEADER_FEATURE: u32 = 80;
    pub(crate) const COMPRESSED: u32 = 81;
    pub(crate) const COMPRESSED2: u32 = 83;

    /// Returns true if records of this type hold nothing for a profile: ends of tasks, throttling,
    /// switches, namespaces, the kernel's own symbols, perf's bookkeeping. Hardware traces (AUX) are not
    /// among these types, since they hold data that this crate cannot decode.
    pub(crate) fn is_of_no_interest(kind: u32) -> bool {
        matches!(kind, EXIT | 5 | 6 | 8 | 12 | 14..=21 | 65..=70 | 72..=82)
    }
}

/// Parts of the `misc` field of a record's header.
pub(crate) mod misc {
    pub(crate) const CPUMODE_MASK: u16 = 7;
    pub(crate) const KERNEL: u16 = 1;
    pub(crate) const USER: u16 = 2;
    /// Flag of a mapping record: the memory is not executable.
    pub(crate) const MMAP_DATA: u16 = 1 << 13;
    /// Flag of a command name record: the name came with an exec.
    pub(crate) const COMM_EXEC: u16 = 1 << 13;
    /// Flag of a fork record: perf made the record up for a process that ran before perf.
    pub(crate) const FORK_EXEC: u16 = 1 << 13;
    /// Flag of a mapping record: a build id takes the place of the inode.
    pub(crate) const MMAP_BUILD_ID: u16 = 1 << 14;
    /// Flag of a build id record: byte 20 of the id field is the length of the id.
    pub(crate) const BUILD_ID_SIZE: u16 = 1 << 15;
}

/// Markers in a call chain that tell whose frames follow; all are above any address.
pub(crate) mod context {
    /// Lowest marker: every greater word is a marker too.
    pub(crate) const MAX: u64 = -4095_i64 as u64;
    pub(crate) const KERNEL: u64 = -128_i64 as u64;
    pub(crate) const USER: u64 = -512_i64 as u64;
    /// Marker of user frames that come later, in a record of their own; a cookie follows instead.
    pub(crate) const USER_DEFERRED: u64 = -640_i64 as u64;
}

/// Numbers of the feature sections.
pub(crate) mod feature {
    pub(crate) const BUILD_ID: u32 = 2;
    pub(crate) const HOSTNAME: u32 = 3;
    pub(crate) const OSRELEASE: u32 = 4;
    pub(crate) const ARCH: u32 = 6;
    pub(crate) const NRCPUS: u32 = 7;
    pub(crate) const CPUDESC: u32 = 8;
    pub(crate) const CMDLINE: u32 = 11;
    pub(crate) const EVENT_DESC: u32 = 12;
    pub(crate) const BRANCH_STACK: u32 = 15;
    pub(crate) const SAMPLE_TIME: u32 = 21;
    /// Hone's own sections, as text: the CPU quota of the recorded processes, the memory of its Go programs, their CPU time,
    /// names of code without a file, and operands that walks met. The numbers are far above perf's; perf skips sections with unknown numbers.
    pub(crate) const CPU_QUOTA: u32 = 200;
    pub(crate) const MEMORY: u32 = 201;
    pub(crate) const CPU_TIME: u32 = 202;
    pub(crate) const CODE_NAMES: u32 = 203;
    pub(crate) const OPERANDS: u32 = 204;
    /// Number of bits in the header's feature map.
    pub(crate) const BITS: u32 = 256;
}

/// `PROT_EXEC`.
pub(crate) const PROT_EXEC: u32 = 4;
/// The first address of the kernel's half on 64-bit machines.
pub(crate) const KERNEL_HALF: u64 = 1 << 63;
/// Bytes that a build id record has for the id itself.
pub(crate) const BUILD_ID_BYTES: usize = 20;
