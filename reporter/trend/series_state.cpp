#include "reporter/trend/series_state.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace perf::reporter {
namespace {

SeriesState state_of(const Finding& finding) {
  switch (finding.state) {
    case AlertState::fresh:
      return SeriesState::fresh;
    case AlertState::known:
      return SeriesState::known;
    case AlertState::refuted:
      return SeriesState::refuted;
    case AlertState::recovered:
    case AlertState::withdrawn:
      return SeriesState::over;
    case AlertState::none:
      break;
  }
  if (finding.step != nullptr && finding.step->machine_event) {
    return SeriesState::event;
  }
  if (finding.drift != nullptr && !finding.drift->beyond) {
    return SeriesState::quiet;  // where it stands, no move
  }
  return finding.worse ? SeriesState::worse : SeriesState::improved;
}

}  // namespace

const char* word_for(SeriesState state) {
  constexpr std::array<const char*, 9> kWords{
      "new", "known", "machine event", "refuted", "over", "suspect", "worse", "improved", "quiet"};
  return kWords[static_cast<std::size_t>(state)];
}

SeriesState state_of(const TrendSeries& series, const std::vector<Finding>& findings) {
  SeriesState state = SeriesState::quiet;
  for (const Finding& finding : findings) {
    state = std::min(state, state_of(finding));
  }
  if (!series.closed.empty()) {
    state = std::min(state, SeriesState::over);
  }
  if (std::any_of(series.suspects.begin(), series.suspects.end(), is_open_suspect)) {
    state = std::min(state, SeriesState::suspect);
  }
  return state;
}

}  // namespace perf::reporter
