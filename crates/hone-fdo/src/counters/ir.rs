//! LLVM's textual IR of one module behind the pass that sets counters, as far as counts need it: blocks, jumps, pseudo
//! probes, counters, and the places where values are profiled.
//!
//! What LLVM prints of one instruction stands in one line, but for `switch` and `invoke`. Lines that are not understood
//! are skipped: a block whose jumps are not all known makes its function unusable, not the module.

use rustc_hash::{FxHashMap, FxHashSet};
use std::io::{self, BufRead};

/// One that is longer is taken for broken.
const LINE_BYTES_MAX: u64 = 16 << 20;

/// A module.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Module {
    pub(super) functions: FxHashMap<String, Function>,
    /// Checksums of control flow as probes have them, by the name of the function.
    pub(super) checksums: FxHashMap<String, u64>,
    is_whole: bool,
}

/// A function with a body.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Function {
    /// The entry first.
    pub(super) blocks: Vec<Block>,
    /// `None` where no counter was set.
    pub(super) record: Option<Record>,
    /// How many indirect calls, and how many calls with a size, have their values profiled.
    pub(super) sites: [u32; 2],
}

/// Under what the compiler looks for a function's counts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Record {
    pub(super) name: String,
    pub(super) hash: u64,
    pub(super) counters: u32,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Block {
    /// Empty where it has none but a number, which says nothing in another form of the module.
    pub(super) name: String,
    /// Blocks that it may jump to, each once.
    pub(super) successors: Vec<usize>,
    /// The condition, and the places among `successors` where it leads if true and if false.
    pub(super) branch: Option<(String, usize, usize)>,
    /// Probes of its function that stand in it: the GUID of the function and the number.
    pub(super) probes: Vec<(u64, u32)>,
    /// The counter that counts it.
    pub(super) counter: Option<u32>,
    /// Counters of `select`s in it, which count where the condition holds.
    pub(super) selects: Vec<(u32, String)>,
    /// Indirect calls in it whose targets are profiled: the number of the place, and the call's probe.
    pub(super) calls: Vec<(u32, Option<u32>)>,
}

/// How the line in front of a module begins.
const DUMP: &[u8] = b"; *** IR Dump";

impl Module {
    /// Whether all of it was read, up to the line in front of the next.
    pub fn is_whole(&self) -> bool {
        self.is_whole
    }
}

/// Reads what `opt` prints, from its first line of [`DUMP`] to the second, where the next form of the module begins.
pub fn read(mut text: impl BufRead) -> io::Result<Module> {
    let mut reader = Reader::default();
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = io::Read::take(&mut text, LINE_BYTES_MAX).read_until(b'\n', &mut line)?;
        if read == 0 {
            return Ok(reader.end());
        }
        if read as u64 == LINE_BYTES_MAX {
            return Err(io::Error::other("a line of the IR is over 16 MiB long"));
        }
        if line.starts_with(DUMP) {
            reader.dumps += 1;
            if reader.dumps == 2 {
                return Ok(reader.end());
            }
        }
        reader.line(&String::from_utf8_lossy(&line));
    }
}

/// What `llvm.instrprof.value.profile` names the kinds of values.
const INDIRECT_CALL: usize = 0;

/// A function whose body is being read. Blocks are named until its end.
#[derive(Default)]
struct Open {
    name: String,
    function: Function,
    places: FxHashMap<String, usize>,
    jumps: Vec<Vec<String>>,
    branches: Vec<Option<(String, String, String)>>,
    /// Conditions by the numbers that `select`s' counters add.
    widened: FxHashMap<String, String>,
    is_in_switch: bool,
    /// The place among indirect calls that the next call is.
    next_call: Option<u32>,
    /// Locations of the calls of each block.
    locations: Vec<Vec<(u32, Option<u64>)>>,
    record_variable: Option<String>,
}

#[derive(Default)]
struct Reader {
    dumps: usize,
    open: Option<Open>,
    closed: Vec<Open>,
    /// Names by the variables that hold them.
    record_names: FxHashMap<String, String>,
    wanted: FxHashSet<u64>,
    scopes: FxHashMap<u64, u64>,
    discriminators: FxHashMap<u64, u32>,
    checksums: FxHashMap<String, u64>,
}

