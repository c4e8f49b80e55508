// From samples to trees and tables. Nothing here knows the page.
//
// Weights stand in arrays by node of the whole call tree, so that a new selection is a few passes over typed arrays.
// What is drawn is a tree of its own, made level by level as far as it can be seen: a million stacks are as
// quick as a hundred.

/** The samples of a thread and a part of the time, where such are chosen; in order of time. */
function* selected({ count, time, thread }, selection) {
  const [from, to] = selection.range ?? [-Infinity, Infinity];
  const { threads } = selection;
  for (let sample = 0; sample < count; sample++) {
    if (time[sample] < from || time[sample] > to) continue;
    if (threads === null || threads.has(thread[sample])) yield sample;
  }
}

/** Of the selected samples that end in each node: their weight, and the sum of its squares. */
function selfWeights(nodes, { samples }, selection) {
  const own = new Float64Array(nodes.count);
  const squares = new Float64Array(nodes.count);
  for (const sample of selected(samples, selection)) {
    own[samples.node[sample]] += samples.weight[sample];
    squares[samples.node[sample]] += samples.weight[sample] ** 2 / samples.times[sample];
  }
  return { own, squares };
}

/** Takes away the samples of stacks without a function of `focus`, or with one of `dropped`. */
function applyFilters(nodes, { own, squares }, { focus, dropped }) {
  if (focus === null && dropped.size === 0) return;
  const inside = new Uint8Array(nodes.count);
  const gone = new Uint8Array(nodes.count);
  for (let node = 0; node < nodes.count; node++) {
    const parent = nodes.parent[node];
    if (parent >= 0) {
      inside[node] = inside[parent];
      gone[node] = gone[parent];
    }
    if (nodes.fn[node] === focus) inside[node] = 1;
    if (dropped.has(nodes.fn[node])) gone[node] = 1;
    if (gone[node] || (focus !== null && !inside[node])) own[node] = squares[node] = 0;
  }
}

/** Weight of each node with all below it. */
function totalWeights(nodes, own) {
  const total = own.slice();
  for (let node = nodes.count - 1; node > 0; node--) total[nodes.parent[node]] += total[node];
  return total;
}

/** Self and total weight by function; a stack in which it stands twice counts once. */
function functionWeights(nodes, functions, own, total) {
  const self = new Float64Array(functions);
  const all = new Float64Array(functions);
  const open = new Int32Array(functions);
  walk(nodes, total, {
    enter(node) {
      const fn = nodes.fn[node];
      if (fn < 0) return;
      self[fn] += own[node];
      if (open[fn]++ === 0) all[fn] += total[node];
    },
    leave(node) {
      if (nodes.fn[node] >= 0) open[nodes.fn[node]]--;
    },
  });
  return { self, total: all };
}

/** Goes over all nodes with weight, callers around their callees. */
function walk(nodes, total, { enter, leave }) {
  const path = [];
  const visit = (node) => {
    enter(node);
    path.push({ node, next: nodes.first[node] });
  };
  visit(0);
  while (path.length > 0) {
    const top = path.at(-1);
    if (top.next === nodes.first[top.node + 1]) {
      leave(top.node);
      path.pop();
      continue;
    }
    const child = nodes.children[top.next++];
    if (total[child] > 0) visit(child);
  }
}

/** Weight of the stacks in which a function matches; each counts once. */
function matchedWeight(nodes, total, matches) {
  let sum = 0;
  const path = [0];
  while (path.length > 0) {
    const node = path.pop();
    if (total[node] <= 0) continue;
    if (node > 0 && matches[nodes.fn[node]]) {
      sum += total[node];
      continue;
    }
    for (let at = nodes.first[node]; at < nodes.first[node + 1]; at++) path.push(nodes.children[at]);
  }
  return sum;
}

/**
 * A drawn tree: each level is made when it is first asked for.
 *
 * A drawn node stands for one or more nodes of the call tree (`members`). Towards callees these are the nodes
 * themselves; towards callers, what is drawn moves up the call tree while the weight stays that of where it began.
 */
