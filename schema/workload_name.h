#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace perf {

/// Names become parts of paths, keys and reports, and in a forked pull request they are untrusted.
inline constexpr std::size_t kLongestWorkloadName = 200;  ///< bytes

/// A letter or digit of ASCII, or one of . _ -
bool is_name_letter(char letter);

/// What is wrong with a workload's name: components of [A-Za-z0-9._-] joined by `/`, none empty,
/// none starting with a dot or a dash, no `..` anywhere. Empty for a valid one.
std::string fault_in_workload_name(std::string_view name);

/// The name of a benchmark as a name of a workload: invalid characters become `_`. A long one is
/// cut, and ends in a digest of the whole name, as any does with `has_digest`.
std::string workload_name(std::string_view name, bool has_digest = false);

/// Parameters of a foreign benchmark that tell its series apart: its name, where that of the
/// workload has other characters, and the version of its source, where its file has one.
inline constexpr const char* kForeignName = "benchmark_name";
inline constexpr const char* kForeignVersion = "benchmark_version";

/// Proposes names of workloads, by the order in which they come: a duplicate gets _2, the next _3.
class WorkloadNames {
 public:
  std::string of(std::string_view name);

 private:
  std::set<std::string> given_;
  std::map<std::string, std::size_t> last_twin_;  // of a name before its number
};

}  // namespace perf
