#pragma once

#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

// A small block language, one directive per line:
//
//     # comment
//     name argument "quoted argument" {
//       child argument
//     }
//
// Reading it gives a tree of directives; what they mean is decided by whoever owns the block.

namespace mesh {

class ConfigError : public std::runtime_error {
 public:
  ConfigError(std::string_view file, unsigned line, std::string_view message);
};

struct Directive {
  std::string file;
  unsigned line = 0;
  std::string name;
  std::vector<std::string> args;
  std::vector<Directive> children;
  bool isBlock = false;

  [[noreturn]] void fail(std::string_view message) const;
  /// Fails with "unknown directive", naming where it stands.
  [[noreturn]] void failUnknown(std::string_view owner) const;

  void expectArgs(size_t least, size_t most) const;
  void expectBlock() const;
  const std::string& arg(size_t index) const;
  uint64_t numberArg(size_t index, uint64_t least, uint64_t most) const;
  /// The argument's place in `words`; fails and lists them if it is none.
  size_t wordArg(size_t index, std::initializer_list<std::string_view> words) const;
};

/// The limits on a configuration file.
inline constexpr size_t kConfigBytesMax = 1 << 20;
inline constexpr size_t kConfigDepthMax = 16;

/// Parses text into a root directive whose children are the top level. `file` is for messages.
Directive parseConfig(std::string_view file, std::string_view text);

/// Reads and parses a file; a file that cannot be read is a ConfigError at line 0.
Directive loadConfig(const std::string& path);

}  // namespace mesh
