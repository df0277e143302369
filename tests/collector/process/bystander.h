#pragma once

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <future>
#include <thread>

#include "collector/process/process.h"

namespace perf::testing {

/// How long this machine takes of itself: somebody who at a moment merely starts a process that
/// does nothing, and waits for it.
class Bystander {
 public:
  /// Of CLOCK_MONOTONIC, in s.
  explicit Bystander(double moment = monotonic_seconds())
      : delay_(std::async(std::launch::async, [moment] {
          std::this_thread::sleep_for(std::chrono::duration<double>(moment - monotonic_seconds()));
          pid_t child = 0;
          char name[] = "true";
          char* command[] = {name, nullptr};
          if (posix_spawnp(&child, name, nullptr, nullptr, command, environ) == 0) {
            waitpid(child, nullptr, 0);
          }
          return monotonic_seconds() - moment;
        })) {}

  /// How long after the moment it was done, in s.
  double delay() { return delay_.get(); }

 private:
  std::future<double> delay_;
};

/// What may pass where something has to be over at once, beside a bystander who took `delay`, in s:
/// on a machine that does other things at once everything takes longer.
inline double moment_beside(double delay) {
  return 5 + 20 * delay;
}

}  // namespace perf::testing
