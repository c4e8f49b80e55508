// Restarts that lose nothing: another process, perhaps of another version, takes over from this one, and this one may
// have taken over itself.
//
//     alone -> handing over -> on trial -> leaving           the states of the older process
//       ^           |              |
//       +-----------+--------------+                         the newer one did not serve, or has ended
//
// The older process takes connections until the newer one is ready and takes them, and holds their sockets until it
// leaves. So whichever of the two is killed, at any time, the other one serves.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "event/graveyard.hpp"
#include "process/admin.hpp"
#include "process/predecessor.hpp"
#include "process/successor.hpp"
#include "serve/served.hpp"

namespace hone::mesh {

// Restart belongs to the main thread.
class Restart {
 public:
  // Host is the process.
  struct Host {
    Served& served;
    Admin& admin;
    // True if everything in the configuration is there.
    Delegate<bool()> is_ready;
    // Takes connections for the first time, also those of operators.
    Delegate<void()> serve;
    // hand_over takes no more connections, since another process does; take_back takes them again; leave ends the
    // process with the connections that are open.
    Delegate<void()> hand_over;
    Delegate<void()> take_back;
    Delegate<void()> leave;
  };

  // `file` is the path of the configuration. Takes the sockets that an older process hands over, if there is one, for
  // listeners that are opened later. Throws std::system_error.
  Restart(Loop& loop, std::string file, Host host);

  // Opens a socket for the operator's pages, or takes the older process's socket for them.
  Descriptor listen_for_admin(const Address& address);
  // Tells the older process, or else the service manager, once this process is ready.
  void serves();
  // Starts a process that is to take over. `admin` is the address of the operator's pages. Returns the reason why that
  // is not possible; empty where it has begun.
  std::string begin(const RestartSpec& times, const std::optional<Address>& admin);
  // Has a newer process end together with this one.
  void end();

  // True while another process serves.
  bool is_handed_over() const { return successor_ != nullptr && successor_->is_ready(); }
  bool is_under_way() const { return successor_ != nullptr; }
  // True while an older process may take everything back.
  bool is_on_trial() const { return predecessor_ != nullptr; }
  // True until this process is ready to serve in the older one's place.
  bool is_waiting() const { return predecessor_ != nullptr && !has_served_; }
  const std::set<std::string>& handed() const { return handed_; }
  // Returns the number of processes that were to take over and did not.
  std::uint64_t refused() const { return refused_; }

 private:
  void inherit();
  void look_whether_ready();
  void on_alone();
  std::vector<HandedOver> sockets(const std::optional<Address>& admin);
  void on_ready();
  void on_failed(const std::string& why);
  void on_over();
  void bury();

  Loop& loop_;
  const std::string program_;
  const std::string file_;
  const Host host_;
  // Nullptr where there is no such process, or none any more.
  std::unique_ptr<Predecessor> predecessor_;
  std::unique_ptr<Successor> successor_;
  Graveyard<Predecessor> predecessors_gone_;
  Graveyard<Successor> successors_gone_;
  Timer look_;
  bool has_served_ = false;
  // Names of listeners that were handed over.
  std::set<std::string> handed_;
  // The address and the socket of the older process's pages for the operator.
  std::optional<Address> admin_address_;
  Descriptor admin_;
  std::uint64_t refused_ = 0;
};

}  // namespace hone::mesh
