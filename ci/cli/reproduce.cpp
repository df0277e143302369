#include "ci/cli/reproduce.h"

namespace perf {

namespace {

constexpr std::size_t kShortOid =
    12;  // short enough to copy from one line, long enough to stay unique

std::string name_of(const Revision& revision) {
  // A snapshot of a working tree is named by no ref: it can only be measured where it was taken.
  return revision.dirty ? "." : revision.oid.substr(0, kShortOid);
}

}  // namespace

std::vector<std::string> reproduce_commands(const Plan& plan) {
  return {"perf-compare " + (plan.base ? name_of(*plan.base) : "baseline") + " " +
          name_of(plan.head) + " --size " + plan.size + " --seed " + std::to_string(plan.seed)};
}

}  // namespace perf
