#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/judge/judge_sessions.h"
#include "analyzer/judge/session_series.h"
#include "analyzer/statistics/shift.h"

namespace perf {

/// What the benchmarks of two files changed by, those with one session a side, by metric: each is
/// judged against the others (session_control.h).
using ChangesByMetric = std::map<std::string, std::map<SessionKey, double>>;
ChangesByMetric changes_by_metric(const SeriesByKey& all);

/// The changes of the others, a thousand at most.
std::vector<double> others_than(const SessionKey& key, const ChangesByMetric& changes);

/// Whether the sessions are one a side, of files of other tools with samples, and nothing says that
/// they ran on unlike machines.
bool may_be_controlled(const ComparableSessions& sessions);

/// The shift of a benchmark so held against the others; nothing where these or its own repetitions
/// are too few for this level, or a value is not positive.
std::optional<Shift> shift_against(const std::vector<double>& others,
                                   const ComparableSessions& sessions, double level);

/// Whether the metric repeats exactly (SampleSeries::exact), and did.
bool repeats_exactly(const ComparableSessions& sessions);

}  // namespace perf
