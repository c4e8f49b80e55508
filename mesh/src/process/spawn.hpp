// Programs that this process starts.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace hone::mesh {

// Program is a program to start, with no signal blocked, and nothing open but the standard files and one more.
struct Program {
  // The program's path and its arguments.
  std::vector<std::string> words;
  // Environment variables as NAME=VALUE, which come before those of this process.
  std::vector<std::string> variables = {};
  // The descriptor of this process that the program has open under the number `as`.
  int descriptor = -1;
  int as = -1;
  // True if the program gets a process group of its own, so that the whole group can be ended.
  bool has_own_group = false;
};

// Starts a program. Returns 0, or the system's error.
int spawn(Program program, pid_t& child);

}  // namespace hone::mesh
