// Types that contain themselves and each other.
typedef list<Node> Nodes

struct Node {
  1: required i32 value,
  2: optional Node following,
  3: Nodes children,
  4: map<string, Tree> named,
  5: required Other other,
}

union Tree {
  1: Node leaf,
  2: list<Tree> branches,
}

struct Other {
  1: optional Node back,
}