impl Reader {
    fn line(&mut self, line: &str) {
        let text = line.trim();
        match &mut self.open {
            Some(_) if line.starts_with('}') => {
                let open = self.open.take().expect("matched above");
                let locations = open.locations.iter().flatten();
                self.wanted.extend(locations.filter_map(|(_, at)| *at));
                self.closed.push(open);
            }
            Some(open) => open.line(line, text),
            None if line.starts_with("define ") => {
                self.open = name_behind(line, '@').map(|name| Open {
                    name,
                    ..Open::default()
                });
            }
            None if line.starts_with("@__profn_") || line.starts_with("@\"__profn_") => {
                self.record_name(line);
            }
            None if line.starts_with('!') => self.metadata(line),
            None => {}
        }
    }

    /// `@__profn_main = private constant [4 x i8] c"main"`
    fn record_name(&mut self, line: &str) {
        let value = line
            .split_once(" c\"")
            .and_then(|(_, rest)| rest.rsplit_once('"'));
        if let (Some(variable), Some((value, _))) = (name_behind(line, '@'), value) {
            self.record_names.insert(variable, unescaped(value));
        }
    }

    fn metadata(&mut self, line: &str) {
        let Some((id, value)) = line[1..].split_once(" = ") else {
            return;
        };
        let value = value.strip_prefix("distinct ").unwrap_or(value);
        if let Some(rest) = value.strip_prefix("!{i64 ") {
            // Of a probed function: its GUID, its checksum, its name.
            let mut parts = rest.splitn(3, ", ");
            let checksum = parts.nth(1).and_then(|part| part.strip_prefix("i64 "));
            let name = parts.next().and_then(|part| part.strip_prefix("!\""));
            if let (Some(checksum), Some(name)) = (checksum.and_then(signed), name) {
                let name = name.split('"').next().unwrap_or_default();
                self.checksums.insert(unescaped(name), checksum);
            }
            return;
        }
        let Ok(id) = id.parse() else {
            return;
        };
        if value.starts_with("!DILocation(") {
            if self.wanted.contains(&id)
                && let Some(scope) = number_behind(value, "scope: !")
            {
                self.scopes.insert(id, scope);
            }
        } else if value.starts_with("!DILexicalBlockFile(")
            && let Some(discriminator) = number_behind(value, "discriminator: ")
        {
            self.discriminators.insert(id, discriminator as u32);
        }
    }

    fn end(self) -> Module {
        let probe = |location: Option<u64>| {
            let scope = self.scopes.get(&location?)?;
            call_probe(*self.discriminators.get(scope)?)
        };
        let closed = self.closed.into_iter();
        let functions = closed.filter_map(|open| {
            let name = open.name.clone();
            let record_name = open.record_variable.as_ref();
            let record_name = record_name.and_then(|name| self.record_names.get(name));
            Some((name, open.end(record_name.cloned(), &probe)?))
        });
        Module {
            functions: functions.collect(),
            checksums: self.checksums,
            is_whole: self.dumps == 2,
        }
    }
}

impl Open {
    fn line(&mut self, line: &str, text: &str) {
        if let Some(label) = label(line) {
            self.block(label);
            return;
        }
        if text.is_empty() || text.starts_with(';') {
            return;
        }
        if self.function.blocks.is_empty() {
            // The entry has no label where it has no name.
            self.block(String::new());
        }
        if self.is_in_switch && text.starts_with(']') {
            self.is_in_switch = false;
            return;
        }
        let (result, instruction) = match text.split_once(" = ") {
            Some((result, rest)) if result.starts_with('%') => (Some(result), rest),
            _ => (None, text),
        };
        if let Some(at) = instruction.find("@llvm.") {
            self.intrinsic(&instruction[at..]);
        }
        let word = instruction.split(' ').next().unwrap_or_default();
        match word {
            "zext" => self.widen(result, instruction),
            "br" => self.branch(instruction),
            "switch" => self.is_in_switch = !instruction.contains(']'),
            _ => {}
        }
        let calls = ["call", "invoke", "tail", "musttail", "notail"];
        if calls.contains(&word) && !instruction.contains("@llvm.") {
            self.call(instruction);
        }
        let jumps = [
            "br",
            "switch",
            "indirectbr",
            "invoke",
            "callbr",
            "catchswitch",
            "cleanupret",
            "catchret",
            "to",
        ];
        if self.is_in_switch || jumps.contains(&word) {
            self.jump(instruction);
        }
    }