class DrawnTree {
  /**
   * `weights`: [{own, total}, ...], of one side or of two to compare, the new one last.
   * `options`: {recursion: whether direct recursion is one frame, merged: functions that are shown as their caller, whole: functions whose
   * frames are always one, widths: "new", "old" or "both", which weights are drawn}.
   */
  constructor(nodes, weights, options) {
    this.nodes = nodes;
    this.weights = weights;
    this.options = options;
    const [old, now] = [weights[0].total[0], weights.at(-1).total[0]];
    // A share of the old side is as wide as one of the new side.
    this.scale = old > 0 && now > 0 ? now / old : 1;
  }

  /** What a node is drawn by. */
  wide(values) {
    const { widths } = this.options;
    if (values.length < 2 || widths === "new") return values.at(-1);
    return values[0] * this.scale + (widths === "both" ? values[1] : 0);
  }

  /** From the root, or from a function, towards callees. */
  down(fn = null) {
    const { nodes } = this;
    const roots = fn === null ? [0] : outermost(nodes, fn);
    return this.node(null, fn ?? -1, roots, null);
  }

  /** From the leaves, or from a function, towards callers. */
  up(fn = null) {
    const { nodes } = this;
    const members = [];
    const origins = [];
    if (fn === null) {
      for (let node = 1; node < nodes.count; node++) {
        if (this.weights.some(({ own }) => own[node] > 0)) {
          members.push(node);
          origins.push({ node, whole: false });
        }
      }
      const root = this.node(null, -1, [], []);
      root.children = this.grouped(root, members, origins);
      root.values = this.weights.map(({ total: all }) => all[0]);
      root.wide = this.wide(root.values);
      place(root);
      return root;
    }
    for (const node of outermost(nodes, fn)) {
      members.push(node);
      origins.push({ node, whole: true });
    }
    return this.node(null, fn, members, origins);
  }

  /** What is drawn below a node; made once. */
  children(drawn) {
    if (drawn.children === null) {
      drawn.children = drawn.origins === null ? this.callees(drawn) : this.callers(drawn);
      place(drawn);
    }
    return drawn.children;
  }

  node(parent, fn, members, origins) {
    const drawn = {
      parent,
      fn,
      members,
      origins,
      depth: parent === null ? 0 : parent.depth + 1,
      values: this.weights.map(() => 0),
      wide: 0,
      start: 0,
      children: null,
      inlined: members.length > 0 && members.every((node) => this.nodes.inlined[node] === 1),
      shade: 0,
    };
    members.forEach((node, index) => this.addWeight(drawn, origins === null ? { node, whole: true } : origins[index]));
    drawn.wide = this.wide(drawn.values);
    return drawn;
  }

  /** Adds the weight of stacks that pass a node (`whole`) or end in it. */
  addWeight(drawn, { node, whole }) {
    this.weights.forEach(({ own, total }, index) => {
      drawn.values[index] += whole ? total[node] : own[node];
    });
  }

  callees(drawn) {
    const { nodes } = this;
    const members = [];
    const open = [...drawn.members];
    while (open.length > 0) {
      const node = open.pop();
      for (let at = nodes.first[node]; at < nodes.first[node + 1]; at++) {
        const child = nodes.children[at];
        if (this.weights.every(({ total }) => total[child] <= 0)) continue;
        if (this.isOneWith(drawn, nodes.fn[child])) open.push(child);
        else members.push(child);
      }
    }
    return this.grouped(drawn, members, null);
  }

  callers(drawn) {
    const { nodes } = this;
    const members = [];
    const origins = [];
    drawn.members.forEach((node, index) => {
      let caller = nodes.parent[node];
      while (caller > 0 && this.isOneWith(drawn, nodes.fn[caller])) caller = nodes.parent[caller];
      if (caller > 0) {
        members.push(caller);
        origins.push(drawn.origins[index]);
      }
    });
    return this.grouped(drawn, members, origins);
  }

  isOneWith(drawn, fn) {
    const { merged, recursion, whole } = this.options;
    return merged.has(fn) || (fn === drawn.fn && (recursion || whole.has(fn)));
  }

