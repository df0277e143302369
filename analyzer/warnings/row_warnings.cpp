#include "analyzer/warnings/row_warnings.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "analyzer/samples/same_work.h"
#include "analyzer/warnings/fairness.h"
#include "analyzer/warnings/machine_warnings.h"
#include "analyzer/warnings/session_warnings.h"
#include "analyzer/wording.h"

namespace perf {
namespace {

// Of judged rows only, and in the same words for all, so that a report can say it once for many;
// the figures stand in each side's statistics.
void warn_of_noise(const Policy& policy, Comparison& row) {
  const auto is_noisy = [&policy](const std::optional<SideStats>& stats) {
    return stats && stats->cov > policy.noisy_cov;
  };
  if (row.judged && (is_noisy(row.base) || is_noisy(row.head))) {
    Warning warning{"noisy", "noisy: coefficient of variation above " + percent(policy.noisy_cov)};
    warning.figures["most"] = policy.noisy_cov;
    if (row.base) {
      warning.figures["base"] = row.base->cov;
    }
    if (row.head) {
      warning.figures["head"] = row.head->cov;
    }
    row.warnings.push_back(std::move(warning));
  }
}

/// What a workload may say of itself that changes how fast the same code runs.
bool fact_of_workload_changes_timing(std::string_view fact) {
  constexpr std::array<std::string_view, 14> facts{
      "backend", "blas",  "blas_core", "blas_threads", "boost",   "build_type", "compiler",
      "device",  "dtype", "flags",     "governor",     "runtime", "simd",       "threads"};
  return std::find(facts.begin(), facts.end(), fact) != facts.end();
}

void tell_unlike_facts(const WorkloadSamples& samples, Comparison& row) {
  const Said base = said_by(samples.base), head = said_by(samples.head);
  for (const auto& [name, at_base] : base.facts) {
    const auto at_head = head.facts.find(name);
    if (at_head == head.facts.end() || at_head->second == at_base) {
      continue;
    }
    std::string text = name;
    text.append(" is ").append(at_base).append(" at base, ").append(at_head->second);
    text.append(" at head");
    if (fact_of_workload_changes_timing(name)) {
      row.warnings.push_back({"unlike_environments", "unlike environments: " + text});
    } else {
      row.notes.push_back(std::move(text));
    }
  }
}

std::string why_incomparable(const SeriesStanding& one, const WorkloadStanding& workload) {
  if (!workload.not_same_work.empty()) {
    return "not the same work on both sides: " + workload.not_same_work;
  }
  return one.series.unlike ? "its unit or direction is not the same on both sides"
                           : "negative or non-finite values have no ratio";
}

// Where two settings are compared, fairness.h tells which parameters differ.
std::string unlike_params(const WorkloadSamples& samples) {
  std::string text = "not all invocations ran with the same parameters";
  if (samples.planned->base_params) {
    return text;
  }
  const Said base = said_by(samples.base), head = said_by(samples.head);
  const char* before = ": ";
  for (const auto& [key, at_base] : base.params) {
    const auto at_head = head.params.find(key);
    if (at_head != head.params.end() && !same_value(at_base, at_head->second)) {
      text.append(before).append(key).append(" is ").append(to_text(at_base));
      text.append(" at base, ").append(to_text(at_head->second)).append(" at head");
      before = "; ";
    }
  }
  return text;
}

}  // namespace

void add_series_warnings(const SeriesStanding& one, const WorkloadStanding& workload,
                         const Policy& policy, int judged, Comparison& row) {
  const Series& series = one.series;
  const WorkloadSamples& samples = workload.samples;
  warn_of_noise(policy, row);
  if (one.incomparable) {
    row.warnings.push_back({"incomparable", why_incomparable(one, workload)});
  } else if (one.open() && one.decision.look == 0 && !one.rule.looks.empty()) {
    row.warnings.push_back({"too_few_pairs",
                            "too few pairs: " + std::to_string(one.differences.size()) +
                                ", and no verdict is possible before " +
                                std::to_string(one.rule.looks.front()),
                            {{"pairs", static_cast<double>(one.differences.size())},
                             {"needed", one.rule.looks.front()}}});
  } else if (one.under_test && one.decision.look > 0) {
    for (Warning& warning :
         session_warnings(one, static_cast<std::size_t>(one.decision.pairs), policy, judged)) {
      row.warnings.push_back(std::move(warning));
    }
  }
  if (series.judged && !series.in_first_pair) {
    row.warnings.push_back({"not_in_first_pair",
                            "not judged: it was not there in the first pair, which settled how "
                            "many comparisons share the error rate"});
  } else if (series.pairs.size() < samples.pairs.size()) {
    row.warnings.push_back({"incomplete_pairs", "only " + std::to_string(series.pairs.size()) +
                                                    " of " + counted(samples.pairs.size(), "pair") +
                                                    (series.pairs.size() == 1 ? " has" : " have") +
                                                    " it on both sides"});
  }
  if (series.params_differ) {
    row.warnings.push_back({"unlike_params", unlike_params(samples)});
  }
}

void add_workload_warnings(const WorkloadStanding& workload, const Policy& policy,
                           std::vector<Comparison>& rows) {
  const WorkloadSamples& samples = workload.samples;
  auto main_row = std::find_if(rows.begin(), rows.end(),
                               [](const Comparison& row) { return row.metric == kStepTime; });
  if (main_row == rows.end()) {
    main_row = rows.begin();
  }
  if (samples.fate == Fate::alone) {
    main_row->warnings.push_back(
        {"not_compared",
         samples.base_failed
             ? "not compared, because base failed twice on one pair; " + samples.reason
             : "not compared: " + samples.reason});
    if (!samples.told.empty()) {
      main_row->notes.push_back(samples.told);
    }
  }
  if (!samples.retries.empty()) {
    const std::string what = samples.fate == Fate::alone ? "invocation" : "pair";
    main_row->warnings.push_back({"retried", counted(samples.retries.size(), what) +
                                                 " had to be run again; the first time, " +
                                                 samples.retries.front()});
  }
  if (samples.fate == Fate::paired && samples.given_up) {
    main_row->warnings.push_back({"given_up", "given up: its pairs were not completed"});
  }
  for (Warning& warning : machine_warnings(samples, policy)) {
    main_row->warnings.push_back(std::move(warning));
  }
  if (samples.planned->base_params) {
    add_fairness_warnings(samples, *main_row);
  } else {
    tell_unlike_facts(samples, *main_row);
  }
}

}  // namespace perf
