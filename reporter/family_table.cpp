#include "reporter/family_table.h"

#include <string>

#include "reporter/change.h"

namespace perf::reporter {

Table family_table(const Report& report) {
  Table table{{{"family"}, {"metric"}, {"workloads", Align::right}, {"geometric mean"}}, {}};
  for (const FamilyMean& mean : report.families) {
    table.rows.push_back({{{name(mean.family + "/*")},
                           {name(mean.metric)},
                           {number(std::to_string(mean.workloads))},
                           {number(change_text(mean.change, mean.interval))}}});
  }
  return table;
}

}  // namespace perf::reporter
