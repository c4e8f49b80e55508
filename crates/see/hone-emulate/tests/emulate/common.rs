//! The stepping server from the test's side, and the state as the emulator wants it.

pub(crate) mod generate;
pub(crate) mod programs;

use hone_emulate::{Bits, Cpu, Memory, PAGE_BYTES, State, Vector};
use hone_profile::Avma;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use testkit::{Made, has_tools};

/// Position of each register in `user_regs_struct`.
pub(crate) const RIP: usize = 16;
pub(crate) const EFLAGS: usize = 18;
pub(crate) const FS_BASE: usize = 21;
pub(crate) const GS_BASE: usize = 22;
/// rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8 to r15.
pub(crate) const GPRS: [usize; 16] = [10, 11, 12, 5, 19, 4, 13, 14, 9, 8, 7, 6, 3, 2, 1, 0];
pub(crate) const REGISTER_NAMES: [&str; 16] = [
    "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13",
    "r14", "r15",
];

/// The raw registers of a thread, as the kernel gives them.
#[derive(Clone)]
pub(crate) struct Raw {
    pub(crate) registers: [u64; 27],
    pub(crate) xstate: Vec<u8>,
}

#[derive(Clone, Copy, Default)]
pub(crate) struct Layout {
    pub(crate) xstate_size: usize,
    pub(crate) ymm: usize,
    pub(crate) masks: usize,
    pub(crate) zmm_high: usize,
    pub(crate) zmm16: usize,
}

pub(crate) struct Stepper {
    child: Child,
    to: BufWriter<ChildStdin>,
    from: BufReader<ChildStdout>,
    pub(crate) pid: u32,
    pub(crate) layout: Layout,
}

/// Compiles a file of the tests, or finds it compiled; `None` where that cannot be done.
pub(crate) fn compiled(compiler: &str, options: &[&str], source: &str) -> Option<PathBuf> {
    if !has_tools(&[compiler]) {
        return None;
    }
    let file = tests_directory().join(source);
    let made = Made::new("emulate")
        .with_tools(&[compiler])
        .with_words(&[source])
        .with_words(options)
        .with_file(&file);
    let directory = made.if_by(|directory| {
        let done = Command::new(compiler)
            .args(options)
            .arg("-o")
            .arg(directory.join("program"))
            .arg(&file)
            .stderr(Stdio::null())
            .status();
        done.is_ok_and(|status| status.success())
    });
    if directory.is_none() {
        println!("skipped: {compiler} cannot build {}", file.display());
    }
    Some(directory?.join("program"))
}

pub(crate) fn tests_directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

/// Builds the server; `None` where there is no C compiler or this is another architecture.
pub(crate) fn server() -> Option<PathBuf> {
    if !cfg!(target_arch = "x86_64") {
        println!("skipped: the reference is an x86-64 CPU");
        return None;
    }
    compiled("cc", &["-O2"], "stepper.c")
}

impl Stepper {
    pub(crate) fn start(server: &Path, command: &[String]) -> Option<Self> {
        Self::speak(Command::new(server).args(command))
    }

