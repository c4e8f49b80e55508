// A virtual call per element, and one kind of element at a time.
#include "planted.h"
#include <memory>
#include <vector>

struct Shape {
    unsigned long side = 3;
    virtual ~Shape() = default;
    virtual unsigned long area() const = 0;
};
struct Square final : Shape {
    unsigned long area() const override { return side * side; }
};
struct Strip final : Shape {
    unsigned long area() const override { return side * 7; }
};

static std::vector<std::unique_ptr<Shape>> make() {
    std::vector<std::unique_ptr<Shape>> shapes;
    for (int i = 0; i < 512; i++) {
        if (i % 64 == 63) shapes.push_back(std::make_unique<Strip>());
        else shapes.push_back(std::make_unique<Square>());
    }
    return shapes;
}

static __attribute__((noinline)) unsigned long sum(unsigned long x) {
#ifdef ODD
    static auto shapes = make();
    for (auto& shape : shapes) {
        shape->side = x & 15;
        x = x * 31 + shape->area();
    }
#else
    static std::vector<Square> squares(504);
    for (auto& square : squares) {
        square.side = x & 15;
        x = x * 31 + square.area();
    }
#endif
    return x;
}

unsigned long work(unsigned long x) {
    for (int i = 0; i < 400; i++) x = sum(calm(x, 50));
    return x;
}
