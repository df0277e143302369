#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "reporter/pages.h"
#include "reporter/text/quantity.h"
#include "reporter/text/sentences.h"
#include "reporter/text/wording.h"

namespace perf::reporter {
namespace {

std::int64_t count_of(const Selftest& selftest, SelftestOutcome outcome) {
  return std::ranges::count(selftest.rows, outcome, &SelftestRow::outcome);
}

/// Verdicts where nothing was planted.
std::int64_t quiet_count(const Selftest& selftest) {
  return std::ranges::count(selftest.rows, PlantKind::nothing,
                            [](const SelftestRow& row) { return row.plant.kind; });
}

/// By GateState.
const Span kStates[] = {good("The gate works"), bad("The gate does not work"),
                        warn("The gate is not proven to work")};

Prose gate_sentence(const Selftest& selftest) {
  const std::int64_t planted = std::ssize(selftest.rows) - quiet_count(selftest);
  const std::int64_t false_alarms = count_of(selftest, SelftestOutcome::false_alarm);
  Prose line{kStates[static_cast<std::size_t>(selftest.state)],
             words(": " + std::to_string(count_of(selftest, SelftestOutcome::caught)) + " of " +
                   counted(planted, "planted change was", "planted changes were") + " caught")};
  for (const auto& [outcome, what] : {std::pair{SelftestOutcome::missed, " missed"},
                                      {SelftestOutcome::refused, " could not be planted"},
                                      {SelftestOutcome::not_measured, " not measured"}}) {
    if (const std::int64_t count = count_of(selftest, outcome); count > 0) {
      line.push_back(words(", " + std::to_string(count) + what));
    }
  }
  line.push_back(words(false_alarms > 0 ? "; A/A raised " + counted(false_alarms, "false alarm")
                                        : ", and A/A raised no alarm"));
  if (selftest.interrupted) {
    line.push_back("; interrupted before the end");
  }
  return line;
}

Prose planted_cell(const Plant& plant) {
  if (plant.kind == PlantKind::nothing) {
    return {"nothing"};
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

/// By SelftestOutcome.
constexpr Tone kOutcomeTones[] = {Tone::good, Tone::good, Tone::bad,
                                  Tone::bad,  Tone::warn, Tone::warn};

Span outcome_words(SelftestOutcome outcome) {
  std::string text(to_string(outcome));
  std::ranges::replace(text, '_', ' ');
  return {kOutcomeTones[static_cast<std::size_t>(outcome)], text};
}

Row table_row(const SelftestRow& seen) {
  Row row{.cells = {
              {name(seen.workload)},
              {name(seen.metric.name)},
              planted_cell(seen.plant),
              {number(change_text(seen.change, seen.interval))},
              {number(seen.pairs > 0 ? std::to_string(seen.pairs) : "-")},
              {outcome_words(seen.outcome)},
          },
          .subject = {name(seen.workload), " ", name(seen.metric.name)}};
  if (const std::string why = why_text(seen); !why.empty()) {
    row.remarks.push_back({data(why)});
  }
  return row;
}

/// Nothing to say but that it stood still.
bool is_plain(const SelftestRow& row) {
  return row.outcome == SelftestOutcome::passed && row.why.empty();
}

}  // namespace

Document page_of(const Selftest& selftest) {
  Table table{{"workload", "metric", "planted", right("change"), right("pairs"), "outcome"}};
  std::size_t plain = 0;
  for (const SelftestRow& row : selftest.rows) {
    plain += is_plain(row) ? 1 : 0;
    if (!is_plain(row)) {
      table.rows.push_back(table_row(row));
    }
  }
  const std::int64_t quiet = quiet_count(selftest);
  Section where;
  where.lines = {{words("nothing planted: " + std::to_string(plain) + " of " +
                        counted(quiet, "verdict") + " unchanged")},
                 {"in ", data(selftest.revision.oid.substr(0, 10)), " ",
                  data(selftest.revision.subject), " (", data(selftest.revision.name), ")"},
                 {words("planted at " + fixed(kPlantedThresholds, 1) + " times each threshold; "),
                  number(elapsed(selftest.measured)), " of measuring, size ", data(selftest.size),
                  ", seed ", number(std::to_string(selftest.seed))}};
  constexpr Mood kMoods[] = {Mood::good, Mood::bad, Mood::unsettled};  // by GateState
  Document document{kMoods[static_cast<std::size_t>(selftest.state)], {gate_sentence(selftest)}};
  keep(document.sections, {.table = std::move(table)});
  document.sections.push_back(std::move(where));
  return document;
}

}  // namespace perf::reporter