    /// Starts a command that speaks the protocol of `stepper.c`.
    fn speak(command: &mut Command) -> Option<Self> {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .ok()?;
        let to = BufWriter::new(child.stdin.take()?);
        let from = BufReader::new(child.stdout.take()?);
        let mut stepper = Self {
            child,
            to,
            from,
            pid: 0,
            layout: Layout::default(),
        };
        stepper.send(b"I");
        let mut head = [0; 24];
        stepper.from.read_exact(&mut head).ok()?;
        let word = |index: usize| {
            let at = index * 4;
            u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]])
        };
        stepper.pid = word(0);
        stepper.layout = Layout {
            xstate_size: word(1) as usize,
            ymm: word(2) as usize,
            masks: word(3) as usize,
            zmm_high: word(4) as usize,
            zmm16: word(5) as usize,
        };
        Some(stepper)
    }

    /// Starts a CPU in software (`scripts/reference-cpu` installs it); `reference_cpu.py` knows the models.
    pub(crate) fn reference(model: &str) -> Option<Self> {
        let python =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../target/reference-cpu/bin/python3");
        if !python.exists() {
            println!("skipped: there is no reference CPU here; scripts/reference-cpu installs it");
            return None;
        }
        let preload = compiled("cc", &["-shared", "-fPIC", "-O1"], "reference_model.c")?;
        let mut command = Command::new(python);
        command
            .arg(tests_directory().join("reference_cpu.py"))
            .arg(model)
            .env("LD_PRELOAD", &preload);
        let reference = Self::speak(&mut command);
        assert!(
            reference.is_some(),
            "the reference CPU is installed but does not start"
        );
        reference
    }

    fn send(&mut self, bytes: &[u8]) {
        self.to
            .write_all(bytes)
            .expect("the stepping server listens");
        self.to.flush().expect("the stepping server listens");
    }

    fn receive(&mut self, length: usize) -> Vec<u8> {
        let mut bytes = vec![0; length];
        self.from
            .read_exact(&mut bytes)
            .expect("the stepping server answers");
        bytes
    }

    /// Lets the program run on; `false` when it has ended.
    pub(crate) fn run(&mut self, microseconds: u32) -> bool {
        self.to
            .write_all(b"R")
            .expect("the stepping server listens");
        self.send(&microseconds.to_le_bytes());
        self.receive(1)[0] == 0
    }

    pub(crate) fn state(&mut self) -> Raw {
        self.send(b"G");
        self.receive_state()
    }

    fn receive_state(&mut self) -> Raw {
        let bytes = self.receive(27 * 8);
        let mut registers = [0; 27];
        for (register, bytes) in registers.iter_mut().zip(bytes.chunks_exact(8)) {
            *register = u64::from_le_bytes(bytes.try_into().unwrap_or_default());
        }
        let xstate = self.receive(self.layout.xstate_size);
        Raw { registers, xstate }
    }

    pub(crate) fn page(&mut self, address: u64, out: &mut [u8; PAGE_BYTES]) -> bool {
        self.to
            .write_all(b"P")
            .expect("the stepping server listens");
        self.send(&address.to_le_bytes());
        if self.receive(1)[0] == 0 {
            return false;
        }
        out.copy_from_slice(&self.receive(PAGE_BYTES));
        true
    }

    /// Steps; the answer is a status (0 is good) and rip after each instruction.
    pub(crate) fn step(&mut self, count: u32) -> (u8, Vec<u64>) {
        self.to
            .write_all(b"N")
            .expect("the stepping server listens");
        self.send(&count.to_le_bytes());
        let head = self.receive(5);
        let done = u32::from_le_bytes([head[1], head[2], head[3], head[4]]) as usize;
        let bytes = self.receive(done * 8);
        let rips = bytes
            .chunks_exact(8)
            .map(|bytes| u64::from_le_bytes(bytes.try_into().unwrap_or_default()))
            .collect();
        (head[0], rips)
    }

    /// Runs one instruction in the scratch process: the signal it ended with, and what it left.
    pub(crate) fn try_one(&mut self, raw: &Raw, code: &[u8], data: &[u8]) -> (u8, Raw, Vec<u8>) {
        let mut message = vec![b'T'];
        for register in raw.registers {
            message.extend(register.to_le_bytes());
        }
        message.extend(&raw.xstate);
        message.push(code.len() as u8);
        message.extend(code);
        message.extend((data.len() as u32).to_le_bytes());
        message.extend(data);
        self.send(&message);
        let signal = self.receive(1)[0];
        let state = self.receive_state();
        let data = self.receive(data.len());
        (signal, state, data)
    }
}

impl Drop for Stepper {
    fn drop(&mut self) {
        // The server ends its program when told anything it does not know.
        let _ = self.to.write_all(b"Q");
        let _ = self.to.flush();
        let _ = self.child.wait();
    }
}

fn at<const N: usize>(bytes: &[u8], offset: usize) -> [u8; N] {
    let mut out = [0; N];
    out.copy_from_slice(&bytes[offset..offset + N]);
    out
}

/// Bit of TF, which the stepping itself sets.
pub(crate) const TF: u64 = 1 << 8;
/// RF, which the CPU sets around debug traps.
pub(crate) const RF: u64 = 1 << 16;

/// ID, which ptrace cannot set: it stays as the last `popf` left it.
pub(crate) const ID: u64 = 1 << 21;

/// Components that the kernel says are in their initial state are zero.
fn has(raw: &Raw, component: u32) -> bool {
    u64::from_le_bytes(at(&raw.xstate, 512)) >> component & 1 != 0
}

/// The kernel's registers as the emulator's state.
pub(crate) fn state_of(raw: &Raw, layout: &Layout) -> State {
    let mut state = State::unknown(Avma(raw.registers[RIP]));
    for (gpr, &index) in state.gprs.iter_mut().zip(&GPRS) {
        *gpr = Bits::known(raw.registers[index]);
    }
    state.rflags = Bits::partly(raw.registers[EFLAGS], !(TF | RF | ID));
    state.fs_base = Bits::known(raw.registers[FS_BASE]);
    state.gs_base = Bits::known(raw.registers[GS_BASE]);
    state.x87_control = Bits::known(u64::from(u16::from_le_bytes(at(&raw.xstate, 0))));
    state.mxcsr = Bits::known(u64::from(u32::from_le_bytes(at(&raw.xstate, 24))));
    for (index, vector) in state.vectors.iter_mut().enumerate() {
        *vector = Vector::known(vector_of(raw, layout, index));
    }
    for (index, mask) in state.masks.iter_mut().enumerate() {
        let value = u64::from_le_bytes(at(&raw.xstate, layout.masks + index * 8));
        *mask = Bits::known(if has(raw, 5) { value } else { 0 });
    }
    state
}

