#include "reporter/show/run_medians.h"

#include <map>
#include <optional>
#include <string>

#include "reporter/quantity.h"

namespace perf::reporter {
namespace {

struct Sides {
  const ShownMedian *base = nullptr, *head = nullptr;
};

Prose cell(const ShownMedian* side, std::optional<double> ShownMedian::*member,
           const std::string& unit) {
  const bool known = side != nullptr && (side->*member).has_value();
  return {number(known ? quantity(*(side->*member), unit) : "-")};
}

Prose count(const ShownMedian* side) {
  return {number(std::to_string(side != nullptr ? side->processes : 0))};
}

Row row_of(const std::string& workload, const Sides& sides, bool with_base) {
  Row row;
  row.cells = {{name(workload)}};
  const auto add = [&](const ShownMedian* side) {
    row.cells.push_back(count(side));
    row.cells.push_back(cell(side, &ShownMedian::step_time, "s"));
    row.cells.push_back(cell(side, &ShownMedian::peak_rss, "B"));
  };
  if (with_base) {
    add(sides.base);
  }
  add(sides.head);
  row.subject = {name(workload)};
  return row;
}

}  // namespace

Section run_medians(const RunView& view) {
  std::map<std::string, Sides> workloads;
  bool with_base = false;
  for (const ShownMedian& one : view.medians) {
    Sides& sides = workloads[one.workload];
    (one.side == Side::base ? sides.base : sides.head) = &one;
    with_base |= one.side == Side::base;
  }
  Section section;
  if (workloads.empty()) {
    return section;
  }
  section.table.columns = {{"medians of"}};
  const auto add = [&section](const std::string& side) {
    for (const char* column : {"", " step_time", " peak_rss"}) {
      section.table.columns.push_back({side + column, Align::right});
    }
  };
  if (with_base) {
    add("base");
  }
  add("head");
  for (const auto& [workload, sides] : workloads) {
    section.table.rows.push_back(row_of(workload, sides, with_base));
  }
  section.lines.push_back({dim(
      "over the processes of a side, which stand first; peak_rss is that of the whole process")});
  return section;
}

}  // namespace perf::reporter
