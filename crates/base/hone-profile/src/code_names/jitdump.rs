//! jitdumps: `jit-PID.dump`, a binary file to which a runtime adds a record for each function that it made or moved.
//!
//! Source: the kernel's `tools/perf/Documentation/jitdump-specification.txt`. Code and lines of the functions are skipped.

use crate::address::Avma;
use crate::limits::{CODE_NAME_BYTES_MAX, PERF_MAP_BYTES_MAX};
use crate::perf_data::bytes::{Bytes, text};
use rustc_hash::FxHashMap;
use std::io::{self, BufRead, Read};

/// First bytes of a file of this byte order: `JITD`, as a number.
const MAGIC: usize = 0x4a69_5444;
/// Bytes of the header up to the field that states its length, and that field.
const HEADER_START_BYTES: usize = 12;
/// Kinds of records.
const CODE_LOAD: usize = 0;
const CODE_MOVE: usize = 1;
/// Bytes before the fields of a record: kind, length and time.
const PREFIX_BYTES: usize = 16;
/// Bytes of the fields of a function, and of a moved function.
const LOAD_BYTES: usize = 5 * 8;
const MOVE_BYTES: usize = 6 * 8;
/// Functions whose names are remembered, in case they move.
const MOVABLE_MAX: usize = crate::limits::CODE_NAMES_MAX;

/// Reads a dump and passes every function, in the order of the records, up to the first record that is cut or of no possible
/// length. A file of another form has no functions.
///
/// # Errors
///
/// Returns an error if reading fails; the functions before were passed.
pub fn read(dump: impl BufRead, mut take: impl FnMut(Avma, u64, &str)) -> io::Result<()> {
    let mut dump = dump.take(PERF_MAP_BYTES_MAX);
    let Some(start) = chunk::<HEADER_START_BYTES>(&mut dump)? else {
        return Ok(());
    };
    let (magic, header_len) = (number(&start[..4]), number(&start[8..]));
    let header_rest = header_len.checked_sub(HEADER_START_BYTES);
    let Some(header_rest) = header_rest.filter(|_| magic == MAGIC) else {
        return Ok(());
    };
    skip(&mut dump, header_rest)?;
    let mut names: FxHashMap<u64, String> = FxHashMap::default();
    while let Some(prefix) = chunk::<PREFIX_BYTES>(&mut dump)? {
        let (kind, len) = (number(&prefix[..4]), number(&prefix[4..]));
        let Some(mut rest) = len.checked_sub(PREFIX_BYTES) else {
            return Ok(());
        };
        match kind {
            CODE_LOAD if rest >= LOAD_BYTES => {
                let Some([_, _, start, len, index]) = numbers(&mut dump)? else {
                    return Ok(());
                };
                rest -= LOAD_BYTES;
                let mut name = vec![0; rest.min(CODE_NAME_BYTES_MAX)];
                if dump.read_exact(&mut name).is_err() {
                    return Ok(());
                }
                rest -= name.len();
                let name = text(&name);
                take(Avma(start), len, &name);
                if names.len() < MOVABLE_MAX {
                    names.insert(index, name);
                }
            }
            CODE_MOVE if rest >= MOVE_BYTES => {
                let Some([_, _, _, start, len, index]) = numbers(&mut dump)? else {
                    return Ok(());
                };
                rest -= MOVE_BYTES;
                if let Some(name) = names.get(&index) {
                    take(Avma(start), len, name);
                }
            }
            _ => {}
        }
        skip(&mut dump, rest)?;
    }
    Ok(())
}

/// Reads this many bytes; `None` if there are fewer.
fn chunk<const N: usize>(dump: &mut impl Read) -> io::Result<Option<[u8; N]>> {
    let mut chunk = [0; N];
    match dump.read_exact(&mut chunk) {
        Ok(()) => Ok(Some(chunk)),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(error),
    }
}

/// Reads this many numbers of eight bytes; `None` if there are fewer.
fn numbers<const N: usize>(dump: &mut impl Read) -> io::Result<Option<[u64; N]>> {
    let mut numbers = [0; N];
    for number in &mut numbers {
        match chunk::<8>(dump)? {
            Some(bytes) => *number = u64::from_le_bytes(bytes),
            None => return Ok(None),
        }
    }
    Ok(Some(numbers))
}

/// Returns the number in the first four bytes.
fn number(bytes: &[u8]) -> usize {
    Bytes(bytes).u32().unwrap_or(0) as usize
}

fn skip(dump: &mut impl Read, len: usize) -> io::Result<()> {
    io::copy(&mut dump.take(len as u64), &mut io::sink())?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> Vec<u8> {
        let words = [MAGIC as u32, 1, 40, 62, 0, 7, 0, 0, 0, 0];
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    fn record(kind: usize, fields: &[u64], rest: &[u8]) -> Vec<u8> {
        let fields: Vec<u8> = fields.iter().flat_map(|word| word.to_le_bytes()).collect();
        let len = (PREFIX_BYTES + fields.len() + rest.len()) as u32;
        let prefix = [
            &(kind as u32).to_le_bytes()[..],
            &len.to_le_bytes(),
            &[0; 8],
        ]
        .concat();
        [prefix, fields, rest.to_vec()].concat()
    }

    /// A function of a number at an address, with two bytes of code.
    fn load(number: u64, start: u64, name: &str) -> Vec<u8> {
        let rest = [name.as_bytes(), &[0, 0x90, 0xc3]].concat();
        record(CODE_LOAD, &[7 | 7 << 32, start, start, 2, number], &rest)
    }

    fn functions(dump: &[u8]) -> Vec<(u64, u64, String)> {
        let mut found = Vec::new();
        let take = |start: Avma, len, name: &str| found.push((start.0, len, name.to_owned()));
        read(dump, take).unwrap();
        found
    }

    #[test]
    fn functions_are_read_where_they_were_made_and_where_they_moved() {
        let dump = [
            header(),
            load(1, 0x1000, "first"),
            record(2, &[0x1000, 0], b"lines of the source"),
            load(2, 0x2000, "second"),
            record(CODE_MOVE, &[7 | 7 << 32, 0, 0x1000, 0x3000, 2, 1], &[]),
            record(CODE_MOVE, &[7 | 7 << 32, 0, 0x1000, 0x4000, 2, 99], &[]),
        ]
        .concat();
        let expected = [(0x1000, "first"), (0x2000, "second"), (0x3000, "first")];
        let expected = expected.map(|(start, name)| (start, 2, name.to_owned()));
        assert_eq!(functions(&dump), expected);
        for len in 0..dump.len() {
            let found = functions(&dump[..len]);
            assert_eq!(found, expected[..found.len()], "{len}");
        }
    }

    #[test]
    fn other_files_have_no_functions() {
        let mut other = [header(), load(1, 0x1000, "first")].concat();
        other[0] = b'J';
        assert_eq!(functions(&other), []);
        let impossible = [header(), vec![0; PREFIX_BYTES], load(1, 0x1000, "behind")].concat();
        assert_eq!(functions(&impossible), []);
        assert_eq!(functions(&[]), []);
    }
}
