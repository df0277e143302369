#include "reporter/counted_lines.h"

#include <algorithm>
#include <string>

#include "reporter/change.h"
#include "reporter/changed_rows.h"
#include "reporter/wording.h"

namespace perf::reporter {
namespace {

bool time_stood(const Report& report, const std::string& workload) {
  return std::any_of(report.comparisons.begin(), report.comparisons.end(),
                     [&](const Comparison& one) {
                       return one.workload == workload && one.metric.name == kStepTime.name &&
                              one.verdict == Verdict::unchanged;
                     });
}

}  // namespace

std::vector<Prose> counted_lines(const Report& report) {
  const std::vector<const Comparison*> shown = shown_changes(report);
  std::vector<Prose> lines;
  std::size_t same = 0;
  for (const Comparison& one : report.comparisons) {
    if (!one.exact || !one.change) {
      continue;
    }
    if (*one.change == 0) {
      ++same;
    } else if (std::find(shown.begin(), shown.end(), &one) == shown.end()) {
      Prose line{name(one.workload), words(": ")};
      if (one.notes.empty()) {
        append(line, {name(one.metric.name), words(" "), number(change_text(*one.change))});
      } else {
        line.push_back(data(one.notes.front()));  // the count's own words, as fine as they need be
      }
      if (time_stood(report, one.workload)) {
        line.push_back(words("; its time is unchanged"));
      }
      lines.push_back(std::move(line));
    }
  }
  if (same > 0) {
    lines.push_back(
        {words(counted(same, "count is", "counts are") + " the same at base and head, exactly")});
  }
  return lines;
}

}  // namespace perf::reporter
