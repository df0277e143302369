#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "workloads/inference/generation.h"
#include "workloads/inference/inference_report.h"
#include "workloads/kernels/gemm_rate.h"
#include "workloads/program/median.h"
#include "workloads/step_emitter.h"

namespace perf::workloads {

/// How fast tokens came over all timed steps. A token's time is that since the one before.
class GenerationSpeed {
 public:
  /// Takes the room for so many timed steps, so that they allocate nothing.
  GenerationSpeed(const GenerationSetup& setup, std::size_t sequences, int steps);

  /// After each timed step.
  void add(const Generation& generation, double step_seconds);

  /// first_token_time; token_time and token_time_p99, over all tokens but the first ones;
  /// token_time_growth, the last tenth's median by the first's; total_time; and medians over the
  /// steps of tokens_per_second, peak_tokens_per_second (the best ten in a row of a step),
  /// sustained_tokens_per_second (the last half of a step's) and sample_share.
  /// tokens_per_second_per_gb: by what the process had in memory, in 10^9 bytes.
  static std::vector<std::string> metrics();
  void report(std::size_t resident_bytes, perf_compare::StepEmitter& out) const;

  double prefill_seconds() const { return median(prefills_); }

 private:
  void add_rates(const std::vector<double>& token_seconds);

  std::size_t sequences_;
  std::vector<double> tokens_, early_, late_;  // times of tokens
  std::vector<double> firsts_, totals_, averages_, peaks_, sustained_, sample_shares_, prefills_;
};

/// prefill_rate, gemm_rate, gemm_share: operations a second of the prompt's pass, beside those of a
/// square product, where such a one was measured.
std::vector<std::string> prefill_metrics();
void report_prefill(double operations, double seconds, const GemmRate& gemm,
                    perf_compare::StepEmitter& out);

/// layers x 2 x batch x heads x length x head_dim x bytes: what keys and values take, with so many
/// heads.
double cache_formula(const DecoderSetup& setup, int heads, std::size_t length);

/// kv_cache_bytes_at_2048 with the model's key-value heads, and as if there were one for each query
/// head, kv_cache_bytes_at_2048_per_query_head.
std::vector<std::string> cache_metrics();
void report_cache(const DecoderSetup& setup, perf_compare::StepEmitter& out);
/// kv_cache_matches_formula: the bytes that were taken, against the formula.
void check_cache(const DecoderSetup& setup, const Ledger& memory, perf_compare::StepEmitter& out);

}  // namespace perf::workloads
