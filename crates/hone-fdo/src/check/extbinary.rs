//! Reads the extensible binary form, section by section, with every length checked against the bytes.

use super::{CheckError, ParsedFunction, ParsedProfile};
use std::collections::BTreeMap;

/// Deepest inlining that is followed.
const DEPTH_MAX: usize = 1000;
const HEADER_BYTES: usize = 32;

struct Header {
    kind: u64,
    flags: u64,
    start: usize,
    end: usize,
}

pub(super) fn read(bytes: &[u8]) -> Result<ParsedProfile, CheckError> {
    let mut input = Input {
        bytes,
        at: 0,
        end: bytes.len(),
    };
    // The bytes of "SPROF42" and 4, read as one big-endian number.
    if input.number()? != 0x5350_524f_4634_3204 {
        return Err(input.fail("not an extensible binary sample profile"));
    }
    if input.number()? != 103 {
        return Err(input.fail("not version 103"));
    }
    let headers = headers(&mut input)?;
    let section = |kind| {
        let header = headers.iter().find(|header| header.kind == kind)?;
        Some((
            header.flags,
            Input {
                bytes,
                at: header.start,
                end: header.end,
            },
        ))
    };
    let missing = CheckError::Binary {
        offset: 0,
        problem: "a section is missing",
    };
    let (flags, mut names) = section(2).ok_or(missing.clone())?;
    let names = read_names(&mut names)?;
    let (_, mut functions) = section(32).ok_or(missing.clone())?;
    let (mut functions, starts) = read_functions(&mut functions, &names)?;
    if let Some((flags, mut checksums)) = section(5) {
        if flags >> 32 != 1 {
            return Err(checksums.fail("not of pseudo probes"));
        }
        read_checksums(&mut checksums, &names, &mut functions)?;
    }
    let (_, mut offsets) = section(4).ok_or(missing.clone())?;
    check_offsets(&mut offsets, &names, &starts)?;
    let (_, mut summary) = section(1).ok_or(missing)?;
    let symbol_list = match section(3) {
        Some((_, mut list)) => read_list(&mut list)?,
        None => Vec::new(),
    };
    Ok(ParsedProfile {
        functions,
        symbol_list,
        unique_suffix: flags >> 32 & 4 != 0,
        summary: Some(read_summary(&mut summary)?),
    })
}

fn headers(input: &mut Input<'_>) -> Result<Vec<Header>, CheckError> {
    let count = input.fixed()? as usize;
    if count > (input.end - input.at) / HEADER_BYTES {
        return Err(input.fail("more sections than bytes"));
    }
    let mut headers = Vec::new();
    let mut expected = input.at + count * HEADER_BYTES;
    for _ in 0..count {
        let (kind, flags) = (input.fixed()?, input.fixed()?);
        let (start, size) = (input.fixed()? as usize, input.fixed()? as usize);
        let end = start
            .checked_add(size)
            .filter(|&end| end <= input.bytes.len());
        let Some(end) = end.filter(|_| start == expected) else {
            return Err(input.fail("sections do not follow each other"));
        };
        if flags & 1 != 0 {
            return Err(input.fail("compressed sections are not read"));
        }
        expected = end;
        headers.push(Header {
            kind,
            flags,
            start,
            end,
        });
    }
    if expected != input.bytes.len() {
        return Err(input.fail("bytes after the last section"));
    }
    Ok(headers)
}

fn read_names(input: &mut Input<'_>) -> Result<Vec<String>, CheckError> {
    let count = input.number()?;
    let names = read_list(input)?;
    if names.len() as u64 != count {
        return Err(input.fail("another number of names than stated"));
    }
    Ok(names)
}

fn read_list(input: &mut Input<'_>) -> Result<Vec<String>, CheckError> {
    let mut names = Vec::new();
    while input.at < input.end {
        let rest = &input.bytes[input.at..input.end];
        let length = rest.iter().position(|&byte| byte == 0);
        let length = length.ok_or_else(|| input.fail("a name without an end"))?;
        let name = std::str::from_utf8(&rest[..length]);
        names.push(
            name.map_err(|_| input.fail("a name that is not UTF-8"))?
                .to_owned(),
        );
        input.at += length + 1;
    }
    Ok(names)
}

type Functions = BTreeMap<String, ParsedFunction>;

/// The functions, and the offset in the section at which each starts.
fn read_functions(
    input: &mut Input<'_>,
    names: &[String],
) -> Result<(Functions, BTreeMap<String, usize>), CheckError> {
    let (mut functions, mut starts) = (BTreeMap::new(), BTreeMap::new());
    let first = input.at;
    while input.at < input.end {
        let start = input.at - first;
        let head = input.number()?;
        let (name, mut function) = read_function(input, names, 0)?;
        function.head = head;
        starts.insert(name.clone(), start);
        if functions.insert(name, function).is_some() {
            return Err(input.fail("the function before occurs twice"));
        }
    }
    Ok((functions, starts))
}

