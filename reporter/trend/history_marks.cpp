#include <algorithm>
#include <cmath>

#include "reporter/quantity.h"
#include "reporter/span_text.h"
#include "reporter/trend/finding_phrases.h"
#include "reporter/trend/findings.h"
#include "reporter/trend/histories.h"
#include "reporter/trend/series_values.h"

namespace perf::reporter {
namespace {

constexpr TextLimits kMarkLimits{80, 160};

std::string kind_of(const ChangePoint& step) {
  if (step.state == AlertState::refuted) {
    return "refuted";
  }
  if (step.machine_event && step.state == AlertState::none) {
    return "event";
  }
  return step.worse ? "worse" : "better";
}

/// "+12.4 % [+10.9, +13.8], new: 412 ms -> 463 ms at 210fedcba987 Use a map (Ada, 2026-01-31)".
std::string mark_text(const Histories& histories, const TrendSeries& series,
                      const ChangePoint& step, const std::string& what) {
  return change_text(step.change, step.interval) + ", " + what + ": " +
         prose_text({number(quantities(step.before, step.after, unit_of(series)))}, kMarkLimits) +
         " " + prose_text(place_phrase(histories.report(), step), kMarkLimits);
}

std::string word_for(const ChangePoint& step, const std::string& kind) {
  if (step.state != AlertState::none) {
    return std::string(to_string(step.state)) + " alert";
  }
  return kind == "event" ? "in a machine event" : kind == "worse" ? "no alert" : "improved";
}

HistoryMark mark_of(const Histories& histories, const TrendSeries& series, const ChangePoint& step,
                    const std::string& kind, const std::string& word) {
  return {.at = {histories.position(step.commit), step.after},
          .kind = kind,
          .fresh = step.state == AlertState::fresh,
          .change = change_text(step.change),
          .text = mark_text(histories, series, step, word)};
}

}  // namespace

void add_marks(const Histories& histories, const TrendSeries& series, SeriesHistory& history) {
  for (const ChangePoint& step : series.change_points) {
    const std::string kind = kind_of(step);
    history.marks.push_back(mark_of(histories, series, step, kind, word_for(step, kind)));
  }
  for (const ChangePoint& step : series.suspects) {
    if (is_open_suspect(step)) {
      history.marks.push_back(mark_of(histories, series, step, "suspect", "suspect"));
    }
  }
  std::erase_if(history.marks,
                [](const HistoryMark& mark) { return !std::isfinite(mark.at.value); });
  std::ranges::stable_sort(history.marks, {}, [](const auto& mark) { return mark.at.position; });
}

}  // namespace perf::reporter