pub(crate) fn vector_of(raw: &Raw, layout: &Layout, index: usize) -> [u8; 64] {
    let mut bytes = [0; 64];
    if index < 16 {
        if has(raw, 1) {
            bytes[..16].copy_from_slice(&raw.xstate[160 + index * 16..][..16]);
        }
        if has(raw, 2) {
            bytes[16..32].copy_from_slice(&raw.xstate[layout.ymm + index * 16..][..16]);
        }
        if has(raw, 6) {
            bytes[32..].copy_from_slice(&raw.xstate[layout.zmm_high + index * 32..][..32]);
        }
    } else if has(raw, 7) {
        bytes.copy_from_slice(&raw.xstate[layout.zmm16 + (index - 16) * 64..][..64]);
    }
    bytes
}

/// Everything that the emulator knows and the CPU contradicts, one line each.
pub(crate) fn differences(emulated: &State, real: &Raw, layout: &Layout) -> Vec<String> {
    let truth = state_of(real, layout);
    let mut lines = Vec::new();
    let mut compare = |name: &str, ours: Bits, theirs: Bits| {
        if (ours.value ^ theirs.value) & ours.known & theirs.known != 0 {
            lines.push(format!(
                "{name}: emulated {:#x} (known {:#x}), real {:#x}",
                ours.value, ours.known, theirs.value
            ));
        }
    };
    for (index, name) in REGISTER_NAMES.iter().enumerate() {
        compare(name, emulated.gprs[index], truth.gprs[index]);
    }
    compare("rip", Bits::known(emulated.rip.0), Bits::known(truth.rip.0));
    compare("rflags", emulated.rflags, truth.rflags);
    compare("fs_base", emulated.fs_base, truth.fs_base);
    compare("gs_base", emulated.gs_base, truth.gs_base);
    compare("mxcsr", emulated.mxcsr, truth.mxcsr);
    compare("x87 control", emulated.x87_control, truth.x87_control);
    for index in 0..8 {
        compare(
            &format!("k{index}"),
            emulated.masks[index],
            truth.masks[index],
        );
    }
    for index in 0..32 {
        let (ours, theirs) = (&emulated.vectors[index], &truth.vectors[index]);
        let wrong: Vec<usize> = (0..64)
            .filter(|&byte| ours.known >> byte & 1 != 0 && ours.bytes[byte] != theirs.bytes[byte])
            .collect();
        if !wrong.is_empty() {
            lines.push(format!(
                "zmm{index} bytes {wrong:?}:\n    emulated {:02x?}\n    known {:016x}\n    real     {:02x?}",
                ours.bytes, ours.known, theirs.bytes
            ));
        }
    }
    lines
}

/// The memory of a stopped program, with the permissions of its mappings.
pub(crate) struct Stopped<'a> {
    pub(crate) stepper: &'a mut Stepper,
    pub(crate) mappings: &'a [(u64, u64, bool, bool)],
}

/// Start, end, writable, executable of every mapping.
pub(crate) fn mappings_of(pid: u32) -> Vec<(u64, u64, bool, bool)> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/maps")).unwrap_or_default();
    let line = |line: &str| {
        let mut fields = line.split_whitespace();
        let (start, end) = fields.next()?.split_once('-')?;
        let permissions = fields.next()?;
        Some((
            u64::from_str_radix(start, 16).ok()?,
            u64::from_str_radix(end, 16).ok()?,
            permissions.contains('w'),
            permissions.contains('x'),
        ))
    };
    text.lines().filter_map(line).collect()
}

impl Stopped<'_> {
    fn mapping(&self, page: Avma) -> Option<&(u64, u64, bool, bool)> {
        let mut mappings = self.mappings.iter();
        mappings.find(|mapping| (mapping.0..mapping.1).contains(&page.0))
    }
}

impl Memory for Stopped<'_> {
    fn read_page(&mut self, page: Avma, out: &mut [u8; PAGE_BYTES]) -> bool {
        self.stepper.page(page.0, out)
    }

    fn is_writable(&mut self, page: Avma) -> bool {
        self.mapping(page).is_some_and(|mapping| mapping.2)
    }

    fn is_executable(&mut self, page: Avma) -> bool {
        self.mapping(page).is_some_and(|mapping| mapping.3)
    }
}

/// What the emulator must know of this CPU.
pub(crate) fn cpu() -> Cpu {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let has = |flag: &str| info.split_whitespace().any(|word| word == flag);
    Cpu {
        tzcnt: has("bmi1"),
        lzcnt: has("abm"),
        shadow_stacks: has("user_shstk"),
    }
}
