#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace perf {

/// Names become parts of paths, keys and reports, and on a forked pull request they are a
/// stranger's choice.
inline constexpr std::size_t kLongestWorkloadName = 200;  ///< bytes

/// A letter or digit of ASCII, or one of . _ -
bool is_name_letter(char letter);

/// What keeps a text from being a workload's name: components of [A-Za-z0-9._-] joined by `/`, none
/// empty, none starting with a dot or a dash, no `..` anywhere. Empty when it is one.
std::string fault_in_workload_name(std::string_view name);

/// Makes names of workloads out of those of benchmarks. Characters that
/// may not stand where they do become `_`; what is too long is cut; a name that was already given
/// gets _2, the next _3, and is cut so that the number has room.
class WorkloadNames {
 public:
  std::string of(std::string_view name);

 private:
  std::set<std::string> given_;
  std::map<std::string, std::size_t> last_twin_;  // of a name before its number
};

}  // namespace perf
