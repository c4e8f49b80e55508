//! Content of the branch stacks of an event, as `branch_sample_type` of its attribute decides.
//!
//! Only stacks of all taken branches tell which code ran between two of their entries. With a filter (`perf record -j any_call`)
//! or in call-stack mode (`--call-graph lbr`) the same records mean something else, and no record tells the difference.

use std::fmt;

/// Bits of `branch_sample_type` that choose branches, with perf's words for `-j` and the kernel's names.
const CHOOSING: [(u64, &str, &str); 12] = [
    (1 << 3, "any", "ANY"),
    (1 << 4, "any_call", "ANY_CALL"),
    (1 << 5, "any_ret", "ANY_RETURN"),
    (1 << 6, "ind_call", "IND_CALL"),
    (1 << 7, "abort_tx", "ABORT_TX"),
    (1 << 8, "in_tx", "IN_TX"),
    (1 << 9, "no_tx", "NO_TX"),
    (1 << 10, "cond", "COND"),
    (CALL_STACK, "stack", "CALL_STACK"),
    (1 << 12, "ind_jmp", "IND_JUMP"),
    (1 << 13, "call", "CALL"),
    (KERNEL, "k", "KERNEL"),
];
const USER: u64 = 1 << 0;
const KERNEL: u64 = 1 << 1;
const ANY: u64 = 1 << 3;
const IN_TX: u64 = 1 << 8;
const NO_TX: u64 = 1 << 9;
const CALL_STACK: u64 = 1 << 11;
const BY_KIND: u64 = 0x34f0;

/// Content of the branch stacks of an event's samples.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum BranchStacks {
    /// No branch stacks.
    #[default]
    None,
    /// Every taken branch of user code, up to the sample: between two branches the code ran straight on.
    Whole,
    /// Calls that had not returned yet (`--call-graph lbr`): pairs of caller and callee without any counts.
    CallStack,
    /// Branches that passed a filter, such as calls: the code between two branches is unknown.
    Filtered(BranchFilter),
}

/// Bits of a filter of branches.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BranchFilter(u64);

impl BranchStacks {
    /// Returns the content of stacks that were recorded with these bits of `branch_sample_type`.
    ///
    /// Attributes older than the field, and attributes of synthesised stacks, have no bits: their stacks hold all branches.
    pub fn recorded_with(bits: u64) -> Self {
        let is_kernel_only = bits & (USER | KERNEL) == KERNEL;
        let is_transactions_only = bits & (IN_TX | NO_TX) == IN_TX;
        if bits & CALL_STACK != 0 {
            Self::CallStack
        } else if bits & ANY == 0 && bits & BY_KIND != 0 || is_kernel_only || is_transactions_only {
            Self::Filtered(BranchFilter(bits))
        } else {
            Self::Whole
        }
    }

    /// Returns the content for the names that `perf script --header` prints, such as `USER|ANY_CALL`, or for the number that
    /// older versions print.
    pub fn named(text: &str) -> Self {
        let number = text.strip_prefix("0x").map_or_else(
            || text.parse().ok(),
            |digits| u64::from_str_radix(digits, 16).ok(),
        );
        let bit = |name: &str| match name {
            "USER" => USER,
            _ => {
                let found = CHOOSING.iter().find(|(_, _, known)| *known == name);
                found.map_or(0, |(bit, _, _)| *bit)
            }
        };
        Self::recorded_with(number.unwrap_or_else(|| {
            text.split('|')
                .fold(0, |bits, name| bits | bit(name.trim()))
        }))
    }

    /// Returns bits for which [`BranchStacks::recorded_with`] gives this content; `None` if there are no branch stacks.
    pub fn bits(self) -> Option<u64> {
        match self {
            Self::None => None,
            Self::Whole => Some(ANY),
            Self::CallStack => Some(CALL_STACK),
            Self::Filtered(BranchFilter(bits)) => Some(bits),
        }
    }

    /// Returns true if samples have branch stacks.
    pub fn are_there(self) -> bool {
        self != Self::None
    }

    /// Returns true if there are stacks, but branches cannot be counted from them.
    pub fn are_partial(self) -> bool {
        matches!(self, Self::CallStack | Self::Filtered(_))
    }
}

/// Content of the stacks, as the object of a sentence.
impl fmt::Display for BranchStacks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("no branches"),
            Self::Whole => f.write_str("all branches"),
            Self::CallStack => {
                f.write_str("calls that had not returned (call-stack mode, --call-graph lbr)")
            }
            Self::Filtered(filter) => write!(f, "some branches only (-j {filter})"),
        }
    }
}

/// Words of the filter, as `perf record -j` takes them.
impl fmt::Display for BranchFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let chosen = CHOOSING.iter().filter(|(bit, _, _)| self.0 & bit != 0);
        let words: Vec<&str> = chosen.map(|(_, word, _)| *word).collect();
        f.write_str(&words.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_all_branches_of_user_code_are_whole() {
        let whole = ["0", "USER|ANY", "USER|KERNEL|ANY", "ANY", "9", "0x10009"];
        for text in whole.into_iter().chain([
            "USER|ANY|NO_FLAGS|NO_CYCLES|HW_INDEX|TYPE_SAVE",
            "USER|ANY|IND_CALL",
            "USER|ANY|NO_TX",
        ]) {
            assert_eq!(BranchStacks::named(text), BranchStacks::Whole, "{text}");
        }
        for text in [
            "USER|CALL_STACK",
            "USER|CALL_STACK|NO_FLAGS|NO_CYCLES",
            "2049",
        ] {
            assert_eq!(BranchStacks::named(text), BranchStacks::CallStack, "{text}");
        }
        for (text, words) in [
            ("USER|ANY_CALL", "any_call"),
            ("USER|ANY_RETURN|IND_JUMP", "any_ret,ind_jmp"),
            ("COND", "cond"),
            ("USER|KERNEL|IND_CALL", "ind_call,k"),
            ("USER|CALL", "call"),
            ("KERNEL|ANY", "any,k"),
            ("USER|ANY|IN_TX", "any,in_tx"),
            ("USER|ABORT_TX", "abort_tx"),
        ] {
            let stacks = BranchStacks::named(text);
            assert!(stacks.are_partial(), "{text}");
            let again = stacks.bits().map(BranchStacks::recorded_with);
            assert_eq!(again, Some(stacks), "{text}");
            let said = format!("some branches only (-j {words})");
            assert_eq!(stacks.to_string(), said);
        }
    }
}