fn read_function(
    input: &mut Input<'_>,
    names: &[String],
    depth: usize,
) -> Result<(String, ParsedFunction), CheckError> {
    if depth > DEPTH_MAX {
        return Err(input.fail("inlined too deep"));
    }
    let name = input.name(names)?;
    let mut function = ParsedFunction {
        total: input.number()?,
        ..ParsedFunction::default()
    };
    for _ in 0..input.number()? {
        let place = (input.small()?, input.small()?);
        let count = input.number()?;
        let mut targets = BTreeMap::new();
        for _ in 0..input.number()? {
            let target = input.name(names)?;
            targets.insert(target, input.number()?);
        }
        if function.lines.insert(place, (count, targets)).is_some() {
            return Err(input.fail("the place occurs twice"));
        }
    }
    for _ in 0..input.number()? {
        let (line, discriminator) = (input.small()?, input.small()?);
        let (callee, samples) = read_function(input, names, depth + 1)?;
        if function
            .inlined
            .insert((line, discriminator, callee), samples)
            .is_some()
        {
            return Err(input.fail("the inlined call occurs twice"));
        }
    }
    Ok((name, function))
}

/// The checksums; they must be of the functions read, each once.
fn read_checksums(
    input: &mut Input<'_>,
    names: &[String],
    functions: &mut Functions,
) -> Result<(), CheckError> {
    let mut left = functions.len();
    while input.at < input.end {
        let name = input.name(names)?;
        let function = functions.get_mut(&name);
        let function = function.ok_or_else(|| input.fail("a checksum of no function"))?;
        read_checksum(input, names, function)?;
        left = left.saturating_sub(1);
    }
    if left > 0 {
        return Err(input.fail("functions without a checksum"));
    }
    Ok(())
}

/// The checksum of one function and of the calls inlined into it, which are as deep as they were read.
fn read_checksum(
    input: &mut Input<'_>,
    names: &[String],
    function: &mut ParsedFunction,
) -> Result<(), CheckError> {
    if function.checksum.replace(input.number()?).is_some() {
        return Err(input.fail("the function has two checksums"));
    }
    if input.number()? != function.inlined.len() as u64 {
        return Err(input.fail("checksums of another number of inlined calls"));
    }
    for _ in 0..function.inlined.len() {
        let place = (input.small()?, input.small()?, input.name(names)?);
        let inlined = function.inlined.get_mut(&place);
        let inlined = inlined.ok_or_else(|| input.fail("a checksum of no inlined call"))?;
        read_checksum(input, names, inlined)?;
    }
    Ok(())
}

fn check_offsets(
    input: &mut Input<'_>,
    names: &[String],
    starts: &BTreeMap<String, usize>,
) -> Result<(), CheckError> {
    let count = input.number()?;
    if count != starts.len() as u64 {
        return Err(input.fail("another number of offsets than of functions"));
    }
    for _ in 0..count {
        let name = input.name(names)?;
        let offset = input.number()?;
        if starts.get(&name).map(|&start| start as u64) != Some(offset) {
            return Err(input.fail("an offset that is not the function's"));
        }
    }
    Ok(())
}

fn read_summary(input: &mut Input<'_>) -> Result<[u64; 5], CheckError> {
    let mut fields = [0; 5];
    for field in &mut fields {
        *field = input.number()?;
    }
    for _ in 0..input.number()? {
        let (cutoff, _minimum, _counts) = (input.number()?, input.number()?, input.number()?);
        if cutoff > 999_999 {
            return Err(input.fail("a cut-off above one"));
        }
    }
    if input.at != input.end {
        return Err(input.fail("bytes after the summary"));
    }
    Ok(fields)
}

struct Input<'a> {
    bytes: &'a [u8],
    at: usize,
    end: usize,
}

impl Input<'_> {
    fn fail(&self, problem: &'static str) -> CheckError {
        CheckError::Binary {
            offset: self.at,
            problem,
        }
    }

    fn byte(&mut self) -> Result<u8, CheckError> {
        if self.at >= self.end {
            return Err(self.fail("the section ends too early"));
        }
        self.at += 1;
        Ok(self.bytes[self.at - 1])
    }

    fn fixed(&mut self) -> Result<u64, CheckError> {
        let mut value = 0;
        for shift in (0..64).step_by(8) {
            value |= u64::from(self.byte()?) << shift;
        }
        Ok(value)
    }

    /// A variable-length number: seven bits a byte, the lowest first.
    fn number(&mut self) -> Result<u64, CheckError> {
        let (mut value, mut shift) = (0u64, 0);
        loop {
            let byte = self.byte()?;
            if shift > 63 || (shift == 63 && byte & 0x7f > 1) {
                return Err(self.fail("a number above 64 bits"));
            }
            value |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
    }

    fn small(&mut self) -> Result<u32, CheckError> {
        let value = self.number()?;
        u32::try_from(value).map_err(|_| self.fail("a number above 32 bits"))
    }

    fn name(&mut self, names: &[String]) -> Result<String, CheckError> {
        let index = self.number()?;
        let name = usize::try_from(index)
            .ok()
            .and_then(|index| names.get(index));
        name.cloned()
            .ok_or_else(|| self.fail("a name that is not in the table"))
    }
}
