#include "collector/process/pacing.h"

#include <limits>

#include "collector/process/monotonic.h"

namespace perf {

Pacing::Pacing(const StopAndGo& pace, pid_t child, const char* proc_root)
    : wanted_(pace.wanted()), stopper_(child, proc_root), pacer_(pace, monotonic_seconds()) {}

double Pacing::next() const {
  return wanted_ ? pacer_.next() : std::numeric_limits<double>::infinity();
}

void Pacing::keep() {
  if (!wanted_) {
    return;
  }
  const bool stands = pacer_.is_stopping() && stopper_.all_stand();
  const double now = monotonic_seconds();
  switch (pacer_.step(now, stands)) {
    case Pacer::Action::stop:
      stopper_.stop(now);
      break;
    case Pacer::Action::go:
      stopper_.go();
      break;
    case Pacer::Action::none:
      break;
  }
}

double Pacing::stopped_until(double now) const {
  return wanted_ ? pacer_.stopped_until(now) : 0;
}

}  // namespace perf
