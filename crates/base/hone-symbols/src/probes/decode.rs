//! Encoding of the sections `.pseudo_probe_desc` and `.pseudo_probe`.
//!
//! ```text
//! .pseudo_probe_desc   for each function: u64 GUID, u64 checksum, ULEB length of the name, name
//! .pseudo_probe        for each function that is not inlined: group
//!   group              u64 GUID, ULEB probes, ULEB inlined calls, the probes,
//!                      then for each inlined call: ULEB id of the call, group
//!   probe              ULEB id, u8: kind (bits 0-3), attributes (bits 4-6), "address is relative" (bit 7),
//!                      SLEB distance from the probe before, or u64 address,
//!                      ULEB discriminator where the attributes say so
//! ```
//!
//! The first distance of a function counts from the function's first byte. A part of a function at another place
//! (`f.cold`, `f.llvm.HASH`) begins with a sentinel, a probe with the hash of the part's symbol in place of
//! the address. Older versions of LLVM have no sentinels: the first probe of a section has its address, and all
//! others count from the probe before, across functions.

use super::{Node, Probe, ProbeKind, ProbedFunction, Probes};
use crate::binary::Binary;
use crate::error::SymbolError;
use crate::input::Input;
use hone_profile::Svma;
use md5::{Digest, Md5};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Maximum depth of inlining.
const DEPTH_MAX: usize = 500;

const KIND_MASK: u8 = 0xf;
const SENTINEL: u8 = 0x20;
const HAS_DISCRIMINATOR: u8 = 0x40;
const IS_RELATIVE: u8 = 0x80;

/// Returns the hash by which the sections name a symbol.
pub fn guid(name: &str) -> u64 {
    let sum = Md5::digest(name.as_bytes());
    let mut low = [0; 8];
    for (to, from) in low.iter_mut().zip(sum) {
        *to = from;
    }
    u64::from_le_bytes(low)
}

/// Address ranges of the functions, by the hash of their names; `None` for a name that several functions have.
pub(super) struct Symbols(FxHashMap<u64, Option<Range<u64>>>);

impl Symbols {
    pub(super) fn of(binary: &Binary<'_>) -> Self {
        let mut found: FxHashMap<u64, Option<Range<u64>>> = FxHashMap::default();
        for function in binary.functions().iter() {
            let body = function.start.0..function.end.0;
            for name in std::iter::once(&function.name).chain(&function.aliases) {
                found
                    .entry(guid(name))
                    .and_modify(|known| *known = known.take().filter(|known| *known == body))
                    .or_insert(Some(body.clone()));
            }
        }
        Self(found)
    }
}

/// Reads the descriptions, sorted by GUID; of several descriptions with one GUID the first is kept.
pub(super) fn descriptions(bytes: &[u8]) -> Result<Vec<ProbedFunction<'_>>, SymbolError> {
    let mut input = Input::new(".pseudo_probe_desc", bytes);
    let mut functions = Vec::new();
    while !input.is_empty() {
        let (guid, checksum) = (input.fixed()?, input.fixed()?);
        let name = input.name()?;
        functions.push(ProbedFunction {
            guid,
            checksum,
            name,
        });
    }
    functions.sort_by_key(|function| function.guid);
    functions.dedup_by_key(|function| function.guid);
    Ok(functions)
}

/// Reads the probes.
pub(super) fn groups<'a>(
    bytes: &[u8],
    functions: Vec<ProbedFunction<'a>>,
    symbols: &Symbols,
) -> Result<Probes<'a>, SymbolError> {
    let mut decoder = Decoder {
        input: Input::new(".pseudo_probe", bytes),
        symbols,
        place: Place::default(),
        has_addresses: false,
        out: Probes {
            functions,
            ..Probes::default()
        },
    };
    while !decoder.input.is_empty() {
        decoder.function()?;
    }
    let mut out = decoder.out;
    out.probes.sort_by_key(|probe| probe.svma);
    Ok(out)
}

/// Reason why probes have no address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Homeless {
    NoSymbol,
    SharedName,
}

/// Place in the code that the decoder has reached.
struct Place {
    /// Address of the probe before, or start of the function.
    last: Result<u64, Homeless>,
    /// Body of the function, if known.
    body: Option<Range<u64>>,
}

impl Default for Place {
    fn default() -> Self {
        Self {
            last: Err(Homeless::NoSymbol),
            body: None,
        }
    }
}

struct Decoder<'d, 'a> {
    input: Input<'d>,
    symbols: &'d Symbols,
    place: Place,
    /// True for the older encoding, in which distances go on from one function to the next.
    has_addresses: bool,
    out: Probes<'a>,
}

