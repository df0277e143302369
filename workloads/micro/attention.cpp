#include "workloads/kernels/attention.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "workloads/kernels/agreement.h"
#include "workloads/kernels/random.h"
#include "workloads/kernels/spoil.h"
#include "workloads/micro/attention_check.h"
#include "workloads/micro/micro_run.h"
#include "workloads/micro/micro_workloads.h"

namespace perf::workloads {

namespace {

using perf_compare::Better;
using perf_compare::StepEmitter;

// Scores then have a deviation of 2: weights of a row range from next to nothing to a good part.
constexpr float kInputDeviation = 1.5F;

// "a", "b", or both in any order: throws std::invalid_argument for anything else.
std::vector<std::string> one_or_both(const std::string& text, const std::string& a,
                                     const std::string& b) {
  if (text == a || text == b) {
    return {text};
  }
  if (text == a + "," + b) {
    return {a, b};
  }
  if (text == b + "," + a) {
    return {b, a};
  }
  throw std::invalid_argument(a + ", " + b + " or both: " + a + "," + b);
}
std::vector<std::string> causal_from(const std::string& text) {
  return one_or_both(text, "off", "on");
}
std::vector<std::string> variants_from(const std::string& text) {
  return one_or_both(text, "tiled", "naive");
}

std::vector<Series> attention_series(const Settings& settings) {
  std::vector<Series> all;
  for (const std::string& variant : variants_from(settings.text("variant"))) {
    for (const std::string& causal : causal_from(settings.text("causal"))) {
      all.push_back({variant + (causal == "on" ? "_causal" : ""),
                     {{"variant", variant}, {"causal", causal}}});
    }
  }
  return all;
}

// The other variant must give the same.
template <class Other>
double difference(const QkvRows& shape, bool causal, const float* qkv, const float* out) {
  Ledger counted;
  Other(shape, causal, counted);
  Ledger memory(counted);
  std::vector<float> other(shape.rows() * shape.query_width());
  Other(shape, causal, memory).forward(qkv, other.data());
  return largest_relative_error(out, other.data(), other.size());
}

template <class Attention, class Other>
void run_variant(const QkvRows& shape, const Settings& settings, StepEmitter& out) {
  const bool causal = settings.text("causal") == "on";
  const std::size_t values = shape.rows() * shape.width();
  Ledger counted;
  Attention(shape, causal, counted);
  const std::size_t workspace = counted.bytes(Purpose::workspace);
  counted.take<float>(Purpose::activations, values);
  counted.take<float>(Purpose::activations, shape.rows() * shape.query_width());
  Ledger memory(counted);
  Attention attention(shape, causal, memory);
  float* qkv = memory.take<float>(Purpose::activations, values);
  float* result = memory.take<float>(Purpose::activations, shape.rows() * shape.query_width());
  fill_normal(qkv, values, derived_seed(out.wanted().seed, 0), kInputDeviation);

  run_micro(settings,
            {.forward = [&] { attention.forward(qkv, result); },
             .spoil = [&] { spoil(result, shape.rows() * shape.query_width()); },
             .bound = Bound::products,
             .amount = attention_operations(shape, causal)},
            out);
  out.metric("workspace_bytes", "B", Better::lower, static_cast<double>(workspace));

  out.check("rows_match_reference", attention_error(shape, causal, qkv, result),
            kAttentionTolerance);
  out.check("rows_are_averages", outside_of_values(shape, causal, qkv, result),
            kAttentionTolerance);
  out.check("variants_agree", difference<Other>(shape, causal, qkv, result), kAttentionTolerance);
}

void run_attention(const Settings& settings, StepEmitter& out) {
  const auto heads = static_cast<std::size_t>(settings.integer("heads"));
  const QkvRows shape{.sequences = static_cast<std::size_t>(settings.integer("batch-size")),
                      .length = static_cast<std::size_t>(settings.integer("seq-len")),
                      .heads = heads,
                      .kv_heads = heads,
                      .size = static_cast<std::size_t>(settings.integer("head-size"))};
  if (settings.text("variant") == "naive") {
    run_variant<NaiveAttention, TiledAttention>(shape, settings, out);
  } else {
    run_variant<TiledAttention, NaiveAttention>(shape, settings, out);
  }
}

std::vector<Parameter> attention_parameters() {
  Parameter causal = text(
      "causal", "off", [](const std::string& value) { causal_from(value); },
      "whether a row sees only those up to its own, off or on; a series each");
  causal.defaults.back() = "off,on";
  return micro_parameters(
      {std::move(causal),
       text(
           "variant", "tiled", [](const std::string& value) { variants_from(value); },
           "tiled: scores are never stored; naive: a head's scores as a whole; a series each"),
       integer("seq-len", {128, 256, 1024}, 1, 16384, "rows L of a sequence"),
       integer("batch-size", {1, 1, 1}, 1, 1024, "sequences"),
       integer("heads", {16, 16, 16}, 1, 1024, "of queries, and as many of keys and values"),
       integer("head-size", {64, 64, 64}, 1, 1024, "values of a head")},
      {4, 4, 10}, Bound::products);
}

}  // namespace

Workload micro_attention() {
  Workload own{
      .name = "micro/attention",
      .summary = "Attention over whole sequences, forward: naive or in tiles, causal or not.",
      .parameters = attention_parameters(),
      .phases = {"forward"},
      .metrics = micro_metrics(Bound::products),
      .checks = {"rows_match_reference", "rows_are_averages", "variants_agree"},
      .series = attention_series,
      .run = run_attention,
  };
  own.metrics.emplace_back("workspace_bytes");
  return own;
}

}  // namespace perf::workloads
