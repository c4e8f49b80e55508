// Notices about the process to systemd, where systemd has asked for them (sd_notify(3)).
#pragma once

#include <sys/types.h>

namespace hone::mesh {

void tell_ready();
// Tells that another process is the service from now on.
void tell_main_process(pid_t id);

}  // namespace hone::mesh