    fn block(&mut self, name: String) {
        self.places.insert(name.clone(), self.function.blocks.len());
        let is_named = !name.bytes().all(|byte| byte.is_ascii_digit());
        self.function.blocks.push(Block {
            name: if is_named { name } else { String::new() },
            ..Block::default()
        });
        self.jumps.push(Vec::new());
        self.branches.push(None);
        self.locations.push(Vec::new());
        self.is_in_switch = false;
        self.next_call = None;
    }

    fn last(&mut self) -> &mut Block {
        self.function.blocks.last_mut().expect("a block is open")
    }

    /// `%1 = zext i1 %condition to i64`
    fn widen(&mut self, result: Option<&str>, instruction: &str) {
        let condition = instruction.strip_prefix("zext i1 ");
        if let (Some(result), Some(condition)) = (result, condition) {
            let condition = condition.split(' ').next().unwrap_or_default();
            self.widened.insert(result.into(), condition.into());
        }
    }

    /// `br i1 %condition, label %yes, label %no`
    fn branch(&mut self, instruction: &str) {
        let mut names = labels(instruction);
        let condition = instruction.strip_prefix("br i1 ");
        let condition = condition.and_then(|rest| rest.split(',').next());
        if let (Some(condition), Some(yes), Some(no)) = (condition, names.next(), names.next()) {
            *self.branches.last_mut().expect("a block is open") = Some((condition.into(), yes, no));
        }
    }

    fn jump(&mut self, instruction: &str) {
        let known = self.jumps.last_mut().expect("a block is open");
        for name in labels(instruction) {
            if !known.contains(&name) {
                known.push(name);
            }
        }
    }

    fn call(&mut self, instruction: &str) {
        if let Some(site) = self.next_call.take() {
            let location = number_behind(instruction, "!dbg !");
            let calls = self.locations.last_mut().expect("a block is open");
            calls.push((site, location));
        }
    }

    fn intrinsic(&mut self, call: &str) {
        let arguments = |call: &str| -> Vec<String> {
            let inner = call.split_once('(').map_or("", |(_, rest)| rest);
            let inner = inner.rsplit_once(')').map_or(inner, |(inner, _)| inner);
            inner.split(", ").map(str::to_owned).collect()
        };
        if let Some(rest) = call.strip_prefix("@llvm.pseudoprobe(") {
            let numbers: Vec<_> = rest.split(", ").map(last_number).collect();
            if let [Some(guid), Some(index), ..] = numbers[..] {
                self.last().probes.push((guid, index as u32));
            }
        } else if call.starts_with("@llvm.instrprof.increment") {
            self.counter(&arguments(call), call.contains(".step("));
        } else if call.starts_with("@llvm.instrprof.value.profile") {
            let numbers: Vec<_> = arguments(call)
                .iter()
                .map(|part| last_number(part))
                .collect();
            let [.., Some(kind), Some(site)] = numbers[..] else {
                return;
            };
            if let Some(sites) = self.function.sites.get_mut(kind as usize) {
                *sites = (*sites).max(site as u32 + 1);
            }
            if kind as usize == INDIRECT_CALL {
                self.next_call = Some(site as u32);
            }
        }
    }

    /// `(ptr @__profn_main, i64 HASH, i32 COUNTERS, i32 COUNTER[, i64 %step])`
    fn counter(&mut self, arguments: &[String], is_select: bool) {
        let number = |place: usize| arguments.get(place).and_then(|part| last_number(part));
        let (Some(hash), Some(counters), Some(counter)) = (number(1), number(2), number(3)) else {
            return;
        };
        let variable = arguments.first().and_then(|part| name_behind(part, '@'));
        if self.function.record.is_none() {
            self.record_variable = variable;
            self.function.record = Some(Record {
                name: String::new(),
                hash,
                counters: counters as u32,
            });
        }
        if !is_select {
            self.last().counter = Some(counter as u32);
            return;
        }
        let step = arguments.get(4).and_then(|part| part.split(' ').nth(1));
        let step = step.unwrap_or_default();
        let condition = self.widened.get(step).cloned().unwrap_or_default();
        self.last().selects.push((counter as u32, condition));
    }

