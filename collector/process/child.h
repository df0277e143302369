#pragma once

#include <sys/types.h>

#include <vector>

#include "collector/process/pacer.h"
#include "collector/process/wire.h"
#include "schema/files/descriptor.h"

namespace perf {

/// A program to start: NUL-terminated texts that outlive the call.
struct ChildStart {
  const char* directory = nullptr;
  std::vector<char*> arguments;    ///< ended by nullptr
  std::vector<char*> environment;  ///< ended by nullptr
  Descriptor out{}, err{};         ///< become its stdout and stderr; its stdin is /dev/null
};

/// What a child that could not start its program says through the failure pipe.
struct StartFailure {
  wire::Stage stage = wire::Stage::none;
  int error = 0;
};

/// Forks and executes. The child leads a session of its own, has default signal dispositions, an
/// empty signal mask and no descriptors but the three (all of the supervisor's are close-on-exec),
/// leaves no core dump, and dies with the supervisor. Plain fork, because the high-water mark of
/// memory that exec keeps is then the supervisor's few pages. Returns the process id, or -1 with
/// errno. A StartFailure arrives at `failure_pipe` when the program was not reached.
pid_t start_child(const ChildStart& start, int failure_pipe);

/// Stops a child of ours with all its descendants, and lets them go on, in turns, where that is
/// wanted: the pacer says when. The child's process group is stopped at once, and those that have
/// left the group one by one. Descendants are looked for under /proc while the others stand still,
/// at most every kLookAgain seconds. Who left the group is held by descriptor, so that no signal
/// ever reaches a stranger who got the id of one that has ended.
class Pacing {
 public:
  /// The child leads its process group. `proc_root`: where /proc is.
  Pacing(const StopAndGo& pace, pid_t child, const char* proc_root);

  /// When to come back, in monotonic seconds; infinity where nothing is wanted.
  double next() const;
  /// Does what is due by now.
  void keep();
  /// Seconds that the child has been held.
  double stopped_until(double now) const;

  static constexpr double kLookAgain = 0.1;  ///< s

 private:
  void stop(double now);
  /// Whether all that were asked to stop have done so: of the child, every thread; of descendants,
  /// the first thread, as /proc tells.
  bool all_stand();
  void signal_all(int signal);
  void look_for_family();

  bool wanted_;
  Pacer pacer_;
  pid_t child_;
  const char* proc_root_;
  double looked_ = 0;                ///< s, monotonic
  bool child_stands_ = false;        ///< since the last stop
  std::vector<pid_t> family_;        ///< descendants of the child
  std::vector<Descriptor> escaped_;  ///< pidfds of those outside the group
};

}  // namespace perf
