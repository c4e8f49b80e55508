//! Integer divisions by numbers that are known only at run time.

use super::spots::of_instructions;
use super::{Rule, Saves, source};
use crate::finding::{Confidence, Finding};
use crate::subject::Inspected;
use crate::sums::Need;
use iced_x86::{Instruction, Mnemonic};

pub(super) const RULE: Rule = Rule {
    name: "division",
    title: "Much time goes into integer divisions",
    needs: &[Need::Code],
    threshold: 0.06,
    source: source::GAIN,
    factor: 4.0,
    factor_max: 10.0,
    assumption: "if a mask, or a multiplication by the inverse, took a quarter of the time",
    saves: Saves::Time,
    confidence: Confidence::Medium,
    levers: &[],
    change: "Make tables a power of two large and mask; divide by constants; else multiply by an inverse made once \
             (libdivide, or the high half of a product).",
    not_when: "Each divisor is used once.",
    look,
};

fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    of_instructions(rule, inspected, is_division)
}

fn is_division(code: &Instruction) -> bool {
    matches!(code.mnemonic(), Mnemonic::Div | Mnemonic::Idiv)
}
