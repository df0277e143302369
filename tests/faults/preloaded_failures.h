#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "tests/faults/failing_state.h"

namespace perf::test {

/// Which call of perf-compare fails, and how.
struct Failure {
  Kind kind = kKindCount;         ///< none: calls are only counted
  unsigned long long number = 0;  ///< of that kind, from 1
  int error = 0;                  ///< its errno; 0: a write or a read takes half
  bool from_there_on = false;     ///< so do all after it
  long long room = -1;            ///< B that files take before the disk is full; -1: no bound
  std::string hidden{};           ///< a folder in which nothing can be opened
  std::string file{};             ///< only calls for files with this in their path count
};

/// "write 3 fails with ENOSPC".
std::string described(const Failure& failure);

/// failing_calls.c and the file through which it counts.
class PreloadedFailures {
 public:
  /// Creates the file in `folder`.
  explicit PreloadedFailures(const std::filesystem::path& folder);

  /// Resets all counts; returns the environment for a run of perf-compare.
  std::map<std::string, std::string> arm(const Failure& failure) const;
  /// The counts since then.
  State state() const;

 private:
  std::filesystem::path file_;
};

}  // namespace perf::test
