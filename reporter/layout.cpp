#include "reporter/layout.h"

#include <algorithm>
#include <string>
#include <utility>

#include "reporter/change.h"
#include "reporter/changed_rows.h"
#include "reporter/control_line.h"
#include "reporter/counted_lines.h"
#include "reporter/family_table.h"
#include "reporter/headline.h"
#include "reporter/measured_where.h"
#include "reporter/quantity.h"
#include "reporter/target_table.h"
#include "reporter/trade_off_table.h"
#include "reporter/variant_table.h"
#include "reporter/warning_lines.h"
#include "reporter/wording.h"

namespace perf::reporter {
namespace {

/// "12 unchanged: no change of 10 % or more; would have seen 2.1 % or more".
Prose unchanged_line(const Report& report) {
  const auto unchanged = with_verdict(report, Verdict::unchanged);
  if (unchanged.empty()) {
    return {};
  }
  Prose line{strong(std::to_string(unchanged.size()) + " unchanged"), words(": no change of "),
             number(threshold_range(unchanged)), words(" or more")};
  double visible = 0;
  for (const Comparison* comparison : unchanged) {
    visible = std::max(visible, comparison->smallest_visible.value_or(0));
  }
  if (visible > 0) {
    line.push_back(words("; would have seen "));
    line.push_back(number(rough_percentage(visible)));
    line.push_back(words(" or more"));
  }
  return line;
}

/// "error rate 1 % for all 14 verdicts together; 3 min 36 s of measuring, size ci".
Prose effort_line(const Report& report) {
  Prose line;
  if (report.judged > 0 && report.measured > 0) {
    line.push_back(dim("error rate " + percentage(report.policy.alpha) +
                       (report.judged == 1
                            ? ""
                            : " for all " + std::to_string(report.judged) + " verdicts together") +
                       "; "));
  }
  line.push_back(dim(report.measured > 0 ? elapsed(report.measured) + " of measuring"
                                         : "nothing was measured"));
  if (!report.size.empty()) {
    line.push_back(dim(", size "));
    line.push_back(data(report.size));
  }
  return line;
}

std::vector<Prose> count_lines(const Report& report, const std::string& in_full) {
  std::vector<Prose> lines;
  Prose unchanged = unchanged_line(report);
  if (!unchanged.empty()) {
    lines.push_back(std::move(unchanged));
  }
  const auto reported = std::count_if(report.comparisons.begin(), report.comparisons.end(),
                                      [](const Comparison& one) { return !one.judged; });
  if (reported > 0) {
    lines.push_back({words(counted(static_cast<std::size_t>(reported), "metric", "metrics") +
                           " reported, not judged (" + in_full + ")")});
  }
  for (Prose& line : counted_lines(report)) {
    lines.push_back(std::move(line));
  }
  Prose controls = control_line(report);
  if (!controls.empty()) {
    lines.push_back(std::move(controls));
  }
  lines.push_back(effort_line(report));
  return lines;
}

void keep(std::vector<Section>& sections, Section section) {
  if (!section.table.rows.empty() || !section.lines.empty() || !section.commands.empty()) {
    sections.push_back(std::move(section));
  }
}

}  // namespace

Document lay_out(const Report& report, const std::string& in_full) {
  Document document;
  document.mood = mood_of(report);
  document.headline = headline(report);

  Section where;
  where.lines = revision_lines(report);
  where.lines.push_back(environment_line(report));
  keep(document.sections, std::move(where));

  keep(document.sections, changed_section(report, in_full));

  Section variants;
  variants.title = "Settings";
  variants.table = variant_table(report);
  keep(document.sections, std::move(variants));

  Section counts;
  counts.lines = count_lines(report, in_full);
  for (Prose& line : warning_lines(report)) {
    counts.lines.push_back(std::move(line));
  }
  keep(document.sections, std::move(counts));

  Section families;
  families.title = "Families";
  families.table = family_table(report);
  keep(document.sections, std::move(families));

  Section targets;
  targets.title = "Targets";
  targets.table = target_table(report);
  keep(document.sections, std::move(targets));

  Section trade_offs;
  trade_offs.title = "Speed, size and quality";
  trade_offs.table = trade_off_table(report);
  keep(document.sections, std::move(trade_offs));

  Section everything;
  everything.title = "All comparisons";
  everything.part = Part::everything;
  everything.folded = true;
  everything.first_to_cut = true;
  everything.table = full_table(report);
  keep(document.sections, std::move(everything));

  Section environment;
  environment.title = "Environment and policy";
  environment.folded = true;
  environment.table = environment_table(report);
  keep(document.sections, std::move(environment));

  Section again;
  again.title = "How to reproduce";
  again.folded = true;
  again.commands = report.reproduce;
  keep(document.sections, std::move(again));
  return document;
}

}  // namespace perf::reporter
