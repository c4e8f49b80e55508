//! Pseudo probes: the marks of `clang -fpseudo-probe-for-profiling` for blocks and calls.
//!
//! The compiler numbers the blocks and the calls of a function early, before it transforms them, and carries
//! the numbers along to the instructions. A profile keyed by these numbers needs no line tables, and the
//! checksum of the function's control flow tells whether the numbers still mean the same blocks.
//!
//! Addresses in the section are relative to the start of a function, which is given as the hash of a symbol's
//! name. So a group of probes whose symbol is absent, or is that of several functions, has no place: its
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
    /// The low half of the MD5 sum of its name: how the section refers to it.
    pub guid: u64,
    /// Checksum of its control flow when the probes were made.
    pub checksum: u64,
    /// Its mangled name.
    pub name: &'a str,
}

/// What a probe stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProbeKind {
    /// A block.
    Block,
    /// An indirect call.
    IndirectCall,
    /// A direct call.
    DirectCall,
}

/// One probe at one instruction. A block that was copied or split has several with the same id.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Probe {
    /// The instruction before which it stands.
    pub svma: Svma,
    /// Its number in the function that it was written in; the entry block has 1.
    pub id: u32,
    /// Tells copies of a block apart in builds with flow-sensitive discriminators, otherwise 0.
    pub discriminator: u32,
    /// What it stands for.
    pub kind: ProbeKind,
    /// Its node in the tree of inlined calls.
    node: u32,
}

impl Probe {
    /// Whether it stands for the entry block of its function.
    pub fn is_entry(&self) -> bool {
        self.id == 1
    }

    /// Whether it stands for a call.
    pub fn is_call(&self) -> bool {
        self.kind != ProbeKind::Block
    }
}

/// One level of a probe's inline stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProbeFrame<'p> {
    /// The function.
    pub function: &'p ProbedFunction<'p>,
    /// The probe in that function: innermost its own id, further out that of the call that was inlined.
    pub id: u32,
}

/// Probes that the sections hold and that cannot be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ProbeLosses {
    /// The symbol of their function is not in the binary.
    pub without_symbol: u64,
    /// Several functions have their symbol's name (`static` functions without
    /// `-funique-internal-linkage-names`).
    pub of_shared_names: u64,
    /// They stand outside their function, mostly after its last instruction.
    pub outside: u64,
    /// Their function, or one that it is inlined into, has no description.
    pub without_description: u64,
}

impl ProbeLosses {
    /// All of them.
    pub fn sum(&self) -> u64 {
        self.without_symbol + self.of_shared_names + self.outside + self.without_description
    }
}

/// A function, or an inlined call of it.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// Index of the function.
    function: Option<u32>,
    /// The node around it and the id of the call there.
    caller: Option<(u32, u32)>,
}

/// The probes of a binary.
#[derive(Clone, Debug, Default)]
pub struct Probes<'a> {
    functions: Vec<ProbedFunction<'a>>,
    nodes: Vec<Node>,
    /// Sorted by address, and in the order of the section at one address.
    probes: Vec<Probe>,
    losses: ProbeLosses,
}

impl<'a> Probes<'a> {
    /// Reads the sections `.pseudo_probe_desc` and `.pseudo_probe`; `None` where the binary has none.
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

    /// All probes, sorted by address.
    pub fn all(&self) -> &[Probe] {
        &self.probes
    }

    /// The probes in a stretch of addresses, sorted.
    pub fn within(&self, range: Range<Svma>) -> &[Probe] {
        let first = self
            .probes
            .partition_point(|probe| probe.svma < range.start);
        let rest = &self.probes[first..];
        &rest[..rest.partition_point(|probe| probe.svma < range.end)]
    }

    /// The probes at an instruction.
    pub fn at(&self, svma: Svma) -> &[Probe] {
        self.within(svma..Svma(svma.0.saturating_add(1)))
    }

    /// The probe of the call instruction at an address.
    pub fn call_at(&self, svma: Svma) -> Option<&Probe> {
        self.at(svma).iter().find(|probe| probe.is_call())
    }

    /// The functions around a probe, innermost first. Where the compiler merged calls before it inlined them,
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

    /// The functions that the compiler described, sorted by GUID.
    pub fn functions(&self) -> &[ProbedFunction<'a>] {
        &self.functions
    }

    /// What could not be used.
    pub fn losses(&self) -> &ProbeLosses {
        &self.losses
    }
}