  /** One drawn node per function, the heaviest first. */
  grouped(parent, members, origins) {
    const groups = new Map();
    members.forEach((node, index) => {
      const fn = this.nodes.fn[node];
      let group = groups.get(fn);
      if (group === undefined) groups.set(fn, (group = { members: [], origins: origins === null ? null : [] }));
      group.members.push(node);
      if (origins !== null) group.origins.push(origins[index]);
    });
    const drawn = [];
    for (const [fn, group] of groups) drawn.push(this.node(parent, fn, group.members, group.origins));
    return drawn.sort((a, b) => b.wide - a.wide);
  }
}


/** Puts children side by side. */
function place(drawn) {
  let start = drawn.start;
  let before = null;
  for (const child of drawn.children) {
    child.start = start;
    child.shade = shadeOf(child, before);
    before = child;
    start += child.wide;
  }
}

/** A function has the same shade everywhere, unless its neighbour has that one. */
function shadeOf({ fn }, before) {
  const shade = (Math.imul(fn + 1, 2654435761) >>> 8) % SHADES;
  return before !== null && before.shade === shade ? (shade + 1) % SHADES : shade;
}

/** Nodes of a function that no other node of it is above. */
function outermost(nodes, fn) {
  const inside = new Uint8Array(nodes.count);
  const found = [];
  for (let node = 1; node < nodes.count; node++) {
    inside[node] = inside[nodes.parent[node]];
    if (nodes.fn[node] === fn && !inside[node]) {
      inside[node] = 1;
      found.push(node);
    }
  }
  return found;
}

/**
 * Samples of one thread in order of time: equal frames of neighbours are one, and frames of a function of `whole` above each other. A tree
 * like the drawn ones, with time for weight.
 */
function timeOrder(nodes, recording, selection, whole) {
  const { node, weight } = recording.samples;
  const root = chartNode(null, -1, 0);
  const path = [root];
  let at = 0;
  const stack = [];
  for (const sample of selected(recording.samples, selection)) {
    stack.length = 0;
    for (let frame = node[sample]; frame > 0; frame = nodes.parent[frame]) {
      if (!whole.has(nodes.fn[frame]) || nodes.fn[nodes.parent[frame]] !== nodes.fn[frame]) stack.push(frame);
    }
    let depth = 1;
    while (depth < path.length && depth <= stack.length && path[depth].fn === nodes.fn[stack.at(-depth)]) {
      depth++;
    }
    path.length = depth;
    for (let level = depth; level <= stack.length; level++) {
      const caller = path[level - 1];
      const frame = stack.at(-level);
      const made = chartNode(caller, nodes.fn[frame], at);
      made.inlined = nodes.inlined[frame] === 1;
      made.shade = shadeOf(made, caller.children.at(-1) ?? null);
      caller.children.push(made);
      path.push(made);
    }
    for (const open of path) {
      open.values[0] += weight[sample];
      open.wide = open.values[0];
    }
    at += weight[sample];
  }
  return root;
}

function chartNode(parent, fn, start) {
  return {
    parent, fn, start,
    depth: parent === null ? 0 : parent.depth + 1,
    values: [0], wide: 0, members: [], origins: null, children: [], inlined: false, shade: 0, inTime: true,
  };
}

/**
 * Where a function has no code of its own: by the function whose code it is inlined into, the weight of samples within
 * its instructions there, the heaviest first.
 */
function hostsOf(nodes, own, fn) {
  const hosts = new Map();
  for (let node = 1; node < nodes.count; node++) {
    if (own[node] <= 0) continue;
    let frame = node;
    let isThere = false;
    while (frame > 0 && nodes.inlined[frame]) {
      isThere ||= nodes.fn[frame] === fn;
      frame = nodes.parent[frame];
    }
    if (isThere && frame > 0) hosts.set(nodes.fn[frame], (hosts.get(nodes.fn[frame]) ?? 0) + own[node]);
  }
  return [...hosts].sort((a, b) => b[1] - a[1]);
}
