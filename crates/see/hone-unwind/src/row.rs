//! Rules for the caller's registers at one instruction.
//!
//! The rules are DWARF's (version 5, section 6.4.1). For registers without a rule, the ABI of x86-64 applies: registers that a
//! callee has to save keep their value, the others are lost.

use gimli::{
    CfaRule, Encoding, EndianSlice, Evaluation, EvaluationResult, Expression, LittleEndian,
    Location, Reader as _, Register, RegisterRule, UnwindSection, UnwindTableRow, Value,
};

pub(crate) type Reader<'b> = EndianSlice<'b, LittleEndian>;

/// Number of general registers, in DWARF's numbering.
pub(crate) const GENERAL: usize = 16;
pub(crate) const RBP: usize = 6;
pub(crate) const RSP: usize = 7;
/// DWARF's number of the return address.
const RETURN_ADDRESS: u16 = 16;
/// Maximum number of operations in one expression; compilers write about five.
const OPERATIONS_MAX: u32 = 1_000;

/// Known registers of a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Frame {
    pub(crate) ip: u64,
    pub(crate) general: [Option<u64>; GENERAL],
    /// True if `ip` is the instruction itself, false if `ip` is a return address.
    pub(crate) is_exact: bool,
}

impl Frame {
    fn get(&self, register: u16) -> Option<u64> {
        match register {
            RETURN_ADDRESS => Some(self.ip),
            _ => *self.general.get(usize::from(register))?,
        }
    }
}

/// The rules at one instruction.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    cfa: Cfa,
    rules: Vec<(u16, Rule)>,
    encoding: Encoding,
    /// True if the caller was interrupted by a signal and did not call.
    pub(crate) is_signal: bool,
}

#[derive(Clone, Debug)]
enum Cfa {
    Offset { register: u16, offset: i64 },
    Expression(Vec<u8>),
}

#[derive(Clone, Debug)]
enum Rule {
    Undefined,
    Same,
    /// Value in memory at this offset from the frame's address.
    At(i64),
    /// The frame's address plus this offset.
    Is(i64),
    Register(u16),
    AtExpression(Vec<u8>),
    IsExpression(Vec<u8>),
}

/// Meaning of a row.
#[derive(Clone, Debug)]
pub(crate) enum Shape {
    /// A row of the outermost frame.
    Root,
    /// A row of a frame with a caller.
    Row(Row),
}

/// Returns the meaning of a row of gimli's; `None` if an expression of the row cannot be read.
pub(crate) fn shape<'b, S: UnwindSection<Reader<'b>>>(
    section: &S,
    row: &UnwindTableRow<usize>,
    encoding: Encoding,
    is_signal: bool,
) -> Option<Shape> {
    if matches!(
        row.register(Register(RETURN_ADDRESS)),
        None | Some(RegisterRule::Undefined)
    ) {
        return Some(Shape::Root);
    }
    let bytes = |expression: &gimli::UnwindExpression<usize>| {
        let expression = expression.get(section).ok()?;
        Some(expression.0.to_slice().ok()?.into_owned())
    };
    let cfa = match row.cfa() {
        CfaRule::RegisterAndOffset { register, offset } => Cfa::Offset {
            register: register.0,
            offset: *offset,
        },
        CfaRule::Expression(expression) => Cfa::Expression(bytes(expression)?),
    };
    let mut rules = Vec::new();
    for (register, rule) in row.registers() {
        let rule = match rule {
            RegisterRule::Undefined => Rule::Undefined,
            RegisterRule::SameValue => Rule::Same,
            RegisterRule::Offset(offset) => Rule::At(*offset),
            RegisterRule::ValOffset(offset) => Rule::Is(*offset),
            RegisterRule::Register(other) => Rule::Register(other.0),
            RegisterRule::Expression(expression) => Rule::AtExpression(bytes(expression)?),
            RegisterRule::ValExpression(expression) => Rule::IsExpression(bytes(expression)?),
            _ => Rule::Undefined,
        };
        rules.push((register.0, rule));
    }
    Some(Shape::Row(Row {
        cfa,
        rules,
        encoding,
        is_signal,
    }))
}

