#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/statistics/centre_and_spread.h"
#include "analyzer/statistics/shift.h"
#include "analyzer/statistics/two_clusters.h"
#include "analyzer/warnings/row_warnings.h"

namespace perf {
namespace {

constexpr double kHalvesPart = 0.8;  // of warning_alpha
constexpr double kDriftPart = 0.1;

// Slopes and differences between halves are counted by the square of the pairs.
constexpr std::size_t kMostValues = 512;

// Medians of consecutive blocks where there are more values than needed: drift and halves stay.
std::vector<double> condensed(std::span<const double> values) {
  const std::size_t block = (values.size() + kMostValues - 1) / kMostValues;
  std::vector<double> result;
  for (std::size_t at = 0; at < values.size(); at += block) {
    const auto part = values.subspan(at, std::min(block, values.size() - at));
    result.push_back(median({part.begin(), part.end()}));
  }
  return result;
}

// ln of both sides of the pairs in the order measured; none where some value has no logarithm.
struct Levels {
  std::vector<double> base, head;
  std::vector<double> middle;  ///< of each pair: one of each side, so that a change moves none
};

Levels levels_of(const MetricSamples& series, std::size_t pairs) {
  Levels levels;
  for (const PairedSample& pair : std::span(series.pairs).first(pairs)) {
    if (!(pair.base.value > 0) || !(pair.head.value > 0)) {
      return {};
    }
    levels.base.push_back(std::log(pair.base.value));
    levels.head.push_back(std::log(pair.head.value));
    levels.middle.push_back(0.5 * (levels.base.back() + levels.head.back()));
  }
  return levels;
}

std::optional<Warning> drift_warning(const Levels& levels, double floor, double level) {
  const std::optional<SessionDrift> drift = session_drift(condensed(levels.middle));
  if (!drift || drift->p_value > level || std::abs(drift->size) < floor) {
    return std::nullopt;
  }
  const double change = std::expm1(drift->size);
  return Warning{WarningKind::session_drift,
                 {{"change", change}, {"p_value", drift->p_value}, {"floor", std::expm1(floor)}}};
}

std::optional<Warning> halves_warning(std::span<const double> differences, double floor,
                                      double level) {
  const std::optional<HalvesShift> halves = halves_shift(condensed(differences), level);
  if (!halves || std::abs(halves->shift) < floor || (halves->low <= 0 && halves->high >= 0)) {
    return std::nullopt;
  }
  const double first = std::expm1(halves->first), second = std::expm1(halves->second);
  return Warning{WarningKind::halves_disagree,
                 {{"first", first}, {"second", second}, {"floor", std::expm1(floor)}}};
}

std::optional<Warning> groups_warning(std::span<const double> values, double floor,
                                      std::map<std::string, std::string> about = {}) {
  const std::optional<Clusters> groups = two_clusters(values);
  if (!groups || groups->high - groups->low < floor) {
    return std::nullopt;
  }
  const double apart = std::expm1(groups->high - groups->low);
  return Warning{
      WarningKind::bimodal_pairs,
      {{"apart", apart}, {"high_share", groups->high_share}, {"floor", std::expm1(floor)}},
      std::move(about)};
}

// n (n-1) (2n+5), of which ties take their own part away.
double variance_term(std::size_t count) {
  const auto n = static_cast<double>(count);
  return n * (n - 1) * (2 * n + 5);
}

// Of Kendall's S under the null.
double variance_of_s(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  double term = variance_term(sorted.size());
  for (auto first = sorted.begin(); first != sorted.end();) {
    const auto last = std::upper_bound(first, sorted.end(), *first);
    term -= variance_term(static_cast<std::size_t>(last - first));
    first = last;
  }
  return term / 18;
}

}  // namespace

std::vector<Warning> session_warnings(const MetricStanding& one, std::size_t pairs,
                                      const Policy& policy, int judged) {
  pairs = std::min(pairs, one.differences.size());
  const auto differences = std::span(one.differences).first(pairs);
  const Levels levels = levels_of(one.series, pairs);
  const double floor = policy.warning_share * one.rule.bounds.relevant;
  // Where the rule stopped was chosen by the very pairs: each look it took was a chance to.
  const double level = policy.warning_alpha * policy.alpha_share /
                       (std::max(judged, 1) * std::max(one.decision.look, 1));
  // One cause, one warning: halves that disagree drift too, and a level that drifts has two groups.
  if (auto halves = halves_warning(differences, floor, kHalvesPart * level)) {
    return {std::move(*halves)};
  }
  std::vector<Warning> warnings;
  const auto keep = [&warnings](std::optional<Warning> warning) {
    if (warning) {
      warnings.push_back(std::move(*warning));
    }
    return warning.has_value();
  };
  const bool drifted = keep(drift_warning(levels, floor, kDriftPart * level));
  const bool in_groups = keep(groups_warning(differences, floor));
  if (!drifted && !in_groups && !keep(groups_warning(levels.base, floor, {{"side", "base"}}))) {
    keep(groups_warning(levels.head, floor, {{"side", "head"}}));
  }
  return warnings;
}

std::optional<SessionDrift> session_drift(std::span<const double> values) {
  const std::size_t count = values.size();
  if (count < 3) {
    return std::nullopt;
  }
  double s = 0;
  std::vector<double> slopes;
  slopes.reserve(count * (count - 1) / 2);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = i + 1; j < count; ++j) {
      const double rise = values[j] - values[i];
      s += rise > 0 ? 1 : rise < 0 ? -1 : 0;
      slopes.push_back(rise / static_cast<double>(j - i));
    }
  }
  SessionDrift drift;
  drift.size = median(std::move(slopes)) * static_cast<double>(count - 1);
  const double variance = variance_of_s(values);
  if (variance > 0 && s != 0) {
    const double z = (std::abs(s) - 1) / std::sqrt(variance);
    drift.p_value = std::erfc(z / std::sqrt(2.0));
  }
  return drift;
}

}  // namespace perf
