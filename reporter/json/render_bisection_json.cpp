#include <string>

#include "reporter/json/records.h"
#include "reporter/render.h"

namespace perf {
namespace {

using reporter::Json;
using reporter::json_number;
using reporter::json_of;

const char* word(BisectionAnswer answer) {
  switch (answer) {
    case BisectionAnswer::found:
      return "found";
    case BisectionAnswer::unconfirmed:
      return "unconfirmed";
    case BisectionAnswer::unmeasured:
      return "unmeasured";
    case BisectionAnswer::not_worse:
      return "not_worse";
    case BisectionAnswer::undecided:
      return "undecided";
    case BisectionAnswer::unfinished:
      break;
  }
  return "unfinished";
}

Json visited_json(const Bisection& bisection) {
  Json list = Json::array();
  for (const VisitedCommit& visited : bisection.visited) {
    list.push_back({{"revision", json_of(visited.revision)},
                    {"pairs", visited.pairs},
                    {"change", json_number(visited.change)},
                    {"interval", json_of(visited.interval)},
                    {"probability_bad",
                     bisection.first_bad ? json_number(visited.probability) : Json(nullptr)}});
  }
  return list;
}

Json skipped_json(const Bisection& bisection) {
  Json list = Json::array();
  for (const SkippedCommit& skipped : bisection.skipped) {
    list.push_back({{"revision", json_of(skipped.revision)}, {"reason", skipped.reason}});
  }
  return list;
}

Json revisions_json(const std::vector<Revision>& revisions) {
  Json list = Json::array();
  for (const Revision& revision : revisions) {
    list.push_back(json_of(revision));
  }
  return list;
}

}  // namespace

std::string render_bisection_json(const Bisection& bisection) {
  // What is likeliest so far, or was not confirmed, is no answer.
  const bool found = bisection.answer == BisectionAnswer::found;
  const Metric& metric = bisection.metric;
  return reporter::json_text(
      {{"schema", "perf-compare/bisect/1"},
       {"id", bisection.id},
       {"generated_at",
        bisection.generated_at.empty() ? Json(nullptr) : Json(bisection.generated_at)},
       {"tool", {{"version", bisection.tool_version}}},
       {"good", json_of(bisection.good)},
       {"bad", json_of(bisection.bad)},
       {"commits", bisection.commits},
       {"workload", bisection.workload},
       {"params", json_of(bisection.params)},
       {"metric", metric.name},
       {"unit", metric.unit},
       {"better", metric.better == Better::lower ? "lower" : "higher"},
       {"size", bisection.size},
       {"seed", bisection.seed},
       {"threshold", json_number(bisection.threshold)},
       {"answer", word(bisection.answer)},
       {"first_bad", found ? json_of(bisection.first_bad) : Json(nullptr)},
       {"last_good", found ? json_of(bisection.last_good) : Json(nullptr)},
       {"likeliest", json_of(bisection.first_bad)},
       {"candidates", revisions_json(bisection.candidates)},
       {"probability", bisection.first_bad ? json_number(bisection.probability) : Json(nullptr)},
       {"certain", bisection.certain},
       {"ends",
        {{"pairs", bisection.end_pairs},
         {"change", json_number(bisection.end_change)},
         {"interval", json_of(bisection.end_interval)}}},
       {"visited", visited_json(bisection)},
       {"skipped", skipped_json(bisection)},
       {"pairs", bisection.pairs},
       {"measured", json_number(bisection.measured)},
       {"interrupted", bisection.interrupted},
       {"budget_spent", bisection.budget_spent},
       {"comparison", bisection.comparison ? json_of(*bisection.comparison) : Json(nullptr)},
       {"reproduce", bisection.reproduce}});
}

}  // namespace perf
