//! What a walk does at its edges: limits, unknowns, permissions, and code that changes.

use hone_emulate::{Bits, Branch, End, Limits, Memory, PAGE_BYTES, State, Walker};
use hone_profile::{Avma, BranchKind, ThirdArgument};
use std::collections::BTreeMap;

pub(crate) const CODE: u64 = 0x40_0000;
pub(crate) const DATA: u64 = 0x50_0000;
const STACK: u64 = 0x60_0000;

/// A little address space: pages, of which some may not be written or executed.
#[derive(Default)]
pub(crate) struct Space {
    pages: BTreeMap<u64, [u8; PAGE_BYTES]>,
    read_only: Vec<u64>,
    not_executable: Vec<u64>,
    reads: usize,
}

impl Space {
    pub(crate) fn with(code: &[u8]) -> Self {
        let mut space = Self::default();
        space.put(CODE, code);
        for page in [DATA, DATA + 0x1000, STACK - 0x1000, STACK] {
            space.put(page, &[]);
        }
        space
    }

    fn put(&mut self, at: u64, bytes: &[u8]) {
        let page = self.pages.entry(at & !4095).or_insert([0; PAGE_BYTES]);
        page[(at & 4095) as usize..][..bytes.len()].copy_from_slice(bytes);
    }
}

impl Memory for Space {
    fn read_page(&mut self, page: Avma, out: &mut [u8; PAGE_BYTES]) -> bool {
        self.reads += 1;
        self.pages.get(&page.0).is_some_and(|bytes| {
            out.copy_from_slice(bytes);
            true
        })
    }

    fn is_writable(&mut self, page: Avma) -> bool {
        !self.read_only.contains(&page.0)
    }

    fn is_executable(&mut self, page: Avma) -> bool {
        !self.not_executable.contains(&page.0)
    }
}

/// A state with all general registers 0, the stack pointer set and known flags.
pub(crate) fn state() -> State {
    let mut state = State::unknown(Avma(CODE));
    state.gprs = [Bits::known(0); 16];
    state.gprs[4] = Bits::known(STACK);
    state.rflags = Bits::known(0x202);
    state
}

fn walk(space: &mut Space, state: &mut State, limits: Limits) -> (End, Vec<Branch>) {
    let mut branches = Vec::new();
    let end = Walker::default().walk(state, space, limits, &mut branches);
    (end, branches)
}

fn run(code: &[u8]) -> (End, State, Vec<Branch>) {
    let mut state = state();
    let (end, branches) = walk(&mut Space::with(code), &mut state, Limits::default());
    (end, state, branches)
}

pub(crate) const SYSCALL: [u8; 2] = [0x0f, 0x05];
const CALL_RAX: [u8; 2] = [0xff, 0xd0];
const RDTSC: [u8; 2] = [0x0f, 0x31];

#[test]
fn branches_carry_their_kind_and_order() {
    // call +1; syscall (skipped) ... call target: ret; after return: jmp +0; xor eax,eax; jz +0; syscall
    let code = [
        0xe8, 0x08, 0x00, 0x00, 0x00, // call CODE+13
        0xeb, 0x00, // jmp CODE+7
        0x31, 0xc0, // xor eax, eax
        0x74, 0x00, // jz CODE+11
        0x0f, 0x05, // syscall
        0xc3, // ret
    ];
    let (end, state, branches) = run(&code);
    assert_eq!(end, End::Syscall);
    assert_eq!(state.rip, Avma(CODE + 11));
    let kinds: Vec<_> = branches
        .iter()
        .map(|branch| (branch.from.0 - CODE, branch.to.0 - CODE, branch.kind))
        .collect();
    assert_eq!(
        kinds,
        [
            (0, 13, BranchKind::Call),
            (13, 5, BranchKind::Return),
            (5, 7, BranchKind::Jump),
            (9, 11, BranchKind::Conditional),
        ]
    );
}

