#include "reporter/comparison/report_sections.h"
#include "reporter/pages.h"

namespace perf::reporter {

Document page_of(const Report& report, const std::string& in_full) {
  Document document{mood_of(report), headline(report)};
  const auto add = [&document](Section section) { keep(document.sections, std::move(section)); };
  std::vector<Prose> where = revision_lines(report);
  keep(where, machine_line(report));
  add({.lines = std::move(where)});
  add(changed_section(report, in_full));
  add(why_measured_section(report, in_full));
  add({.title = "Settings", .table = variant_table(report)});
  std::vector<Prose> counts = count_lines(report, in_full);
  append(counts, warning_lines(report));
  add({.lines = std::move(counts)});
  add({.title = "Families", .table = family_table(report)});
  add({.title = "Targets", .table = target_table(report)});
  add({.title = "Speed, size and quality", .table = trade_off_table(report)});
  Section all{.title = "All comparisons",
              .folded = true,
              .first_to_cut = true,
              .table = full_table(report),
              .part = Part::everything};
  all.lines = take_shared_remarks(all.table.rows);
  add(std::move(all));
  add({.title = "Environment and policy", .folded = true, .table = environment_table(report)});
  add({.title = "How to reproduce", .folded = true, .commands = report.reproduce});
  document.again = report.reproduce;
  return document;
}

}  // namespace perf::reporter
