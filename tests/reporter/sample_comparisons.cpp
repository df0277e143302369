#include <cmath>

#include "tests/reporter/samples.h"

namespace perf::samples {

SideStats side(double median, double cov, int invocations, int steps) {
  SideStats stats;
  stats.median = median;
  stats.p90 = median * (1 + 1.3 * cov);
  stats.mean = median * (1 + cov / 10);
  stats.stddev = stats.mean * cov;
  stats.min = median * (1 - cov);
  stats.max = median * (1 + 3 * cov);
  stats.cov = cov;
  stats.invocations = invocations;
  stats.steps = steps;
  return stats;
}

namespace {

Comparison compared(const std::string& workload, const Metric& metric, double base, double change,
                    double half_width, Verdict verdict) {
  Comparison comparison;
  comparison.workload = workload;
  comparison.metric = metric;
  comparison.base = side(base, half_width * 1.5, 15, 120);
  comparison.head = side(base * (1 + change), half_width * 1.5, 15, 120);
  comparison.change = change;
  comparison.interval = Interval{change - half_width, change + half_width * 0.9};
  comparison.threshold = 0.10;
  comparison.smallest_visible = half_width * 0.95;
  comparison.pairs = 15;
  comparison.look = 1;
  comparison.look_alpha = 0.01 / (14 * 6);
  comparison.verdict = verdict;
  comparison.certain = std::abs(change) - half_width > comparison.threshold;
  comparison.p_value = verdict == Verdict::unchanged ? 0.41 : 6.103515625e-05;
  return comparison;
}

}  // namespace

Comparison unmatched(const std::string& workload, Verdict verdict, const std::string& reason) {
  Comparison comparison;
  comparison.workload = workload;
  comparison.metric = kStepTime;
  comparison.threshold = 0.10;
  comparison.verdict = verdict;
  if (verdict == Verdict::fresh) {
    comparison.head = side(0.0381, 0.01, 3, 24);
  }
  if (!reason.empty()) {
    comparison.warnings.push_back({WarningKind::failed, {}, {{"why", reason}}});
  }
  return comparison;
}

Comparison step_time(const std::string& workload, double base_median, double change,
                     double half_width, Verdict verdict) {
  return compared(workload, kStepTime, base_median, change, half_width, verdict);
}

Comparison peak_rss(const std::string& workload, double base_median, double change,
                    double half_width, Verdict verdict) {
  Comparison comparison = compared(workload, kPeakRss, base_median, change, half_width, verdict);
  comparison.base->steps = comparison.head->steps = 0;
  return comparison;
}

Warning note_of(const std::string& text) {
  return {WarningKind::program_output, {}, {{"text", text}}};
}

Comparison tokens_per_second() {
  Comparison tokens = compared("training/mlp_stack", {"tokens_per_second", "1/s", Better::higher},
                               9941, -0.125, 0.02, Verdict::unchanged);
  tokens.judged = false;
  tokens.verdict.reset();
  tokens.interval.reset();
  tokens.smallest_visible.reset();
  tokens.p_value.reset();
  tokens.look_alpha.reset();
  return tokens;
}

}  // namespace perf::samples