impl Row {
    /// Computes the caller's registers; `None` if the frame's address or the return address cannot be found.
    pub(crate) fn caller(
        &self,
        frame: &Frame,
        read: &mut dyn FnMut(u64) -> Option<u64>,
    ) -> Option<Frame> {
        let cfa = match &self.cfa {
            Cfa::Offset { register, offset } => {
                frame.get(*register)?.checked_add_signed(*offset)?
            }
            Cfa::Expression(code) => self.evaluate(code, None, frame, read)?,
        };
        let mut caller = Frame {
            ip: 0,
            general: [None; GENERAL],
            is_exact: self.is_signal,
        };
        for register in [3, RBP, 12, 13, 14, 15] {
            caller.general[register] = frame.general[register];
        }
        caller.general[RSP] = Some(cfa);
        for (register, rule) in &self.rules {
            let value = match rule {
                Rule::Undefined => None,
                Rule::Same => frame.get(*register),
                Rule::At(offset) => {
                    let at = cfa.checked_add_signed(*offset)?;
                    // In an epilogue, registers that were already popped lie below the stack pointer.
                    let is_popped = frame.general[RSP].is_some_and(|sp| at < sp);
                    match is_popped {
                        true => frame.get(*register),
                        false => read(at),
                    }
                }
                Rule::Is(offset) => Some(cfa.checked_add_signed(*offset)?),
                Rule::Register(other) => frame.get(*other),
                Rule::AtExpression(code) => {
                    let at = self.evaluate(code, Some(cfa), frame, read)?;
                    Some(read(at)?)
                }
                Rule::IsExpression(code) => Some(self.evaluate(code, Some(cfa), frame, read)?),
            };
            match *register {
                RETURN_ADDRESS => caller.ip = value?,
                register => {
                    if let Some(slot) = caller.general.get_mut(usize::from(register)) {
                        *slot = value;
                    }
                }
            }
        }
        Some(caller)
    }

    fn evaluate(
        &self,
        code: &[u8],
        cfa: Option<u64>,
        frame: &Frame,
        read: &mut dyn FnMut(u64) -> Option<u64>,
    ) -> Option<u64> {
        let code = Expression(EndianSlice::new(code, LittleEndian));
        let mut evaluation: Evaluation<Reader<'_>> = code.evaluation(self.encoding);
        evaluation.set_max_iterations(OPERATIONS_MAX);
        if let Some(cfa) = cfa {
            evaluation.set_initial_value(cfa);
        }
        let mut result = evaluation.evaluate().ok()?;
        loop {
            result = match result {
                EvaluationResult::Complete => break,
                EvaluationResult::RequiresRegister { register, .. } => {
                    let value = Value::Generic(frame.get(register.0)?);
                    evaluation.resume_with_register(value).ok()?
                }
                EvaluationResult::RequiresMemory {
                    address, size: 8, ..
                } => {
                    let value = Value::Generic(read(address)?);
                    evaluation.resume_with_memory(value).ok()?
                }
                _ => return None,
            };
        }
        match evaluation.as_result().last()?.location {
            Location::Address { address } => Some(address),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENCODING: Encoding = Encoding {
        address_size: 8,
        format: gimli::Format::Dwarf32,
        version: 4,
    };

    fn frame(general: &[(usize, u64)]) -> Frame {
        let mut frame = Frame {
            ip: 0x1000,
            general: [None; GENERAL],
            is_exact: true,
        };
        for &(register, value) in general {
            frame.general[register] = Some(value);
        }
        frame
    }

    #[test]
    fn a_realigned_frame_is_found_through_memory() {
        // Form that GCC writes: the frame's address is stored eight bytes below rbp (breg6 -8, deref).
        let row = Row {
            cfa: Cfa::Expression(vec![0x76, 0x78, 0x06]),
            rules: vec![
                (RBP as u16, Rule::AtExpression(vec![0x76, 0x00])),
                (RETURN_ADDRESS, Rule::At(-8)),
            ],
            encoding: ENCODING,
            is_signal: false,
        };
        let mut memory = |address| match address {
            0x7ff8 => Some(0x9000),
            0x8000 => Some(0xa000),
            0x8ff8 => Some(0x1234),
            _ => None,
        };
        let before = frame(&[(RBP, 0x8000), (RSP, 0x7f00), (0, 5), (3, 6)]);
        let caller = row.caller(&before, &mut memory).unwrap();
        assert_eq!(caller.ip, 0x1234);
        assert_eq!(caller.general[RSP], Some(0x9000));
        assert_eq!(caller.general[RBP], Some(0xa000));
        assert_eq!((caller.general[0], caller.general[3]), (None, Some(6)));
        assert!(!caller.is_exact);
        assert_eq!(row.caller(&frame(&[]), &mut memory), None);
    }

    #[test]
    fn an_expression_that_never_ends_is_given_up() {
        let row = Row {
            // skip -3: a jump to itself.
            cfa: Cfa::Expression(vec![0x2f, 0xfd, 0xff]),
            rules: vec![(RETURN_ADDRESS, Rule::At(-8))],
            encoding: ENCODING,
            is_signal: true,
        };
        assert_eq!(row.caller(&frame(&[]), &mut |_| Some(0)), None);
    }
}
