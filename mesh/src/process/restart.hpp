// Restarts that lose nothing: another process, perhaps of another version, takes over from this one, and this one may
// have taken over itself.
//
//     alone -> handing over -> on trial -> leaving           what the older process is in
//       ^           |              |
//       +-----------+--------------+                         the newer one did not serve, or has ended
//
// The older process takes connections until the newer one does, which is when that is ready, and holds their sockets
// until it leaves. So whichever of both is killed, at any time, the other one serves.
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
    // Returns whether all is there that the configuration says.
    Delegate<bool()> is_ready;
    // Takes connections for the first time, also of operators.
    Delegate<void()> serve;
    // Takes no more connections, since another process does; takes them again; ends with those that are open.
    Delegate<void()> hand_over;
    Delegate<void()> take_back;
    Delegate<void()> leave;
  };

  // `file` is the configuration's. Takes what an older process hands over, if there is one, for listeners that are
  // opened later. Throws std::system_error.
  Restart(Loop& loop, std::string file, Host host);

  // Opens a socket for the operator's pages, or takes that of the older process.
  Descriptor listen_for_admin(const Address& address);
  // Tells the older process, or else the manager of services, once this one is ready.
  void serves();
  // Starts a process that is to take over. `admin` is the address of the operator's pages. Returns why that is not
  // possible.
  std::string begin(const RestartSpec& times, const std::optional<Address>& admin);
  // Has a newer process end as this one does.
  void end();

  // True while another process serves.
  bool is_handed_over() const { return successor_ != nullptr && successor_->is_ready(); }
  bool is_under_way() const { return successor_ != nullptr; }
  // True while an older process may take everything back.
  bool is_on_trial() const { return predecessor_ != nullptr; }
  // True until this process is ready to serve in the older one's place.
  bool is_waiting() const { return predecessor_ != nullptr && !has_served_; }
  const std::set<std::string>& handed() const { return handed_; }
  // Processes that were to take over and did not.
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
  // Nullptr where there is none, or none any more.
  std::unique_ptr<Predecessor> predecessor_;
  std::unique_ptr<Successor> successor_;
  Graveyard<Predecessor> predecessors_gone_;
  Graveyard<Successor> successors_gone_;
  Timer look_;
  bool has_served_ = false;
  // Names of listeners that were handed over.
  std::set<std::string> handed_;
  // Of the older process.
  std::optional<Address> admin_address_;
  Descriptor admin_;
  std::uint64_t refused_ = 0;
};

}  // namespace hone::mesh
