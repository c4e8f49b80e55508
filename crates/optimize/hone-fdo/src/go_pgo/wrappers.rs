//! Selects the wrappers that are left out.
//!
//! Go's compiler devirtualises a call through an interface to the callee with the largest weight, by a test for the type
//! that has this method. The method that a wrapper of the same type calls is the right callee. A method of an embedded
//! field has a type that is not in the interface: the test would never hold, and if the field's type does not even
//! implement the interface, the compiler turns from this callee to a rarer callee. If the profile names the wrapper, the
//! compiler finds no function, keeps the wrapper as the most frequent callee, and leaves the call alone.

use super::{Frame, Function, Source};
use crate::code::Flow;
use hone_profile::Svma;

impl<'s> Source<'s> {
    /// Returns true if the function is a wrapper that is replaced by its callee.
    pub(super) fn is_left_out(&self, function: &Function<'_>) -> bool {
        function.is_wrapper() && !(is_method(function.name) && self.is_promotion(function.name))
    }

    /// Returns the method that a wrapper calls or has inlined, at the first line of the method.
    pub(super) fn method_behind(&self, wrapper: &Function<'_>) -> Option<Frame<'s>> {
        let body = self.binary.functions().by_name(wrapper.name)?;
        let instructions = self.code.of_function(body);
        let found = (0..instructions.len()).find_map(|index| {
            let at = instructions.address(index);
            let frames = self.frames(at);
            if let Some(inlined) = frames.len().checked_sub(2) {
                return Some(frames[inlined]);
            }
            let callee = *self.frames(self.call_target(at)?).last()?;
            (method(callee.function.name) == method(wrapper.name)).then_some(callee)
        })?;
        Some(Frame {
            line: found.function.start_line,
            ..found
        })
    }

    fn is_promotion(&self, wrapper: &str) -> bool {
        let Some(body) = self.binary.functions().by_name(wrapper) else {
            return false;
        };
        if let Some(&known) = self.promotions.borrow().get(body.name) {
            return known;
        }
        let instructions = self.code.of_function(body);
        let mut calls = (0..instructions.len()).filter_map(|index| {
            let at = instructions.address(index);
            let called = match self.inlined_call(at) {
                Some(name) => name,
                None => match instructions.flow(index) {
                    Flow::Call => {
                        let target = self.call_target(at)?;
                        self.binary.functions().starting_at(target)?.name
                    }
                    // The call of a method of an embedded interface.
                    Flow::IndirectCall => return Some(true),
                    _ => return None,
                },
            };
            let is_own = called.starts_with("runtime.") && !wrapper.starts_with("runtime.");
            (!is_own).then(|| method(called) != method(wrapper))
        });
        let found = calls.next().unwrap_or(false);
        self.promotions.borrow_mut().insert(body.name, found);
        found
    }

    /// Returns the name of the function that the function at an address had inlined there, if any.
    fn inlined_call(&self, at: Svma) -> Option<&str> {
        let frames = self.debug.inline_stack(at);
        let outermost_callee = frames.len().checked_sub(2)?;
        Some(frames[outermost_callee].function)
    }
}

/// Returns true for the name of a method: `main.T.area`, `main.(*T).area`.
fn is_method(name: &str) -> bool {
    let own = method(name);
    let own = own.rsplit('/').next().unwrap_or_default();
    own.matches('.').count() >= 2
}

/// Returns a method's name without the marks of a pointer, and without type arguments.
fn method(name: &str) -> String {
    let mut depth = 0;
    name.chars()
        .filter(|&character| {
            depth += i32::from(character == '[');
            let is_kept = depth == 0 && !matches!(character, '(' | '*' | ')');
            depth -= i32::from(character == ']');
            is_kept
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_of_a_type_and_of_its_pointer_are_one() {
        assert_eq!(method("a.b/c.(*T).area"), method("a.b/c.T.area"));
        assert_eq!(
            method("main.(*T[go.shape.int]).area"),
            method("main.T[int].area")
        );
        assert_ne!(method("main.(*T).area"), method("main.U.area"));
        assert!(is_method("a.b/c.(*T).area") && is_method("main.T.area"));
        assert!(!is_method("main.init") && !is_method("a.b/c.step"));
    }
}
