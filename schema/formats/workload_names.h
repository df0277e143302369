#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace perf::formats {

/// Makes names of workloads out of those of benchmarks (schema/workload_name.h). Characters that
/// may not stand where they do become `_`; what is too long is cut; a name that was already given
/// gets _2, the next _3, and is cut so that the number has room.
class WorkloadNames {
 public:
  std::string of(std::string_view name);

 private:
  std::set<std::string> given_;
  std::map<std::string, std::size_t> last_twin_;  // of a name before its number
};

}  // namespace perf::formats
