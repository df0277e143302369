#pragma once

#include <sys/types.h>

#include <vector>

namespace perf {

/// Stops a child of ours with all its descendants, and lets them go on: its process group at once,
/// and those that have left the group one by one. Descendants are looked for under /proc while the
/// others stand still, at most every kLookAgain seconds. Who left the group is held by descriptor,
/// so that no signal ever reaches a stranger who got the id of one that has ended.
class Stopper {
 public:
  /// The child leads its process group. `proc_root`: where /proc is.
  Stopper(pid_t child, const char* proc_root);
  ~Stopper();
  Stopper(const Stopper&) = delete;
  Stopper& operator=(const Stopper&) = delete;

  void stop(double now);
  void go();
  /// Whether all that were asked to stop have done so: of the child, every thread; of descendants,
  /// the first thread, as /proc tells.
  bool all_stand();

  static constexpr double kLookAgain = 0.1;  ///< s

 private:
  void signal_all(int signal);
  void look_for_family();

  pid_t child_;
  const char* proc_root_;
  double looked_ = 0;          ///< s, monotonic
  bool child_stands_ = false;  ///< since the last stop
  std::vector<pid_t> family_;  ///< descendants of the child
  std::vector<int> escaped_;   ///< pidfds of those outside the group
};

}  // namespace perf
