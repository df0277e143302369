#include "ci/cli/plan_digest.h"

#include "schema/fnv.h"
#include "schema/json/json_writer.h"
#include "schema/json/record_fields.h"

namespace perf {

static void fields(JsonWriter& visit, const Workload& record) {
  PERF_FIELDS(name, command, format, params, timeout, outside, inputs)
}

static void fields(JsonWriter& visit, const PlannedWorkload& record) {
  PERF_FIELDS(workload, base_params, control_of)
}

static void fields(JsonWriter& visit, const BuildCommand& record) {
  PERF_FIELDS(command, timeout, submodules)
}

namespace {

Json revision(const Revision& revision) {
  return Json::array({revision.oid, revision.dirty});
}

}  // namespace

std::string plan_digest(const PlannedRun& run, const Policy& policy, const std::string& measure,
                        int shards) {
  const Plan& plan = run.plan;
  Json json{{"tool", PERF_COMPARE_VERSION},
            {"size", plan.size},
            {"seed", plan.seed},
            {"measure", measure},
            {"shards", shards},
            {"counts", run.counts},
            {"outside", run.outside.digest},
            {"missing", plan.missing}};
  json["base"] = plan.base ? revision(*plan.base) : Json(nullptr);
  json["head"] = revision(plan.head);
  json["builds"] = Json::array({json_of(run.base_build), json_of(run.head_build)});
  json["policy"] = json_of(policy);
  json["workloads"] = json_of(plan.workloads);
  for (const Target& target : run.config.targets) {
    json["targets"].push_back(json_of(TargetResult{target}));
  }
  return hexadecimal(fnv1a_64(one_line_of(json)));
}

}  // namespace perf