#[test]
fn calls_and_jumps_carry_the_third_argument_where_it_is_known() {
    let code = [
        0xba, 0x18, 0x00, 0x00, 0x00, // mov edx, 24
        0xe8, 0x00, 0x00, 0x00, 0x00, // call CODE+10
        0xeb, 0x00, // jmp CODE+12
        0x74, 0x02, // jz CODE+16
        0x0f, 0x0b, // ud2
        0x0f, 0x31, // rdtsc
        0xe8, 0x00, 0x00, 0x00, 0x00, // call CODE+23
        0x0f, 0x05, // syscall
    ];
    let mut state = state();
    state.rflags = Bits::known(0x242); // ZF
    let (end, branches) = walk(&mut Space::with(&code), &mut state, Limits::default());
    assert_eq!(end, End::Syscall);
    let arguments: Vec<_> = branches
        .iter()
        .map(|branch| (branch.kind, branch.third_argument))
        .collect();
    assert_eq!(
        arguments,
        [
            (BranchKind::Call, ThirdArgument::of(24)),
            (BranchKind::Jump, ThirdArgument::of(24)),
            (BranchKind::Conditional, ThirdArgument::UNKNOWN),
            (BranchKind::Call, ThirdArgument::UNKNOWN),
        ]
    );
}

#[test]
fn limits_end_a_walk_and_it_can_go_on_from_there() {
    let mut space = Space::with(&[0xff, 0xc0, 0xeb, 0xfc]); // inc eax; jmp -4
    let mut state = state();
    let limits = Limits {
        branches_max: 10,
        ..Limits::default()
    };
    let (end, branches) = walk(&mut space, &mut state, limits);
    assert_eq!((end, branches.len()), (End::BranchLimit, 10));
    assert_eq!(state.gprs[0], Bits::known(10));
    let limits = Limits {
        instructions_max: 3,
        ..Limits::default()
    };
    let (end, branches) = walk(&mut space, &mut state, limits);
    assert_eq!((end, branches.len()), (End::InstructionLimit, 1));
    assert_eq!(
        (state.gprs[0], state.rip),
        (Bits::known(12), Avma(CODE + 2))
    );
}

/// What a walk wrote to its copy of the memory stays for its next part, and its instructions add up.
#[test]
fn a_walk_in_parts_is_the_walk_as_a_whole() {
    // inc dword ptr [rsp - 8]; mov eax, [rsp - 8]; jmp -10
    let code = [0xff, 0x44, 0x24, 0xf8, 0x8b, 0x44, 0x24, 0xf8, 0xeb, 0xf6];
    let walk_by = |part: usize| {
        let (mut space, mut state) = (Space::with(&code), state());
        let (mut walker, mut branches) = (Walker::default(), Vec::new());
        let limits = Limits {
            branches_max: part,
            ..Limits::default()
        };
        walker.walk(&mut state, &mut space, limits, &mut branches);
        while branches.len() < 60 {
            let end = walker.go_on(&mut state, &mut space, limits, &mut branches);
            assert_eq!(end, End::BranchLimit);
        }
        (state, branches, walker.counts())
    };
    let whole = walk_by(60);
    assert_eq!(whole.1.len(), 60);
    assert_eq!(whole.2.instructions, 180);
    assert!(walk_by(20) == whole);
}

#[test]
fn a_branch_on_something_unknown_ends_the_walk() {
    let code = [&RDTSC[..], &CALL_RAX].concat();
    let (end, state, branches) = run(&code);
    assert_eq!((end, state.rip), (End::UnknownBranch, Avma(CODE + 2)));
    assert!(branches.is_empty());
    assert_eq!(state.gprs[0], Bits::partly(0, !0xffff_ffff));
}

#[test]
fn what_settles_a_value_makes_it_known_again() {
    // rdtsc; and eax, 0x0f; shr eax, 4; test eax, eax; jz +0; syscall
    let tail = [
        0x83, 0xe0, 0x0f, 0xc1, 0xe8, 0x04, 0x85, 0xc0, 0x74, 0x00, 0x0f, 0x05,
    ];
    let (end, _, branches) = run(&[&RDTSC[..], &tail].concat());
    assert_eq!((end, branches.len()), (End::Syscall, 1));
    // rdtsc; or eax, 1; test al, al; jnz +0; syscall
    let tail = [0x83, 0xc8, 0x01, 0x84, 0xc0, 0x75, 0x00, 0x0f, 0x05];
    let (end, _, branches) = run(&[&RDTSC[..], &tail].concat());
    assert_eq!((end, branches.len()), (End::Syscall, 1));
}

