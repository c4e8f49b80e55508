// What systemd is told of the process, where it has asked for it (sd_notify(3)).
#pragma once

#include <sys/types.h>

namespace hone::mesh {

void tell_ready();
// Another process is the service from now on.
void tell_main_process(pid_t id);

}  // namespace hone::mesh
