//! Places where Go's run time leaves the stack of a goroutine for the stack of its thread (g0).
//!
//! `systemstack`, `asmcgocall`, `mcall` and `morestack` load the stack pointer from `g.sched.sp` and call. What lies above on
//! the new stack has not called them, and Go's `.debug_frame` does not know of the change. The load is recognised by its
//! code: the offset of the field has been the same in all releases since Go 1.4 (`runtime/runtime2.go`).
//!
//! `mcall` and `morestack` serve whatever comes next, so that their callee is the root; the others keep the goroutine's frame
//! pointer (`runtime/asm_amd64.s`), so that who can read the goroutine's stack can go on.

/// Bytes of a load of the stack pointer.
const LOAD_BYTES: usize = 4;
/// Offset of `sched.sp` in Go's `g`.
const SCHED_SP: u8 = 0x38;
/// Largest distance from the load to where the call returns: `asmcgocall` aligns the stack and saves two values between.
const REACH: u64 = 64;

/// Returns the addresses behind all loads of the stack pointer from a `g` in a range of code, sorted.
pub(crate) fn all(code: &[u8], svma: u64) -> Vec<u64> {
    let loads = code.windows(LOAD_BYTES).enumerate();
    let loads = loads.filter(|(_, code)| is_load(code));
    loads
        .map(|(at, _)| svma + (at + LOAD_BYTES) as u64)
        .collect()
}

/// Returns true if a call that returns to this address was made on the stack that one of the sorted loads has chosen.
pub(crate) fn is_behind(loads: &[u64], svma: u64) -> bool {
    let next = loads.partition_point(|load| *load < svma);
    loads[..next]
        .last()
        .is_some_and(|load| svma - load <= REACH)
}

/// Returns true for `mov SCHED_SP(%reg), %rsp`.
fn is_load(code: &[u8]) -> bool {
    // REX.W, with or without an upper register; the registers rsp and r12 as a base would need another byte.
    matches!(code, [0x48 | 0x49, 0x8b, modrm @ 0x60..=0x67, SCHED_SP] if modrm & 7 != 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loads_of_gos_run_time_are_found_and_nothing_else() {
        let loads: [&[u8]; 2] = [&[0x48, 0x8b, 0x62, 0x38], &[0x49, 0x8b, 0x66, 0x38]];
        let others: [&[u8]; 4] = [
            &[0x48, 0x8b, 0x62, 0x10], // another field
            &[0x48, 0x8b, 0x5a, 0x38], // another register
            &[0x48, 0x8b, 0x64, 0x38], // with an index
            &[0x48, 0x89, 0x62, 0x38], // a store
        ];
        for other in others {
            assert_eq!(all(other, 0), [], "{other:02x?}");
        }
        let code = [&[0x90; 8], loads[0], &[0x90; 4], loads[1]].concat();
        let found = all(&code, 0x1000);
        assert_eq!(found, [0x100c, 0x1014]);
        for (svma, expected) in [
            (0x100c, false),
            (0x100d, true),
            (0x1054, true),
            (0x1055, false),
        ] {
            assert_eq!(is_behind(&found, svma), expected, "{svma:x}");
        }
        assert!(!is_behind(&[], 5));
    }
}
