#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

#include "collector/process/process.h"
#include "collector/process/supervisor.h"

namespace perf {
namespace {

/// The largest process id of Linux (PID_MAX_LIMIT in linux/threads.h, 64 bit).
constexpr pid_t kHighestPid = 4 * 1024 * 1024;

constexpr double kFirstLook = 0.005;  ///< s, at the memory of several processes

/// The beginning of an open file, ended by a NUL; empty for no file.
void read_text(const Descriptor& file, char* text, std::size_t room) {
  const ssize_t size = file ? read(file.number(), text, room - 1) : 0;
  text[size > 0 ? size : 0] = '\0';
}

/// A process by /proc/PID/stat. The name in parentheses may contain anything, so fields are counted
/// from the last ')'.
Kin read_kin(int proc, pid_t pid) {
  Kin kin;
  kin.pid = pid;
  char path[32];
  std::snprintf(path, sizeof path, "%d/stat", pid);
  char text[512];
  read_text(Descriptor(openat(proc, path, O_RDONLY | O_CLOEXEC)), text, sizeof text);
  const char* name_end = std::strrchr(text, ')');
  Kin read = kin;
  constexpr char kFields[] =  // 3, 4, 5 and 22 of proc(5)
      " %c %d %d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu";
  const bool is_read =
      name_end != nullptr &&
      std::sscanf(name_end + 1, kFields, &read.state, &read.parent, &read.group, &read.start) == 4;
  return is_read ? read : kin;
}

/// The descendants of this process among all, parents first; `counts(kin, parent)`: whether a
/// process and its own descendants are included.
template <class Counts>
std::vector<Kin> descendants_among(const std::vector<Kin>& all, const Counts& counts) {
  std::vector<Kin> ours(1);
  ours.front().pid = getpid();
  for (std::size_t i = 0; i < ours.size(); ++i) {
    for (const Kin& kin : all) {
      if (kin.parent == ours[i].pid && counts(kin, ours[i])) {
        ours.push_back(kin);
      }
    }
  }
  ours.erase(ours.begin());
  return ours;
}

/// Kills children without /proc: waitid(P_PID) fails with ECHILD for every other id. Slow (about a
/// second), but only used when a process escaped and /proc is missing.
std::uint32_t kill_children_by_trial() {
  std::uint32_t killed = 0;
  for (pid_t pid = 2; pid <= kHighestPid; ++pid) {
    siginfo_t info{};
    if (waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        kill(pid, SIGKILL) == 0) {
      ++killed;
    }
  }
  return killed;
}

/// Sends SIGKILL, and lowers the priority of what it may have started a moment before: only a
/// process with more processor time outruns one that forks and ends repeatedly.
/// `process`: its pidfd, or -1 where the kernel has none.
bool end_process(pid_t pid, int process = -1) {
  constexpr int kLeast = 19;
  setpriority(PRIO_PROCESS, static_cast<id_t>(pid), kLeast);
  return (process >= 0 ? syscall(SYS_pidfd_send_signal, process, SIGKILL, nullptr, 0)
                       : kill(pid, SIGKILL)) == 0;
}

/// Ends a process that was a child of `parent`, if it still is that process: where much is forked,
/// ids are reused within seconds, so that after reading all of /proc an id may belong to another
/// process.
bool end_if_still(int proc, const Kin& seen, const Kin& parent) {
  const Descriptor process = open_process(seen.pid);
  if (!process && errno != ENOSYS) {
    return false;
  }
  const Kin now = read_kin(proc, seen.pid);
  bool is_ours = now.parent == getpid();  // from the beginning, or since its parent ended
  if (now.parent == parent.pid && !is_ours) {
    is_ours = read_kin(proc, parent.pid).start == parent.start;
  }
  return now.start == seen.start && is_ours && end_process(seen.pid, process.number());
}

/// Kills only the children of this thread, much faster than by reading all processes.
void kill_children(const char* proc_root) {
  for (const pid_t pid : find_children(proc_root)) {
    end_process(pid);
  }
}

/// Reaps ended children; true while others are left.
bool reap_ended() {
  for (;;) {
    const pid_t pid = retried([] { return waitpid(-1, nullptr, WNOHANG); });
    if (pid <= 0) {
      return pid == 0;
    }
  }
}

/// Adds the ids in an open file of children, each followed by a blank.
void add_children(const Descriptor& file, std::vector<pid_t>& children) {
  char text[4096];
  read_text(file, text, sizeof text);
  const char* end = std::strrchr(text, ' ');
  for (char* next = text; end != nullptr && next < end;) {
    const auto pid = static_cast<pid_t>(std::strtol(next, &next, 10));
    if (pid > 1) {
      children.push_back(pid);
    }
  }
}

/// Of processor time, which another process on the processor does not prolong.
double own_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// A process's and its descendants' ids; `is_known`: whether the kernel lists them.
std::vector<pid_t> family_of(const char* proc_root, pid_t pid, bool& is_known) {
  std::vector<pid_t> family{pid};
  for (std::size_t i = 0; i < family.size(); ++i) {
    char path[4096];
    std::snprintf(path, sizeof path, "%s/%d/task", proc_root, family[i]);
    DIR* threads = opendir(path);
    while (const dirent* thread = threads == nullptr ? nullptr : readdir(threads)) {
      if (std::isdigit(static_cast<unsigned char>(thread->d_name[0])) != 0) {
        std::snprintf(path, sizeof path, "%.20s/children", thread->d_name);
        const Descriptor file(openat(dirfd(threads), path, O_RDONLY | O_CLOEXEC));
        is_known = is_known && (file || errno != ENOENT || i > 0);
        add_children(file, family);
      }
    }
    if (threads != nullptr) {
      closedir(threads);
    }
  }
  return family;
}

/// B of the processes, by a file of each and the text before the number in KiB; pages where there
/// is none. Nothing where no file can be read.
std::int64_t memory_by(const char* proc_root, const std::vector<pid_t>& family, const char* file,
                       const char* label) {
  std::int64_t sum = 0;
  for (const pid_t pid : family) {
    char path[4096];
    std::snprintf(path, sizeof path, "%s/%d/%s", proc_root, pid, file);
    char text[1024];
    read_text(open_file(path, O_RDONLY | O_CLOEXEC), text, sizeof text);
    const char* at = std::strstr(text, label);
    sum += at == nullptr ? 0 : std::strtoll(at + std::strlen(label), nullptr, 10);
  }
  return sum;
}

}  // namespace

long faults_of_children(const char* proc_root, pid_t pid) {
  char path[4096], text[512];
  std::snprintf(path, sizeof path, "%s/%d/stat", proc_root, pid);
  read_text(open_file(path, O_RDONLY | O_CLOEXEC), text, sizeof text);
  const char* name_end = std::strrchr(text, ')');
  long faults = 0;  // field 11 of proc(5)
  return name_end != nullptr &&
                 std::sscanf(name_end + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %ld", &faults) == 1
             ? faults
             : 0;
}

TreeMemory::TreeMemory(pid_t child, const char* proc_root, double now)
    : child_(child), proc_root_(proc_root), started_(now), next_(now + kFirstLook) {}

void TreeMemory::look(double now) {
  constexpr double kLongest = 0.05, kShare = 0.1, kRest = 50;  // s, of the time so far, looks
  const double begun = own_seconds();
  const std::vector<pid_t> family = family_of(proc_root_, child_, is_known_);
  if (family.size() > 1) {
    const std::int64_t page = sysconf(_SC_PAGESIZE);
    // Shared pages count several times in the first sum, which is cheap and never too small.
    if (memory_by(proc_root_, family, "statm", " ") * page > largest_) {
      constexpr std::int64_t kUnit = 1024;
      const std::int64_t sum = memory_by(proc_root_, family, "smaps_rollup", "\nPss:") * kUnit;
      is_known_ = is_known_ && sum > 0;
      largest_ = std::max(largest_, sum);
    }
  }
  const double took = own_seconds() - begun;
  next_ = now + std::max({kFirstLook, std::min(kLongest, kShare * (now - started_)), kRest * took});
}

std::uint32_t kill_descendants(const char* proc_root) {
  const std::vector<Kin> all = find_processes(proc_root);
  const Descriptor proc = open_file(proc_root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const std::vector<Kin> ended = descendants_among(all, [&proc](const Kin& kin, const Kin& parent) {
    return end_if_still(proc.number(), kin, parent);
  });
  // A /proc without this process is not usable.
  const bool usable = std::ranges::find(all, getpid(), &Kin::pid) != all.end();
  return usable ? static_cast<std::uint32_t>(ended.size()) : kill_children_by_trial();
}

std::vector<Kin> find_processes(const char* proc_root) {
  std::vector<Kin> all;
  DIR* folder = opendir(proc_root);
  if (folder == nullptr) {
    return all;
  }
  while (const dirent* entry = readdir(folder)) {
    if (std::isdigit(static_cast<unsigned char>(entry->d_name[0])) != 0) {
      const auto pid = static_cast<pid_t>(std::strtol(entry->d_name, nullptr, 10));
      const Kin kin = read_kin(dirfd(folder), pid);
      if (kin.parent != 0) {
        all.push_back(kin);
      }
    }
  }
  closedir(folder);
  return all;
}

std::vector<Kin> find_descendants(const char* proc_root) {
  return descendants_among(find_processes(proc_root), [](const Kin&, const Kin&) { return true; });
}

std::vector<pid_t> find_children(const char* proc_root) {
  char text[4096];
  std::snprintf(text, sizeof text, "%s/thread-self/children", proc_root);
  std::vector<pid_t> children;
  add_children(open_file(text, O_RDONLY | O_CLOEXEC), children);
  return children;
}

Descriptor open_process(pid_t pid) {
  return Descriptor(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
}

bool may_run(const char* proc_root, pid_t pid) {
  const Descriptor proc = open_file(proc_root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const Kin kin = proc ? read_kin(proc.number(), pid) : Kin();
  return kin.parent != 0 && kin.state != 'T' && kin.state != 't' && kin.state != 'Z';
}

std::uint32_t end_descendants(const char* proc_root) {
  constexpr double kFirstPause = 0.0005, kLongestPause = 0.005;
  constexpr int kQuickLooks = 20;
  const double give_up = monotonic_seconds() + kKillPatience;
  double pause = kFirstPause;
  while (reap_ended()) {
    const std::uint32_t found = kill_descendants(proc_root);
    for (int look = 0; look < kQuickLooks; ++look) {
      if (!reap_ended()) {
        return 0;
      }
      kill_children(proc_root);
    }
    if (monotonic_seconds() > give_up) {
      return std::max<std::uint32_t>(found, 1);
    }
    const timespec nap{0, static_cast<long>(pause * 1e9)};
    nanosleep(&nap, nullptr);
    pause = std::min(pause * 2, kLongestPause);
  }
  return 0;
}

}  // namespace perf
