// C++ as people write it: strings, maps, vectors, virtual calls, exceptions, streams.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

struct Shape {
  virtual ~Shape() = default;
  virtual double area() const = 0;
};
struct Circle : Shape {
  double r;
  explicit Circle(double r) : r(r) {}
  double area() const override { return M_PI * r * r; }
};
struct Box : Shape {
  float w, h;
  Box(float w, float h) : w(w), h(h) {}
  double area() const override { return std::sqrt(w * w * h * h); }
};
struct Sum : Shape {
  std::vector<std::unique_ptr<Shape>> parts;
  double area() const override {
    double total = 0;
    for (const auto &part : parts) total += part->area();
    return total;
  }
};

int main() {
  unsigned seed = 7;
  auto next = [&seed] { return seed = seed * 1103515245u + 12345u; };
  std::map<std::string, double> ordered;
  std::unordered_map<std::string, int> counted;
  double total = 0;
  for (int round = 0; round < 1000000; round++) {
    Sum sum;
    for (int i = 0; i < 40; i++) {
      if (next() & 0x10000) sum.parts.push_back(std::make_unique<Circle>(next() % 100 / 7.0));
      else sum.parts.push_back(std::make_unique<Box>(float(next() % 50), float(next() % 9)));
    }
    std::string key = "key-" + std::to_string(next() % 500) + std::string(next() % 40, 'x');
    ordered[key] += sum.area();
    counted[key.substr(0, 6)]++;
    std::vector<int> numbers(64);
    for (auto &number : numbers) number = int(next() >> 5);
    std::sort(numbers.begin(), numbers.end());
    total += double(std::accumulate(numbers.begin(), numbers.end(), 0L)) / 3;
    if (round % 50 == 0) {
      try {
        if (key.size() > 6) throw std::runtime_error(key);
      } catch (const std::exception &error) {
        total += double(std::string(error.what()).find('x'));
      }
    }
    std::ostringstream out;
    out << key << ' ' << total << ' ' << round;
    total += double(out.str().size());
  }
  std::cout << total << ordered.size() << counted.size() << '\n';
}
