// A catalogue for the demo of hone-hub: sorts articles in several ways, and finds them by their names.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "rounds.h"

#ifndef BUILD
#define BUILD 1
#endif

namespace catalogue {

struct Article {
  std::string name;
  uint32_t group;
  uint32_t cents;
  double stars;
};

constexpr int ARTICLES = 6000;
constexpr size_t SLOTS = 1 << 14;
constexpr uint32_t EMPTY = ~0u;

std::vector<Article> make_articles() {
  const char* const words[] = {"blue",  "bottle", "chair", "desk",  "garden", "glass",
                               "green", "lamp",   "large", "shelf", "small",  "table"};
  Random random{7};
  std::vector<Article> articles;
  for (int number = 0; number < ARTICLES; number++) {
    std::string name = words[random() % 12];
    name = name + " " + words[random() % 12] + " " + std::to_string(number);
    articles.push_back({name, static_cast<uint32_t>(random() % 40), static_cast<uint32_t>(random() % 100'000),
                        1.0 + 0.1 * (random() % 41)});
  }
  return articles;
}

uint64_t hash_name(std::string_view name) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (unsigned char byte : name) hash = (hash ^ byte) * 0x100000001b3u;
  return hash ^ (hash >> 29);
}

/// A table of articles by name, with open addressing.
class Index {
 public:
  explicit Index(const std::vector<Article>& all) : articles(all), slots(SLOTS, EMPTY) {
    for (uint32_t number = 0; number < articles.size(); number++) slots[slot_of(articles[number].name)] = number;
  }

  const Article* find(std::string_view name) const {
    const uint32_t number = slots[slot_of(name)];
    return number == EMPTY ? nullptr : &articles[number];
  }

 private:
  size_t slot_of(std::string_view name) const {
    size_t slot = hash_name(name) % SLOTS;
    while (slots[slot] != EMPTY && articles[slots[slot]].name != name) slot = (slot + 1) % SLOTS;
    return slot;
  }

  const std::vector<Article>& articles;
  std::vector<uint32_t> slots;
};

using Page = std::vector<const Article*>;

Page choose_group(const std::vector<Article>& articles, uint32_t first, uint32_t last) {
  Page page;
  for (const Article& article : articles) {
    if (article.group >= first && article.group <= last) page.push_back(&article);
  }
  return page;
}

void sort_by_name(Page& page) {
  std::sort(page.begin(), page.end(), [](const Article* a, const Article* b) { return a->name < b->name; });
}

void sort_by_price(Page& page) {
  std::sort(page.begin(), page.end(), [](const Article* a, const Article* b) { return a->cents < b->cents; });
}

void sort_by_stars(Page& page) {
  std::sort(page.begin(), page.end(), [](const Article* a, const Article* b) {
    return a->stars > b->stars || (a->stars == b->stars && a->cents < b->cents);
  });
}

uint64_t find_all(const Index& index, Random& random, int names) {
  uint64_t found = 0;
  for (; names > 0; names--) {
    const std::string name = "blue lamp " + std::to_string(random() % ARTICLES);
    const Article* article = index.find(name);
    found += article == nullptr ? 0 : article->cents;
  }
  return found;
}

std::string write_page(const Page& page) {
  std::string text;
  for (size_t row = 0; row < std::min<size_t>(page.size(), 60); row++) {
    text += "<li>" + page[row]->name + " <b>" + std::to_string(page[row]->cents) + "</b></li>\n";
  }
  return text;
}

}  // namespace catalogue

int main(int argc, char** argv) {
  using namespace catalogue;
  const std::vector<Article> articles = make_articles();
  const Index index{articles};
  uint64_t sum = 0;
  do_rounds(argc > 1 ? std::atof(argv[1]) : 1.0, [&](Random& random, int size) {
    for (int pages = (size + 9) / 10; pages > 0; pages--) {
      const auto first = static_cast<uint32_t>(random() % 36);
      Page page = choose_group(articles, first, first + 4);
      switch (random() % 3) {
        case 0:
          sort_by_name(page);
          break;
        case 1:
          sort_by_price(page);
          break;
        default:
          sort_by_stars(page);
      }
      sum += write_page(page).size() + find_all(index, random, 300);
    }
  });
  std::printf("catalogue, build %d: %llu\n", BUILD, static_cast<unsigned long long>(sum));
}
