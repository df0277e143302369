#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

#include "schema/files/descriptor.h"

namespace perf {

/// How long processes under SIGKILL may take to go before they are given up as stuck in the kernel
/// (a dead NFS mount, a hung device), in seconds.
inline constexpr double kKillPatience = 10;

/// Kills and reaps everything that descends from this process, which must be a child subreaper
/// (prctl(2), PR_SET_CHILD_SUBREAPER): whatever loses its parent then becomes a child of this one,
/// so that nobody escapes by forking twice or by starting a session of its own. Children are found
/// under `proc_root`, and by trying process ids where it is empty. Returns how many were still
/// there after kKillPatience.
std::uint32_t end_descendants(const char* proc_root);

/// Sends SIGKILL to every live descendant that can be found; returns how many there were.
std::uint32_t kill_descendants(const char* proc_root);

/// A process and what it belongs to.
struct Kin {
  pid_t pid = 0;
  pid_t parent = 0;  ///< 0 when it has gone
  pid_t group = 0;
  char state = 0;                ///< of its first thread, as in proc(5): R, S, T, ...
  unsigned long long start = 0;  ///< clock ticks after boot: tells it from a later owner of its id
};

/// The live descendants of this process, as `proc_root` shows them.
std::vector<Kin> find_descendants(const char* proc_root);

/// The first few hundred children of this thread, ended or not; none where the kernel keeps no list
/// of them (CONFIG_PROC_CHILDREN).
std::vector<pid_t> find_children(const char* proc_root);

/// A descriptor (pidfd) of a process, by system call: glibc 2.36 declares its functions without
/// extern "C". None, with errno, where the process is gone or the kernel knows none.
Descriptor open_process(pid_t pid);

/// Whether a process is neither stopped nor at its end.
bool may_run(const char* proc_root, pid_t pid);

}  // namespace perf
