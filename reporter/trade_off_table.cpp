#include "reporter/trade_off_table.h"

#include <fmt/core.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "reporter/quantity.h"

namespace perf::reporter {
namespace {

/// Errors are small: 1.2e-06 says more than 0.0000.
std::string value_text(double value, const std::string& unit) {
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
    const std::string text = value_text(value, metric.unit);
    width += (i == 0 ? 0 : 2) + metric.name.size() + 1 + text.size();
    if (i == kMost || (i > 0 && width > kWidth)) {
      cell.push_back(words(fmt::format(", {} more", metrics.size() - i)));
      break;
    }
    cell.push_back(words(i == 0 ? "" : ", "));
    cell.push_back(name(metric.name));
    cell.push_back(words(" "));
    cell.push_back(number(text));
  }
  return cell;
}

}  // namespace

Table trade_off_table(const Report& report) {
  Table table{{{"workload"}, {"speed", Align::right}, {"size"}, {"quality"}}, {}};
  for (const TradeOff& one : report.trade_offs) {
    table.rows.push_back({{{name(one.workload)},
                           {number(quantity(one.seconds, "s"))},
                           cell_of(one.bytes),
                           cell_of(one.quality)}});
  }
  return table;
}

}  // namespace perf::reporter
