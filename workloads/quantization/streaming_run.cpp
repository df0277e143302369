#include <algorithm>
#include <optional>
#include <vector>

#include "workloads/program/memory.h"
#include "workloads/program/page_cache.h"
#include "workloads/quantization/cached_checkpoint.h"
#include "workloads/quantization/checkpoint_tensors.h"
#include "workloads/quantization/output_file.h"
#include "workloads/quantization/quantization_parameters.h"
#include "workloads/quantization/quantization_report.h"
#include "workloads/quantization/quantization_runs.h"
#include "workloads/quantization/quantized_file.h"
#include "workloads/quantization/streaming_check.h"
#include "workloads/quantization/streaming_quantization.h"
#include "workloads/quantization/tensor_agreement.h"

namespace perf::workloads {

namespace {

using perf_compare::Better;
using perf_compare::StepEmitter;

/// The file that is read: the user's, or the synthetic model's.
struct InputFile {
  std::optional<CachedCheckpoint> cached;
  std::optional<CheckpointTensors> tensors;

  InputFile(const Settings& settings, const Scheme& scheme, const std::string& output) {
    std::string path = settings.text("checkpoint");
    if (path.empty()) {
      const SyntheticShape shape = synthetic_shape_from(settings);
      const Container container = container_from(settings.text("container"));
      const QuantizedLayout layout(SyntheticTensors(shape, CachedCheckpoint::kSeed), scheme,
                                   container);
      cached.emplace(shape, dtype_from(settings.text("file-dtype")),
                     std::vector<PlannedFile>{{output, layout.file.bytes}}, container);
      path = cached->path();
    }
    tensors.emplace(path);
  }
};

std::uint64_t matrix_bytes_written(const QuantizedFile& file, const TensorSource& source) {
  std::uint64_t sum = 0;
  for (const Tensor& tensor : source.tensors()) {
    for (const char* what : {".codes", ".scales"}) {
      if (const MappedTensor* found = file.file().find(tensor.name + what)) {
        sum += found->bytes;
      }
    }
  }
  return sum;
}

// Of the whole model, in pieces: values from the one file, codes and scales from the other.
void measure_quality(const QuantizedFile& file, std::uint64_t seed, QuantizationRun& run) {
  constexpr std::size_t kPieceValues = std::size_t{4} << 20;
  for (std::size_t i = 0; i < run.source.tensors().size(); ++i) {
    const Tensor& tensor = run.source.tensors()[i];
    const std::size_t most = std::clamp<std::size_t>(kPieceValues / tensor.columns, 1, tensor.rows);
    Arena memory(Arena::room<float>(most * tensor.columns) +
                 QuantizedMatrix::room(run.scheme, most, tensor.columns));
    auto* values = memory.take<float>(most * tensor.columns);
    QuantizedMatrix piece = QuantizedMatrix::take(run.scheme, most, tensor.columns, memory);
    for (std::size_t first = 0; first < tensor.rows; first += most) {
      piece.rows = std::min(most, tensor.rows - first);
      run.source.read(i, first, piece.rows, values);
      file.read(tensor.name, first, piece);
      run.quality.add(values, piece);
    }
  }
  run.reference =
      reference_errors(run.source, run.scheme, seed,
                       [&](std::size_t tensor, std::size_t row, const QuantizedMatrix& to) {
                         file.read(run.source.tensors()[tensor].name, row, to);
                       });
}

void check_file(const QuantizationRun& run, const std::string& path, StepEmitter& out) {
  const StreamedErrors errors = streamed_errors(run.source, run.scheme, path, out.wanted().seed);
  out.check("file_has_all_tensors", errors.layout, 0);
  out.check("file_matches_memory", errors.rows, 0);
  out.check("kept_tensors_match_source", errors.kept, 0);
}

}  // namespace

void run_streaming(const Scheme& scheme, const Settings& settings, StepEmitter& out) {
  constexpr std::size_t kMebi = 1 << 20;
  const OutputFile output(settings.text("output"), settings.text("container"));
  const InputFile input(settings, scheme, output.path());
  const CheckpointTensors& source = *input.tensors;
  out.begin_field("parameters", source.values());
  describe_model(settings, out);
  give_back_freed_memory();  // of writing the model's file, where this run did
  ReadShare reading(static_cast<std::size_t>(settings.integer("read-probe-size")) * kMebi);
  const PeakMemory peak;
  QuantizationRun run{.source = source, .scheme = scheme};
  run.input_bytes = source.matrix_bytes();
  run.baseline_memory = resident_memory() - reading.bytes();
  StreamingQuantization model(source, scheme, output.path(), StreamingQuantization::kPieceBytes,
                              container_from(settings.text("container")));
  const auto prepare = [&] {
    model.prepare();
    if (settings.text("page-cache") == "cold") {
      for (const std::string& path : source.paths()) {
        drop_from_page_cache(path);
      }
    }
  };
  const auto all =
      static_cast<std::size_t>(out.wanted().warmup) + static_cast<std::size_t>(out.wanted().steps);
  prepare();
  reading.probe();
  while (out.next_step()) {
    model.step(out);
    out.stop_step();
    reading.probe();
    if (!out.steps().back().warmup) {
      reading.step(static_cast<double>(run.input_bytes + model.output_bytes()),
                   out.steps().back().seconds);
    }
    if (out.steps().size() < all) {
      prepare();
    }
  }
  run.peak_memory = peak.bytes(out) - reading.bytes();
  const QuantizedFile written(output.path());
  run.output_bytes = matrix_bytes_written(written, source);
  measure_quality(written, out.wanted().seed, run);
  report_quantization(run, reading, settings.text("by-layer") == "on", out);
  out.metric("file_bytes", "B", Better::lower, static_cast<double>(model.output_bytes()));
  check_quantization(run, input.cached.has_value(), out);
  check_file(run, output.path(), out);
  if (input.cached) {
    const SyntheticTensors seeded(synthetic_shape_from(settings), CachedCheckpoint::kSeed);
    const DType dtype = dtype_from(settings.text("file-dtype"));
    out.check("input_matches_seed", static_cast<double>(values_that_differ(source, seeded, dtype)),
              0);
  }
}

}  // namespace perf::workloads
