#pragma once

#include <optional>
#include <string>

namespace perf {

/// A free TCP port of the loopback interface. Throws Error where none can be had.
int free_port();

/// Whether a port of this machine accepts connections.
bool accepts(int port);

/// The port of a URL that the config's reader accepts.
int port_of_url(const std::string& url);

/// Whether a GET of a URL is answered with a status from 200 to 399.
bool answers(const std::string& url);

/// Clock ticks after boot.
unsigned long long boot_ticks();

/// Whether a process that began before `since` (boot_ticks) and does not descend from this one
/// listens at a port: it was there before. Processes of other users cannot be seen. One that began
/// later may serve for a descendant, as the proxy of a container does.
bool is_held_by_other(int port, unsigned long long since);

}  // namespace perf
