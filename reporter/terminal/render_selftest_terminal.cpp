#include <algorithm>
#include <string>
#include <vector>

#include "reporter/change.h"
#include "reporter/measured_where.h"
#include "reporter/quantity.h"
#include "reporter/render.h"
#include "reporter/terminal/style.h"
#include "reporter/wording.h"

namespace perf {
namespace {

using namespace reporter;

struct Counts {
  std::size_t planted = 0, caught = 0, missed = 0, refused = 0, not_measured = 0, false_alarms = 0;
  std::size_t quiet = 0;  ///< verdicts where nothing was planted
};

Counts count_rows(const std::vector<SelftestRow>& rows) {
  Counts counts;
  for (const SelftestRow& row : rows) {
    (row.plant.kind == PlantKind::nothing ? counts.quiet : counts.planted) += 1;
    counts.caught += row.outcome == SelftestOutcome::caught ? 1 : 0;
    counts.missed += row.outcome == SelftestOutcome::missed ? 1 : 0;
    counts.refused += row.outcome == SelftestOutcome::refused ? 1 : 0;
    counts.not_measured += row.outcome == SelftestOutcome::not_measured ? 1 : 0;
    counts.false_alarms += row.outcome == SelftestOutcome::false_alarm ? 1 : 0;
  }
  return counts;
}

Span state_words(GateState state) {
  switch (state) {
    case GateState::works:
      return {Tone::good, "The gate works"};
    case GateState::broken:
      return {Tone::bad, "The gate does not work"};
    case GateState::unproven:
      break;
  }
  return {Tone::warn, "The gate is not proven to work"};
}

Prose headline(const Selftest& selftest) {
  const Counts counts = count_rows(selftest.rows);
  Prose line{
      state_words(selftest.state),
      words(": " + std::to_string(counts.caught) + " of " +
            counted(counts.planted, "planted change was", "planted changes were") + " caught")};
  if (counts.missed > 0) {
    line.push_back(words(", " + std::to_string(counts.missed) + " missed"));
  }
  if (counts.refused > 0) {
    line.push_back(words(", " + std::to_string(counts.refused) + " could not be planted"));
  }
  if (counts.not_measured > 0) {
    line.push_back(words(", " + std::to_string(counts.not_measured) + " not measured"));
  }
  line.push_back(
      words(counts.false_alarms > 0
                ? "; A/A raised " + counted(counts.false_alarms, "false alarm", "false alarms")
                : ", and A/A raised no alarm"));
  if (selftest.interrupted) {
    line.push_back(words("; interrupted before the end"));
  }
  return line;
}

Prose planted_cell(const Plant& plant) {
  if (plant.kind == PlantKind::nothing) {
    return {words("nothing")};
  }
  if (plant.amount <= 0) {
    return {words(std::string(to_string(plant.kind)))};
  }
  const std::string how = plant.way == PlantWay::parameter     ? ", by itself"
                          : plant.way == PlantWay::stop_and_go ? ", by stopping it"
                          : plant.way == PlantWay::preload     ? ", by preload"
                                                               : "";
  if (plant.kind == PlantKind::slowdown) {
    return {number(percentage(plant.amount)), words(" slower" + how)};
  }
  return {number("+" + quantity(plant.amount, "B")), words(how)};
}

Tone tone_of_outcome(SelftestOutcome outcome) {
  switch (outcome) {
    case SelftestOutcome::passed:
    case SelftestOutcome::caught:
      return Tone::good;
    case SelftestOutcome::missed:
    case SelftestOutcome::false_alarm:
      return Tone::bad;
    case SelftestOutcome::refused:
    case SelftestOutcome::not_measured:
      break;
  }
  return Tone::warn;
}

Span outcome_words(SelftestOutcome outcome) {
  std::string text(to_string(outcome));
  std::replace(text.begin(), text.end(), '_', ' ');
  return {tone_of_outcome(outcome), text};
}

Row table_row(const SelftestRow& seen) {
  Row row;
  row.cells = {
      {name(seen.workload)},
      {name(seen.metric.name)},
      planted_cell(seen.plant),
      {number(change_text(seen.change, seen.interval))},
      {number(seen.pairs > 0 ? std::to_string(seen.pairs) : "-")},
      {outcome_words(seen.outcome)},
  };
  if (!seen.why.empty()) {
    row.remarks.push_back({data(seen.why)});
  }
  return row;
}

/// Nothing to say but that it stood still.
bool is_plain(const SelftestRow& row) {
  return row.outcome == SelftestOutcome::passed && row.why.empty();
}

}  // namespace

std::string render_selftest_terminal(const Selftest& selftest, bool color) {
  TerminalStyle style;
  style.color = color;
  Table table{{"workload", "metric", "planted", right("change"), right("pairs"), "outcome"}, {}};
  std::size_t plain = 0;
  for (const SelftestRow& row : selftest.rows) {
    plain += is_plain(row) ? 1 : 0;
    if (!is_plain(row)) {
      table.rows.push_back(table_row(row));
    }
  }
  const std::size_t quiet = count_rows(selftest.rows).quiet;
  const std::string rows = terminal_table(table, style);
  const std::string planted =
      "planted at " + fixed(kPlantedThresholds, 1) + " times each threshold; ";
  return terminal_prose(headline(selftest), 0, style) + (rows.empty() ? "" : "\n" + rows) + "\n" +
         terminal_prose({words("nothing planted: " + std::to_string(plain) + " of " +
                               counted(quiet, "verdict", "verdicts") + " unchanged")},
                        kIndent, style) +
         terminal_prose({words("in "), data(selftest.revision.oid.substr(0, 10)), words(" "),
                         data(selftest.revision.subject), words(" ("), data(selftest.revision.name),
                         words(")")},
                        kIndent, style) +
         terminal_prose(
             {words(planted), number(elapsed(selftest.measured)), words(" of measuring, size "),
              data(selftest.size), words(", seed "), number(std::to_string(selftest.seed))},
             kIndent, style);
}

}  // namespace perf
