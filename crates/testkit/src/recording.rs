//! Recordings made by hand: what ran where is exact, whatever machine and load a test meets.
//!
//! ```text
//! let program = Program::read(&path);
//! let mut recording = Recording::of(&program);
//! recording.stack(3, &[recording.at(program.line("heavy", 5)), recording.at(program.line("main", 9))]);
//! recording.write(&directory.join("p.data"));
//! ```

use std::collections::BTreeMap;
use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use hone_profile::perf_data::{
    EventDescription, Features, Mmap2, SoftwareCounter, SoftwareEvent, WalkSample, WalkedBranch,
    Writer, branch_type, sample_type,
};
use hone_profile::{Avma, BuildId, CodeMap, FileOffset, Svma};
use hone_symbols::{Binary, BinaryType, DebugInfo};

/// Where position-independent files are loaded, and how far apart.
const LOADED_AT: u64 = 0x5555_0000_0000;
const APART: u64 = 0x1000_0000;

/// CPU time of a sample.
pub const SAMPLE_NS: u64 = 1_000_000;

/// The process and thread of samples.
const PID: i32 = 7;

/// An ELF file, in which places are found by name.
#[derive(Debug)]
pub struct Program {
    path: PathBuf,
    bytes: Vec<u8>,
}

impl Program {
    /// Reads a program or library.
    ///
    /// # Panics
    ///
    /// If it cannot be read.
    #[track_caller]
    pub fn read(path: &Path) -> Self {
        let path = path.canonicalize();
        let path = path.expect("a program");
        let bytes = fs::read(&path).expect("a program");
        Self { path, bytes }
    }

    /// Path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its content.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    fn binary(&self) -> Binary<'_> {
        Binary::parse(self.bytes.as_slice()).expect("an ELF file")
    }

    /// The build id, if the file has one.
    pub fn build_id(&self) -> Option<BuildId> {
        self.binary().build_id().cloned()
    }

    /// Where in the file an address stands.
    ///
    /// # Panics
    ///
    /// If it stands nowhere.
    #[track_caller]
    pub fn file_offset(&self, address: Svma) -> FileOffset {
        let found = self.binary().file_offset_of(address);
        found.unwrap_or_else(|| panic!("{address:?} is not in the file"))
    }

    /// Address of the stub that calls a function of a library.
    ///
    /// # Panics
    ///
    /// If there is none.
    #[track_caller]
    pub fn stub(&self, function: &str) -> Svma {
        let binary = self.binary();
        let mut entries = binary.plt().entries().iter();
        let found = entries.find(|entry| entry.symbol == Some(function));
        found
            .unwrap_or_else(|| panic!("no stub of {function}"))
            .start
    }

    /// The symbol of the first function that has this in it.
    ///
    /// # Panics
    ///
    /// If there is none.
    #[track_caller]
    pub fn symbol(&self, part: &str) -> String {
        let binary = self.binary();
        let mut names = binary.functions().iter().map(|function| function.name);
        let found = names.find(|name| name.contains(part));
        found
            .unwrap_or_else(|| panic!("no symbol with {part}"))
            .to_owned()
    }

    /// Address of the first instruction of a function, by its symbol.
    ///
    /// # Panics
    ///
    /// If there is no such function.
    #[track_caller]
    pub fn function(&self, symbol: &str) -> Svma {
        let binary = self.binary();
        let function = binary.functions().by_name(symbol);
        function
            .unwrap_or_else(|| panic!("no function {symbol}"))
            .start
    }

    /// Addresses of all functions of one name, in order.
    pub fn starts(&self, symbol: &str) -> Vec<Svma> {
        let binary = self.binary();
        let named = binary.functions().iter().filter(|of| of.name == symbol);
        named.map(|function| function.start).collect()
    }

    /// Address of the first instruction of a line in a function, which may be the line of a call that was inlined there.
    ///
    /// # Panics
    ///
    /// If there is none.
    #[track_caller]
    pub fn line(&self, symbol: &str, line: u32) -> Svma {
        let binary = self.binary();
        let debug = DebugInfo::parse(&binary).expect("debug information");
        let function = binary.functions().by_name(symbol);
        let function = function.unwrap_or_else(|| panic!("no function {symbol}"));
        let mut places = (function.start.0..function.end.0).map(Svma);
        let is_there = |at: &Svma| {
            let stack = debug.inline_stack(*at);
            stack.first().is_some_and(|frame| frame.line == line)
        };
        let found = places.find(is_there);
        found.unwrap_or_else(|| panic!("no line {line} in {symbol}"))
    }
}

/// A sample or several that are alike.
struct Samples {
    event: usize,
    pid: i32,
    tid: i32,
    times: u64,
    ip: Avma,
    call_chain: Vec<Avma>,
    branches: Vec<WalkedBranch>,
    /// Time from the sample before.
    after_ns: u64,
}

