#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reporter/document.h"
#include "schema/report.h"
#include "schema/revision.h"
#include "schema/text/wording.h"

namespace perf::reporter {

/// Whether `judge` made the report, of values measured elsewhere.
bool is_judged_elsewhere(const Report& report);

/// How far a comparison went the wrong way, as ln(head/base) with bad positive: the order of
/// "worst". From zero to something counts as infinitely far; unknown as not at all.
double badness(const Comparison& comparison);

/// "is slower", "needs less memory", "is worse": a change of the metric in the given direction.
std::string direction_words(const Metric& metric, bool worse);

/// "step_time 412 ms -> 471 ms, +14.3 % [+12.1, +16.0]"; what was not measured is left out.
Prose change_phrase(const Comparison& comparison);

/// "10 %", or "3 % to 10 %" where thresholds differ.
std::string threshold_range(const std::vector<const Comparison*>& comparisons);

/// "layers=4, dtype=f32".
std::string params_text(const Params& params);

/// The parameters that the others have not, or not so.
Params differing(Params own, const Params& others);

/// Leaves in `common` what the others have as well.
void keep_common(const Params& others, Params& common);

/// "benchmark 3f2a9c01", by the digest of what a config brought from outside the repository;
/// "benchmark of the commits" where it is empty.
std::string benchmark_text(const std::string& outside);

/// The parameters that differ between rows of one workload and metric, as text. Empty for a row
/// that is the only one.
std::map<const Comparison*, std::string> distinguishing_params(const Report& report);

/// The verdict of a comparison that gets one.
std::optional<Verdict> verdict_of(const Comparison& comparison);

/// Comparisons that get a verdict, with this verdict.
std::vector<const Comparison*> with_verdict(const Report& report, Verdict verdict);

/// Whether a warning is why its comparison has no statistics (failed, missing, new, incomparable),
/// and not one about the machine or the session.
bool is_reason(const Comparison& comparison, const Warning& warning);

/// Why a comparison has no statistics: the first warning that is a reason, else its first note,
/// else its first warning; empty where it has none of them.
std::string reason_of(const Comparison& comparison);

/// Whether all of them have no statistics for one reason, as when head does not build.
bool one_reason(const std::vector<const Comparison*>& chosen);

/// A check that fails at head, whatever base did.
bool fails(const CheckResult& check);

/// The tone of a verdict's word.
Tone tone_of(Verdict verdict);

/// "2026-01-31", the day (UTC) of seconds since the epoch; empty beyond the years 0 to 9999.
std::string date_of(std::int64_t seconds);

/// "3f2a9c01d2e4 Compute more waves".
Prose short_commit_phrase(const Revision& revision);

/// "3f2a9c01d2e4 Compute more waves (Somebody, 2026-01-31)".
Prose commit_phrase(const Revision& revision);

/// A short oid; of a command or an item, its name.
std::string short_name(const Revision& revision);

}  // namespace perf::reporter
