#include "process/restart.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include "process/service_manager.hpp"

namespace hone::mesh {
namespace {

// The time between two looks of a process that takes over whether it is ready.
constexpr Duration kBetweenTries = std::chrono::milliseconds(20);

// Returns the path of the program, where another version may be by the time that it is started again.
std::string own_program() {
  std::error_code none;
  return std::filesystem::read_symlink("/proc/self/exe", none).string();
}

bool listens(int socket) {
  int value = 0;
  socklen_t size = sizeof value;
  return ::getsockopt(socket, SOL_SOCKET, SO_ACCEPTCONN, &value, &size) == 0 && value == 1;
}

}  // namespace

Restart::Restart(Loop& loop, std::string file, Host host)
    : loop_(loop),
      program_(own_program()),
      file_(std::move(file)),
      host_(host),
      predecessor_(Predecessor::find()),
      predecessors_gone_(loop),
      successors_gone_(loop),
      look_(Delegate<void()>::of<&Restart::look_whether_ready>(*this)) {
  if (predecessor_ != nullptr) inherit();
}

void Restart::inherit() {
  std::vector<Inherited> all;
  for (HandoverMessage& message : predecessor_->take()) {
    const std::optional<Address> address = Address::parse(message.address);
    const bool is_told = message.word == "told";
    const bool is_listener = is_told || message.word == "listener";
    if (!address || message.sockets.empty() || (!is_listener && message.word != "admin")) continue;
    if (!is_listener) {
      admin_address_ = address;
      admin_ = std::move(message.sockets.front());
      continue;
    }
    // Sockets of one listener may come in several messages.
    if (all.empty() || all.back().name != message.name) all.push_back({message.name, *address, {}, is_told});
    for (Descriptor& socket : message.sockets) {
      if (listens(socket.get())) all.back().sockets.push_back(std::make_shared<const Descriptor>(std::move(socket)));
    }
    if (all.back().sockets.empty()) all.pop_back();
  }
  host_.served.inherit(std::move(all));
  host_.served.own_paths(false);
}

Descriptor Restart::listen_for_admin(const Address& address) {
  if (admin_ && admin_address_ == address) return std::move(admin_);
  return listen_on(address);
}

void Restart::serves() {
  predecessor_ == nullptr ? tell_ready() : look_whether_ready();
}

// Waits until this process is ready: connections that it took before would be lost if the older process took everything
// back. Where the older process is gone, this one serves at once, since anything is better than nothing.
void Restart::look_whether_ready() {
  if (!host_.is_ready() && !predecessor_->is_gone()) return loop_.set(look_, loop_.now() + kBetweenTries);
  has_served_ = true;
  host_.serve();
  predecessor_->say_ready(loop_, Delegate<void()>::of<&Restart::on_alone>(*this));
}

// The older process has left, or is gone.
void Restart::on_alone() {
  predecessors_gone_.take(std::move(predecessor_));
  admin_ = {};
  host_.served.end_inheriting();
  host_.served.own_paths(true);
  std::fprintf(stderr, "hone-mesh: process %d has taken over\n", ::getpid());
}

std::string Restart::begin(const RestartSpec& times, const std::optional<Address>& admin) {
  if (successor_ != nullptr) return "a process is taking over already; next step: wait for its trial's end";
  if (predecessor_ != nullptr) return "this process is on trial itself; next step: wait for its end";
  try {
    successor_ = std::make_unique<Successor>(
        loop_, std::vector<std::string>{program_, "run", file_}, sockets(admin), times,
        Successor::Events{.ready = Delegate<void()>::of<&Restart::on_ready>(*this),
                          .over = Delegate<void()>::of<&Restart::on_over>(*this),
                          .failed = Delegate<void(const std::string&)>::of<&Restart::on_failed>(*this)});
  } catch (const std::system_error& error) {
    ++refused_;
    return std::string("no other process can be started: ") + error.what();
  }
  std::fprintf(stderr, "hone-mesh: process %d is to take over\n", successor_->id());
  return {};
}

std::vector<HandedOver> Restart::sockets(const std::optional<Address>& admin) {
  std::vector<HandedOver> all;
  handed_.clear();
  for (const auto& [name, listener] : host_.served.listeners()) {
    const std::string address = listener.spec->address.text();
    // The newer process has to get a control plane's listeners from the control plane, too.
    const std::string word = listener.origin == Origin::kControlPlane ? "told" : "listener";
    all.push_back({word, name, address, {}});
    handed_.insert(name);
    // Workers share the sockets of a Unix listener.
    std::set<int> known;
    for (const auto& socket : listener.sockets) {
      if (!known.insert(socket->get()).second) continue;
      if (all.back().sockets.size() == HandoverChannel::kMostSockets) all.push_back({word, name, address, {}});
      all.back().sockets.push_back(socket->get());
    }
  }
  if (admin && host_.admin.descriptor() >= 0) all.push_back({"admin", "", admin->text(), {host_.admin.descriptor()}});
  return all;
}

void Restart::on_ready() {
  std::fprintf(stderr, "hone-mesh: process %d serves, and is on trial\n", successor_->id());
  host_.served.own_paths(false);
  host_.admin.pause();
  host_.hand_over();
}

void Restart::on_failed(const std::string& why) {
  const bool was_ready = successor_->is_ready();
  ++refused_;
  bury();
  std::fprintf(stderr, "hone-mesh: the process that was to take over is gone: %s; %s\n", why.c_str(),
               was_ready ? "this one serves again" : "everything stays as it was");
  host_.served.own_paths(true);
  if (!was_ready) return;
  host_.admin.resume();
  host_.take_back();
}

void Restart::on_over() {
  tell_main_process(successor_->id());
  bury();
  host_.leave();
}

void Restart::end() {
  if (successor_ == nullptr) return;
  successor_->end_with_us();
  bury();
}

void Restart::bury() {
  successors_gone_.take(std::move(successor_));
}

}  // namespace hone::mesh