impl Decoder<'_, '_> {
    /// Reads one function with everything that is inlined into it.
    fn function(&mut self) -> Result<(), SymbolError> {
        let mut open = vec![self.group(None)?];
        while let Some((node, left)) = open.last_mut() {
            if *left == 0 {
                open.pop();
                continue;
            }
            *left -= 1;
            let caller = *node;
            if open.len() >= DEPTH_MAX {
                return Err(self.input.fail("calls are inlined too deep"));
            }
            let call = self.input.small()?;
            open.push(self.group(Some((caller, call)))?);
        }
        Ok(())
    }

    /// Reads one group; returns its node, and the number of inlined calls that follow.
    fn group(&mut self, caller: Option<(u32, u32)>) -> Result<(u32, u64), SymbolError> {
        let guid = self.input.fixed()?;
        if caller.is_none() && !self.has_addresses {
            self.enter(guid);
        }
        let function = self
            .out
            .functions
            .binary_search_by_key(&guid, |function| function.guid);
        let around = caller.map(|(node, _)| self.out.nodes[node as usize].function);
        let function = match (function, around) {
            // If the name of a function around an inlined call is unknown, the place of the call is unknown too.
            (_, Some(None)) | (Err(_), _) => None,
            (Ok(index), _) => Some(index as u32),
        };
        let node = self.out.nodes.len() as u32;
        self.out.nodes.push(Node { function, caller });
        let (probes, inlined) = (self.input.unsigned()?, self.input.unsigned()?);
        for _ in 0..probes {
            self.probe(node)?;
        }
        Ok((node, inlined))
    }

    fn enter(&mut self, guid: u64) {
        let body = self.symbols.0.get(&guid);
        self.place = Place {
            last: match body {
                Some(Some(body)) => Ok(body.start),
                Some(None) => Err(Homeless::SharedName),
                None => Err(Homeless::NoSymbol),
            },
            body: body.cloned().flatten(),
        };
    }

    fn probe(&mut self, node: u32) -> Result<(), SymbolError> {
        let id = self.input.small()?;
        let flags = self.input.byte()?;
        if flags & IS_RELATIVE != 0 {
            let distance = self.input.signed()?;
            let last = self.place.last;
            self.place.last = last.map(|last| last.wrapping_add_signed(distance));
        } else {
            let value = self.input.fixed()?;
            if flags & SENTINEL != 0 {
                self.enter(value);
            } else {
                self.has_addresses = true;
                self.place = Place {
                    last: Ok(value),
                    body: None,
                };
            }
        }
        let has_discriminator = flags & HAS_DISCRIMINATOR != 0;
        let discriminator = if has_discriminator {
            self.input.small()?
        } else {
            0
        };
        if flags & SENTINEL != 0 {
            return Ok(());
        }
        let kind = match flags & KIND_MASK {
            0 => ProbeKind::Block,
            1 => ProbeKind::IndirectCall,
            2 => ProbeKind::DirectCall,
            _ => return Err(self.input.fail("an unknown kind of probe")),
        };
        self.keep(node, id, discriminator, kind);
        Ok(())
    }

