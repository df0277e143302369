#include "ci/cli/interruption.h"

#include <csignal>

namespace perf {
namespace {

volatile std::sig_atomic_t asked_by = 0;

// A second signal of the same kind finds the default action again: whoever insists is obeyed.
void remember(int signal) {
  asked_by = signal;
}

}  // namespace

void catch_interruptions() {
  struct sigaction action = {};
  action.sa_handler = remember;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

int interruption() {
  return asked_by;
}

}  // namespace perf
