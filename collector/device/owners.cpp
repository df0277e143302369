#include "collector/device/owners.h"

#include <signal.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <optional>
#include <string>

#include "collector/device/devices.h"

namespace perf::nvml {
namespace {

/// The parent by /proc/PID/stat, whose second field may contain anything; nothing where it cannot
/// be read.
std::optional<unsigned> parent_of(unsigned pid) {
  const std::string stat = proc_file(pid, "stat");
  const std::size_t end = stat.rfind(')');
  unsigned parent = 0;
  return end != stat.npos && std::sscanf(stat.c_str() + end, ") %*c %u", &parent) == 1
             ? std::optional(parent)
             : std::nullopt;
}

}  // namespace

Owners::Owners(int own) : own_(static_cast<unsigned>(own)) {
  // The first namespace of processes: PROC_PID_INIT_INO of the kernel. Drivers list its ids.
  struct stat space {};
  constexpr ino_t kFirst = 0xEFFFFFFCU;
  is_first_space_ = stat("/proc/self/ns/pid", &space) == 0 && space.st_ino == kFirst;
}

Owner Owners::of(unsigned pid) {
  const auto [found, is_new] = known_.try_emplace(pid, Owner::hidden);
  if (is_new || found->second == Owner::hidden) {
    found->second = find(pid);
  }
  return found->second;
}

Owner Owners::find(unsigned pid) const {
  const bool is_of_another_user = kill(static_cast<pid_t>(pid), 0) != 0;
  if (is_of_another_user && errno != EPERM) {
    return Owner::hidden;
  }
  unsigned ancestor = pid;
  for (int depth = 0; ancestor > 1 && depth < 1000; ++depth) {
    if (ancestor == own_) {
      return Owner::ours;
    }
    const std::optional<unsigned> parent = parent_of(ancestor);
    if (!parent && !(is_of_another_user && ancestor == pid)) {
      return Owner::hidden;  // one of them has just ended: asked again
    }
    ancestor = parent.value_or(0);  // /proc may hide processes of other users
  }
  // The server of MPS computes for its clients, which are listed as well.
  return process_name(pid) == "nvidia-cuda-mps" ? Owner::hidden : Owner::other;
}

}  // namespace perf::nvml
