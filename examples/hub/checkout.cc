// A checkout for the demo of hone-hub: reads orders and prices them by rules, each a virtual call.
//
// Build 2 looks vouchers up in the order in which they were issued, and no longer by their sorted codes: a small change
// of the source, that costs.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "rounds.h"

#ifndef BUILD
#define BUILD 1
#endif

namespace shop {

struct Item {
  uint32_t article;
  uint32_t count;
  int64_t cents;
};

struct Order {
  std::string customer;
  uint64_t voucher = 0;
  std::vector<Item> items;
};

struct Voucher {
  uint64_t code;
  int64_t percent;
};

constexpr uint64_t VOUCHERS = 1000;
constexpr uint32_t ARTICLES = 5000;

uint64_t voucher_code(uint64_t number) {
  return (number + 1) * 2654435761u % 1'000'000'007u;
}

std::vector<Voucher> issue_vouchers() {
  std::vector<Voucher> vouchers;
  for (uint64_t number = 0; number < VOUCHERS; number++) {
    vouchers.push_back({voucher_code(number), static_cast<int64_t>(1 + number % 20)});
  }
#if BUILD < 2
  std::sort(vouchers.begin(), vouchers.end(), [](const Voucher& a, const Voucher& b) { return a.code < b.code; });
#endif
  return vouchers;
}

/// Returns the voucher with a code; null if there is none.
__attribute__((noinline)) const Voucher* find_voucher(const std::vector<Voucher>& vouchers, uint64_t code) {
#if BUILD < 2
  auto found = std::lower_bound(vouchers.begin(), vouchers.end(), code,
                                [](const Voucher& voucher, uint64_t wanted) { return voucher.code < wanted; });
  return found != vouchers.end() && found->code == code ? &*found : nullptr;
#else
  for (const Voucher& voucher : vouchers) {
    if (voucher.code == code) return &voucher;
  }
  return nullptr;
#endif
}

/// Appends a number to a text, with zeros before it up to a width.
void append_number(std::string& text, uint64_t number, size_t width = 1) {
  char digits[24];
  size_t at = sizeof digits;
  do {
    digits[--at] = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number > 0 || sizeof digits - at < width);
  text.append(digits + at, sizeof digits - at);
}

/// A rule of pricing: returns what it adds to an order's sum.
struct Rule {
  virtual ~Rule() = default;
  virtual int64_t cents(const Order& order, int64_t sum) const = 0;
};

struct Bulk : Rule {
  int64_t cents(const Order& order, int64_t) const override {
    int64_t off = 0;
    for (const Item& item : order.items) {
      if (item.count >= 5) off += item.cents * item.count / (item.count > 8 ? 10 : 20);
    }
    return -off;
  }
};

struct Discount : Rule {
  std::vector<Voucher> vouchers = issue_vouchers();
  int64_t cents(const Order& order, int64_t sum) const override {
    const Voucher* voucher = find_voucher(vouchers, order.voucher);
    return voucher == nullptr ? 0 : -sum * voucher->percent / 100;
  }
};

struct Shipping : Rule {
  std::vector<uint32_t> grams;
  Shipping() {
    for (uint32_t article = 0; article < ARTICLES; article++) grams.push_back(50 + article * 7919 % 3000);
  }
  int64_t cents(const Order& order, int64_t sum) const override {
    if (sum > 100'000) return 0;
    int64_t weight = 0;
    for (const Item& item : order.items) weight += static_cast<int64_t>(grams[item.article]) * item.count;
    return 399 + (weight / 1000) * 49;
  }
};

struct Tax : Rule {
  int64_t cents(const Order& order, int64_t) const override {
    int64_t tax = 0;
    for (const Item& item : order.items) {
      const int64_t rate = item.article % 3 == 0 ? 700 : 1900;
      tax += (item.cents * item.count * rate + 5'000) / 10'000;
    }
    return tax;
  }
};

/// Writes an order as a client sends it.
std::string write_order(Random& random) {
  std::string text = "customer=";
  append_number(text, random() % 100'000);
  text += ";voucher=";
  append_number(text, voucher_code(random() % (2 * VOUCHERS)));
  for (uint64_t items = 4 + random() % 16; items > 0; items--) {
    text += ";item=";
    append_number(text, random() % ARTICLES);
    text += ',';
    append_number(text, 1 + random() % 10);
    text += ',';
    append_number(text, 99 + random() % 20'000);
  }
  return text;
}

uint64_t parse_number(std::string_view text, size_t& at) {
  uint64_t number = 0;
  for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; at++) number = number * 10 + (text[at] - '0');
  at++;
  return number;
}

Item parse_item(std::string_view text) {
  size_t at = 0;
  const uint64_t article = parse_number(text, at);
  const uint64_t count = parse_number(text, at);
  const uint64_t cents = parse_number(text, at);
  return {static_cast<uint32_t>(article), static_cast<uint32_t>(count), static_cast<int64_t>(cents)};
}

Order parse_order(std::string_view text) {
  Order order;
  while (!text.empty()) {
    const size_t end = std::min(text.find(';'), text.size());
    const std::string_view field = text.substr(0, end);
    const size_t equals = field.find('=');
    const std::string_view key = field.substr(0, equals);
    const std::string_view value = field.substr(equals + 1);
    if (key == "item") {
      order.items.push_back(parse_item(value));
    } else if (key == "voucher") {
      size_t at = 0;
      order.voucher = parse_number(value, at);
    } else {
      order.customer = value;
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return order;
}

int64_t price_order(const Order& order, const std::vector<std::unique_ptr<Rule>>& rules) {
  int64_t sum = 0;
  for (const Item& item : order.items) sum += item.cents * item.count;
  for (const auto& rule : rules) sum += rule->cents(order, sum);
  return sum;
}

std::string write_receipt(const Order& order, int64_t cents) {
  std::string text = "customer ";
  text += order.customer;
  for (const Item& item : order.items) {
    const auto sum = static_cast<uint64_t>(item.cents * item.count);
    text += "\narticle ";
    append_number(text, item.article, 5);
    text += " x ";
    append_number(text, item.count);
    text += ": ";
    append_number(text, sum / 100);
    text += '.';
    append_number(text, sum % 100, 2);
  }
  text += "\nsum ";
  append_number(text, static_cast<uint64_t>(std::max<int64_t>(cents, 0)));
  return text;
}

}  // namespace shop

int main(int argc, char** argv) {
  std::vector<std::unique_ptr<shop::Rule>> rules;
  rules.push_back(std::make_unique<shop::Bulk>());
  rules.push_back(std::make_unique<shop::Discount>());
  rules.push_back(std::make_unique<shop::Shipping>());
  rules.push_back(std::make_unique<shop::Tax>());
  uint64_t bytes = 0;
  do_rounds(argc > 1 ? std::atof(argv[1]) : 1.0, [&](Random& random, int size) {
    for (int orders = 4 * size; orders > 0; orders--) {
      const shop::Order order = shop::parse_order(shop::write_order(random));
      bytes += shop::write_receipt(order, shop::price_order(order, rules)).size();
    }
  });
  std::printf("checkout, build %d: %llu bytes of receipts\n", BUILD, static_cast<unsigned long long>(bytes));
}
