// The whole process: workers in threads, and the main thread with signals, the access log and the operator's page.
//
//     SIGTERM, SIGINT    take no more connections and end with the last request, or after drain_timeout
//     the same again     end now
//     SIGUSR1            open the access log anew
#pragma once

#include <memory>

#include "config/snapshot.hpp"

namespace hone::mesh {

// Runs until a signal ends it. Says on the standard error where it listens. Throws std::system_error where it cannot
// listen or open its log.
void run_process(std::shared_ptr<const Snapshot> snapshot);

}  // namespace hone::mesh
