//! Random instructions with random operands, made from the encoder's own tables.

use super::{EFLAGS, FS_BASE, GPRS, GS_BASE, Layout, RIP, Raw};
use iced_x86::{Code, Encoder, Instruction, MemoryOperand, OpKind, Register};
use rand::{Rng, RngExt};
use rand_chacha::ChaCha8Rng;

pub(crate) const CODE: u64 = 0x1000_0000;
pub(crate) const DATA: u64 = 0x2000_0000;
pub(crate) const DATA_BYTES: usize = 8192;
/// Bytes at both ends of the data that no address starts in.
const MARGIN: u64 = 256;

/// One instruction, where it may use memory, and how its registers must be set for that.
pub(crate) struct Case {
    pub(crate) instruction: Instruction,
    pub(crate) bytes: Vec<u8>,
    pub(crate) base: Option<Register>,
    pub(crate) index: Option<Register>,
}

fn gpr(bytes: u32, number: usize) -> Register {
    let first = match bytes {
        8 => return gpr8(number),
        16 => Register::AX,
        32 => Register::EAX,
        _ => Register::RAX,
    };
    first + number as u32
}

fn gpr8(number: usize) -> Register {
    Register::AL + number as u32
}

/// Makes a case of a code, or `None` where it has operands that no test here is about.
pub(crate) fn case(code: Code, random: &mut ChaCha8Rng) -> Option<Case> {
    let info = code.op_code();
    if !info.mode64() || !info.is_instruction() {
        return None;
    }
    let mut instruction = Instruction::default();
    instruction.set_code(code);
    let (mut base, mut index) = (None, None);
    for (operand, kind) in info.op_kinds().iter().enumerate() {
        let operand = operand as u32;
        let name = format!("{kind:?}");
        let is_memory = name.starts_with("mem") && !name.contains("vsib") && !name.contains("offs")
            || name.contains("_or_mem") && random.random_bool(0.5);
        if name.contains("mpx") || name.contains("vsib") || name.contains("sibmem") {
            return None;
        }
        if is_memory {
            let memory = memory(random);
            base = Some(memory.base).filter(|&base| base != Register::RIP);
            index = Some(memory.index).filter(|&index| index != Register::None);
            set_memory(&mut instruction, operand, &memory);
            let broadcast = info.can_broadcast() && random.random_bool(0.3);
            instruction.set_is_broadcast(broadcast);
        } else {
            set_other(&mut instruction, operand, &name, random)?;
        }
    }
    if info.can_use_op_mask_register()
        && (info.require_op_mask_register() || random.random_bool(0.5))
    {
        instruction.set_op_mask(Register::K1 + random.random_range(0..7_u32));
        if info.can_use_zeroing_masking() && random.random_bool(0.4) {
            instruction.set_zeroing_masking(true);
        }
    }
    if info.can_use_rep_prefix() && random.random_bool(0.6) {
        instruction.set_has_rep_prefix(true);
    } else if info.can_use_repne_prefix() && random.random_bool(0.4) {
        instruction.set_has_repne_prefix(true);
    } else if info.can_use_lock_prefix() && base.is_some() && random.random_bool(0.2) {
        instruction.set_has_lock_prefix(true);
    }
    let mut encoder = Encoder::new(64);
    encoder.encode(&instruction, CODE).ok()?;
    let bytes = encoder.take_buffer();
    let mut decoder = iced_x86::Decoder::with_ip(64, &bytes, CODE, 0);
    let decoded = decoder.decode();
    (decoded.code() == code).then_some(Case {
        instruction: decoded,
        bytes,
        base,
        index,
    })
}