/// A recording that is being made.
pub struct Recording {
    events: Vec<EventDescription>,
    mappings: Vec<Mmap2>,
    build_ids: Vec<(String, BuildId, bool)>,
    /// What is added to addresses of the first program.
    bias: u64,
    threads: Vec<(i32, i32, String)>,
    samples: Vec<Samples>,
    /// Names of code without a file by process.
    code_names: BTreeMap<i32, CodeMap>,
}

impl Recording {
    /// A recording of CPU time with call stacks.
    pub fn of(program: &Program) -> Self {
        Self::with_events(program, &[("cpu-clock", None)])
    }

    /// A recording of these events; those with bits of [`branch_type`] have branch stacks and no call stacks.
    pub fn with_events(program: &Program, events: &[(&str, Option<u64>)]) -> Self {
        let mut recording = Self::empty(events);
        recording.bias = recording.map(program, program.path(), program.build_id());
        recording
    }

    /// A recording whose first event has every branch of user code.
    pub fn with_branches(program: &Program, event: &str) -> Self {
        let all = branch_type::USER | branch_type::ANY;
        Self::with_events(program, &[(event, Some(all))])
    }

    /// A recording in which no file is mapped.
    pub fn empty(events: &[(&str, Option<u64>)]) -> Self {
        let described = events.iter().enumerate();
        let described =
            described.map(|(index, (name, branches))| description(index, name, *branches));
        Self {
            events: described.collect(),
            mappings: Vec::new(),
            build_ids: Vec::new(),
            bias: 0,
            threads: vec![(PID, PID, "p".to_owned())],
            samples: Vec::new(),
            code_names: BTreeMap::new(),
        }
    }

    /// A recording of CPU time, of a program that lay at another path, perhaps of another build.
    pub fn elsewhere(program: &Program, path: &Path, build_id: Option<BuildId>) -> Self {
        let mut recording = Self::empty(&[("cpu-clock", None)]);
        recording.bias = recording.map(program, path, build_id);
        recording
    }

    /// Maps another file, such as a library, and returns what is added to its addresses.
    pub fn also(&mut self, program: &Program) -> u64 {
        self.map(program, program.path(), program.build_id())
    }

    /// Maps a file as if it lay at this path and were of this build; returns what is added to its addresses.
    pub fn map(&mut self, program: &Program, path: &Path, build_id: Option<BuildId>) -> u64 {
        let binary = program.binary();
        let bias = match binary.kind() {
            BinaryType::Fixed => 0,
            _ => LOADED_AT + APART * self.mappings.len() as u64,
        };
        let path = path.to_str().expect("a path of letters").to_owned();
        for segment in binary.segments().iter().filter(|of| of.executable) {
            // The kernel maps whole pages.
            let before = segment.offset.0 % 4096;
            self.mappings.push(Mmap2 {
                pid: PID,
                tid: PID,
                start: Avma(bias + segment.svma.0 - before),
                len: (segment.file_size + before).next_multiple_of(4096),
                file_offset: FileOffset(segment.offset.0 - before),
                protection: 5,
                flags: 2,
                device: (8, 1, 1000 + self.mappings.len() as u64),
                path: path.clone(),
                time_ns: 0,
            });
        }
        self.build_ids.extend(build_id.map(|id| (path, id, false)));
        bias
    }

    /// Maps memory with code and without a file, and returns its start.
    pub fn map_made_code(&mut self) -> Avma {
        let start = Avma(LOADED_AT + APART * self.mappings.len() as u64);
        self.mappings.push(Mmap2 {
            pid: PID,
            tid: PID,
            start,
            len: 4096,
            file_offset: FileOffset(0),
            protection: 5,
            flags: 2,
            device: (0, 0, 0),
            path: "//anon".to_owned(),
            time_ns: 0,
        });
        start
    }

    /// Names 16 bytes of code without a file.
    pub fn name_made_code(&mut self, at: Avma, name: &str) {
        let names = self.code_names.entry(PID).or_default();
        names.add(at, 16, name);
    }

    /// Adds a process or thread of this name. It has the files that were mapped so far.
    pub fn thread(&mut self, pid: i32, tid: i32, name: &str) {
        self.threads.push((pid, tid, name.to_owned()));
    }

    /// An address of the program in its process.
    pub fn at(&self, address: Svma) -> Avma {
        Avma(self.bias + address.0)
    }

    /// Adds samples of the first event that are all alike: where the CPU was, behind it the calls that led there, innermost first.
    pub fn stack(&mut self, times: u64, leaf_first: &[Avma]) {
        self.stack_of((PID, PID), times, leaf_first);
    }

    /// The same in another process and thread.
    pub fn stack_of(&mut self, (pid, tid): (i32, i32), times: u64, leaf_first: &[Avma]) {
        // Callers stand in a chain as the addresses that they return to.
        let (leaf, calls) = leaf_first.split_first().expect("a place");
        let returns = calls.iter().map(|call| Avma(call.0 + 1));
        self.samples.push(Samples {
            event: 0,
            pid,
            tid,
            times,
            ip: *leaf,
            call_chain: [*leaf].into_iter().chain(returns).collect(),
            branches: Vec::new(),
            after_ns: SAMPLE_NS,
        });
    }

