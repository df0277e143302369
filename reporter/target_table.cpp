#include "reporter/target_table.h"

#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "reporter/quantity.h"

namespace perf::reporter {
namespace {

bool ends_with(const std::string& text, std::string_view end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// The unit that a metric's name promises, for targets of what was not measured this time.
std::string conventional_unit(const std::string& metric) {
  if (ends_with(metric, "_time")) {
    return "s";
  }
  if (ends_with(metric, "_rss") || ends_with(metric, "_bytes")) {
    return "B";
  }
  return ends_with(metric, "_per_second") ? "1/s" : "";
}

/// The unit a target's value is in; nullopt for a ratio.
std::optional<std::string> unit_of(const Target& target, const Report& report) {
  if (!target.over.empty()) {
    return std::nullopt;
  }
  for (const Comparison& comparison : report.comparisons) {
    if (comparison.workload == target.of && comparison.metric.name == target.metric) {
      return comparison.metric.unit;
    }
  }
  return conventional_unit(target.metric);
}

std::string value_text(double value, const std::optional<std::string>& unit) {
  if (unit) {
    return quantity(value, *unit);
  }
  return std::isfinite(value) ? fixed(value, 2) + "x" : "-";
}

std::string bound_text(const Target& target, const std::optional<std::string>& unit) {
  std::string text;
  if (target.at_least) {
    text = "at least " + value_text(*target.at_least, unit);
  }
  if (target.at_most) {
    text += (text.empty() ? "at most " : ", at most ") + value_text(*target.at_most, unit);
  }
  return text;
}

/// Such a target is no business of this report's reader; the JSON has it, as not measured.
bool speaks_of_another_size(const Target& target, const Report& report) {
  return !target.size.empty() && target.size != report.size;
}

}  // namespace

Prose target_phrase(const TargetResult& result, const Report& report) {
  const std::optional<std::string> unit = unit_of(result.target, report);
  Prose prose{name(result.target.name)};
  if (result.value) {
    prose.push_back(words(" is "));
    prose.push_back(number(value_text(*result.value, unit)));
  }
  prose.push_back(words(", wanted "));
  prose.push_back(number(bound_text(result.target, unit)));
  return prose;
}

Table target_table(const Report& report) {
  Table table{{{"target"}, {"value", Align::right}, {"bound"}, {"status"}}, {}};
  for (const TargetResult& result : report.targets) {
    if (speaks_of_another_size(result.target, report)) {
      continue;
    }
    const std::optional<std::string> unit = unit_of(result.target, report);
    const std::string value = result.value ? value_text(*result.value, unit) : "-";
    const Span status = !result.met
                            ? Span{Tone::warn, "not measured"}
                            : (*result.met ? Span{Tone::good, "met"} : Span{Tone::bad, "missed"});
    table.rows.push_back({{{name(result.target.name)},
                           {number(value)},
                           {number(bound_text(result.target, unit))},
                           {status}}});
  }
  return table;
}

}  // namespace perf::reporter
