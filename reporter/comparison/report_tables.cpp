#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reporter/comparison/report_sections.h"
#include "reporter/text/quantity.h"
#include "reporter/text/wording.h"
#include "schema/param.h"
#include "schema/text/lists.h"
#include "schema/text/text_parts.h"

namespace perf::reporter {
namespace {

/// The unit that a metric's name promises, for targets of what was not measured this time.
std::string conventional_unit(const std::string& metric) {
  if (metric.ends_with("_time")) {
    return "s";
  }
  if (metric.ends_with("_rss") || metric.ends_with("_bytes")) {
    return "B";
  }
  return metric.ends_with("_per_second") ? "1/s" : "";
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

/// " on 2026-01-31", where base was measured then and head is the same.
std::string when_text(const TargetResult& result) {
  constexpr std::size_t kDay = 10;  ///< characters
  return result.measured_at.empty() ? "" : " on " + result.measured_at.substr(0, kDay);
}

std::string bound_text(const Target& target, const std::optional<std::string>& unit) {
  std::vector<std::string> bounds;
  if (target.at_least) {
    bounds.push_back("at least " + value_text(*target.at_least, unit));
  }
  if (target.at_most) {
    bounds.push_back("at most " + value_text(*target.at_most, unit));
  }
  return perf::joined(bounds, ", ");
}

/// Such a target is no business of this report's reader; the JSON has it, as not measured.
bool has_another_size(const Target& target, const Report& report) {
  return !target.size.empty() && target.size != report.size;
}

/// Errors are small: 1.2e-06 says more than 0.0000.
std::string quality_text(double value, const std::string& unit) {
  constexpr double kSmall = 1e-3;
  const bool small = value != 0 && std::abs(value) < kSmall;
  return small ? fmt::format("{:.2g}", value) + (unit == "1" || unit.empty() ? "" : " " + unit)
               : quantity(value, unit);
}

/// "output_bytes 12.1 MiB, index_bytes 4 KiB". Of many the first, so that a row stays within
/// 100 columns; JSON has them all.
Prose cell_of(const std::vector<std::pair<Metric, double>>& metrics) {
  constexpr std::size_t kMost = 3, kWidth = 28;
  Prose cell;
  std::size_t width = 0;
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    const auto& [metric, value] = metrics[i];
    const std::string text = quality_text(value, metric.unit);
    width += (i == 0 ? 0 : 2) + metric.name.size() + 1 + text.size();
    if (i == kMost || (i > 0 && width > kWidth)) {
      cell.push_back(words(fmt::format(", {} more", metrics.size() - i)));
      break;
    }
    append(cell, words(i == 0 ? "" : ", "), name(metric.name), " ", number(text));
  }
  return cell;
}

using Texts = std::map<std::string, std::string>;

/// The parameters of one side that the other has not, or not so.
Texts own_settings(const Comparison& comparison, Side side) {
  const bool at_base = side == Side::base;
  const Params& own = at_base ? *comparison.base_params : comparison.params;
  const Params& others = at_base ? comparison.params : *comparison.base_params;
  Texts settings;
  for (const auto& [key, value] : differing(own, others)) {
    settings[key] = to_text(value);
  }
  return settings;
}

void keep_common(const Texts& more, Texts& settings) {
  std::erase_if(settings, [&more](const auto& setting) {
    const auto found = more.find(setting.first);
    return found == more.end() || found->second != setting.second;
  });
}

/// What NAME/KEY-VALUE, or NAME/KEY-VALUE/CHILD, is a variant of (NAME, or NAME/CHILD), and by
/// which parameter. A variant's name has no slash in VALUE.
struct Variant {
  std::string workload, key;
};

std::optional<Variant> variant_of(const Comparison& comparison) {
  if (!comparison.base_params) {
    return std::nullopt;
  }
  for (const auto& [key, value] : own_settings(comparison, Side::head)) {
    const std::size_t at = comparison.workload.rfind("/" + key + "-");
    if (at != std::string::npos && at > 0) {
      const std::size_t end =
          std::min(comparison.workload.find('/', at + 1), comparison.workload.size());
      return Variant{comparison.workload.substr(0, at) + comparison.workload.substr(end), key};
    }
  }
  return std::nullopt;
}

}  // namespace

Table family_table(const Report& report) {
  Table table{{"family", "metric", right("workloads"), "geometric mean"}};
  for (const FamilyMean& mean : report.families) {
    table.rows.push_back({{{name(mean.family + "/*")},
                           {name(mean.metric)},
                           {number(std::to_string(mean.workloads))},
                           {number(change_text(mean.change, mean.interval))}}});
  }
  return table;
}

Prose elsewhere_phrase(const TargetResult& result) {
  return {"not for ", name(perf::joined(result.found, ", ", [](const auto& fact) {
            return fact.first + " " + fact.second;
          }))};
}

Prose target_phrase(const TargetResult& result, const Report& report) {
  const std::optional<std::string> unit = unit_of(result.target, report);
  Prose prose{name(result.target.name)};
  if (result.value) {
    append(prose, " is ", number(value_text(*result.value, unit) + when_text(result)));
  }
  append(prose, ", wanted ", number(bound_text(result.target, unit)));
  return prose;
}

Table target_table(const Report& report) {
  Table table{{"target", right("value"), "bound", "status"}};
  for (const TargetResult& result : report.targets) {
    if (has_another_size(result.target, report)) {
      continue;
    }
    const std::optional<std::string> unit = unit_of(result.target, report);
    const std::string value =
        result.value ? value_text(*result.value, unit) + when_text(result) : "-";
    const Span status =
        !result.met ? warn("not measured") : (*result.met ? good("met") : bad("missed"));
    table.rows.push_back({{{name(result.target.name)},
                           {number(value)},
                           {number(bound_text(result.target, unit))},
                           result.found.empty() ? Prose{status} : elsewhere_phrase(result)}});
  }
  return table;
}

Table trade_off_table(const Report& report) {
  Table table{{"workload", right("speed"), "size", "quality"}};
  for (const TradeOff& one : report.trade_offs) {
    table.rows.push_back({{{name(one.workload)},
                           {number(quantity(one.seconds, "s"))},
                           cell_of(one.bytes),
                           cell_of(one.quality)}});
  }
  return table;
}

Prose settings_phrase(const Report& report, Side side) {
  std::optional<Texts> common;
  for (const Comparison& comparison : report.comparisons) {
    if (!comparison.base_params) {
      continue;
    }
    const Texts own = own_settings(comparison, side);
    common = common.value_or(own);
    keep_common(own, *common);
  }
  Prose phrase;
  for (const auto& [key, value] : common.value_or(Texts{})) {
    append(phrase, words(phrase.empty() ? "with " : ", "), name(key + "=" + value));
  }
  return phrase;
}

Table variant_table(const Report& report) {
  Table table{comparison_columns(), {}};
  std::vector<Prose> settings;
  for (const Comparison& comparison : report.comparisons) {
    const std::optional<Variant> variant = variant_of(comparison);
    if (!variant || !comparison.judged) {
      continue;
    }
    const auto first = comparison.base_params->find(variant->key);
    const std::string from =
        first == comparison.base_params->end() ? std::string("none") : to_text(first->second);
    settings.push_back({name(variant->key), " ", data(from), " -> ",
                        data(to_text(comparison.params.at(variant->key)))});
    Comparison shown = comparison;
    shown.workload = variant->workload;
    table.rows.push_back({comparison_row(shown).cells});
  }
  insert_column(table, "metric", "setting", std::move(settings));
  erase_column(table, "pairs");
  return table;
}

}  // namespace perf::reporter
