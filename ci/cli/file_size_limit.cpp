#include "ci/cli/file_size_limit.h"

#include <signal.h>

namespace perf {
namespace {

volatile sig_atomic_t was_met = 0;

void remember(int) {
  was_met = 1;
}

}  // namespace

/// Caught rather than ignored, because SQLite does not say why a write failed.
void outlive_file_size_limit() {
  struct sigaction action = {};
  action.sa_handler = remember;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGXFSZ, &action, nullptr);
}

bool met_file_size_limit() {
  return was_met != 0;
}

}  // namespace perf
