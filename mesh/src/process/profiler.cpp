#include "process/profiler.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/text.hpp"
#include "process/spawn.hpp"

namespace hone::mesh {
namespace {

// The script for the shell. Its arguments are a directory, the command, the process, seconds and a form.
constexpr char kScript[] = R"(exec 2>"$1/said"
"$2" record -p "$3" -g --duration "$4s" -o "$1/data" >&2 && exec "$2" view --to "$5" -o - "$1/data")";

// The longest time that the command may take beside recording.
constexpr Duration kRest = std::chrono::minutes(2);
constexpr std::size_t kMostBytes = 64 << 20;

// Returns the command hone: the file beside this program, or a name to look up in PATH.
std::string hone_command() {
  std::error_code none;
  const auto beside = std::filesystem::read_symlink("/proc/self/exe", none).replace_filename("hone");
  return ::access(beside.c_str(), X_OK) == 0 ? beside.string() : "hone";
}

std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// Begins the shell, whose output goes to a descriptor. Returns 0, or the system's error.
int spawn_record(const std::string& directory, unsigned seconds, std::string_view form, int output, pid_t& child) {
  return spawn({.words = {"/bin/sh", "-c", kScript, "sh", directory, hone_command(), std::to_string(::getpid()),
                          std::to_string(seconds), std::string(form)},
                .descriptor = output,
                .as = STDOUT_FILENO,
                .has_own_group = true},
               child);
}

}  // namespace

Profiler::Profiler(Parts parts) : parts_(parts), late_(Delegate<void()>::of<&Profiler::on_late>(*this)) {}

Profiler::~Profiler() {
  stop();
}

std::string Profiler::begin(unsigned seconds, std::string_view form, Delegate<void(const Result&)> done) {
  std::string directory = (std::filesystem::temp_directory_path() / "hone-mesh-XXXXXX").string();
  if (::mkdtemp(directory.data()) == nullptr) return directory + ": " + std::strerror(errno);
  directory_ = std::move(directory);
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) {
    const int error = errno;
    clear();
    return std::string("pipe: ") + std::strerror(error);
  }
  output_ = Descriptor(ends[0]);
  const Descriptor writing(ends[1]);
  // The child's writes wait for the reader.
  ::fcntl(writing.get(), F_SETFL, 0);
  if (const int error = spawn_record(directory_, seconds, form, writing.get(), child_); error != 0) {
    child_ = 0;
    clear();
    return std::string("/bin/sh: ") + std::strerror(error);
  }
  // Where only parents may look into their children (ptrace_scope), this lets the child look into its parent.
  ::prctl(PR_SET_PTRACER, child_, 0, 0, 0);
  done_ = done;
  watch_.emplace(output_.get(), Delegate<void(Ready)>::of<&Profiler::on_readable>(*this));
  parts_.loop.watch(*watch_, {.readable = true});
  parts_.loop.set(late_, parts_.loop.now() + std::chrono::seconds(seconds) + kRest);
  return {};
}

void Profiler::on_readable(Ready) {
  char bytes[64 * 1024];
  const ssize_t count = ::read(output_.get(), bytes, sizeof bytes);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (count <= 0) return finish();
  read_.append(bytes, static_cast<std::size_t>(count));
  if (read_.size() > kMostBytes) on_late();
}

void Profiler::on_late() {
  ::kill(-child_, SIGKILL);
}

void Profiler::finish() {
  Result result{.is_there = false, .text = std::move(read_)};
  const std::string why = text_of(directory_ + "/said");
  result.is_there = clear() == 0;
  if (!result.is_there) result.text = why.empty() ? "hone was ended\n" : why;
  done_(result);
}

int Profiler::clear() {
  late_.cancel();
  // The watch itself may be the caller.
  if (watch_ && output_) parts_.loop.forget(*watch_);
  output_.reset();
  read_.clear();
  int status = 0;
  if (const pid_t child = std::exchange(child_, 0); child > 0) {
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
  }
  std::error_code none;
  std::filesystem::remove_all(directory_, none);
  return status;
}

void Profiler::stop() {
  if (!is_busy()) return;
  ::kill(-child_, SIGKILL);
  clear();
}

}  // namespace hone::mesh