#[test]
fn unknown_bytes_travel_through_memory() {
    // rdtsc; mov al, 1; push rax; pop rcx; jrcxz +0 (not zero: one bit is known); test ch, ch; jz +0
    let tail = [0xb0, 1, 0x50, 0x59, 0xe3, 0, 0x84, 0xed, 0x74, 0];
    let (end, state, branches) = run(&[&RDTSC[..], &tail].concat());
    assert_eq!((end, state.rip), (End::UnknownBranch, Avma(CODE + 10)));
    assert!(branches.is_empty());
    assert_eq!(state.gprs[1], Bits::partly(1, !0xffff_ff00));
    assert_eq!(state.gprs[4], Bits::known(STACK));
}

#[test]
fn memory_at_an_unknown_address_ends_the_walk() {
    let (end, ..) = run(&[&RDTSC[..], &[0x8b, 0x08]].concat()); // mov ecx, [rax]
    assert_eq!(end, End::UnknownAddress);
}

#[test]
fn stores_stay_in_the_walk() {
    // mov dword [DATA], 7; mov eax, [DATA]; syscall
    let code = [
        0xc7, 0x04, 0x25, 0, 0, 0x50, 0, 7, 0, 0, 0, 0x8b, 0x04, 0x25, 0, 0, 0x50, 0, 0x0f, 0x05,
    ];
    let mut space = Space::with(&code);
    let mut walker = Walker::default();
    for _ in 0..2 {
        let mut state = state();
        let end = walker.walk(&mut state, &mut space, Limits::default(), &mut Vec::new());
        assert_eq!((end, state.gprs[0]), (End::Syscall, Bits::known(7)));
        let written: Vec<_> = walker
            .written_pages()
            .map(|page| (page.start, page.bytes[0]))
            .collect();
        assert_eq!(written, [(Avma(DATA), 7)]);
    }
    assert_eq!(space.pages[&DATA][0], 0, "the target is never written to");
}

#[test]
fn permissions_are_respected() {
    let store = [0x88, 0x04, 0x25, 0, 0, 0x50, 0]; // mov [DATA], al
    let mut space = Space::with(&store);
    space.read_only.push(DATA);
    let (end, _) = walk(&mut space, &mut state(), Limits::default());
    assert_eq!(end, End::ReadOnlyMemory(Avma(DATA)));

    let mut space = Space::with(&SYSCALL);
    space.not_executable.push(CODE);
    let (end, _) = walk(&mut space, &mut state(), Limits::default());
    assert_eq!(end, End::UnreadableCode(Avma(CODE)));

    let (end, state, _) = run(&[0x8a, 0x04, 0x25, 0, 0, 0x70, 0]); // mov al, [0x700000]
    assert_eq!(
        (end, state.rip),
        (End::UnreadableMemory(Avma(0x70_0000)), Avma(CODE))
    );
}

#[test]
fn a_store_that_crosses_into_a_forbidden_page_changes_nothing() {
    // mov [DATA+0xffe], eax with the second page read-only
    let mut space = Space::with(&[0x89, 0x04, 0x25, 0xfe, 0x0f, 0x50, 0]);
    space.read_only.push(DATA + 0x1000);
    let mut walker = Walker::default();
    let mut state = state();
    state.gprs[0] = Bits::known(0x1111_1111);
    let end = walker.walk(&mut state, &mut space, Limits::default(), &mut Vec::new());
    assert_eq!(end, End::ReadOnlyMemory(Avma(DATA + 0x1000)));
    assert!(
        walker
            .written_pages()
            .all(|page| page.bytes.iter().all(|&byte| byte == 0))
    );
}

#[test]
fn code_that_the_walk_writes_is_not_run() {
    // mov byte [CODE+32], 0x90; jmp CODE+32
    let code = [0xc6, 0x04, 0x25, 0x20, 0, 0x40, 0, 0x90, 0xeb, 0x16];
    let (end, state, _) = run(&code);
    assert_eq!((end, state.rip), (End::CodeWritten(Avma(CODE)), Avma(CODE)));
    // mov byte [DATA], 0x90; jmp DATA: written first, reached later.
    let code = [
        0xc6, 0x04, 0x25, 0, 0, 0x50, 0, 0x90, 0xe9, 0xf3, 0xff, 0x0f, 0x00,
    ];
    let (end, state, _) = run(&code);
    assert_eq!((end, state.rip), (End::CodeWritten(Avma(DATA)), Avma(DATA)));
}

