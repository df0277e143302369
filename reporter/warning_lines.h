#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "reporter/document.h"
#include "schema/report.h"

namespace perf::reporter {

/// Warnings that rows leave to `warning_lines`: of a kind that the report warns of as a whole, or
/// of one that many rows have.
class SharedWarnings {
 public:
  SharedWarnings() = default;  ///< none
  explicit SharedWarnings(const Report& report);

  bool has(const Comparison& comparison, const Warning& warning) const;
  bool is_of_the_report(const Warning& warning) const;

 private:
  std::set<WarningKind> of_the_report_;
  std::map<std::string, int> rows_;  ///< by what rows say alike
};

/// Warnings of the whole report, then those that the table of changes does not show: each
/// said once, with the workloads it is about. What the session or the machine did differs from row
/// to row in its figures only, so that several rows share its topic ("session drift (a, b, c)");
/// the full table has the figures. What the report warns of as a whole is not said again of its
/// rows.
std::vector<Prose> warning_lines(const Report& report);

}  // namespace perf::reporter