    /// The function, if all its jumps lead to blocks of it.
    fn end(
        mut self,
        record_name: Option<String>,
        probe: &impl Fn(Option<u64>) -> Option<u32>,
    ) -> Option<Function> {
        match (&mut self.function.record, record_name) {
            (Some(record), Some(name)) => record.name = name,
            (Some(_), None) => return None,
            (None, _) => {}
        }
        let parts = self
            .jumps
            .into_iter()
            .zip(self.branches)
            .zip(self.locations);
        for (block, ((jumps, branch), calls)) in self.function.blocks.iter_mut().zip(parts) {
            let places = jumps.iter().map(|name| self.places.get(name).copied());
            block.successors = places.collect::<Option<_>>()?;
            let place = |name: &str| jumps.iter().position(|known| known == name);
            block.branch = branch
                .and_then(|(condition, yes, no)| Some((condition, place(&yes)?, place(&no)?)));
            let calls = calls.into_iter();
            block.calls = calls.map(|(site, at)| (site, probe(at))).collect();
        }
        Some(self.function)
    }
}

/// The number of a call's probe in its discriminator: the three lowest bits say that it is one, sixteen its number.
fn call_probe(discriminator: u32) -> Option<u32> {
    (discriminator & 7 == 7).then_some(discriminator >> 3 & 0xffff)
}

/// The name of a block that begins here.
fn label(line: &str) -> Option<String> {
    if let Some(rest) = line.strip_prefix('"') {
        let (name, behind) = rest.split_once('"')?;
        return behind.starts_with(':').then(|| unescaped(name));
    }
    let (name, _) = line.split_once(':')?;
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-$._".contains(&byte);
    (!name.is_empty() && name.bytes().all(is_plain)).then(|| name.to_owned())
}

/// The names of blocks in an instruction.
fn labels(instruction: &str) -> impl Iterator<Item = String> + '_ {
    let parts = instruction.split("label ").skip(1);
    parts.filter_map(|part| name_behind(part, '%'))
}

/// The name that follows the first `sigil`.
fn name_behind(text: &str, sigil: char) -> Option<String> {
    let (_, rest) = text.split_once(sigil)?;
    if let Some(quoted) = rest.strip_prefix('"') {
        return Some(unescaped(quoted.split('"').next()?));
    }
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-$._".contains(c);
    let end = rest.find(|c| !is_plain(c)).unwrap_or(rest.len());
    Some(rest[..end].to_owned())
}

/// The number at the end of an argument such as `i64 -7`, in two's complement.
fn last_number(argument: &str) -> Option<u64> {
    let argument = argument.split(')').next()?;
    signed(argument.rsplit(' ').next()?)
}

fn signed(text: &str) -> Option<u64> {
    let text = text.trim();
    match text.parse::<i64>() {
        Ok(number) => Some(number as u64),
        Err(_) => text.parse().ok(),
    }
}

fn number_behind(text: &str, mark: &str) -> Option<u64> {
    let (_, rest) = text.split_once(mark)?;
    let end = rest.find(|c: char| !c.is_ascii_digit());
    rest[..end.unwrap_or(rest.len())].parse().ok()
}

