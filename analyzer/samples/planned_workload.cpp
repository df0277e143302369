#include "analyzer/samples/planned_workload.h"

#include <string>

namespace perf {

std::optional<std::size_t> workload_of(const Comparison& row, const Plan& plan) {
  std::optional<std::size_t> found;
  std::size_t longest = 0;
  for (std::size_t i = 0; i < plan.workloads.size(); ++i) {
    const std::string& name = plan.workloads[i].workload.name;
    const bool is_its = row.workload == name || row.workload.rfind(name + "/", 0) == 0;
    if (is_its && plan.workloads[i].control_of.empty() && name.size() > longest) {
      found = i;
      longest = name.size();
    }
  }
  return found;
}

}  // namespace perf
