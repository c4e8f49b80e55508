// The whole process: workers in threads, and the main thread with signals, the access log and the operator's page.
//
//     SIGHUP             read the configuration again; with faults, everything stays as it is
//     SIGTERM, SIGINT    take no more connections and end with the last request, or after drain_timeout
//     the same again     end now
//     SIGUSR1            open the access log anew
//     SIGUSR2            restart: start the program from its path once more, and hand over to it
#pragma once

#include <memory>
#include <string>

#include "config/names.hpp"
#include "config/snapshot.hpp"

namespace hone::mesh {

// Runs the process until a signal ends it, at first with a snapshot of the file. Writes to the standard error where it
// listens. Throws std::system_error where it cannot listen or open its log.
void run_process(std::string file, config::Names names, std::unique_ptr<Snapshot> snapshot);

}  // namespace hone::mesh
