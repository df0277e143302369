#include "analyzer/rule/earlier_noise.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "ci/cli/run/run.h"

namespace perf {
namespace {

/// A little quicker once than now: whether pairs are dear is seen at the first of this run.
constexpr double kOnceDear = kDearPair / 2;

/// A series, and the differences of each session's pairs, newest first.
struct Sessions {
  EarlierNoise of;
  std::vector<std::vector<double>> differences;
};

void add_session(const WorkloadStanding& workload, std::vector<Sessions>& all) {
  for (const MetricStanding& one : workload.series) {
    const MetricSamples& series = one.series;
    if (!one.under_test || series.params_differ) {
      continue;
    }
    const auto is_it = [&series](const Sessions& sessions) {
      return sessions.of.workload == series.workload && sessions.of.params == series.params &&
             sessions.of.metric == series.metric;
    };
    auto found = std::ranges::find_if(all, is_it);
    if (found == all.end()) {
      all.push_back({{series.workload, series.params, series.metric}, {}});
      found = std::prev(all.end());
    }
    found->differences.push_back(one.differences);
  }
}

std::vector<EarlierNoise> noises_of(const std::vector<Sessions>& all) {
  std::vector<EarlierNoise> found;
  for (const Sessions& sessions : all) {
    if (std::optional<EarlierNoise> noise = noise_of(sessions.differences)) {
      noise->workload = sessions.of.workload;
      noise->params = sessions.of.params;
      noise->metric = sessions.of.metric;
      found.push_back(std::move(*noise));
    }
  }
  return found;
}

}  // namespace

void recall_noise(const Store& store, const Policy& policy, Plan& plan) {
  std::map<std::string, Measurements> loaded;  // by run
  for (PlannedWorkload& planned : plan.workloads) {
    if (!plan.base || runs_the_same(planned) || !planned.control_of.empty()) {
      continue;
    }
    std::vector<Sessions> all;
    for (const RunOfPairs& run :
         store.runs_of_slow_pairs(workload_at(planned, Side::base), planned.workload, plan.size,
                                  plan.environment.fingerprint, kOnceDear)) {
      Plan earlier = store.load_plan(run.id);
      std::erase_if(earlier.workloads, [&planned](const PlannedWorkload& one) {
        return one.workload.name != planned.workload.name || !one.control_of.empty();
      });
      const auto [found, is_new] = loaded.try_emplace(run.id);
      if (is_new) {
        found->second = store.load(run.id);
      }
      const Standing standing = standing_of(earlier, found->second, policy);
      for (const WorkloadStanding& workload : standing.workloads) {
        add_session(workload, all);
      }
    }
    planned.earlier_noise = noises_of(all);
  }
}

}  // namespace perf
