#include "analyzer/join_shards.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <string>
#include <utility>

#include "analyzer/rows/comparison_rows.h"
#include "analyzer/rows/target_results.h"
#include "analyzer/samples/standing.h"
#include "schema/text/text_parts.h"

namespace perf {
namespace {

template <class Value>
void append(std::vector<Value>& from, std::vector<Value>& to) {
  std::ranges::move(from, std::back_inserter(to));
}

/// What holds for every shard, of one that finished where any did.
Report common_part(const std::vector<ReportOfRun>& shards) {
  const auto finished =
      std::ranges::find_if(shards, [](const ReportOfRun& one) { return !one.report.interrupted; });
  Report joined = (finished == shards.end() ? shards.front() : *finished).report;
  joined.id = shards.front().plan.digest;
  joined.shard.reset();
  joined.policy.alpha_share = 1;
  joined.environments.clear();
  joined.judged = 0;
  joined.measured = 0;
  joined.interrupted = joined.budget_spent = false;
  joined.comparisons.clear();
  joined.controls.clear();
  joined.audits.clear();
  joined.trade_offs.clear();
  joined.warnings.clear();
  joined.reproduce.clear();
  joined.undecided.reset();
  return joined;
}

void add_shard(ReportOfRun& shard, Report& joined) {
  Report& report = shard.report;
  joined.generated_at = std::max(joined.generated_at, report.generated_at);
  append(report.environments, joined.environments);
  joined.workload_facts.merge(report.workload_facts);
  joined.judged += report.judged;
  joined.measured += report.measured;
  joined.interrupted = joined.interrupted || report.interrupted;
  joined.budget_spent = joined.budget_spent || report.budget_spent;
  append(report.comparisons, joined.comparisons);
  append(report.controls, joined.controls);
  append(report.audits, joined.audits);
  append(report.trade_offs, joined.trade_offs);
  append(report.reproduce, joined.reproduce);
}

/// Those that all shards have once, others with the shard's number.
void add_warnings(const std::vector<ReportOfRun>& shards, Report& joined) {
  std::vector<Warning> of_all;
  for (const ReportOfRun& shard : shards) {
    for (Warning warning : shard.report.warnings) {
      const bool everywhere =
          shards.size() > 1 && std::ranges::all_of(shards, [&warning](const ReportOfRun& one) {
            return std::ranges::count(one.report.warnings, warning) > 0;
          });
      if (!everywhere) {
        warning.about["of_shard"] = to_text(*shard.plan.shard);
        joined.warnings.push_back(std::move(warning));
      } else if (std::ranges::count(of_all, warning) == 0) {
        of_all.push_back(std::move(warning));
      }
    }
  }
  joined.warnings.insert(joined.warnings.begin(), of_all.begin(), of_all.end());
}

void name_missing(const std::vector<ReportOfRun>& shards, Report& joined) {
  const int count = shards.front().plan.shard->count;
  for (int number = 1; number <= count; ++number) {
    const auto shard = std::ranges::find(
        shards, number, [](const ReportOfRun& one) { return one.plan.shard->number; });
    if (shard == shards.end()) {
      joined.warnings.push_back(
          {WarningKind::shard_missing, {}, {{"shard", to_text(Shard{number, count})}}});
    }
    if (shard == shards.end() || shard->report.interrupted) {
      joined.missing_shards.push_back(number);
    }
  }
}

// ---- targets

/// What one shard measured of a target's workload.
struct Measured {
  const ReportOfRun* shard = nullptr;
  double value = 0;
};

/// `of` is the target that asks for one workload alone.
std::optional<Measured> measured_by_one(const Target& of, const std::vector<ReportOfRun>& shards) {
  for (const ReportOfRun& shard : shards) {
    const Standing standing = standing_of(shard.plan, shard.measurements, shard.report.policy);
    const auto value = target_results({of}, standing, shard.plan.size).front().value;
    if (value) {
      return Measured{&shard, *value};
    }
  }
  return std::nullopt;
}

/// A ratio whose two workloads are of different shards.
void report_across(const std::vector<ReportOfRun>& shards, TargetResult& result, Report& joined) {
  Target of = result.target, over = result.target;
  over.of = std::exchange(of.over, "");
  over.over.clear();
  std::swap(over.of_set, over.over_set);
  const std::optional<Measured> above = measured_by_one(of, shards);
  const std::optional<Measured> below = measured_by_one(over, shards);
  if (!above || !below || below->value == 0 || !std::isfinite(above->value / below->value)) {
    return;
  }
  const Plan &one = above->shard->plan, &other = below->shard->plan;
  const bool alike = one.environment.fingerprint == other.environment.fingerprint;
  Warning warning{WarningKind::target_across_shards,
                  {},
                  {{"target", result.target.name},
                   {"shards", to_text(*one.shard) + " and " + to_text(*other.shard)}}};
  if (alike) {
    result.value = above->value / below->value;
    check_bounds(result);
    warning.about["hosts"] = one.host == other.host ? "one host" : "two hosts of the same kind";
  }
  joined.warnings.push_back(std::move(warning));
}

/// In the order of the config, which those that finished have whole.
std::vector<TargetResult> joined_targets(const std::vector<ReportOfRun>& shards, Report& joined) {
  std::vector<TargetResult> results = joined.targets;
  for (TargetResult& result : results) {
    for (const ReportOfRun& shard : shards) {
      const auto told =
          std::ranges::find(shard.report.targets, result.target, &TargetResult::target);
      if (!result.value && told != shard.report.targets.end() && told->value) {
        result = *told;
      }
    }
    if (!result.value && !result.target.over.empty()) {
      report_across(shards, result, joined);
    }
  }
  return results;
}

// ---- what follows from all rows

/// As of one run (rows/comparison_rows.h); a budget is each shard's own.
std::optional<Undecided> joined_undecided(const std::vector<ReportOfRun>& shards,
                                          const Report& joined) {
  const bool any_decided =
      joined.nothing_ran || joined.summary.verdict != Verdict::inconclusive ||
      std::ranges::any_of(joined.comparisons, [](const Comparison& row) {
        return row.judged && (row.verdict == Verdict::improved ||
                              (row.verdict == Verdict::unchanged && !row.is_same_program()));
      });
  if (any_decided) {
    return std::nullopt;
  }
  Undecided all;
  for (const ReportOfRun& shard : shards) {
    if (const std::optional<Undecided>& one = shard.report.undecided) {
      all.ruled_out = std::max(all.ruled_out, one->ruled_out);
      all.budget = std::max(all.budget, one->budget);
      all.decides += one->decides;
    }
  }
  return all;
}

void require_metrics(const std::vector<ReportOfRun>& shards, const Report& joined) {
  if (joined.policy.metrics.empty() || !joined.missing_shards.empty()) {
    return;
  }
  std::set<std::string> there;
  for (const ReportOfRun& shard : shards) {
    there.merge(metric_names(standing_of(shard.plan, shard.measurements, shard.report.policy)));
  }
  if (joined.policy.count) {
    there.insert(kInstructions.name);
  }
  require_metrics_among(there, joined.policy);
}

}  // namespace

Report join_shards(std::vector<ReportOfRun> shards) {
  std::ranges::sort(shards, {}, [](const ReportOfRun& one) { return one.plan.shard->number; });
  Report joined = common_part(shards);
  joined.nothing_ran =
      std::ranges::all_of(shards,
                          [](const ReportOfRun& one) {
                            return one.report.nothing_ran || one.plan.workloads.empty();
                          }) &&
      std::ranges::any_of(shards, [](const ReportOfRun& one) { return one.report.nothing_ran; });
  add_warnings(shards, joined);
  name_missing(shards, joined);
  require_metrics(shards, joined);
  joined.targets = joined_targets(shards, joined);
  for (ReportOfRun& shard : shards) {
    add_shard(shard, joined);
  }
  sort_rows(joined.comparisons);
  std::ranges::stable_sort(joined.trade_offs, {}, &TradeOff::workload);
  joined.summary = summarize(joined.comparisons);
  joined.families = family_means(joined.comparisons);
  joined.undecided = joined_undecided(shards, joined);
  return joined;
}

}  // namespace perf
