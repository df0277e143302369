#include "analyzer/rows/layout_effect.h"

#include <cmath>

#include "analyzer/samples/samples.h"
#include "analyzer/statistics/centre_and_spread.h"
#include "analyzer/statistics/pair_order.h"
#include "analyzer/statistics/shift.h"
#include "schema/text/lists.h"
#include "schema/text/wording.h"

namespace perf {
namespace {

constexpr int kMostPairs = 64;  // 2^-63: no level is stricter

/// The last invocation that was timed as asked for.
const Invocation* last_timed(const Measurements& measurements, const std::string& workload) {
  const Invocation* last = nullptr;
  for (const Invocation& one : measurements.invocations) {
    last = one.workload == workload && one.is_timed() && one.ok() ? &one : last;
  }
  return last;
}

/// The relinked invocations alone, as if they were a run of their own.
Measurements relinked(const Measurements& measurements) {
  Measurements alone;
  for (const Invocation& invocation : measurements.invocations) {
    if (invocation.layout_seed != 0 && !invocation.counted) {
      alone.invocations.push_back(invocation);
      alone.invocations.back().layout_seed = 0;
    }
  }
  return alone;
}

bool covers(const Shift& shift, double value) {
  return shift.low <= value && shift.high >= value;
}

/// The change is there in the row's own pairs and not in those of relinked builds.
bool is_gone(const Comparison& row, std::span<const double> differences, double alpha) {
  const std::optional<Shift> plain = estimate_shift(differences, alpha);
  return plain && !covers(*plain, std::log1p(*row.change));
}

/// Moving the code moves the times, more than running the same build again does.
bool layout_scatters(const Comparison& row, std::span<const double> differences) {
  std::vector<double> own =
      mapped(row.pair_changes, [](const double change) { return std::log1p(change); });
  const double of_layouts = pair_noise(differences).robust_sd;
  return !own.empty() && of_layouts > kScatters * pair_noise(own).robust_sd;
}

}  // namespace

bool is_flagged_time(const Comparison& row) {
  const bool moved = is_change(row.verdict);
  return row.judged && moved && row.metric.unit == "s" && row.change && row.look_alpha;
}

bool can_explain(const Comparison& row, double base_share, double head_share) {
  const double ratio = 1 + row.change.value_or(0);
  return ratio >= 1 ? head_share >= 1 - 1 / ratio : base_share >= 1 - ratio;
}

int layout_pairs(const Comparison& row) {
  int pairs = 1;
  while (pairs < kMostPairs && signed_rank_k(pairs, *row.look_alpha) == 0) {
    ++pairs;
  }
  return pairs;
}

std::optional<Demand> layout_demand(const Comparison& row, const Plan& plan,
                                    const Measurements& measurements, const Policy& policy,
                                    std::uint64_t layout_seed, double budget_left) {
  const std::optional<std::size_t> workload = workload_of(row.workload, plan);
  if (!workload) {
    return std::nullopt;
  }
  const Invocation* last = last_timed(measurements, plan.workloads[*workload].workload.name);
  WorkloadDemand wanted;
  wanted.workload = *workload;
  wanted.count = 1;
  wanted.steps = last ? last->steps_wanted : policy.initial_steps;
  wanted.warmup = last ? last->warmup_wanted : policy.warmup_steps;
  return Demand{{wanted}, budget_left, layout_seed};
}

std::vector<double> layout_differences(const Comparison& row, const Plan& plan,
                                       const Measurements& measurements, const Policy& policy) {
  const std::optional<std::size_t> workload = workload_of(row.workload, plan);
  if (!workload) {
    return {};
  }
  const Measurements alone = relinked(measurements);
  const WorkloadSamples samples = samples_of(plan.workloads[*workload], plan, alone, true);
  std::vector<double> differences;
  for (const MetricSamples& series : series_of(samples, policy)) {
    for (const PairedSample& pair : series.pairs) {
      const auto difference = log_ratio(pair.base.value, pair.head.value);
      if (difference && series.workload == row.workload && series.metric == row.metric) {
        differences.push_back(*difference);
      }
    }
  }
  return differences;
}

std::optional<LayoutEffect> layout_effect(const Comparison& row,
                                          std::span<const double> differences, double alpha) {
  const std::optional<Shift> shift = estimate_shift(differences, *row.look_alpha);
  if (!shift) {
    return std::nullopt;
  }
  const bool is_one =
      covers(*shift, 0) && (is_gone(row, differences, alpha) || layout_scatters(row, differences));
  return LayoutEffect{is_one ? kLayoutEffect : "", relative_change(shift->estimate),
                      relative_interval(*shift), static_cast<int>(differences.size())};
}

Warning layout_note(const LayoutEffect& effect) {
  if (effect.interval && effect.interval->low <= 0 && effect.interval->high >= 0) {
    return {WarningKind::layout_undecided,
            {{"low", effect.interval->low},
             {"high", effect.interval->high},
             {"builds", effect.builds}}};
  }
  Warning note{WarningKind::layout_excluded, {{"builds", effect.builds}}};
  if (effect.change) {
    note.figures["change"] = *effect.change;
  }
  return note;
}

}  // namespace perf