/// Code that ends a page with `bytes` and goes on in the next with `rest`, if there is one; where the walk ends, in
/// bytes from the page's end, why, and rax.
fn run_over_an_edge(bytes: &[u8], rest: Option<&[u8]>) -> (i64, End, u64) {
    let edge = CODE + PAGE_BYTES as u64;
    let start = edge - bytes.len() as u64;
    let mut space = Space::with(&[]);
    space.put(start, bytes);
    if let Some(rest) = rest {
        space.put(edge, rest);
    }
    let mut state = state();
    state.rip = Avma(start);
    let (end, _) = walk(&mut space, &mut state, Limits::default());
    let at = state.rip.0 as i64 - edge as i64;
    (at, end, state.gprs[0].value)
}

#[test]
fn code_goes_on_over_the_edge_of_a_page() {
    let add_2 = [0x83, 0xc0, 0x02]; // add eax, 2
    let then_out = [&add_2[..], &SYSCALL].concat();
    // Between two instructions, and within one at each of its bytes.
    let whole = [&add_2[..], &then_out].concat();
    for before in 3..whole.len() {
        let (head, tail) = whole.split_at(before);
        let expected = (6 - before as i64, End::Syscall, 4);
        assert_eq!(run_over_an_edge(head, Some(tail)), expected, "{before}");
    }
    // What lies before a page that is not there is run first.
    let no_page = End::UnreadableCode(Avma(CODE + PAGE_BYTES as u64));
    assert_eq!(run_over_an_edge(&add_2, None), (0, no_page, 2));
    assert_eq!(run_over_an_edge(&whole[..5], None), (-2, no_page, 2));
    // Bytes that are no instruction, with and without a page behind them.
    let nothing = [0x06, 0x90];
    for (bytes, rest) in [(&nothing[..1], &nothing[1..]), (&[0x06; 16], &[])] {
        let (at, end, _) = run_over_an_edge(bytes, Some(rest));
        assert_eq!((at, end), (-(bytes.len() as i64), End::InvalidInstruction));
    }
}

#[test]
fn decoded_code_outlives_a_walk_until_it_is_invalidated() {
    let mut space = Space::with(&[0xb0, 1, 0x0f, 0x05]); // mov al, 1; syscall
    let mut walker = Walker::default();
    let result = |walker: &mut Walker, space: &mut Space| {
        let mut state = state();
        walker.walk(&mut state, space, Limits::default(), &mut Vec::new());
        state.gprs[0].value
    };
    assert_eq!(result(&mut walker, &mut space), 1);
    space.put(CODE, &[0xb0, 2]);
    let reads = space.reads;
    assert_eq!(
        result(&mut walker, &mut space),
        1,
        "the owner has not said that the code changed"
    );
    assert_eq!(space.reads, reads, "decoded code is not read again");
    walker.invalidate(Avma(CODE + 0x1000)..Avma(CODE + 0x2000));
    assert_eq!((result(&mut walker, &mut space), walker.blocks()), (1, 1));
    walker.invalidate(Avma(CODE + 1)..Avma(CODE + 2));
    assert_eq!(result(&mut walker, &mut space), 2);
    walker.clear();
    assert_eq!(walker.blocks(), 0);
}

#[test]
fn the_page_limit_holds_for_repeated_stores() {
    let mut space = Space::with(&[0xf3, 0xaa]); // rep stosb
    for page in 0..64 {
        space.put(DATA + page * 0x1000, &[]);
    }
    let mut state = state();
    state.gprs[1] = Bits::known(u64::MAX);
    state.gprs[7] = Bits::known(DATA);
    let limits = Limits {
        pages_max: 9,
        ..Limits::default()
    };
    let (end, _) = walk(&mut space, &mut state, limits);
    assert_eq!(end, End::PageLimit);
    assert_eq!(
        state.gprs[7],
        Bits::known(DATA + 8 * 0x1000),
        "the rounds done count"
    );
}

