#include "process/spawn.hpp"

#include <signal.h>
#include <spawn.h>
#include <unistd.h>

namespace hone::mesh {
namespace {

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (std::string& one : texts) all.push_back(one.data());
  return all;
}

}  // namespace

int spawn(Program program, pid_t& child) {
  std::vector<char*> words = pointers_to(program.words);
  words.push_back(nullptr);
  std::vector<char*> variables = pointers_to(program.variables);
  for (char** one = environ; *one != nullptr; ++one) variables.push_back(*one);
  variables.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, program.descriptor, program.as);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  const int group = program.has_own_group ? POSIX_SPAWN_SETPGROUP : 0;
  ::posix_spawnattr_setflags(&attributes, static_cast<short>(POSIX_SPAWN_SETSIGMASK | group));
  const int error = ::posix_spawn(&child, words[0], &actions, &attributes, words.data(), variables.data());
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  return error;
}

}  // namespace hone::mesh
