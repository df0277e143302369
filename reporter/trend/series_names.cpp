#include "reporter/trend/series_names.h"

#include "reporter/commit_phrase.h"
#include "reporter/wording.h"

namespace perf::reporter {
namespace {

/// What no column of its own says of a series.
std::string apart_text(const TrendSeries& series, bool several_params, bool several_machines) {
  std::string text;
  const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (several_params && !series.key.params.empty()) {
    add(params_text(series.key.params));
  }
  if (several_machines && !series.key.fingerprint.empty()) {
    add("machine " + series.key.fingerprint.substr(0, kShortFingerprint));
  }
  if (!series.key.anchor.empty()) {
    add("against " + anchor_text(series));
  }
  return text;
}

}  // namespace

SeriesNames::SeriesNames(const TrendReport& report) {
  for (const TrendSeries& series : report.series) {
    Seen& seen = seen_[{series.key.workload, series.metric.name}];
    seen.params.insert(params_text(series.key.params));
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
                                       known && seen->second.fingerprints.size() > 1);
  if (!apart.empty()) {
    append(phrase, words(" ("), data(apart), words(")"));
  }
  return phrase;
}

Prose SeriesNames::series(const TrendSeries& series) const {
  Prose phrase = workload(series);
  append(phrase, words(" "), name(series.metric.name));
  return phrase;
}

std::string anchor_text(const TrendSeries& series) {
  return series.anchor_name.empty() ? series.key.anchor.substr(0, kShortOid) : series.anchor_name;
}

}  // namespace perf::reporter