    /// Adds a hundred samples of the program `views` of `testdata/recordings`: 40 in `small`, which is inlined into `heavy`, 10 in
    /// `heavy` itself and 45 in `light`, both called by `work`, and 5 in `work`, which `main` calls.
    pub fn views(&mut self, program: &Program) {
        let at = |function: &str, line| self.at(program.line(function, line));
        let [main, heavy, light] =
            [("main", 23), ("work", 17), ("work", 18)].map(|(f, l)| at(f, l));
        let stacks = [
            (40, vec![at("heavy", 5), heavy, main]),
            (10, vec![at("heavy", 9), heavy, main]),
            (45, vec![at("light", 13), light, main]),
            (5, vec![at("work", 19), main]),
        ];
        for (times, stack) in stacks {
            self.stack(times, &stack);
        }
    }

    /// Adds samples of an event without stacks.
    pub fn plain(&mut self, event: usize, times: u64, at: Avma) {
        self.branches(event, times, at, &[]);
    }

    /// Adds samples of an event with these branches, newest first.
    pub fn branches(&mut self, event: usize, times: u64, at: Avma, newest_first: &[(Avma, Avma)]) {
        let branches = newest_first.iter().map(|&ends| ends.into());
        self.walk(event, times, at, branches.collect());
    }

    /// The same with what was known of each branch.
    pub fn walk(&mut self, event: usize, times: u64, at: Avma, newest_first: Vec<WalkedBranch>) {
        self.samples.push(Samples {
            event,
            pid: PID,
            tid: PID,
            times,
            ip: at,
            call_chain: Vec::new(),
            branches: newest_first,
            after_ns: SAMPLE_NS,
        });
    }

    /// Adds a walk of an event as so many pieces that are all alike: its branches go round, so that each piece ends where the next one
    /// begins.
    pub fn walk_round(&mut self, event: usize, pieces: u64, newest_first: &[(Avma, Avma)]) {
        self.branches(event, 1, newest_first[0].1, newest_first);
        for _ in 1..pieces {
            self.branches(event, 1, newest_first[0].1, newest_first);
            if let Some(piece) = self.samples.last_mut() {
                piece.after_ns = newest_first.len() as u64 - 1;
            }
        }
    }

    /// The file's content.
    pub fn bytes(&self) -> Vec<u8> {
        let sink = Cursor::new(Vec::new());
        let mut writer = Writer::new(sink, self.events.clone()).expect("memory");
        for (pid, tid, name) in &self.threads {
            // A process begins with its program, which takes the place of all that was mapped; a thread is only named.
            let is_main = pid == tid;
            writer.comm(*pid, *tid, name, is_main, 0).expect("memory");
            for mapping in self.mappings.iter().filter(|_| is_main) {
                let (pid, tid) = (*pid, *tid);
                let own = Mmap2 {
                    pid,
                    tid,
                    ..mapping.clone()
                };
                writer.mmap2(&own).expect("memory");
            }
        }
        let mut time_ns = SAMPLE_NS;
        for samples in &self.samples {
            for _ in 0..samples.times {
                time_ns += samples.after_ns;
                let sample = WalkSample {
                    event: samples.event,
                    pid: samples.pid,
                    tid: samples.tid,
                    cpu: 0,
                    ip: samples.ip,
                    time_ns,
                    period: SAMPLE_NS,
                    call_chain: &samples.call_chain,
                    branches: &samples.branches,
                };
                writer.walk_sample(&sample).expect("memory");
            }
        }
        let features = Features {
            arch: "x86_64".into(),
            build_ids: self.build_ids.clone(),
            code_names: self.code_names.clone(),
            ..Features::default()
        };
        writer.finish(&features).expect("memory").into_inner()
    }

    /// Writes the file.
    ///
    /// # Panics
    ///
    /// If it cannot be written.
    #[track_caller]
    pub fn write(&self, path: &Path) {
        fs::write(path, self.bytes()).expect("a place for a recording");
    }
}

fn description(index: usize, name: &str, branches: Option<u64>) -> EventDescription {
    let own = match branches {
        Some(_) => sample_type::BRANCH_STACK,
        None => sample_type::CALLCHAIN,
    };
    let event = SoftwareEvent {
        counter: SoftwareCounter::CpuClock,
        period: SAMPLE_NS,
        is_frequency: false,
        sample_type: sample_type::IDENTIFIER
            | sample_type::IP
            | sample_type::TID
            | sample_type::TIME
            | sample_type::CPU
            | sample_type::PERIOD
            | own,
        branch_sample_type: branches.unwrap_or(0),
    };
    EventDescription {
        name: name.into(),
        attr: event.attr(),
        ids: vec![5 + index as u64],
    }
}
