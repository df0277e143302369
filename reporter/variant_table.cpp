#include "reporter/variant_table.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "reporter/changed_rows.h"
#include "schema/param.h"

namespace perf::reporter {
namespace {

using Texts = std::map<std::string, std::string>;

/// The parameters of one side that the other has not, or not so.
Texts own_settings(const Comparison& comparison, Side side) {
  const bool at_base = side == Side::base;
  const Params& own = at_base ? *comparison.base_params : comparison.params;
  const Params& others = at_base ? comparison.params : *comparison.base_params;
  Texts settings;
  for (const auto& [key, value] : own) {
    const auto other = others.find(key);
    if (other == others.end() || !same_value(other->second, value)) {
      settings[key] = to_text(value);
    }
  }
  return settings;
}

void keep_common(const Texts& more, Texts& settings) {
  for (auto it = settings.begin(); it != settings.end();) {
    const auto found = more.find(it->first);
    it = found != more.end() && found->second == it->second ? std::next(it) : settings.erase(it);
  }
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

Prose settings_phrase(const Report& report, Side side) {
  std::optional<Texts> common;
  for (const Comparison& comparison : report.comparisons) {
    if (!comparison.base_params) {
      continue;
    }
    const Texts own = own_settings(comparison, side);
    if (!common) {
      common = own;
    } else {
      keep_common(own, *common);
    }
  }
  Prose phrase;
  for (const auto& [key, value] : common.value_or(Texts{})) {
    append(phrase, words(phrase.empty() ? "with " : ", "), name(key + "=" + value));
  }
  return phrase;
}

Table variant_table(const Report& report) {
  Table table{{"workload", "setting", "metric", right("base"), right("head"), "change", "verdict"},
              {}};
  for (const Comparison& comparison : report.comparisons) {
    const std::optional<Variant> variant = variant_of(comparison);
    if (!variant || !comparison.judged) {
      continue;
    }
    const auto first = comparison.base_params->find(variant->key);
    const std::string from =
        first == comparison.base_params->end() ? std::string("none") : to_text(first->second);
    const std::vector<Prose> cells = comparison_row(comparison).cells;
    table.rows.push_back({{{name(variant->workload)},
                           {name(variant->key), words(" "), data(from), words(" -> "),
                            data(to_text(comparison.params.at(variant->key)))},
                           cells[1],
                           cells[2],
                           cells[3],
                           cells[4],
                           cells[6]}});
  }
  return table;
}

}  // namespace perf::reporter