fn memory(random: &mut ChaCha8Rng) -> MemoryOperand {
    const BASES: [[Register; 2]; 5] = [
        [Register::RBX, Register::EBX],
        [Register::RSI, Register::ESI],
        [Register::R9, Register::R9D],
        [Register::R14, Register::R14D],
        [Register::RBP, Register::EBP],
    ];
    let segment = match random.random_range(0..16) {
        0 => Register::FS,
        1 => Register::GS,
        _ => Register::None,
    };
    if random.random_bool(0.08) {
        let at = pointer(random) as i64;
        return MemoryOperand::new(Register::RIP, Register::None, 1, at, 8, false, segment);
    }
    let narrow = usize::from(random.random_bool(0.08));
    let base = BASES[random.random_range(0..BASES.len())][narrow];
    let (index, scale) = if random.random_bool(0.3) {
        let index = [Register::R10, Register::R10D][narrow];
        (index, 1 << random.random_range(0..4))
    } else {
        (Register::None, 1)
    };
    let displacement = if random.random_bool(0.5) {
        random.random_range(-64..64) / 16 * 16
    } else {
        0
    };
    MemoryOperand::new(base, index, scale, displacement, 1, false, segment)
}

fn set_memory(instruction: &mut Instruction, operand: u32, memory: &MemoryOperand) {
    instruction.set_op_kind(operand, OpKind::Memory);
    instruction.set_memory_base(memory.base);
    instruction.set_memory_index(memory.index);
    instruction.set_memory_index_scale(memory.scale);
    instruction.set_memory_displacement64(memory.displacement as u64);
    instruction.set_memory_displ_size(memory.displ_size);
    instruction.set_segment_prefix(memory.segment_prefix);
}

fn set_other(
    instruction: &mut Instruction,
    operand: u32,
    name: &str,
    random: &mut ChaCha8Rng,
) -> Option<()> {
    if let Some(kind) = fixed_kind(name) {
        instruction.set_op_kind(operand, kind);
        let branch = matches!(kind, OpKind::NearBranch64);
        if branch {
            instruction.set_near_branch64(CODE + random.random_range(16..100_u64));
        } else if name.starts_with("imm") {
            let immediate = match name {
                "imm8_const_1" => 1,
                "imm4_m2z" => random.random_range(0..16),
                "imm2_m2z" => random.random_range(0..4),
                _ if random.random_bool(0.5) => random.random_range(0..80),
                _ => random.random::<i32>(),
            };
            set_immediate(instruction, kind, immediate, random);
        }
        return Some(());
    }
    let register = register(name, random)?;
    instruction.set_op_kind(operand, OpKind::Register);
    instruction.set_op_register(operand, register);
    Some(())
}

fn set_immediate(instruction: &mut Instruction, kind: OpKind, value: i32, random: &mut ChaCha8Rng) {
    match kind {
        OpKind::Immediate8 => instruction.set_immediate8(value as u8),
        OpKind::Immediate8to16 => instruction.set_immediate8to16(i16::from(value as i8)),
        OpKind::Immediate8to32 => instruction.set_immediate8to32(i32::from(value as i8)),
        OpKind::Immediate8to64 => instruction.set_immediate8to64(i64::from(value as i8)),
        OpKind::Immediate16 => instruction.set_immediate16(value as u16),
        OpKind::Immediate32 => instruction.set_immediate32(value as u32),
        OpKind::Immediate32to64 => instruction.set_immediate32to64(i64::from(value)),
        _ => instruction.set_immediate64(random.random()),
    }
}

fn fixed_kind(name: &str) -> Option<OpKind> {
    Some(match name {
        "imm8" | "imm8_const_1" | "imm4_m2z" => OpKind::Immediate8,
        "imm8sex16" => OpKind::Immediate8to16,
        "imm8sex32" => OpKind::Immediate8to32,
        "imm8sex64" => OpKind::Immediate8to64,
        "imm16" => OpKind::Immediate16,
        "imm32" => OpKind::Immediate32,
        "imm32sex64" => OpKind::Immediate32to64,
        "imm64" => OpKind::Immediate64,
        "seg_rSI" => OpKind::MemorySegRSI,
        "es_rDI" => OpKind::MemoryESRDI,
        "seg_rDI" => OpKind::MemorySegRDI,
        "br64_1" | "br64_4" => OpKind::NearBranch64,
        _ => return None,
    })
}

