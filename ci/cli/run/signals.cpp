#include "ci/cli/run/signals.h"

#include <signal.h>

#include <atomic>
#include <cerrno>

#include "collector/process/process.h"

namespace perf {
namespace {

/// A signal to a process group, as from timeout(1), may arrive twice: signals within this time (s)
/// of the first are the same request.
constexpr double kSameRequest = 1;

std::atomic<int> first_signal = 0;
std::atomic<double> first_heard[NSIG] = {};  ///< monotonic_seconds() of each signal; 0: not yet
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<double>::is_always_lock_free,
              "signal handlers may take no locks");

/// A later signal of the same kind gets the default action again.
void remember(int signal) {
  const int kept = errno;
  const double now = monotonic_seconds();
  double first = 0;
  if (first_heard[signal].compare_exchange_strong(first, now)) {
    int none = 0;
    first_signal.compare_exchange_strong(none, signal);
  } else if (now - first > kSameRequest) {
    ::signal(signal, SIG_DFL);
    raise(signal);  // blocked until this returns
  }
  errno = kept;
}

volatile sig_atomic_t was_met = 0;

void remember_limit(int) {
  was_met = 1;
}

}  // namespace

void catch_interruptions() {
  struct sigaction action = {};
  action.sa_handler = remember;
  sigemptyset(&action.sa_mask);
  sigaddset(&action.sa_mask, SIGINT);
  sigaddset(&action.sa_mask, SIGTERM);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

int interruption() {
  return first_signal;
}

/// Caught rather than ignored, because SQLite does not say why a write failed.
void outlive_file_size_limit() {
  struct sigaction action = {};
  action.sa_handler = remember_limit;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGXFSZ, &action, nullptr);
}

bool met_file_size_limit() {
  return was_met != 0;
}

}  // namespace perf
