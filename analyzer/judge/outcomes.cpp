#include <algorithm>
#include <set>

#include "analyzer/judge/internal.h"
#include "analyzer/samples/samples.h"
#include "schema/formats/foreign.h"

namespace perf {
namespace {

void add_reason(const std::string& why, bool failed, Outcome& outcome) {
  if (outcome.why.empty() || (failed && outcome.failed == 0)) {
    outcome.why = why;
  }
  ++(failed ? outcome.failed : outcome.skipped);
}

/// Why a side has no value.
Warning reason_of(const Outcome& outcome, Side side) {
  return outcome.failed > 0
             ? Warning{WarningKind::failed, {}, SideFailure{outcome.why, side}.about()}
             : Warning{WarningKind::benchmark_skipped,
                       {},
                       {{"where", std::string(to_string(side))}, {"why", outcome.why}}};
}

bool is_of(const LostBenchmarks& lost, const BenchmarkId& benchmark) {
  const Params& params = benchmark.params;
  return benchmark.name.starts_with(lost.within) &&
         std::ranges::all_of(lost.params, [&](const auto& param) {
           const auto own = params.find(param.first);
           return own == params.end() || own->second == param.second;
         });
}

bool lacks_end(const LostBenchmarks& lost) {
  return lost.why.starts_with(formats::kNoEnd);
}

}  // namespace

Outcomes outcomes_of(const std::vector<SampleSet>& sets) {
  Outcomes outcomes;
  for (const SampleSet& set : sets) {
    std::set<BenchmarkId> measured;
    for (const SampleSeries& series : set.series) {
      measured.insert({series.name, set.of_workloads ? Params{} : series.params});
    }
    for (const BenchmarkId& benchmark : measured) {
      ++outcomes[benchmark].measured;
    }
    for (const auto& [benchmark, why] : set.failures) {
      add_reason(why, true, outcomes[benchmark]);
    }
    for (const auto& [benchmark, why] : set.skipped) {
      add_reason(why, false, outcomes[benchmark]);
    }
  }
  return outcomes;
}

void add_lost(const std::vector<SampleSet>& sets, const std::vector<SampleSet>& others,
              const SeriesByKey& all, Outcomes& outcomes) {
  std::set<BenchmarkId> absent;
  for (const auto& [key, series] : all) {
    if (!outcomes.contains(benchmark_of(key))) {
      absent.insert(benchmark_of(key));
    }
  }
  const bool are_chosen = std::ranges::any_of(
      others, [](const SampleSet& set) { return std::ranges::any_of(set.lost, lacks_end); });
  for (const SampleSet& set : sets) {
    for (const LostBenchmarks& lost : set.lost) {
      for (const BenchmarkId& benchmark : absent) {
        if (is_of(lost, benchmark) && !(are_chosen && lacks_end(lost))) {
          add_reason(lost.why, true, outcomes[benchmark]);
          outcomes[benchmark].lost = true;
        }
      }
    }
  }
}

void add_unmeasured(const Outcomes& outcomes, const Policy& policy, SeriesByKey& all) {
  std::set<BenchmarkId> known;
  for (const auto& [key, series] : all) {
    known.insert(benchmark_of(key));
  }
  for (const auto& [benchmark, outcome] : outcomes) {
    if (!known.contains(benchmark) && outcome.why != formats::kIgnored &&
        is_shown(policy, kStepTime.name)) {
      MetricSessions& series = all[{benchmark.name, benchmark.params, kStepTime.name}];
      series.params = benchmark.params;
      series.metric = kStepTime;
      series.judged = true;
    }
  }
}

void add_outcomes(const Outcome& base, const Outcome& head, Comparison& row) {
  if (!row.judged) {
    return;
  }
  const bool has_base = base.measured > 0, has_head = head.measured > 0;
  if (has_base && has_head) {
    if (base.failed + head.failed > 0) {
      row.warnings.push_back({WarningKind::runs_failed,
                              {{"base_failed", base.failed},
                               {"base_runs", base.measured + base.failed},
                               {"head_failed", head.failed},
                               {"head_runs", head.measured + head.failed}}});
    }
    return;
  }
  const bool is_skipped = !has_base && !has_head && base.failed + head.failed == 0;
  const bool is_unclear =
      base.why == formats::kAmbiguousName || head.why == formats::kAmbiguousName;
  row.judged = !is_skipped || is_unclear;  // else nobody measured it, and nothing failed
  const bool no_head = !has_head && (head.failed > 0 || (has_base && head.skipped > 0));
  if (no_head || (!has_base && base.lost)) {
    row.verdict = Verdict::failed;
  }
  if (is_unclear) {
    row.verdict = Verdict::incomparable;  // neither new nor missing
  }
  if (!has_head && !has_base && base.failed > 0 && head.failed > 0) {
    const SideFailure both{head.why, Side::head, base.why};
    if (both.alike()) {  // head is not to blame, and files are not measured again
      row.verdict = Verdict::incomparable;
    }
    row.warnings.push_back({WarningKind::failed, {}, both.about()});
    return;
  }
  if (is_skipped && base.why == head.why) {
    row.warnings.push_back(
        {WarningKind::benchmark_skipped, {}, {{"on", "both sides"}, {"why", head.why}}});
    return;
  }
  if (!has_head && !head.why.empty()) {
    row.warnings.push_back(reason_of(head, Side::head));
  }
  if (!has_base && !base.why.empty()) {
    row.warnings.push_back(reason_of(base, Side::base));
  }
}

}  // namespace perf
