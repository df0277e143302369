#include "ci/cli/run/plan_digest.h"

#include <cstddef>
#include <utility>
#include <vector>

#include "collector/plan/plan.h"
#include "schema/json/json_writer.h"
#include "schema/json/record_fields.h"
#include "schema/text/fnv.h"
#include "schema/text/lists.h"

namespace perf {
namespace {

// Not json_of, which the reporter defines for these records.

Json json_of_plan(const Revision& revision) {
  return Json::array({revision.oid, revision.dirty});
}

Json json_of_plan(const std::optional<BuildCommand>& build) {
  return build ? Json::array({build->command, build->timeout, build->submodules}) : Json(nullptr);
}

Json json_of_plan(const std::vector<PlannedWorkload>& workloads) {
  Json all = Json::array();
  for (const PlannedWorkload& one : workloads) {
    const Workload& workload = one.workload;
    all.push_back({workload.name, workload.command, workload.format, json_of(workload.params),
                   workload.timeout, workload.outside, workload.inputs, workload.seconds,
                   json_of(workload), json_of(one.base_params), one.control_of});
  }
  return all;
}

}  // namespace

std::string plan_digest(const PlannedRun& run, const Policy& policy, const Options& options) {
  const Plan& plan = run.plan;
  Policy common = policy;
  common.alpha_share = 1;
  Json json{{"tool", PERF_COMPARE_VERSION},
            {"size", plan.size},
            {"seed", plan.seed},
            {"measure", options.measure},
            {"shards", options.shard ? options.shard->count : 1},
            {"outside", run.outside.digest},
            {"policy", json_of(common)},
            {"head", json_of_plan(plan.head)},
            {"builds", Json::array({json_of_plan(run.base_build), json_of_plan(run.head_build)})},
            {"workloads", json_of_plan(run.whole.empty() ? plan.workloads : run.whole)}};
  if (plan.base) {
    json["base"] = json_of_plan(*plan.base);
  }
  for (const Target& target : run.config.targets) {
    json["targets"].push_back(json_of(TargetResult{target, {}, {}}));
  }
  return hexadecimal(fnv1a_64(one_line_of(json)));
}

void take_shard(PlannedRun& run, Policy& policy, const Options& options) {
  if (!options.shard) {
    return;
  }
  Plan& plan = run.plan;
  if (!options.seed) {
    plan.seed = 0;
    plan.seed = fnv1a_64(plan_digest(run, policy, options)) >> 32U;
  }
  plan.digest = plan_digest(run, policy, options);
  plan.shard = options.shard;
  run.whole = std::move(plan.workloads);
  plan.workloads.clear();
  const std::vector<ShardedWorkload> all = mapped(run.whole, [](const PlannedWorkload& one) {
    return ShardedWorkload{one.workload.name, one.workload.seconds};
  });
  const std::vector<int> shards = shards_of(all, plan.shard->count);
  for (std::size_t i = 0; i < shards.size(); ++i) {
    if (shards[i] == plan.shard->number) {
      plan.workloads.push_back(run.whole[i]);
    }
  }
  if (plan.shard->number > 1) {
    plan.missing.clear();  // reported by the first shard
  }
  policy.alpha_share =
      static_cast<double>(plan.workloads.size()) / static_cast<double>(run.whole.size());
}

}  // namespace perf
