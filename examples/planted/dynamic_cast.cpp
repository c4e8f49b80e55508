// dynamic_cast for each element, and a virtual function that answers.
#include "planted.h"
#include <memory>
#include <vector>

struct Node {
    virtual ~Node() = default;
    virtual unsigned long leaf() const { return 0; }
};
struct Branch : Node {};
struct Leaf : Branch {
    unsigned long value = 5;
    unsigned long leaf() const override { return value; }
};

static std::vector<std::unique_ptr<Node>> make() {
    std::vector<std::unique_ptr<Node>> nodes;
    for (int i = 0; i < 256; i++) {
        if (i % 2) nodes.push_back(std::make_unique<Leaf>());
        else nodes.push_back(std::make_unique<Branch>());
    }
    return nodes;
}

unsigned long work(unsigned long x) {
    static auto nodes = make();
    for (int i = 0; i < 100; i++) {
        const Node* node = nodes[x % nodes.size()].get();
#ifdef ODD
        for (int j = 0; j < 20; j++) {
            node = nodes[(x + j) % nodes.size()].get();
            if (auto leaf = dynamic_cast<const Leaf*>(node)) x += leaf->value;
        }
#else
        x += node->leaf();
#endif
        x = calm(x, 600);
    }
    return x;
}
