//! Reads the body of a function, line by line. Blocks are known by name until the end of the body, then by index.

use super::tokens::{label, labels, last_number, name_and_rest, name_behind, number_behind};
use super::{Block, Function, Record};
use rustc_hash::FxHashMap;

/// Number for targets of indirect calls among the kinds of values of `llvm.instrprof.value.profile`.
const INDIRECT_CALL: usize = 0;

/// A function whose body is being read. Blocks are known by name until the end of the body.
#[derive(Default)]
pub(super) struct Open {
    pub(super) name: String,
    function: Function,
    places: FxHashMap<String, usize>,
    jumps: Vec<Vec<String>>,
    branches: Vec<Option<(String, String, String)>>,
    /// Conditions by the numbers that the counters of `select`s add.
    widened: FxHashMap<String, String>,
    is_in_switch: bool,
    /// Number of the profiled place that the next call belongs to.
    next_call: Option<u32>,
    /// Calls of each block: the number of the profiled place, and the source location.
    pub(super) locations: Vec<Vec<(u32, Option<u64>)>>,
    pub(super) record_variable: Option<String>,
}

impl Open {
    /// Creates the function with the given name, before its first line.
    pub(super) fn of(name: String) -> Self {
        Self {
            name,
            ..Self::default()
        }
    }

    pub(super) fn line(&mut self, line: &str, text: &str) {
        if let Some(label) = label(line) {
            self.block(label);
            return;
        }
        if text.is_empty() || text.starts_with(';') {
            return;
        }
        if self.function.blocks.is_empty() {
            // The entry has no label if it has no name.
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
        // The source location of an `invoke` is on its second line, which begins with `to`.
        let calls = ["call", "tail", "musttail", "notail", "to"];
        if calls.contains(&word) && !instruction.contains("@llvm.") {
            self.call(instruction);
        }
        if word == "invoke" || calls.contains(&word) {
            self.last().callees.extend(callee(instruction));
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
        self.function.blocks.push(Block {
            name: if is_named(&name) { name } else { String::new() },
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

    /// Reads `%1 = zext i1 %condition to i64`.
    fn widen(&mut self, result: Option<&str>, instruction: &str) {
        let condition = instruction.strip_prefix("zext i1 ");
        if let (Some(result), Some(condition)) = (result, condition) {
            let condition = condition.split(' ').next().unwrap_or_default();
            if is_named(condition) {
                self.widened.insert(result.into(), condition.into());
            }
        }
    }

    /// Reads `br i1 %condition, label %yes, label %no`.
    fn branch(&mut self, instruction: &str) {
        let mut names = labels(instruction);
        let condition = instruction.strip_prefix("br i1 ");
        let condition = condition.and_then(|rest| rest.split(',').next());
        let condition = condition.filter(|condition| is_named(condition));
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

    /// Reads the arguments `(ptr @__profn_main, i64 HASH, i32 COUNTERS, i32 COUNTER[, i64 %step])`.
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

    /// Returns the function; `None` if a jump leads to an unknown block, or the record has no name.
    pub(super) fn end(
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

/// Returns the function that a call names: the only `@name` in the line that a bracket follows at once.
fn callee(mut instruction: &str) -> Option<String> {
    while let Some((name, behind)) = name_and_rest(instruction, '@') {
        if behind.starts_with('(') && !name.starts_with("llvm.") {
            return Some(name);
        }
        instruction = behind;
    }
    None
}

/// Returns true if a value has a name; numbers differ in another form of the module.
fn is_named(value: &str) -> bool {
    let name = value.trim_start_matches('%');
    !name.bytes().all(|byte| byte.is_ascii_digit())
}
