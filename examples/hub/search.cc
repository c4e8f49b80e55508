// A search for the demo of hone-hub: scans texts for words, and ranks what was found.
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rounds.h"

#ifndef BUILD
#define BUILD 1
#endif

namespace search {

constexpr int TEXTS = 60;
constexpr int WORDS = 400;

/// Makes a word of a vocabulary; small numbers make short words.
std::string make_word(uint64_t number) {
  std::string word;
  for (number += 11; number > 0; number /= 11) word += "aeinorstlmu"[number % 11];
  return word;
}

std::vector<std::string> make_texts() {
  Random random{11};
  std::vector<std::string> texts;
  for (int number = 0; number < TEXTS; number++) {
    std::string text;
    for (int word = 0; word < WORDS; word++)
      text += make_word(random() % (1 + random() % 3000)) + (word % 12 == 11 ? ".\n" : " ");
    texts.push_back(text);
  }
  return texts;
}

/// Counts where a text has a word, by Horspool's algorithm.
uint32_t count_matches(std::string_view text, std::string_view word) {
  std::array<size_t, 256> skip;
  skip.fill(word.size());
  for (size_t at = 0; at + 1 < word.size(); at++) skip[static_cast<unsigned char>(word[at])] = word.size() - 1 - at;
  uint32_t matches = 0;
  for (size_t end = word.size() - 1; end < text.size();) {
    if (text.substr(end + 1 - word.size(), word.size()) == word) matches++;
    end += skip[static_cast<unsigned char>(text[end])];
  }
  return matches;
}

/// Splits a text into sentences, and returns how many of them begin with a vowel.
uint32_t count_sentences(std::string_view text) {
  uint32_t sentences = 0;
  bool is_begin = true;
  for (const char letter : text) {
    if (is_begin && std::isalpha(static_cast<unsigned char>(letter))) {
      sentences += std::string_view{"aeiou"}.find(letter) != std::string_view::npos;
      is_begin = false;
    }
    is_begin |= letter == '.';
  }
  return sentences;
}

double rank_text(uint32_t matches, uint32_t sentences, size_t bytes) {
  return std::log1p(matches) * 3.0 +
         std::sqrt(static_cast<double>(sentences)) / std::log(static_cast<double>(bytes) + 2.0);
}

using Ranked = std::vector<std::pair<double, size_t>>;

Ranked answer_query(const std::vector<std::string>& texts, const std::vector<std::string>& words) {
  Ranked ranked;
  for (size_t number = 0; number < texts.size(); number++) {
    uint32_t matches = 0;
    for (const std::string& word : words) matches += count_matches(texts[number], word);
    if (matches > 0)
      ranked.emplace_back(rank_text(matches, count_sentences(texts[number]), texts[number].size()), number);
  }
  std::sort(ranked.rbegin(), ranked.rend());
  ranked.resize(std::min<size_t>(ranked.size(), 10));
  return ranked;
}

/// Returns the first sentence of a text that has a word, its letters in capitals.
std::string quote(const std::string& text, const std::string& word) {
  const size_t at = text.find(word);
  if (at == std::string::npos) return "";
  const size_t begin = text.rfind('.', at) == std::string::npos ? 0 : text.rfind('.', at) + 1;
  std::string sentence = text.substr(begin, text.find('.', at) - begin);
  for (char& letter : sentence) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  return sentence;
}

}  // namespace search

int main(int argc, char** argv) {
  using namespace search;
  const std::vector<std::string> texts = make_texts();
  uint64_t bytes = 0;
  do_rounds(argc > 1 ? std::atof(argv[1]) : 1.0, [&](Random& random, int size) {
    for (int queries = (size + 9) / 10; queries > 0; queries--) {
      std::vector<std::string> words;
      for (uint64_t count = 1 + random() % 3; count > 0; count--) words.push_back(make_word(random() % 2000));
      for (const auto& [rank, number] : answer_query(texts, words)) bytes += quote(texts[number], words[0]).size();
    }
  });
  std::printf("search, build %d: %llu\n", BUILD, static_cast<unsigned long long>(bytes));
}
