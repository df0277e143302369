#include "reporter/layout.h"

#include "reporter/changed_rows.h"
#include "reporter/count_lines.h"
#include "reporter/headline.h"
#include "reporter/measured_where.h"
#include "reporter/report_tables.h"
#include "reporter/warning_lines.h"

namespace perf::reporter {

Document lay_out(const Report& report, const std::string& in_full) {
  Document document{mood_of(report), headline(report), {}, {}};
  const auto add = [&document](Section section) { keep(document.sections, std::move(section)); };
  Section where;
  where.lines = revision_lines(report);
  where.lines.push_back(machine_line(report));
  add(std::move(where));
  add(changed_section(report, in_full));
  add({.title = "Settings", .table = variant_table(report)});
  Section counts;
  counts.lines = count_lines(report, in_full);
  append(counts.lines, warning_lines(report));
  add(std::move(counts));
  add({.title = "Families", .table = family_table(report)});
  add({.title = "Targets", .table = target_table(report)});
  add({.title = "Speed, size and quality", .table = trade_off_table(report)});
  add({.title = "All comparisons",
       .folded = true,
       .first_to_cut = true,
       .table = full_table(report),
       .part = Part::everything});
  add({.title = "Environment and policy", .folded = true, .table = environment_table(report)});
  add({.title = "How to reproduce", .folded = true, .commands = report.reproduce});
  document.again = report.reproduce;
  return document;
}

}  // namespace perf::reporter
