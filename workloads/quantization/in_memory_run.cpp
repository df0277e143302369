#include <cstring>
#include <memory>

#include "workloads/quantization/checkpoint_tensors.h"
#include "workloads/quantization/in_memory.h"
#include "workloads/quantization/quantization_parameters.h"
#include "workloads/quantization/quantization_report.h"
#include "workloads/quantization/quantization_runs.h"
#include "workloads/quantization/synthetic_model.h"

namespace perf::workloads {

namespace {

using perf_compare::StepEmitter;

std::unique_ptr<TensorSource> source_from(const Settings& settings, std::uint64_t seed) {
  const std::string& checkpoint = settings.text("checkpoint");
  if (checkpoint.empty()) {
    return std::make_unique<SyntheticTensors>(synthetic_shape_from(settings), seed);
  }
  return std::make_unique<CheckpointTensors>(checkpoint);
}

QuantizedMatrix row_of(const QuantizedMatrix& matrix, std::size_t row) {
  return {matrix.scheme, 1, matrix.columns,
          matrix.codes + row * matrix.scheme.code_row_bytes(matrix.columns),
          matrix.scales + row * matrix.scheme.scale_row_bytes(matrix.columns)};
}

void measure_quality(const InMemoryQuantization& model, std::uint64_t seed, QuantizationRun& run) {
  for (std::size_t i = 0; i < run.source.tensors().size(); ++i) {
    run.quality.add(model.values(i), model.quantized(i));
  }
  run.reference =
      reference_errors(run.source, run.scheme, seed,
                       [&](std::size_t tensor, std::size_t row, const QuantizedMatrix& to) {
                         const QuantizedMatrix from = row_of(model.quantized(tensor), row);
                         std::memcpy(to.codes, from.codes, from.code_bytes());
                         std::memcpy(to.scales, from.scales, from.scale_bytes());
                       });
}

std::uint64_t output_bytes(const InMemoryQuantization& model, std::size_t tensors) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < tensors; ++i) {
    sum += model.quantized(i).bytes();
  }
  return sum;
}

}  // namespace

void run_in_memory(const Scheme& scheme, const Settings& settings, StepEmitter& out) {
  const std::uint64_t seed = out.wanted().seed;
  const std::unique_ptr<TensorSource> source = source_from(settings, seed);
  out.begin_field("parameters", source->values());
  describe_model(settings, out);
  const PeakMemory peak;
  InMemoryQuantization model(*source, scheme);
  QuantizationRun run{.source = *source, .scheme = scheme};
  run.input_bytes = source->values() * sizeof(float);
  run.output_bytes = output_bytes(model, source->tensors().size());
  run.baseline_memory = model.baseline_memory();
  ReadShare reading(model.input(), model.input_bytes());
  reading.probe();
  const auto all =
      static_cast<std::size_t>(out.wanted().warmup) + static_cast<std::size_t>(out.wanted().steps);
  while (out.next_step()) {
    model.step(out);
    out.stop_step();
    reading.probe();
    if (!out.steps().back().warmup) {
      reading.step(static_cast<double>(run.input_bytes), out.steps().back().seconds);
    }
    if (out.steps().size() < all)  // no step finds what an earlier one has written
    {
      model.spoil_output();
    }
  }
  run.peak_memory = peak.bytes(out);
  measure_quality(model, seed, run);
  report_quantization(run, reading, settings.text("by-layer") == "on", out);
  check_quantization(run, settings.text("checkpoint").empty(), out);
}

}  // namespace perf::workloads
