#include <algorithm>
#include <cmath>
#include <vector>

#include "reporter/text/quantity.h"
#include "reporter/text/sparkline.h"
#include "reporter/text/wording.h"
#include "reporter/trend/findings.h"
#include "schema/selection.h"
#include "schema/text/text_parts.h"

namespace perf::reporter {
namespace {

constexpr std::size_t kLevelPoints = 10;
constexpr double kNoisesAround = 4;

std::size_t first_shown(std::size_t points, const ChangePoint* around) {
  const std::size_t last = points - std::min(points, kShownPoints);
  if (around == nullptr) {
    return last;
  }
  return std::min(last, around->index - std::min(around->index, kShownBefore));
}

}  // namespace

SeriesNames::SeriesNames(const TrendReport& report) {
  for (const TrendSeries& series : report.series) {
    Seen& seen =
        seen_
            .try_emplace({series.key.workload, series.metric.name}, Seen{series.key.params, {}, {}})
            .first->second;
    keep_common(series.key.params, seen.common);
    seen.benchmarks.insert(series.key.outside);
    if (!series.key.fingerprint.empty()) {
      seen.fingerprints.insert(series.key.fingerprint);
    }
  }
}

Prose SeriesNames::workload(const TrendSeries& series) const {
  const SeriesKey& key = series.key;
  const auto found = seen_.find({key.workload, series.metric.name});
  static const Seen kUnknown{};
  const Seen& seen = found == seen_.end() ? kUnknown : found->second;
  std::vector<std::string> apart;  // what no column of its own says
  if (const Params own = differing(key.params, seen.common); !own.empty()) {
    apart.push_back(params_text(own));
  }
  if (seen.fingerprints.size() > 1 && !key.fingerprint.empty()) {
    apart.push_back("machine " + key.fingerprint.substr(0, kShortFingerprint));
  }
  if (!key.host.empty()) {
    apart.push_back("host " + key.host.substr(0, kShortFingerprint));
  }
  if (seen.benchmarks.size() > 1) {
    apart.push_back(benchmark_text(key.outside));
  }
  if (!key.anchor.empty()) {
    apart.push_back("against " + anchor_text(series));
  }
  Prose phrase{name(key.workload)};
  if (!apart.empty()) {
    append(phrase, " (", data(perf::joined(apart, ", ")), ")");
  }
  return phrase;
}

Prose SeriesNames::series(const TrendSeries& series) const {
  return joined(workload(series), " ", name(series.metric.name));
}

std::string anchor_text(const TrendSeries& series) {
  return series.anchor_name.empty() ? short_oid(series.key.anchor) : series.anchor_name;
}

std::string unit_of(const TrendSeries& series) {
  return series.key.anchor.empty() ? series.metric.unit : "1";
}

std::string history_line(const TrendSeries& series, const ChangePoint* around) {
  const std::size_t count = series.points.size();
  const std::size_t begin = first_shown(count, around);
  std::vector<double> values;
  for (std::size_t i = begin; i < std::min(count, begin + kShownPoints); ++i) {
    double value = series.points[i].value;
    if (around != nullptr) {
      const double margin = kNoisesAround * std::max(around->noise_before, around->noise_after);
      value = std::min(value, std::max(around->before, around->after) * (1 + margin));
      value = std::max(value, std::min(around->before, around->after) * (1 - margin));
    }
    values.push_back(value);
  }
  return sparkline(values);
}

std::optional<double> median_of(const TrendSeries& series, std::size_t begin, std::size_t end) {
  std::vector<double> values;
  for (std::size_t i = begin; i < end; ++i) {
    if (std::isfinite(series.points[i].value)) {
      values.push_back(series.points[i].value);
    }
  }
  return values.empty() ? std::nullopt : std::optional<double>(median_in_place(values));
}

std::optional<double> present_level(const TrendSeries& series) {
  const std::size_t count = series.points.size();
  const std::size_t segment =
      series.change_points.empty() ? 0 : std::min(series.change_points.back().index, count);
  return median_of(series, std::max(segment, count - std::min(count, kLevelPoints)), count);
}

std::string visible_text(const TrendSeries& series) {
  return series.visible_step ? rough_percentage(*series.visible_step) : "-";
}

}  // namespace perf::reporter
