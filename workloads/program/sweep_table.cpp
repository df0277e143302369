#include "workloads/program/sweep_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "workloads/program/emitted.h"
#include "workloads/program/table.h"

namespace perf::workloads {

std::string sweep_table(const std::vector<perf_compare::StepEmitter>& series) {
  std::set<int> batches, lengths;
  std::map<std::pair<int, int>, double> rates;
  for (const perf_compare::StepEmitter& out : series) {
    const int batch = static_cast<int>(number_of(out.params(), "batch-size"));
    const int length = static_cast<int>(number_of(out.params(), "seq-len"));
    const std::optional<double> rate = metric_value(out, "tokens_per_second");
    if (batch == 0 || length == 0 || !rate) {
      return "";
    }
    batches.insert(batch);
    lengths.insert(length);
    rates[{batch, length}] = *rate;
  }
  if (batches.size() < 2 || lengths.size() < 2) {
    return "";
  }
  const auto text = [&](int batch, int length) -> std::string {
    const auto found = rates.find({batch, length});
    return found == rates.end() ? "" : scaled(found->second, "1/s");
  };
  std::size_t width = 0;
  for (const auto& [place, rate] : rates) {
    width = std::max({width, text(place.first, place.second).size(),
                      fmt::format("length {}", place.second).size()});
  }
  const std::size_t label = fmt::format("  batch {}", *batches.rbegin()).size();
  std::string table = "tokens a second\n" + std::string(label, ' ');
  for (const int length : lengths) {
    table += fmt::format("  {:>{}}", fmt::format("length {}", length), width);
  }
  table += '\n';
  for (const int batch : batches) {
    table += fmt::format("{:<{}}", fmt::format("  batch {}", batch), label);
    for (const int length : lengths) {
      table += fmt::format("  {:>{}}", text(batch, length), width);
    }
    table += '\n';
  }
  return table;
}

}  // namespace perf::workloads
