#include "reporter/trend/series_names.h"

#include "reporter/commit_phrase.h"
#include "reporter/wording.h"
#include "schema/text_parts.h"

namespace perf::reporter {
namespace {

/// What no column of its own says of a series.
std::string apart_text(const TrendSeries& series, bool several_params, bool several_machines,
                       bool several_benchmarks) {
  std::vector<std::string> parts;
  if (several_params && !series.key.params.empty()) {
    parts.push_back(params_text(series.key.params));
  }
  if (several_machines && !series.key.fingerprint.empty()) {
    parts.push_back("machine " + series.key.fingerprint.substr(0, kShortFingerprint));
  }
  if (several_benchmarks) {
    parts.push_back(benchmark_text(series.key.outside));
  }
  if (!series.key.anchor.empty()) {
    parts.push_back("against " + anchor_text(series));
  }
  return perf::joined(parts, ", ");
}

}  // namespace

SeriesNames::SeriesNames(const TrendReport& report) {
  for (const TrendSeries& series : report.series) {
    Seen& seen = seen_[{series.key.workload, series.metric.name}];
    seen.params.insert(params_text(series.key.params));
    seen.benchmarks.insert(series.key.outside);
    if (!series.key.fingerprint.empty()) {
      seen.fingerprints.insert(series.key.fingerprint);
    }
  }
}

Prose SeriesNames::workload(const TrendSeries& series) const {
  Prose phrase{name(series.key.workload)};
  const auto seen = seen_.find({series.key.workload, series.metric.name});
  const bool known = seen != seen_.end();
  const std::string apart = apart_text(series, known && seen->second.params.size() > 1,
                                       known && seen->second.fingerprints.size() > 1,
                                       known && seen->second.benchmarks.size() > 1);
  if (!apart.empty()) {
    append(phrase, " (", data(apart), ")");
  }
  return phrase;
}

Prose SeriesNames::series(const TrendSeries& series) const {
  return joined(workload(series), " ", name(series.metric.name));
}

std::string anchor_text(const TrendSeries& series) {
  return series.anchor_name.empty() ? short_oid(series.key.anchor) : series.anchor_name;
}

}  // namespace perf::reporter
