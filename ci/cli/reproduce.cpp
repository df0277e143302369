#include "ci/cli/reproduce.h"

namespace perf {

std::vector<std::string> reproduce_commands(const Plan& plan) {
  // A snapshot of a working tree is named by no ref: it can only be measured where it was taken.
  const std::string head = plan.head.dirty ? "." : plan.head.oid;
  const std::string base = plan.base ? (plan.base->dirty ? "." : plan.base->oid) : "baseline";
  return {"perf-compare " + base + " " + head + " --size " + plan.size + " --seed " +
          std::to_string(plan.seed)};
}

}  // namespace perf
