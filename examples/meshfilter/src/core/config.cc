#include "core/config.h"

#include <cstdio>
#include <memory>
#include <utility>

#include "core/text.h"

namespace mesh {

namespace {

std::string describe(std::string_view file, unsigned line, std::string_view message) {
  std::string out(file);
  if (line > 0) {
    out.push_back(':');
    appendDecimal(out, line);
  }
  out.append(": ").append(message);
  return out;
}

class Reader {
 public:
  Reader(std::string_view file, std::string_view text) : file_(file), rest_(text) {}

  Directive run() {
    Directive root;
    root.file = file_;
    root.name = "file";
    root.isBlock = true;
    readBlock(root, 0);
    return root;
  }

 private:
  void readBlock(Directive& parent, size_t depth) {
    if (depth > kConfigDepthMax) throw ConfigError(file_, line_, "blocks are nested too deeply");
    while (!rest_.empty()) {
      const std::string_view text = cutToken(rest_, '\n');
      ++line_;
      std::vector<std::string> words;
      const End end = splitWords(text, words);
      if (end == End::kClose) {
        if (depth == 0) throw ConfigError(file_, line_, "'}' without a block to close");
        return;
      }
      if (words.empty()) {
        if (end == End::kOpen) throw ConfigError(file_, line_, "'{' without a name before it");
        continue;
      }
      Directive child;
      child.file = file_;
      child.line = line_;
      child.name = std::move(words.front());
      child.args.assign(std::make_move_iterator(words.begin() + 1),
                        std::make_move_iterator(words.end()));
      child.isBlock = end == End::kOpen;
      if (child.isBlock) readBlock(child, depth + 1);
      parent.children.push_back(std::move(child));
    }
    if (depth > 0) {
      throw ConfigError(file_, parent.line, "block '" + parent.name + "' is never closed");
    }
  }

  enum class End { kLine, kOpen, kClose };

  End splitWords(std::string_view text, std::vector<std::string>& words) {
    size_t at = 0;
    while (at < text.size()) {
      const char c = text[at];
      if (c == ' ' || c == '\t' || c == '\r') {
        ++at;
      } else if (c == '#') {
        return End::kLine;
      } else if (c == '"') {
        at = readQuoted(text, at + 1, words.emplace_back());
      } else if ((c == '{' || c == '}') && restIsBlank(text.substr(at + 1))) {
        if (c == '}' && !words.empty()) throw ConfigError(file_, line_, "'}' needs its own line");
        return c == '{' ? End::kOpen : End::kClose;
      } else {
        std::string& word = words.emplace_back();
        while (at < text.size() && text[at] != ' ' && text[at] != '\t' && text[at] != '\r') {
          word.push_back(text[at++]);
        }
      }
    }
    return End::kLine;
  }

  size_t readQuoted(std::string_view text, size_t at, std::string& word) {
    for (; at < text.size(); ++at) {
      if (text[at] == '"') return at + 1;
      if (text[at] == '\\' && at + 1 < text.size()) ++at;
      word.push_back(text[at]);
    }
    throw ConfigError(file_, line_, "a quoted argument is never closed");
  }

  static bool restIsBlank(std::string_view text) {
    for (const char c : text) {
      if (c == '#') return true;
      if (c != ' ' && c != '\t' && c != '\r') return false;
    }
    return true;
  }

  std::string file_;
  std::string_view rest_;
  unsigned line_ = 0;
};

}  // namespace

ConfigError::ConfigError(std::string_view file, unsigned line, std::string_view message)
    : std::runtime_error(describe(file, line, message)) {}

void Directive::fail(std::string_view message) const {
  throw ConfigError(file, line, message);
}

void Directive::failUnknown(std::string_view owner) const {
  fail("unknown directive '" + name + "' in " + std::string(owner));
}

void Directive::expectArgs(size_t least, size_t most) const {
  if (args.size() >= least && args.size() <= most) return;
  std::string message = "'" + name + "' takes ";
  appendDecimal(message, least);
  if (most != least) {
    message.append(most == SIZE_MAX ? " or more" : " to ");
    if (most != SIZE_MAX) appendDecimal(message, most);
  }
  message.append(" arguments, found ");
  appendDecimal(message, args.size());
  fail(message);
}

void Directive::expectBlock() const {
  if (!isBlock) fail("'" + name + "' needs a block in braces");
}

const std::string& Directive::arg(size_t index) const {
  if (index >= args.size()) expectArgs(index + 1, SIZE_MAX);
  return args[index];
}

uint64_t Directive::numberArg(size_t index, uint64_t least, uint64_t most) const {
  const std::optional<uint64_t> value = parseDecimal(arg(index));
  if (!value || *value < least || *value > most) {
    std::string message = "'" + arg(index) + "' is not a number from ";
    appendDecimal(message, least);
    message.append(" to ");
    appendDecimal(message, most);
    fail(message);
  }
  return *value;
}

size_t Directive::wordArg(size_t index, std::initializer_list<std::string_view> words) const {
  const std::string& given = arg(index);
  std::string known;
  size_t place = 0;
  for (const std::string_view word : words) {
    if (word == given) return place;
    known.append(place == 0 ? "" : ", ").append(word);
    ++place;
  }
  fail("'" + given + "' is none of: " + known);
}

Directive parseConfig(std::string_view file, std::string_view text) {
  return Reader(file, text).run();
}

Directive loadConfig(const std::string& path) {
  const std::unique_ptr<FILE, int (*)(FILE*)> input(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!input) throw ConfigError(path, 0, "cannot be opened");
  std::string text;
  char block[4096];
  size_t got = 0;
  while ((got = std::fread(block, 1, sizeof(block), input.get())) > 0) {
    text.append(block, got);
    if (text.size() > kConfigBytesMax) throw ConfigError(path, 0, "is larger than 1 MiB");
  }
  if (std::ferror(input.get()) != 0) throw ConfigError(path, 0, "cannot be read");
  return parseConfig(path, text);
}

}  // namespace mesh
