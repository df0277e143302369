#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>

#include "collector/process/process.h"
#include "schema/files/descriptor.h"

namespace perf {

/// Runs processes through a supervisor: a program of its own (supervisor_program.cpp), or, where
/// that is not there, a copy of this process, forked before it has grown.
///
/// Why not fork from here: the kernel carries the high-water mark of memory over exec, so that a
/// child's ru_maxrss is never less than what its parent had at fork (at vfork and posix_spawn: the
/// parent's whole mark). A tool that has read a large history would hide the memory of every small
/// program it measures; and the libraries of any copy of it lie elsewhere in every command, which
/// looks like a change of the program. From the supervisor a child has 0.4 MiB.
///
/// The supervisor is a child subreaper, puts each child into a session of its own, and at the
/// child's end, at its timeout or when cancelled kills the whole group and every descendant that
/// left it; when this process dies, it does the same and goes too.
class Spawner {
 public:
  /// Forks. To be made first in main, on its main thread, before other threads and, for the copy,
  /// before memory is allocated. `proc_root`: where /proc is. Throws Error when no process can be
  /// started.
  explicit Spawner(const char* proc_root = "/proc");
  /// Ends the supervisor and whatever it still runs.
  ~Spawner();
  Spawner(const Spawner&) = delete;
  Spawner& operator=(const Spawner&) = delete;

  /// Should the supervisor be killed, by a child perhaps, all that it had under it becomes this
  /// process's from now on, and is ended from here. For a process that will have no other children;
  /// does nothing where it has some already.
  void adopt_orphans();

  /// Asked several times a second, and whenever a signal arrives here; when it says true, the
  /// running child is killed and its result says so (SIGKILL). Nothing asks it between runs.
  void set_interrupted(std::function<bool()> interrupted);

  /// RunProcess: returns when the process and all that descends from it are gone, with the
  /// kernel's account of the process itself and of descendants that it waited for. One at a time,
  /// not from several threads, except for requests that run `beside`. Throws Error when the
  /// supervisor has died or cannot fork.
  ProcessResult run(const ProcessRequest& request);

  /// For tests and benchmarks.
  pid_t supervisor_pid() const { return supervisor_; }

 private:
  ProcessResult run_supervised(const ProcessRequest& request);
  [[noreturn]] void supervisor_died() const;

  Descriptor socket_;
  pid_t supervisor_ = -1;
  const char* proc_root_;
  bool adopts_orphans_ = false;
  std::function<bool()> interrupted_;
};

/// The supervisor's program, where it should lie and does not; empty where it does.
std::filesystem::path missing_supervisor();

/// The spawner as the function that collectors take. It must outlive the answer.
RunProcess make_run_process(Spawner& spawner);

}  // namespace perf