    fn keep(&mut self, node: u32, id: u32, discriminator: u32, kind: ProbeKind) {
        let losses = &mut self.out.losses;
        let outside = |at| (self.place.body.as_ref()).is_some_and(|body| !body.contains(&at));
        match self.place.last {
            Err(Homeless::NoSymbol) => losses.without_symbol += 1,
            Err(Homeless::SharedName) => losses.of_shared_names += 1,
            Ok(_) if self.out.nodes[node as usize].function.is_none() => {
                losses.without_description += 1;
            }
            Ok(at) if outside(at) => losses.outside += 1,
            Ok(at) => self.out.probes.push(Probe {
                svma: Svma(at),
                id,
                discriminator,
                kind,
                node,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn descriptions_of(names: &[&str]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for name in names {
            bytes.extend(guid(name).to_le_bytes());
            bytes.extend(7u64.to_le_bytes());
            bytes.push(name.len() as u8);
            bytes.extend(name.as_bytes());
        }
        bytes
    }

    fn read(bytes: &[u8]) -> Result<Probes<'static>, SymbolError> {
        let names = descriptions_of(&["f", "g", "twice"]).leak();
        let symbols = [
            ("f", Some(0x1000..0x1100)),
            ("f.llvm.1", Some(0x3000..0x3100)),
            ("g", Some(0x2000..0x2010)),
            ("twice", None),
        ];
        let symbols = symbols.map(|(name, body)| (guid(name), body));
        groups(
            bytes,
            descriptions(names)?,
            &Symbols(symbols.into_iter().collect()),
        )
    }

    /// Returns the start of a group.
    fn group(name: &str, probes: u8, inlined: u8) -> Vec<u8> {
        [&guid(name).to_le_bytes()[..], &[probes, inlined]].concat()
    }

    /// Returns a probe at a distance below 64.
    fn probe(id: u8, kind: u8, distance: u8) -> Vec<u8> {
        vec![id, IS_RELATIVE | kind, distance]
    }

    fn absolute(id: u8, flags: u8, value: u64) -> Vec<u8> {
        [&[id, flags][..], &value.to_le_bytes()].concat()
    }

    fn addresses(probes: &Probes<'_>) -> Vec<u64> {
        probes.all().iter().map(|probe| probe.svma.0).collect()
    }

    #[test]
    fn the_hash_is_that_of_llvm() {
        assert_eq!(guid("main"), 15_822_663_052_811_949_562);
    }

    #[test]
    fn distances_run_through_inlined_calls_and_begin_anew_with_each_function() {
        let bytes = [
            group("f", 1, 1),
            probe(1, 0, 4),
            vec![2],
            group("g", 2, 0),
            probe(1, 0, 8),
            [vec![3, IS_RELATIVE | HAS_DISCRIMINATOR | 2, 2], vec![9]].concat(),
            group("g", 1, 0),
            probe(1, 0, 1),
        ]
        .concat();
        let probes = read(&bytes).unwrap();
        assert_eq!(addresses(&probes), [0x1004, 0x100c, 0x100e, 0x2001]);
        let call = probes.call_at(Svma(0x100e)).unwrap();
        assert_eq!((call.id, call.discriminator), (3, 9));
        let stack = probes.inline_stack(call);
        let stack: Vec<_> = stack.iter().map(|f| (f.function.name, f.id)).collect();
        assert_eq!(stack, [("g", 3), ("f", 2)]);
        assert_eq!(probes.losses().sum(), 0);
    }

    #[test]
    fn a_sentinel_says_where_a_part_stands() {
        let sentinel = absolute(0, SENTINEL, guid("f.llvm.1"));
        let probes = read(&[group("f", 2, 0), sentinel, probe(1, 0, 2)].concat()).unwrap();
        assert_eq!(addresses(&probes), [0x3002]);
        assert_eq!(probes.inline_stack(&probes.all()[0])[0].function.name, "f");
    }

    #[test]
    fn the_older_encoding_counts_on_from_one_function_to_the_next() {
        let first = absolute(1, 0, 0x5000);
        let probes = [group("f", 1, 0), first, group("g", 1, 0), probe(1, 0, 0x20)];
        assert_eq!(
            addresses(&read(&probes.concat()).unwrap()),
            [0x5000, 0x5020]
        );
    }

    #[test]
    fn what_has_no_place_is_counted() {
        let bytes = [
            group("gone", 1, 0),
            probe(1, 0, 0),
            group("twice", 2, 0),
            probe(1, 0, 0),
            probe(2, 0, 0),
            // The function has 16 bytes.
            group("g", 2, 1),
            probe(1, 0, 15),
            probe(2, 0, 1),
            vec![4],
            group("gone", 1, 1),
            probe(1, 0, 0x7f), // -1
            vec![5],
            group("f", 1, 0),
            probe(1, 0, 0),
        ]
        .concat();
        let probes = read(&bytes).unwrap();
        assert_eq!(addresses(&probes), [0x200f]);
        let expected = super::super::ProbeLosses {
            without_symbol: 1,
            of_shared_names: 2,
            outside: 1,
            without_description: 2,
        };
        assert_eq!(*probes.losses(), expected);
    }

    #[test]
    fn claims_and_depth_are_bounded() {
        let huge = [&guid("f").to_le_bytes()[..], &[0xff; 9], &[1, 0]].concat();
        assert!(read(&huge).is_err(), "more probes than bytes");
        let mut deep = group("f", 0, 1);
        for _ in 0..DEPTH_MAX {
            deep.extend([vec![1], group("f", 0, 1)].concat());
        }
        let error = read(&deep).unwrap_err().to_string();
        assert!(error.contains("too deep"), "{error}");
        assert!(read(&group("f", 0, 0)[..7]).is_err(), "half a GUID");
        assert!(
            read(&[group("f", 1, 0), probe(1, 3, 0)].concat()).is_err(),
            "kind 3"
        );
        assert!(descriptions(&[0; 17]).unwrap()[0].name.is_empty());
        assert!(descriptions(&[&[0; 16][..], &[200, 1]].concat()).is_err());
    }
}
