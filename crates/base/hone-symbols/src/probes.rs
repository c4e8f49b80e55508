//! Pseudo probes: the marks of `clang -fpseudo-probe-for-profiling` for blocks and calls.
//!
//! The compiler numbers the blocks and the calls of a function early, before it transforms them, and carries
//! the numbers along to the instructions. A profile keyed by these numbers needs no line tables, and the
//! checksum of the function's control flow tells whether the numbers still mean the same blocks.
//!
//! Addresses in the section are relative to the start of a function, which is given as the hash of a symbol's
//! name. So a group of probes whose symbol is absent, or belongs to several functions, has no place: its
//! probes are dropped and counted ([`ProbeLosses`]), and not guessed.

mod decode;

pub use decode::guid;

use crate::binary::{Binary, Elf};
use crate::error::SymbolError;
use hone_profile::Svma;
use object::read::{Object, ObjectSection};
use std::ops::Range;

/// The id of a call whose own id was lost.
const UNKNOWN_CALL: u32 = 0;

/// A function that the compiler gave probes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProbedFunction<'a> {
    /// Low half of the MD5 sum of the name, by which the section refers to the function.
    pub guid: u64,
    /// Checksum of the control flow when the probes were made.
    pub checksum: u64,
    /// Mangled name.
    pub name: &'a str,
}

/// Kind of code that a probe marks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProbeKind {
    /// A block.
    Block,
    /// An indirect call.
    IndirectCall,
    /// A direct call.
    DirectCall,
}

/// One probe at one instruction. A block that was copied or split has several probes with the same id.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Probe {
    /// Address of the instruction behind the probe.
    pub svma: Svma,
    /// Number of the probe in the function whose source has the block or call; the entry block has 1.
    pub id: u32,
    /// Discriminator of copies of a block in builds with flow-sensitive discriminators, otherwise 0.
    pub discriminator: u32,
    /// Kind of code that the probe marks.
    pub kind: ProbeKind,
    /// Node in the tree of inlined calls.
    node: u32,
}

impl Probe {
    /// Returns true if the probe marks the entry block of its function.
    pub fn is_entry(&self) -> bool {
        self.id == 1
    }

    /// Returns true if the probe marks a call.
    pub fn is_call(&self) -> bool {
        self.kind != ProbeKind::Block
    }
}

/// One level of a probe's inline stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProbeFrame<'p> {
    /// Function of this level.
    pub function: &'p ProbedFunction<'p>,
    /// Probe in the function: the probe itself at the innermost level, the call that was inlined at outer levels.
    pub id: u32,
}

/// Numbers of probes in the sections that cannot be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ProbeLosses {
    /// Probes whose function has no symbol in the binary.
    pub without_symbol: u64,
    /// Probes whose symbol name belongs to several functions (`static` functions without
    /// `-funique-internal-linkage-names`).
    pub of_shared_names: u64,
    /// Probes outside their function, mostly after its last instruction.
    pub outside: u64,
    /// Probes whose function, or a function around the inlined call, has no description.
    pub without_description: u64,
}

impl ProbeLosses {
    /// Returns the number of all these probes.
    pub fn sum(&self) -> u64 {
        self.without_symbol + self.of_shared_names + self.outside + self.without_description
    }
}

/// A function, or an inlined call of a function.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// Index of the function.
    function: Option<u32>,
    /// The enclosing node, and the id of the call in that node.
    caller: Option<(u32, u32)>,
}

/// The probes of a binary.
#[derive(Clone, Debug, Default)]
pub struct Probes<'a> {
    functions: Vec<ProbedFunction<'a>>,
    nodes: Vec<Node>,
    /// Probes sorted by address, and in the order of the section at one address.
    probes: Vec<Probe>,
    losses: ProbeLosses,
}

impl<'a> Probes<'a> {
    /// Reads the sections `.pseudo_probe_desc` and `.pseudo_probe`; `None` if the binary does not have both.
    pub fn parse(binary: &Binary<'a>) -> Result<Option<Self>, SymbolError> {
        let elf = Elf::parse(binary.data())?;
        let section = |name| match elf.section_by_name(name) {
            Some(section) => section.data(),
            None => Ok(&[][..]),
        };
        let (descriptions, groups) = (section(".pseudo_probe_desc")?, section(".pseudo_probe")?);
        if descriptions.is_empty() || groups.is_empty() {
            return Ok(None);
        }
        let functions = decode::descriptions(descriptions)?;
        decode::groups(groups, functions, &decode::Symbols::of(binary)).map(Some)
    }

    /// Returns all probes, sorted by address.
    pub fn all(&self) -> &[Probe] {
        &self.probes
    }

    /// Returns the probes in a range of addresses, sorted.
    pub fn within(&self, range: Range<Svma>) -> &[Probe] {
        let first = self
            .probes
            .partition_point(|probe| probe.svma < range.start);
        let rest = &self.probes[first..];
        &rest[..rest.partition_point(|probe| probe.svma < range.end)]
    }

    /// Returns the probes at an instruction.
    pub fn at(&self, svma: Svma) -> &[Probe] {
        self.within(svma..Svma(svma.0.saturating_add(1)))
    }

    /// Returns the probe of the call instruction at an address.
    pub fn call_at(&self, svma: Svma) -> Option<&Probe> {
        self.at(svma).iter().find(|probe| probe.is_call())
    }

    /// Returns the functions around a probe, innermost first. If the compiler merged calls before inlining them,
    /// the place in the caller is lost, and the stack ends with the function that was called.
    pub fn inline_stack(&self, probe: &Probe) -> Vec<ProbeFrame<'_>> {
        let (mut node, mut id) = (probe.node, probe.id);
        let mut stack = Vec::new();
        while let Some(&Node { function, caller }) = self.nodes.get(node as usize) {
            let function = function.and_then(|index| self.functions.get(index as usize));
            if let Some(function) = function {
                stack.push(ProbeFrame { function, id });
            }
            let Some(next) = caller.filter(|&(_, call)| call != UNKNOWN_CALL) else {
                break;
            };
            (node, id) = next;
        }
        stack
    }

    /// Returns the functions that the compiler described, sorted by GUID.
    pub fn functions(&self) -> &[ProbedFunction<'a>] {
        &self.functions
    }

    /// Returns the numbers of probes that cannot be used.
    pub fn losses(&self) -> &ProbeLosses {
        &self.losses
    }
}
