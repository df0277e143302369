#include "schema/store/report_details.h"

#include <cstddef>

#include "schema/store/json_text.h"
#include "schema/store/stored_json.h"

namespace perf::store {
namespace {

Json warnings_json(const std::vector<Warning>& warnings) {
  Json json = Json::array();
  for (const Warning& warning : warnings) {
    Json figures = Json::object();
    for (const auto& [name, value] : warning.figures) {
      figures[name] = derived(value);
    }
    json.push_back({{"kind", warning.kind}, {"figures", std::move(figures)}});
  }
  return json;
}

void read_warnings(const Json& details, std::vector<Warning>& warnings) {
  const Json& kinds = member(details, "warnings", &Json::is_array);
  if (kinds.size() != warnings.size()) {
    throw_damaged("warnings");
  }
  for (std::size_t i = 0; i < warnings.size(); ++i) {
    warnings[i].kind = text_in(kinds[i], "kind");
    for (const auto& [name, value] : member(kinds[i], "figures", &Json::is_object).items()) {
      warnings[i].figures[name] = statistic_in(kinds[i].at("figures"), name.c_str());
    }
  }
}

Json metric_json(const Metric& metric) {
  return {{"name", metric.name},
          {"unit", metric.unit},
          {"better", metric.better == Better::higher ? "higher" : "lower"}};
}

Metric metric_in(const Json& object, const char* key) {
  const Json& json = member(object, key);
  const std::string better = text_in(json, "better");
  if (better != "higher" && better != "lower") {
    throw_damaged(better);
  }
  return {text_in(json, "name"), text_in(json, "unit"),
          better == "higher" ? Better::higher : Better::lower};
}

template <typename Record>
void check(std::string_view details, std::string_view warnings) {
  Record record;
  record.warnings.resize(lines_from_json(warnings).size());
  read_details(details, record);
}

using MetricsOfOne = std::vector<std::pair<Metric, double>>;

Json metrics_json(const MetricsOfOne& metrics) {
  Json json = Json::array();
  for (const auto& [metric, value] : metrics) {
    json.push_back({{"metric", metric_json(metric)}, {"value", derived(value)}});
  }
  return json;
}

MetricsOfOne metrics_in(const Json& object, const char* key) {
  MetricsOfOne metrics;
  for (const Json& json : member(object, key, &Json::is_array)) {
    metrics.emplace_back(metric_in(json, "metric"), statistic_in(json, "value"));
  }
  return metrics;
}

Json functions_json(const std::vector<FunctionChange>& functions) {
  Json json = Json::array();
  for (const FunctionChange& one : functions) {
    json.push_back({{"symbol", one.symbol},
                    {"name", one.name},
                    {"object", one.object},
                    {"base_share", derived(one.base_share)},
                    {"head_share", derived(one.head_share)},
                    {"base_seconds", derived(one.base_seconds)},
                    {"head_seconds", derived(one.head_seconds)}});
  }
  return json;
}

void read_functions(const Json& list, std::vector<FunctionChange>& functions) {
  for (const Json& json : list) {
    functions.push_back({text_in(json, "symbol"), text_in(json, "name"), text_in(json, "object"),
                         statistic_in(json, "base_share"), statistic_in(json, "head_share"),
                         maybe_number_in(json, "base_seconds"),
                         maybe_number_in(json, "head_seconds")});
  }
}

}  // namespace

std::string details_of(const Report& report) {
  Json families = Json::array(), controls = Json::array(), trade_offs = Json::array();
  for (const FamilyMean& mean : report.families) {
    families.push_back({{"family", mean.family},
                        {"metric", mean.metric},
                        {"change", derived(mean.change)},
                        {"interval", interval_json(mean.interval)},
                        {"workloads", mean.workloads}});
  }
  for (const ControlResult& control : report.controls) {
    controls.push_back({{"workload", control.workload},
                        {"metric", metric_json(control.metric)},
                        {"change", derived(control.change)},
                        {"interval", interval_json(control.interval)},
                        {"pairs", control.pairs},
                        {"alarmed", control.alarmed}});
  }
  for (const TradeOff& one : report.trade_offs) {
    trade_offs.push_back({{"workload", one.workload},
                          {"params", Json::parse(to_json(one.params))},
                          {"seconds", derived(one.seconds)},
                          {"bytes", metrics_json(one.bytes)},
                          {"quality", metrics_json(one.quality)}});
  }
  return text_of({{"families", std::move(families)},
                  {"controls", std::move(controls)},
                  {"trade_offs", std::move(trade_offs)},
                  {"budget_spent", report.budget_spent},
                  {"warnings", warnings_json(report.warnings)}});
}

std::string details_of(const Comparison& row) {
  Json changes = Json::array();
  for (const double change : row.pair_changes) {
    changes.push_back(derived(change));
  }
  Json json = {{"exact", row.exact},
               {"pair_changes", std::move(changes)},
               {"functions", functions_json(row.functions)},
               {"warnings", warnings_json(row.warnings)}};
  if (row.base_params) {
    json["base_params"] = Json::parse(to_json(*row.base_params));
  }
  if (row.layout) {
    json["layout"] = {{"label", row.layout->label},
                      {"change", derived(row.layout->change)},
                      {"interval", interval_json(row.layout->interval)},
                      {"builds", row.layout->builds}};
  }
  if (row.warmup) {
    json["warmup"] = {{"first", derived(row.warmup->first)},
                      {"steady", derived(row.warmup->steady)},
                      {"change", derived(row.warmup->change)}};
  }
  return text_of(json);
}

void read_details(std::string_view text, Report& report) {
  const Json details = parsed_as(text, &Json::is_object);
  for (const Json& json : member(details, "families", &Json::is_array)) {
    report.families.push_back({text_in(json, "family"), text_in(json, "metric"),
                               statistic_in(json, "change"), interval_in(json, "interval"),
                               count_in(json, "workloads")});
  }
  for (const Json& json : member(details, "controls", &Json::is_array)) {
    report.controls.push_back({text_in(json, "workload"), metric_in(json, "metric"),
                               maybe_number_in(json, "change"), interval_in(json, "interval"),
                               count_in(json, "pairs"), flag_in(json, "alarmed")});
  }
  for (const Json& json : member(details, "trade_offs", &Json::is_array)) {
    report.trade_offs.push_back(
        {text_in(json, "workload"),
         params_from_json(text_of(member(json, "params", &Json::is_object))),
         statistic_in(json, "seconds"), metrics_in(json, "bytes"), metrics_in(json, "quality")});
  }
  report.budget_spent = flag_in(details, "budget_spent");
  read_warnings(details, report.warnings);
}

void read_details(std::string_view text, Comparison& row) {
  const Json details = parsed_as(text, &Json::is_object);
  row.exact = flag_in(details, "exact");
  for (const Json& change : member(details, "pair_changes", &Json::is_array)) {
    if (!change.is_number() && !change.is_null()) {
      throw_damaged("pair_changes");
    }
    row.pair_changes.push_back(change.is_null() ? std::numeric_limits<double>::quiet_NaN()
                                                : change.get<double>());
  }
  read_functions(member(details, "functions", &Json::is_array), row.functions);
  if (const Json& params = member(details, "base_params"); !params.is_null()) {
    row.base_params = params_from_json(text_of(params));
  }
  if (const Json& layout = member(details, "layout"); !layout.is_null()) {
    row.layout = LayoutEffect{text_in(layout, "label"), maybe_number_in(layout, "change"),
                              interval_in(layout, "interval"), count_in(layout, "builds")};
  }
  if (const Json& warmup = member(details, "warmup"); !warmup.is_null()) {
    row.warmup = WarmupBenefit{statistic_in(warmup, "first"), statistic_in(warmup, "steady"),
                               maybe_number_in(warmup, "change")};
  }
  read_warnings(details, row.warnings);
}

void check_report_details(std::string_view details, std::string_view warnings) {
  check<Report>(details, warnings);
}

void check_comparison_details(std::string_view details, std::string_view warnings) {
  check<Comparison>(details, warnings);
}

}  // namespace perf::store
