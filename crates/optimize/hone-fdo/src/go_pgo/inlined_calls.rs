//! Edges of calls that were inlined, with the number of times that control ran into the code of the inlined function.
//!
//! An inlined call has no call instruction, but its code has a beginning: each place where control comes from an
//! instruction outside the inlined function to an instruction inside. The compiler mixes the instructions of
//! neighbours, so control may seem to leave and enter again. No function was entered more often than its
//! most frequent instruction ran; this number limits the count.

use super::calls::EdgeMap;
use super::{Frame, Function, Source};
use crate::code::{Flow, Instructions};
use crate::counts::{Counts, add};
use crate::source::AttributionReport;
use crate::weights::{Weights, weigh};
use hone_profile::Svma;
use rustc_hash::FxHashMap;

/// Returns the edges, with the number of entries into the inlined function.
pub(super) fn edges<'s>(counts: &Counts, source: &Source<'s>) -> EdgeMap<'s> {
    let mut bodies: FxHashMap<Svma, Body<'s>> = FxHashMap::default();
    for weights in weigh(counts, source.code, &mut AttributionReport::default()) {
        bodies.insert(weights.function.start, Body::new(&weights, source));
    }
    let body_of = |svma| Some(source.binary.function_at(svma)?.start);
    for (&(first, last), &count) in &counts.ranges {
        if let Some(body) = body_of(first).and_then(|start| bodies.get_mut(&start)) {
            body.add_range(first, last, count);
        }
    }
    for (&(from, to), count) in &counts.branches {
        let Some(start) = body_of(to) else {
            continue;
        };
        let Some(body) = bodies.get_mut(&start) else {
            continue;
        };
        match source.code.flow_at(from) {
            // The call counts as an ordinary instruction: control came from the instruction before `to`.
            Flow::Return => body.add_step_to(to, count.taken),
            _ if body_of(from) == Some(start) => body.add_jump(from, to, count.taken),
            _ => body.add_call(to, count.taken),
        }
    }
    let mut edges = EdgeMap::new();
    for body in bodies.values_mut() {
        body.collect(&mut edges);
    }
    edges.retain(|_, weight| *weight > 0);
    edges
}

/// An inlined call in a function, or the function itself (the first).
struct Scope<'s> {
    /// Index of the enclosing scope; the function itself is its own parent.
    parent: u32,
    depth: u32,
    edge: Option<(Frame<'s>, Function<'s>)>,
    entries: u64,
    /// Executions of the most frequent instruction in the scope.
    most: u64,
}

/// A function of the symbol table, with the calls that are inlined into it.
struct Body<'s> {
    instructions: std::rc::Rc<Instructions>,
    /// Scope of each instruction.
    scope_of: Vec<u32>,
    scopes: Vec<Scope<'s>>,
}

impl<'s> Body<'s> {
    fn new(weights: &Weights<'s>, source: &Source<'s>) -> Self {
        let mut body = Self {
            instructions: weights.instructions.clone(),
            scope_of: Vec::with_capacity(weights.instructions.len()),
            scopes: vec![Scope {
                parent: 0,
                depth: 0,
                edge: None,
                entries: 0,
                most: 0,
            }],
        };
        let mut known = FxHashMap::default();
        for index in 0..weights.instructions.len() {
            let frames = source.frames(weights.instructions.address(index));
            let mut scope = 0;
            for pair in frames.windows(2).rev() {
                let edge = (pair[1], pair[0].function);
                scope = *known.entry((scope, edge)).or_insert_with(|| {
                    let depth = body.scopes[scope as usize].depth + 1;
                    body.scopes.push(Scope {
                        parent: scope,
                        depth,
                        edge: Some(edge),
                        entries: 0,
                        most: 0,
                    });
                    body.scopes.len() as u32 - 1
                });
            }
            body.scope_of.push(scope);
            let own = &mut body.scopes[scope as usize];
            own.most = own.most.max(weights.weight(index));
        }
        body
    }

    fn add_range(&mut self, first: Svma, last: Svma, count: u64) {
        let Some(span) = self.instructions.span(first, last) else {
            return;
        };
        let (first, last) = span.into_inner();
        for index in first..last {
            self.enter(self.scope_of[index], self.scope_of[index + 1], count);
        }
    }

    fn add_step_to(&mut self, to: Svma, count: u64) {
        if let Some(index) = self.instructions.index_of(to)
            && index > 0
        {
            self.enter(self.scope_of[index - 1], self.scope_of[index], count);
        }
    }

    fn add_jump(&mut self, from: Svma, to: Svma, count: u64) {
        let index = |svma| self.instructions.index_of(svma);
        if let (Some(from), Some(to)) = (index(from), index(to)) {
            self.enter(self.scope_of[from], self.scope_of[to], count);
        }
    }

    fn add_call(&mut self, to: Svma, count: u64) {
        if let Some(index) = self.instructions.index_of(to) {
            self.enter(0, self.scope_of[index], count);
        }
    }

    /// Counts control that went from an instruction of one scope to an instruction of another.
    fn enter(&mut self, from: u32, to: u32, count: u64) {
        let (mut outer, mut inner) = (from, to);
        while inner != outer {
            let (from, to) = (&self.scopes[outer as usize], &self.scopes[inner as usize]);
            if from.depth > to.depth {
                outer = from.parent;
                continue;
            }
            if from.depth == to.depth {
                outer = from.parent;
            }
            let parent = to.parent;
            add(&mut self.scopes[inner as usize].entries, count);
            inner = parent;
        }
    }

    fn collect(&mut self, edges: &mut EdgeMap<'s>) {
        // Each scope comes after the scopes around it.
        for index in (1..self.scopes.len()).rev() {
            let (parent, most) = (self.scopes[index].parent, self.scopes[index].most);
            let around = &mut self.scopes[parent as usize];
            around.most = around.most.max(most);
        }
        for scope in &self.scopes {
            if let Some(edge) = scope.edge {
                add(
                    edges.entry(edge).or_default(),
                    scope.entries.min(scope.most),
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(scope_parents: &[u32], most: u64) -> Body<'static> {
        let mut scopes: Vec<Scope<'static>> = Vec::new();
        for &parent in scope_parents {
            let depth = scopes
                .get(parent as usize)
                .map_or(0, |around| around.depth + 1);
            scopes.push(Scope {
                parent,
                depth,
                edge: None,
                entries: 0,
                most,
            });
        }
        Body {
            instructions: Default::default(),
            scope_of: Vec::new(),
            scopes,
        }
    }

    #[test]
    fn only_what_was_not_around_before_is_entered() {
        // 0 the function; 1 in it, with 2 in 1; 3 in it.
        let mut body = body(&[0, 0, 1, 0], 100);
        let entries = |body: &Body<'_>| body.scopes.iter().map(|s| s.entries).collect::<Vec<_>>();
        body.enter(0, 2, 5);
        assert_eq!(entries(&body), [0, 5, 5, 0]);
        body.enter(2, 1, 7);
        assert_eq!(entries(&body), [0, 5, 5, 0], "a return enters nothing");
        body.enter(2, 3, 1);
        assert_eq!(entries(&body), [0, 5, 5, 1]);
        body.enter(3, 2, 10);
        assert_eq!(entries(&body), [0, 15, 15, 1]);
        body.enter(1, 1, 10);
        assert_eq!(entries(&body), [0, 15, 15, 1]);
    }
}
