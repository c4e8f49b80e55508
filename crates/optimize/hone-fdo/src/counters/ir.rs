//! Reads LLVM's textual IR of one module after the pass that sets counters, as far as counts need it: blocks, jumps,
//! pseudo probes, counters, and the places where values are profiled.
//!
//! LLVM prints one instruction on one line, except `switch`, `invoke` and `callbr`. Lines that are not understood are
//! skipped, and so are lines too long to be code, which are data: a block whose jumps are not all known makes its
//! function unusable, not the module.

mod body;
mod tokens;

use body::Open;
use rustc_hash::{FxHashMap, FxHashSet};
use std::io::{self, BufRead};
use tokens::{name_behind, number_behind, signed, unescaped};

/// Maximum length of a line that is read, in bytes. Constants are sometimes longer.
const LINE_BYTES_MAX: u64 = 1 << 20;

/// A module of LLVM IR.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Module {
    pub(super) functions: FxHashMap<String, Function>,
    /// Checksums of control flow as in the probes, by the name of the function.
    pub(super) checksums: FxHashMap<String, u64>,
    is_whole: bool,
}

/// A function with a body.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Function {
    /// Blocks, the entry first.
    pub(super) blocks: Vec<Block>,
    /// Record of the counters; `None` if no counter was set.
    pub(super) record: Option<Record>,
    /// Number of indirect calls, and number of calls with a size, whose values are profiled.
    pub(super) sites: [u32; 2],
}

/// Key under which the compiler looks for a function's counts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Record {
    pub(super) name: String,
    pub(super) hash: u64,
    pub(super) counters: u32,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Block {
    /// Name of the block; empty if the block has only a number, because numbers differ in another form of the module.
    pub(super) name: String,
    /// Blocks that this block may jump to, each once.
    pub(super) successors: Vec<usize>,
    /// Condition, and the indices in `successors` of its targets if true and if false.
    pub(super) branch: Option<(String, usize, usize)>,
    /// Probes in the block: the GUID of the probe's function and the number of the probe.
    pub(super) probes: Vec<(u64, u32)>,
    /// Number of the counter of the block.
    pub(super) counter: Option<u32>,
    /// Counters of `select`s in the block, which count if the condition holds.
    pub(super) selects: Vec<(u32, String)>,
    /// Indirect calls in the block whose targets are profiled: the number of the place, and the call's probe.
    pub(super) calls: Vec<(u32, Option<u32>)>,
    /// Names of the functions that the block calls directly, intrinsics left out.
    pub(super) callees: Vec<String>,
}

/// Start of the line in front of a module.
const DUMP: &[u8] = b"; *** IR Dump";

impl Module {
    /// Returns true if the whole module was read, up to the line in front of the next module.
    pub fn is_whole(&self) -> bool {
        self.is_whole
    }
}

/// Reads the output of `opt`, from its first line of [`DUMP`] to the second, where the next form of the module begins.
pub fn read(mut text: impl BufRead) -> io::Result<Module> {
    let mut reader = Reader::default();
    let mut line = Vec::new();
    let mut is_cut = false;
    loop {
        line.clear();
        let read = io::Read::take(&mut text, LINE_BYTES_MAX).read_until(b'\n', &mut line)?;
        if read == 0 {
            return Ok(reader.end());
        }
        let is_rest = std::mem::replace(&mut is_cut, !line.ends_with(b"\n"));
        if is_rest || is_cut && read as u64 == LINE_BYTES_MAX {
            continue;
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

#[derive(Default)]
struct Reader {
    dumps: usize,
    open: Option<Open>,
    closed: Vec<Open>,
    /// Names of records by the variables that hold the names.
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
                self.open = name_behind(line, '@').map(Open::of);
            }
            None if line.starts_with("@__profn_") || line.starts_with("@\"__profn_") => {
                self.record_name(line);
            }
            None if line.starts_with('!') => self.metadata(line),
            None => {}
        }
    }

    /// Reads a line such as `@__profn_main = private constant [4 x i8] c"main"`.
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
            // Fields of a probed function: its GUID, its checksum, its name.
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

/// Returns the number of a call's probe from its discriminator: the three lowest bits mark a probe, the next 16 hold its number.
fn call_probe(discriminator: u32) -> Option<u32> {
    (discriminator & 7 == 7).then_some(discriminator >> 3 & 0xffff)
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
  %2 = call i32 (ptr, ...) @printf(ptr @text)
  %3 = tail call i32 @"odd callee"(ptr @printf)
  %1 = ptrtoint ptr %step to i64
  call void @llvm.instrprof.value.profile(ptr @__profn_f, i64 -2, i64 %1, i32 0, i32 1)
  %call = call i32 %step(i32 3), !dbg !6
  br i1 %cmp, label %loop, label %"odd name"

"odd name":                                       ; preds = %loop, %0
  call void @llvm.instrprof.increment(ptr @__profn_f, i64 -2, i32 3, i32 1)
  call void @llvm.instrprof.value.profile(ptr @__profn_f, i64 -2, i64 %1, i32 0, i32 0)
  %r = invoke i32 %step(i32 4)
          to label %7 unwind label %pad, !dbg !6

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
        // A function with a jump to a block that does not exist is left out.
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
        assert_eq!(odd.calls, [(0, Some(5))]);
        assert_eq!(body.callees, ["printf", "odd callee"]);
        assert!(entry.callees.is_empty() && odd.callees.is_empty());
    }

    #[test]
    fn conditions_without_a_name_are_no_conditions() {
        let text = TEXT.replace("%cmp", "%0").replace("%0 = zext", "%9 = zext");
        let module = read(text.replace("i64 %0)", "i64 %9)").as_bytes()).unwrap();
        let [entry, body, ..] = &module.functions["f"].blocks[..] else {
            panic!("{module:?}")
        };
        assert_eq!(entry.selects, [(2, String::new())]);
        assert_eq!(body.branch, None);
    }

    #[test]
    fn data_of_any_length_is_skipped() {
        let data = format!("@data = constant [9 x i8] c\"{}\"\n", "x".repeat(3 << 20));
        let text = TEXT.replace("\n@__profn_f", &format!("\n{data}@__profn_f"));
        assert!(text.len() > 3 << 20);
        assert_eq!(
            read(text.as_bytes()).unwrap(),
            read(TEXT.as_bytes()).unwrap()
        );
    }

    #[test]
    fn what_breaks_off_is_not_whole() {
        for (place, _) in TEXT.char_indices() {
            let module = read(&TEXT.as_bytes()[..place]).unwrap();
            assert!(!module.is_whole() || place > TEXT.rfind("; *** IR Dump").unwrap());
        }
    }
}
