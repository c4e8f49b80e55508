// Programs that this process starts.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace hone::mesh {

// Program is what is started: with no signal blocked, and nothing open but the standard files and one more.
struct Program {
  // Its path, and its arguments.
  std::vector<std::string> words;
  // NAME=VALUE, which come before those of this process.
  std::vector<std::string> variables = {};
  // What it has open by this number.
  int descriptor = -1;
  int as = -1;
  // True for a group of processes of its own, so that all of it can be ended.
  bool has_own_group = false;
};

// Starts a program. Returns 0, or the system's error.
int spawn(Program program, pid_t& child);

}  // namespace hone::mesh
