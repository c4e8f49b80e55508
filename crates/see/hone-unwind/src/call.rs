//! Recognises return addresses by the call before them.

/// Bytes of the longest call that is looked for.
pub(crate) const CALL_BYTES_MAX: usize = 8;

/// Returns true if the code ends with a call: `call rel32`, or `call r/m` with any operand and at most one prefix.
pub(crate) fn ends_with_call(code: &[u8]) -> bool {
    let from_end = |len: usize| code.len().checked_sub(len).map(|start| &code[start..]);
    if from_end(5).is_some_and(|call| call[0] == 0xe8) {
        return true;
    }
    (2..=CALL_BYTES_MAX).any(|len| from_end(len).is_some_and(is_indirect_call))
}

/// Returns true if the code is one `ff /2` (a call of `r/m`) of exactly this length.
fn is_indirect_call(code: &[u8]) -> bool {
    let code = match code {
        // REX, or a segment's prefix.
        [0x40..=0x4f | 0x3e | 0x64 | 0x65, rest @ ..] => rest,
        _ => code,
    };
    let [0xff, modrm, rest @ ..] = code else {
        return false;
    };
    if modrm >> 3 & 7 != 2 {
        return false;
    }
    let (mode, base) = (modrm >> 6, modrm & 7);
    let has_sib = mode != 3 && base == 4;
    let sib_base = rest.first().map_or(0, |sib| sib & 7);
    let displacement = match mode {
        0 if base == 5 || has_sib && sib_base == 5 => 4,
        1 => 1,
        2 => 4,
        _ => 0,
    };
    rest.len() == usize::from(has_sib) + displacement
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_of_every_form_are_seen() {
        let calls: [&[u8]; 8] = [
            &[0xe8, 1, 2, 3, 4],
            &[0xff, 0xd0],                            // call *%rax
            &[0x41, 0xff, 0xd4],                      // call *%r12
            &[0xff, 0x15, 1, 2, 3, 4],                // call *f@GOTPCREL(%rip)
            &[0xff, 0x50, 0x10],                      // call *16(%rax)
            &[0xff, 0x14, 0xc5, 1, 2, 3, 4],          // call *table(,%rax,8)
            &[0x41, 0xff, 0x94, 0x24, 0x80, 0, 0, 0], // call *128(%r12)
            &[0x64, 0xff, 0x14, 0x25, 0x10, 0, 0, 0], // call *%fs:16
        ];
        for call in calls {
            assert!(ends_with_call(call), "{call:02x?}");
            let behind_another = [&[0x90; 9], call].concat();
            assert!(ends_with_call(&behind_another), "{call:02x?}");
        }
    }

    #[test]
    fn other_code_is_no_call() {
        let others: [&[u8]; 5] = [
            &[],
            &[0xff, 0xe0],       // jmp *%rax
            &[0xe9, 1, 2, 3, 4], // jmp
            &[0x90; 9],
            &[0xff, 0x50], // cut
        ];
        for other in others {
            assert!(!ends_with_call(other), "{other:02x?}");
        }
    }
}