fn register(name: &str, random: &mut ChaCha8Rng) -> Option<Register> {
    let fixed = match name {
        "al" => Register::AL,
        "ax" => Register::AX,
        "eax" => Register::EAX,
        "rax" => Register::RAX,
        "cl" => Register::CL,
        "dx" => Register::DX,
        "st0" => Register::ST0,
        _ => Register::None,
    };
    if fixed != Register::None {
        return Some(fixed);
    }
    // rsp stays what it is, so that the stack does.
    let number =
        [0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15][random.random_range(0..15_usize)];
    let vectors = if random.random_bool(0.5) { 4 } else { 16_u32 };
    let vector = random.random_range(0..vectors);
    let prefix = name.split('_').next()?;
    Some(match prefix {
        "r8" => gpr(8, random.random_range(0..20)),
        "r16" => gpr(16, number),
        "r32" => gpr(32, number),
        "r64" => gpr(64, number),
        "k" | "kp1" => Register::K0 + random.random_range(0..8_u32),
        "xmm" => Register::XMM0 + vector,
        "ymm" => Register::YMM0 + vector,
        "zmm" => Register::ZMM0 + vector,
        "mm" => Register::MM0 + random.random_range(0..8_u32),
        "sti" => Register::ST0 + random.random_range(0..8_u32),
        _ => return None,
    })
}

fn value(random: &mut ChaCha8Rng) -> u64 {
    const EDGES: [u64; 12] = [
        0,
        1,
        u64::MAX,
        0x7f,
        0x80,
        0x8000,
        0x7fff_ffff,
        0x8000_0000,
        0xffff_ffff,
        i64::MAX as u64,
        i64::MIN as u64,
        0x8080_8080_8080_8080,
    ];
    match random.random_range(0..5) {
        0 => random.random_range(0..100),
        1 => EDGES[random.random_range(0..EDGES.len())],
        2 => u64::from(random.random::<u32>()),
        _ => random.random(),
    }
}

/// 8 bytes for a vector: integers, text, or floats of all sorts.
fn vector_word(random: &mut ChaCha8Rng) -> u64 {
    let float = |random: &mut ChaCha8Rng| -> f64 {
        const EDGES: [f64; 12] = [
            0.0,
            -0.0,
            1.0,
            -1.5,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
            0.5,
            2_147_483_648.0,
            -9_223_372_036_854_775_808.0,
            f64::MIN_POSITIVE,
            1e300,
        ];
        let choice = random.next_u32() as usize;
        match choice % 3 {
            0 => EDGES[choice / 3 % EDGES.len()],
            1 => f64::from(choice as u32 as i32) / 1024.0,
            _ => (f64::from(random.next_u32()) - 2e9) * 1e5,
        }
    };
    match random.random_range(0..6) {
        0 => value(random),
        1 => random.random::<u64>() & 0x0303_0303_0303_0303,
        2 => float(random).to_bits(),
        3 => {
            let (low, high) = (float(random) as f32, float(random) as f32);
            u64::from(low.to_bits()) | u64::from(high.to_bits()) << 32
        }
        4 => [0, u64::MAX, 0x00ff_00ff_ff00_ff00][random.random_range(0..3_usize)],
        _ => random.random(),
    }
}

fn pointer(random: &mut ChaCha8Rng) -> u64 {
    let at = match random.random_range(0..4) {
        0 => 4096 - random.random_range(0..64_u64),
        1 => random.random_range(MARGIN..DATA_BYTES as u64 - 2 * MARGIN),
        _ => random.random_range(MARGIN..DATA_BYTES as u64 - 2 * MARGIN) & !63,
    };
    DATA + at
}

