#include "workloads/quantization/quantization_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "workloads/quantization/expected_noise.h"
#include "workloads/quantization/perplexity_change.h"

namespace perf::workloads {

using perf_compare::Better;
using perf_compare::StepEmitter;

namespace {

/// Bytes of codes and scales by where in the model they are.
struct OutputByPlace {
  std::uint64_t embedding = 0;
  std::vector<std::uint64_t> layers;

  explicit OutputByPlace(const QuantizationRun& run) {
    for (const Tensor& tensor : run.source.tensors()) {
      const std::uint64_t bytes = QuantizedMatrix{run.scheme, tensor.rows, tensor.columns}.bytes();
      if (tensor.part == "embedding") {
        embedding += bytes;
      }
      if (tensor.layer == Tensor::kNoLayer) {
        continue;
      }
      const auto layer = static_cast<std::size_t>(tensor.layer);
      layers.resize(std::max(layers.size(), layer + 1));
      layers[layer] += bytes;
    }
  }
  std::uint64_t largest_layer() const {
    return layers.empty() ? 0 : *std::max_element(layers.begin(), layers.end());
  }
};

void report_bytes(const char* name, double bytes, StepEmitter& out) {
  out.metric(name, "B", Better::lower, bytes);
}

void report_memory(const QuantizationRun& run, StepEmitter& out) {
  const auto baseline = static_cast<double>(run.baseline_memory);
  const auto peak = static_cast<double>(run.peak_memory);
  report_bytes("baseline_memory", baseline, out);
  report_bytes("peak_memory", peak, out);
  report_bytes("quantization_memory", peak - baseline, out);
  out.metric("memory_ratio", "1", Better::lower,
             peak / static_cast<double>(run.input_bytes + run.output_bytes));
}

}  // namespace

std::vector<std::string> quantization_metrics() {
  std::vector<std::string> names = {"total_time", "input_bytes_per_second"};
  for (const std::string& name : ReadShare::metrics()) {
    names.push_back(name);
  }
  for (const char* name :
       {"input_bytes", "output_bytes", "bits_per_weight", "baseline_memory", "peak_memory",
        "quantization_memory", "memory_ratio", "embedding_bytes", "layer_bytes", "signal_to_noise",
        "mean_squared_error", "perplexity_change"}) {
    names.emplace_back(name);
  }
  return names;
}

void report_quantization(const QuantizationRun& run, const ReadShare& reading, bool by_layer,
                         StepEmitter& out) {
  const double seconds = out.median_seconds();
  out.metric("total_time", "s", Better::lower, seconds);
  out.metric("input_bytes_per_second", "B/s", Better::higher,
             static_cast<double>(run.input_bytes) / seconds);
  reading.report(out);
  report_bytes("input_bytes", static_cast<double>(run.input_bytes), out);
  report_bytes("output_bytes", static_cast<double>(run.output_bytes), out);
  out.metric("bits_per_weight", "1", Better::lower,
             8 * static_cast<double>(run.output_bytes) / static_cast<double>(run.source.values()));
  report_memory(run, out);
  const OutputByPlace by_place(run);
  report_bytes("embedding_bytes", static_cast<double>(by_place.embedding), out);
  report_bytes("layer_bytes", static_cast<double>(by_place.largest_layer()), out);
  out.metric("signal_to_noise", "dB", Better::higher, run.quality.error.signal_to_noise());
  out.metric("mean_squared_error", "1", Better::lower, run.quality.error.mean_squared_error());
  out.metric("perplexity_change", "1", Better::lower,
             perplexity_change(run.scheme, out.wanted().seed));
  for (std::size_t i = 0; by_layer && i < by_place.layers.size(); ++i) {
    report_bytes(fmt::format("layer_{:02}_bytes", i).c_str(),
                 static_cast<double>(by_place.layers[i]), out);
  }
}

std::vector<std::string> quantization_checks() {
  return {"codes_match_reference",      "scales_match_reference",    "all_values_were_compared",
          "scales_match_values",        "values_go_to_nearest_code", "output_bytes_match_formula",
          "signal_to_noise_as_expected"};
}

void check_quantization(const QuantizationRun& run, bool is_synthetic, StepEmitter& out) {
  out.check("codes_match_reference", run.reference.codes, kCodeTolerance);
  out.check("scales_match_reference", run.reference.scales, kScaleTolerance);
  out.check("all_values_were_compared",
            std::abs(run.quality.error.values - static_cast<double>(run.source.values())), 0);
  out.check("scales_match_values", run.quality.scales, kScaleTolerance);
  out.check("values_go_to_nearest_code", run.quality.error.rounding, kRoundingTolerance);
  const auto formula = static_cast<double>(quantized_bytes_by_formula(run.source, run.scheme));
  out.check("output_bytes_match_formula",
            std::abs(static_cast<double>(run.output_bytes) - formula) / formula, 0);
  if (is_synthetic) {
    out.check("signal_to_noise_as_expected",
              std::abs(run.quality.error.signal_to_noise() -
                       expected_signal_to_noise(run.source, run.scheme)),
              expected_signal_to_noise_band(run.source, run.scheme));
  }
}

}  // namespace perf::workloads