/// A name without LLVM's escapes, a backslash and two hexadecimal digits.
fn unescaped(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, behind @ ..] = rest {
        let code = behind.get(..2).filter(|_| *first == b'\\');
        let code = code.and_then(|code| std::str::from_utf8(code).ok());
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &behind[2..];
            }
            None => {
                bytes.push(*first);
                rest = behind;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"; *** IR Dump After PGOInstrumentationGen on [module] ***
source_filename = "a.c"
@__profn_f = private constant [1 x i8] c"f"
@"__profn_a.c;g" = private constant [5 x i8] c"a.c;\67"

define i32 @f(i32 %x, ptr %step) !dbg !3 {
  call void @llvm.pseudoprobe(i64 -9, i64 1, i32 0, i64 -1), !dbg !5
  %cmp = icmp sgt i32 %x, 3
    #dbg_value(i32 %x, !9, !DIExpression(), !5)
  %0 = zext i1 %cmp to i64
  call void @llvm.instrprof.increment.step(ptr @__profn_f, i64 -2, i32 3, i32 2, i64 %0)
  %cond = select i1 %cmp, i32 3, i32 %x
  switch i32 %cond, label %"odd name" [
    i32 0, label %loop
    i32 1, label %loop
  ]

loop:                                             ; preds = %loop, %1
  call void @llvm.instrprof.increment(ptr @__profn_f, i64 -2, i32 3, i32 0)
  %1 = ptrtoint ptr %step to i64
  call void @llvm.instrprof.value.profile(ptr @__profn_f, i64 -2, i64 %1, i32 0, i32 1)
  %call = call i32 %step(i32 3), !dbg !6
  br i1 %cmp, label %loop, label %"odd name"

"odd name":                                       ; preds = %loop, %0
  call void @llvm.instrprof.increment(ptr @__profn_f, i64 -2, i32 3, i32 1)
  %r = invoke i32 @may_throw()
          to label %7 unwind label %pad

7:                                                ; preds = %"odd name"
  ret i32 %r

pad:                                              ; preds = %"odd name"
  %l = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %l
}

define void @g() {
entry:
  call void @llvm.instrprof.increment(ptr @"__profn_a.c;g", i64 7, i32 1, i32 0)
  br label %nowhere
}

!5 = !DILocation(line: 2, column: 1, scope: !3)
!6 = !DILocation(line: 3, column: 1, scope: !8)
!8 = !DILexicalBlockFile(scope: !3, file: !1, discriminator: 47)
!12 = !{i64 -9, i64 281479271677951, !"f"}
; *** IR Dump Before InstrProfilingLoweringPass on [module] ***
define void @never_read() {
"#;

    #[test]
    fn what_opt_prints_becomes_blocks_jumps_probes_and_counters() {
        let module = read(TEXT.as_bytes()).unwrap();
        assert!(module.is_whole());
        assert_eq!(module.checksums["f"], 281_479_271_677_951);
        // One with a jump to a block that is not there is left out.
        assert_eq!(module.functions.len(), 1);
        let f = &module.functions["f"];
        let record = f.record.as_ref().unwrap();
        let hash = -2_i64 as u64;
        assert_eq!(
            (&*record.name, record.hash, record.counters),
            ("f", hash, 3)
        );
        assert_eq!(f.sites, [2, 0]);
        let names: Vec<_> = f.blocks.iter().map(|block| &*block.name).collect();
        assert_eq!(names, ["", "loop", "odd name", "", "pad"]);
        let successors: Vec<_> = f.blocks.iter().map(|block| &*block.successors).collect();
        assert_eq!(successors, [&[2, 1][..], &[1, 2], &[3, 4], &[], &[]]);
        let [entry, body, odd, ..] = &f.blocks[..] else {
            panic!("{f:?}")
        };
        assert_eq!(entry.probes, [(-9_i64 as u64, 1)]);
        assert_eq!(entry.selects, [(2, "%cmp".to_owned())]);
        assert_eq!(
            (entry.counter, body.counter, odd.counter),
            (None, Some(0), Some(1))
        );
        assert_eq!(body.branch, Some(("%cmp".into(), 0, 1)));
        // The discriminator 47 is 5 * 8 + 7: the call's probe is 5.
        assert_eq!(body.calls, [(1, Some(5))]);
    }

    #[test]
    fn what_breaks_off_is_not_whole() {
        for (place, _) in TEXT.char_indices() {
            let module = read(&TEXT.as_bytes()[..place]).unwrap();
            assert!(!module.is_whole() || place > TEXT.rfind("; *** IR Dump").unwrap());
        }
        let long = vec![b'x'; LINE_BYTES_MAX as usize + 1];
        assert!(read(&long[..]).is_err());
    }

    #[test]
    fn names_lose_their_escapes() {
        assert_eq!(unescaped(r"a\20b\5C"), r"a b\");
        assert_eq!(unescaped(r"\x\"), r"\x\");
        assert_eq!(unescaped("\\é"), "\\é");
    }
}