/// Random registers and memory for a case.
pub(crate) fn inputs(
    case: &Case,
    start: &Raw,
    layout: &Layout,
    random: &mut ChaCha8Rng,
) -> (Raw, Vec<u8>) {
    let mut raw = start.clone();
    for &index in &GPRS {
        raw.registers[index] = value(random);
    }
    raw.registers[GPRS[4]] = DATA + 4096 + random.random_range(0..64_u64) * 8 - 256;
    set_pointers(case, &mut raw, random);
    raw.registers[RIP] = CODE;
    raw.registers[FS_BASE] = random.random_range(0..16_u64) * 16;
    raw.registers[GS_BASE] = random.random_range(0..16_u64) * 16;
    let flags = random.random::<u64>() & 0x8d5;
    let direction = if random.random_bool(0.1) { 0x400 } else { 0 };
    raw.registers[EFLAGS] = 0x202 | flags | direction;
    // (bit of the header, offset, bytes); a CPU has not all of them, and the offset of what it lacks is 0.
    let components = [
        (0x4, layout.ymm, 256),
        (0x40, layout.zmm_high, 512),
        (0x80, layout.zmm16, 1024),
    ];
    let there = components.iter().filter(|(_, at, _)| *at != 0);
    let masks = if layout.masks != 0 { 0x20 } else { 0 };
    let used = there.fold(0x3 | masks, |bits, (bit, ..)| bits | bit);
    let header = u64::from_le_bytes(raw.xstate[512..520].try_into().unwrap_or_default());
    raw.xstate[512..520].copy_from_slice(&(header | used).to_le_bytes());
    raw.xstate[24..28].copy_from_slice(&mxcsr(random).to_le_bytes());
    let mut fill = |at: usize, bytes: usize, random: &mut ChaCha8Rng| {
        for word in raw.xstate[at..at + bytes].chunks_exact_mut(8) {
            word.copy_from_slice(&vector_word(random).to_le_bytes());
        }
    };
    fill(160, 256, random);
    for (_, at, bytes) in components {
        if at != 0 {
            fill(at, bytes, random);
        }
    }
    for index in (0..8).filter(|_| layout.masks != 0) {
        let at = layout.masks + index * 8;
        raw.xstate[at..at + 8].copy_from_slice(&value(random).to_le_bytes());
    }
    let mut data = vec![0; DATA_BYTES];
    for word in data.chunks_exact_mut(8) {
        word.copy_from_slice(&vector_word(random).to_le_bytes());
    }
    (raw, data)
}

fn mxcsr(random: &mut ChaCha8Rng) -> u32 {
    match random.random_range(0..12) {
        0 => 0x1f80 | random.random::<u32>() & 0xe040,
        1 => 0x1f80 ^ 1 << random.random_range(7..13),
        2 => 0x1f80 | random.random::<u32>() & 0x3f,
        _ => 0x1f80,
    }
}

/// Registers that must point somewhere, or not too far.
fn set_pointers(case: &Case, raw: &mut Raw, random: &mut ChaCha8Rng) {
    use iced_x86::Mnemonic::{Bt, Btc, Btr, Bts, Leave, Xlatb};
    let instruction = &case.instruction;
    let mut set = |register: Register, value: u64| {
        raw.registers[GPRS[register.full_register().number()]] = value;
    };
    if let Some(base) = case.base {
        let narrow = base.size() == 4;
        let above = if narrow {
            random.random::<u64>() << 32
        } else {
            0
        };
        set(base, pointer(random) | above);
    }
    if let Some(index) = case.index {
        set(index, random.random_range(0..16_u64).wrapping_sub(8));
    }
    match instruction.mnemonic() {
        Leave => set(Register::RBP, pointer(random)),
        Xlatb => set(Register::RBX, pointer(random)),
        Bt | Bts | Btr | Btc
            if case.base.is_some() && instruction.op1_kind() == OpKind::Register =>
        {
            let index = instruction.op1_register();
            if index.full_register() != case.base.unwrap_or_default() {
                set(index, random.random_range(0..1600_u64).wrapping_sub(800));
            }
        }
        _ => {}
    }
    if instruction.is_string_instruction() {
        set(Register::RSI, pointer(random));
        set(Register::RDI, pointer(random));
        set(Register::RCX, random.random_range(0..24));
    }
    let indirect = instruction.is_jmp_near_indirect() || instruction.is_call_near_indirect();
    if indirect && instruction.op0_kind() == OpKind::Register && random.random_bool(0.8) {
        let target = CODE + random.random_range(16..100_u64);
        set(instruction.op0_register(), target);
    }
    if instruction.is_loop() || instruction.is_loopcc() || instruction.is_jcx_short() {
        set(Register::RCX, random.random_range(0..3));
    }
}
