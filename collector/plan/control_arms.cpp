#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "collector/plan/plan.h"

namespace perf {
namespace {

bool has_workload(const Plan& plan, const std::string& name) {
  return std::ranges::any_of(plan.workloads, [&name](const PlannedWorkload& planned) {
    return planned.workload.name == name;
  });
}

std::string free_name(const Plan& plan, const std::string& workload) {
  const std::string plain = workload + "/control";
  std::string name = plain;
  for (int twin = 2; has_workload(plan, name); ++twin) {
    name = plain + "-" + std::to_string(twin);
  }
  return name;
}

}  // namespace

void add_control_arms(Plan& plan) {
  if (!plan.base) {
    return;
  }
  const std::size_t count = plan.workloads.size();
  for (std::size_t i = 0; i < count; ++i) {
    PlannedWorkload control = plan.workloads[i];
    control.control_of = control.workload.name;
    control.workload = workload_at(control, Side::base);
    control.base_params.reset();
    control.at_base.reset();
    control.workload.name = free_name(plan, control.control_of);
    plan.workloads.push_back(std::move(control));
  }
}

}  // namespace perf
