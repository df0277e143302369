#pragma once

#include <sys/types.h>

#include "collector/process/pacer.h"
#include "collector/process/stopper.h"

namespace perf {

/// A child that is stopped and let go in turns, where that is wanted: the pacer says when, the
/// stopper does it.
class Pacing {
 public:
  Pacing(const StopAndGo& pace, pid_t child, const char* proc_root);

  /// When to come back, in monotonic seconds; infinity where nothing is wanted.
  double next() const;
  /// Does what is due by now.
  void keep();
  /// Seconds that the child has been held.
  double stopped_until(double now) const;

 private:
  bool wanted_;
  Stopper stopper_;
  Pacer pacer_;
};

}  // namespace perf
