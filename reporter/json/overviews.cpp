#include <utility>
#include <vector>

#include "reporter/json/records.h"

namespace perf::reporter {
namespace {

Json measures_json(const std::vector<std::pair<Metric, double>>& metrics) {
  Json json = Json::array();
  for (const auto& [metric, value] : metrics) {
    json.push_back({{"metric", metric.name}, {"unit", metric.unit}, {"value", json_number(value)}});
  }
  return json;
}

}  // namespace

Json json_of(const FamilyMean& mean) {
  return {{"family", mean.family},
          {"metric", mean.metric},
          {"change", json_number(mean.change)},
          {"interval", reporter::json_of(mean.interval)},
          {"workloads", mean.workloads}};
}

Json json_of(const TradeOff& trade_off) {
  return {{"workload", trade_off.workload},
          {"params", reporter::json_of(trade_off.params)},
          {"seconds", json_number(trade_off.seconds)},
          {"bytes", measures_json(trade_off.bytes)},
          {"quality", measures_json(trade_off.quality)}};
}

Json json_of(const std::optional<WarmupBenefit>& warmup) {
  if (!warmup) {
    return nullptr;
  }
  return {{"first", json_number(warmup->first)},
          {"steady", json_number(warmup->steady)},
          {"change", json_number(warmup->change)}};
}

}  // namespace perf::reporter