#[test]
fn what_is_not_understood_is_passed_over_with_unknown_results() {
    // sha256msg1 xmm0, xmm1; movd eax, xmm0; movd ecx, xmm1; syscall
    let code = [
        0x0f, 0x38, 0xcc, 0xc1, 0x66, 0x0f, 0x7e, 0xc0, 0x66, 0x0f, 0x7e, 0xc9, 0x0f, 0x05,
    ];
    let mut state = state();
    state.mxcsr = Bits::known(0x1f80);
    for vector in &mut state.vectors {
        *vector = hone_emulate::Vector::known([3; 64]);
    }
    let (end, _) = walk(&mut Space::with(&code), &mut state, Limits::default());
    assert_eq!(end, End::Syscall);
    assert_eq!(state.gprs[0].known, !0xffff_ffff);
    assert_eq!(state.gprs[1], Bits::known(0x0303_0303));
}

#[test]
fn a_clock_that_is_given_goes_on_and_one_that_is_not_stays_unknown() {
    // rdtsc; mov ebx, eax; mov esi, edx; nop; jmp +0; rdtscp; syscall
    let code = [
        0x0f, 0x31, 0x89, 0xc3, 0x89, 0xd6, 0x90, 0xeb, 0x00, 0x0f, 0x01, 0xf9, 0x0f, 0x05,
    ];
    let mut given = state();
    given.time_stamp = Bits::known(0x7_ffff_fff0);
    given.cpu_number = Bits::known(0x3005);
    let (end, _) = walk(&mut Space::with(&code), &mut given, Limits::default());
    assert_eq!(end, End::Syscall);
    let [rax, rcx, rdx, rbx, .., rsi] = given.gprs[..7] else {
        unreachable!()
    };
    let time = |low: Bits, high: Bits| {
        low.get()
            .zip(high.get())
            .map(|(low, high)| high << 32 | low)
    };
    let (first, second) = (time(rbx, rsi).unwrap(), time(rax, rdx).unwrap());
    assert!(first > 0x7_ffff_fff0 && first >> 32 == 8, "{first:#x}");
    assert!(second > first, "{second:#x} behind {first:#x}");
    assert_eq!(rcx, Bits::known(0x3005));

    let mut unknown = state();
    walk(&mut Space::with(&code), &mut unknown, Limits::default());
    for index in [0, 1, 2, 3, 6] {
        assert_eq!(unknown.gprs[index], Bits::partly(0, !0xffff_ffff));
    }
}

#[test]
fn the_number_of_the_cpu_is_where_linux_keeps_it() {
    // rdpid rsi; mov ecx, 0x7b; lsl eax, cx; jz +0; lsl ebx, dx (selector 0); syscall
    let code = [
        0xf3, 0x0f, 0xc7, 0xfe, 0xb9, 0x7b, 0, 0, 0, 0x0f, 0x03, 0xc1, 0x74, 0x00, 0x0f, 0x03,
        0xda, 0x0f, 0x05,
    ];
    let mut state = state();
    state.cpu_number = Bits::known(0x1007);
    let (end, branches) = walk(&mut Space::with(&code), &mut state, Limits::default());
    assert_eq!((end, branches.len()), (End::Syscall, 1));
    assert_eq!(state.gprs[6], Bits::known(0x1007));
    assert_eq!(state.gprs[0], Bits::known(0x1007));
    assert_eq!(state.gprs[3], Bits::UNKNOWN, "there may be no such segment");
    assert_eq!(state.rflags.known & 0x40, 0);
}

#[test]
fn instructions_that_reach_beyond_user_code_end_the_walk() {
    let ends: [(&[u8], End); 5] = [
        (&[0x0f, 0x0b], End::Trap),             // ud2
        (&[0xcc], End::Trap),                   // int3
        (&[0x31, 0xd2, 0xf7, 0xf2], End::Trap), // xor edx, edx; div edx
        (&[0x06], End::InvalidInstruction),     // push es
        (&[0xf4], End::Trap),                   // hlt
    ];
    for (code, expected) in ends {
        assert_eq!(run(code).0, expected, "{code:02x?}");
    }
    let unsupported: [&[u8]; 3] = [
        &[0x8e, 0xe0],             // mov fs, eax
        &[0x0f, 0xae, 0x2c, 0x24], // xrstor [rsp]
        &[0x0f, 0x01, 0xef],       // wrpkru
    ];
    for code in unsupported {
        assert!(
            matches!(run(code).0, End::UnsupportedInstruction(_)),
            "{code:02x?}"
        );
    }
}
