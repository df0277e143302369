#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "schema/revision.h"

namespace perf {

/// Where a program spends its time, by sampling.
struct HotFunction {
  std::string symbol;  ///< as the object calls it: mangled; "[unknown]" where it has no name there
  std::string name;    ///< the same for people: demangled
  std::string object;  ///< the file it lies in, full path; "[vdso]" and its like
  double share = 0;    ///< of the samples, 0..1
};

/// The samples of one invocation, in user mode, all its threads and children.
struct Profile {
  std::vector<HotFunction> functions;  ///< largest share first
  std::int64_t samples = 0;
  std::optional<double> step_time{};  ///< s, median of that invocation's timed steps
  std::string problem;                ///< why there is none, and what to try; empty when there is
};

/// A function whose share of the time changed.
struct FunctionChange {
  std::string symbol;
  std::string name;    ///< for people
  std::string object;  ///< file name without its folder, which differs between checkouts
  double base_share = 0, head_share = 0;  ///< of the samples, 0..1
  /// s of one step: share times the step's median; null where that is not known. Rough: samples
  /// are taken of the whole process, its start and warm-up steps included.
  std::optional<double> base_seconds{}, head_seconds{};
};

/// A workload's profile at one revision, or at two.
struct WorkloadProfile {
  std::string workload;
  std::optional<Profile> base{};
  Profile head;
  std::vector<FunctionChange> changes{};  ///< of two: whose share moved
};

/// The result of `profile`.
struct ProfileReport {
  std::optional<Revision> base{};  ///< absent: one revision alone
  Revision head;
  std::vector<WorkloadProfile> workloads;
};

}  // namespace perf
