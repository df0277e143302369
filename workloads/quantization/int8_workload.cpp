#include "workloads/quantization/int8_workload.h"

#include <fmt/format.h>

#include "workloads/program/memory.h"
#include "workloads/quantization/int8_model.h"

namespace perf::workloads {

namespace {

using perf_compare::Better;
using perf_compare::StepEmitter;

constexpr std::size_t kCheckedRows = 4;  // at each end of a tensor
// A value almost half-way between two levels may go either way, by one rounding of its quotient;
// to which level it may go at most, the last tolerance says.
constexpr double kLevelTolerance = 1e-4;
constexpr double kScaleTolerance = 1e-6;
constexpr double kRoundingTolerance = 0.5 + 1e-4;

void run(const Settings& settings, StepEmitter& out) {
  const SyntheticShape shape{.layers = settings.count("layers"),
                             .hidden = settings.count("hidden-size"),
                             .intermediate = settings.count("intermediate-size"),
                             .vocabulary = settings.count("vocabulary")};
  require_memory(Int8Model::bytes(shape), fmt::format("{} parameters", shape.parameters()));
  out.begin_field("parameters", shape.parameters());
  Int8Model model(shape, out.wanted().seed);
  while (out.next_step()) {
    for (const char* part : {"embedding", "attention", "mlp"}) {
      model.quantize(part);
      out.phase(part);
    }
  }
  const double seconds = out.median_seconds();
  out.metric("total_time", "s", Better::lower, seconds);
  out.metric("input_bytes_per_second", "B/s", Better::higher,
             static_cast<double>(model.input_bytes()) / seconds);
  out.metric("input_bytes", "B", Better::lower, static_cast<double>(model.input_bytes()));
  out.metric("output_bytes", "B", Better::lower, static_cast<double>(model.output_bytes()));
  out.metric("signal_to_noise", "dB", Better::higher, model.signal_to_noise());
  const Int8Model::Errors errors = model.errors(kCheckedRows);
  out.check("levels_match_reference", errors.levels, kLevelTolerance);
  out.check("scales_match_reference", errors.scales, kScaleTolerance);
  out.check("values_go_to_nearest_level", errors.rounding, kRoundingTolerance);
}

}  // namespace

Workload quantization_int8() {
  return {
      .name = "quantization/int8",
      .summary = "Quantizes a model's weights to int8, symmetric, one scale a channel.",
      .parameters =
          {
              integer("layers", {8, 12, 12}, 1, 1024, "decoder layers"),
              integer("hidden-size", {768, 768, 768}, 1, 65536, "columns of most tensors"),
              integer("intermediate-size", {3072, 3072, 3072}, 1, 262144, "width of the MLP"),
              integer("vocabulary", {4000, 20000, 20000}, 1, 1'000'000, "rows of the embedding"),
          },
      .phases = {"embedding", "attention", "mlp"},
      .metrics = {"total_time", "input_bytes_per_second", "input_bytes", "output_bytes",
                  "signal_to_noise"},
      .checks = {"levels_match_reference", "scales_match_reference", "values_go_to_nearest_level"},
      .run = run,
  };
}

}  // namespace perf::workloads
