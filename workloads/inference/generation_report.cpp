#include "workloads/inference/generation_report.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "workloads/program/median.h"
#include "workloads/program/roofline.h"

namespace perf::workloads {

namespace {

using perf_compare::Better;
using perf_compare::StepEmitter;

constexpr std::size_t kPeakTokens = 10;
constexpr std::size_t kLongContext = 2048;
constexpr double kCacheTolerance = 0.01;  // arrays end with a cache line

double sum(const double* values, std::size_t count) {
  return std::accumulate(values, values + count, 0.0);
}

double percentile(std::vector<double> values, double share) {
  if (values.empty()) {
    return 0;
  }
  std::sort(values.begin(), values.end());
  const double place = std::ceil(share * static_cast<double>(values.size()));
  return values[static_cast<std::size_t>(std::max(place, 1.0)) - 1];
}

}  // namespace

GenerationSpeed::GenerationSpeed(const GenerationSetup& setup, std::size_t sequences, int steps)
    : sequences_(sequences) {
  const auto times = static_cast<std::size_t>(steps);
  for (std::vector<double>* values : {&tokens_, &early_, &late_}) {
    values->reserve(times * setup.new_tokens);
  }
  for (std::vector<double>* values :
       {&firsts_, &totals_, &averages_, &peaks_, &sustained_, &sample_shares_, &prefills_}) {
    values->reserve(times);
  }
}

void GenerationSpeed::add(const Generation& generation, double step_seconds) {
  const std::vector<double>& seconds = generation.token_seconds();
  prefills_.push_back(generation.prefill_seconds());
  firsts_.push_back(seconds.front());
  totals_.push_back(step_seconds);
  averages_.push_back(static_cast<double>(sequences_ * seconds.size()) / step_seconds);
  sample_shares_.push_back(generation.sample_seconds() / step_seconds);
  add_rates(seconds);
}

void GenerationSpeed::add_rates(const std::vector<double>& seconds) {
  if (seconds.size() < 2) {
    return;
  }
  // The first comes with the prompt, which is another matter.
  const double* rest = seconds.data() + 1;
  const std::size_t count = seconds.size() - 1;
  const std::size_t tenth = std::max<std::size_t>(count / 10, 1);
  tokens_.insert(tokens_.end(), rest, rest + count);
  early_.insert(early_.end(), rest, rest + tenth);
  late_.insert(late_.end(), rest + count - tenth, rest + count);
  const auto rate = [&](const double* first, std::size_t tokens) {
    return static_cast<double>(sequences_ * tokens) / sum(first, tokens);
  };
  const std::size_t window = std::min(kPeakTokens, count);
  double peak = 0;
  for (std::size_t i = 0; i + window <= count; ++i) {
    peak = std::max(peak, rate(rest + i, window));
  }
  peaks_.push_back(peak);
  sustained_.push_back(rate(rest + count / 2, count - count / 2));
}

std::vector<std::string> GenerationSpeed::metrics() {
  return {"first_token_time",
          "token_time",
          "token_time_p99",
          "token_time_growth",
          "total_time",
          "tokens_per_second",
          "peak_tokens_per_second",
          "sustained_tokens_per_second",
          "tokens_per_second_per_gb",
          "sample_share"};
}

void GenerationSpeed::report(std::size_t resident_bytes, StepEmitter& out) const {
  const auto lower = [&](const char* name, const char* unit, double value) {
    out.metric(name, unit, Better::lower, value);
  };
  const auto rate = [&](const char* name, const std::vector<double>& values) {
    out.metric(name, "1/s", Better::higher, median(values));
  };
  const bool several = !tokens_.empty();
  lower("first_token_time", "s", median(firsts_));
  if (several) {
    lower("token_time", "s", median(tokens_));
    lower("token_time_p99", "s", percentile(tokens_, 0.99));
    lower("token_time_growth", "1", median(late_) / median(early_));
  }
  lower("total_time", "s", median(totals_));
  rate("tokens_per_second", averages_);
  if (several) {
    rate("peak_tokens_per_second", peaks_);
    rate("sustained_tokens_per_second", sustained_);
  }
  out.metric("tokens_per_second_per_gb", "1/s/GB", Better::higher,
             median(averages_) / (static_cast<double>(resident_bytes) / 1e9));
  lower("sample_share", "1", median(sample_shares_));
}

std::vector<std::string> prefill_metrics() {
  return {"prefill_rate", "gemm_rate", "gemm_share"};
}

void report_prefill(double operations, double seconds, const GemmRate& gemm, StepEmitter& out) {
  const double rate = operations / seconds;
  out.metric("prefill_rate", "flop/s", Better::higher, rate);
  report_gemm_share(rate, gemm.rate(), out);
}

double cache_formula(const DecoderSetup& setup, int heads, std::size_t length) {
  return 2.0 * setup.shape.layers * static_cast<double>(setup.sequences) * heads *
         static_cast<double>(length) * setup.shape.head_size *
         static_cast<double>(bytes_of(setup.cache));
}

std::vector<std::string> cache_metrics() {
  return {"kv_cache_bytes_at_2048", "kv_cache_bytes_at_2048_per_query_head"};
}

void report_cache(const DecoderSetup& setup, StepEmitter& out) {
  out.metric("kv_cache_bytes_at_2048", "B", Better::lower,
             cache_formula(setup, setup.shape.kv_heads, kLongContext));
  out.metric("kv_cache_bytes_at_2048_per_query_head", "B", Better::lower,
             cache_formula(setup, setup.shape.heads, kLongContext));
}

void check_cache(const DecoderSetup& setup, const Ledger& memory, StepEmitter& out) {
  const double formula = cache_formula(setup, setup.shape.kv_heads, setup.capacity);
  const auto taken = static_cast<double>(memory.bytes(Purpose::kv_cache));
  out.check("kv_cache_matches_formula", std::abs(taken / formula - 1), kCacheTolerance);
}

}  // namespace perf::workloads
