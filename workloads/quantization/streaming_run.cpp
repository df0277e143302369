#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <vector>

#include "workloads/model/bad_checkpoint.h"
#include "workloads/program/error.h"
#include "workloads/program/memory.h"
#include "workloads/program/page_cache.h"
#include "workloads/quantization/cached_checkpoint.h"
#include "workloads/quantization/checkpoint_tensors.h"
#include "workloads/quantization/quantization_parameters.h"
#include "workloads/quantization/quantization_report.h"
#include "workloads/quantization/quantization_runs.h"
#include "workloads/quantization/quantized_file.h"
#include "workloads/quantization/streaming_check.h"
#include "workloads/quantization/streaming_quantization.h"

namespace perf::workloads {

namespace {

namespace fs = std::filesystem;
using perf_compare::Better;
using perf_compare::StepEmitter;

constexpr char kTemporary[] = "perf-workloads-quantized-";

// What runs that were killed have left of theirs, whole or in part. Best effort.
void remove_stale_outputs(const fs::path& folder) {
  std::error_code ignored;
  for (fs::directory_iterator entry(folder, ignored), end; !ignored && entry != end;
       entry.increment(ignored)) {
    const std::string name = entry->path().filename().string();
    if (name.rfind(kTemporary, 0) != 0)
      continue;
    const char* digits = name.data() + std::strlen(kTemporary);
    pid_t process = 0;
    const auto [stop, failure] = std::from_chars(digits, name.data() + name.size(), process);
    if (failure == std::errc() && process > 0 && std::string(stop).rfind(".safetensors", 0) == 0 &&
        kill(process, 0) != 0 && errno == ESRCH)
      unlink(entry->path().c_str());
  }
}

/// The file that a run writes: the user's, which is kept, or one in the folder for temporary files
/// (TMPDIR, else /tmp), which is removed when the object goes.
class OutputFile {
 public:
  explicit OutputFile(const std::string& wanted) : is_kept_(!wanted.empty()), path_(wanted) {
    if (is_kept_)
      return;
    const char* chosen = std::getenv("TMPDIR");
    const fs::path folder = chosen == nullptr || *chosen == '\0' ? "/tmp" : chosen;
    if (!fs::is_directory(folder))
      throw Error("no folder for temporary files", "TMPDIR " + folder.string(),
                  "another TMPDIR, or --output FILE");
    remove_stale_outputs(folder);
    path_ = folder / fmt::format("{}{}.safetensors", kTemporary, getpid());
  }
  ~OutputFile() {
    std::error_code ignored;
    if (!is_kept_)
      fs::remove(path_, ignored);
  }
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  bool is_kept_;
  std::string path_;
};

// Every step writes the file anew: nothing else may lie there, a model that is not quantized above
// all.
void require_replaceable(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  if (!folder.empty() && !fs::is_directory(folder))
    throw Error("no such folder", "--output " + path, "a folder that exists");
  if (!fs::exists(fs::symlink_status(path)))
    return;
  try {
    const SafetensorsReader file(path);
    const auto format = file.metadata().find("format");
    if (format != file.metadata().end() && format->second == QuantizedLayout::kFormat)
      return;
  } catch (const BadCheckpoint&) {
    // Whatever it is, it is none of ours.
  }
  throw Error("another file lies there", "--output " + path,
              "a path where nothing lies, or what an earlier run has written");
}

/// The file that is read: the user's, or the synthetic model's.
struct InputFile {
  std::optional<CachedCheckpoint> cached;
  std::optional<CheckpointTensors> tensors;

  InputFile(const Settings& settings, const Scheme& scheme, const std::string& output) {
    std::string path = settings.text("checkpoint");
    if (path.empty()) {
      const SyntheticShape shape = synthetic_shape_from(settings);
      const QuantizedLayout layout(SyntheticTensors(shape, CachedCheckpoint::kSeed), scheme);
      cached.emplace(shape, dtype_from(settings.text("file-dtype")),
                     std::vector<PlannedFile>{{output, layout.file_bytes()}});
      path = cached->path();
    }
    tensors.emplace(path);
  }
};

std::uint64_t matrix_bytes_written(const QuantizedFile& file, const TensorSource& source) {
  std::uint64_t sum = 0;
  for (const Tensor& tensor : source.tensors())
    for (const char* what : {".codes", ".scales"})
      if (const MappedTensor* found = file.file().find(tensor.name + what))
        sum += found->bytes;
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

float rounded(float value, DType dtype) {
  switch (dtype) {
    case DType::fp32:
      return value;
    case DType::bf16:
      return widen(narrow<Bf16>(value));
    case DType::fp16:
      return widen(narrow<Fp16>(value));
  }
  throw std::logic_error("no such dtype");
}

// Values of the first, the middle and the last row of every matrix that the file does not have as
// the seed gives them.
std::size_t differ_from_seed(const TensorSource& file, const Settings& settings) {
  const SyntheticTensors seeded(synthetic_shape_from(settings), CachedCheckpoint::kSeed);
  const DType dtype = dtype_from(settings.text("file-dtype"));
  std::size_t different = 0;
  std::vector<float> read, expected;
  for (std::size_t i = 0; i < seeded.tensors().size(); ++i) {
    const Tensor& tensor = seeded.tensors()[i];
    read.resize(tensor.columns);
    expected.resize(tensor.columns);
    for (const std::size_t row : {std::size_t{0}, tensor.rows / 2, tensor.rows - 1}) {
      file.read(i, row, 1, read.data());
      seeded.read(i, row, 1, expected.data());
      for (std::size_t column = 0; column < tensor.columns; ++column)
        different += read[column] == rounded(expected[column], dtype) ? 0 : 1;
    }
  }
  return different;
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
  if (!settings.text("output").empty())
    require_replaceable(settings.text("output"));
  const OutputFile output(settings.text("output"));
  const InputFile input(settings, scheme, output.path());
  const CheckpointTensors& source = *input.tensors;
  out.begin_field("parameters", source.values());
  give_back_freed_memory();  // of writing the model's file, where this run did
  ReadShare reading(static_cast<std::size_t>(settings.integer("read-probe-size")) * kMebi);
  const PeakMemory peak;
  QuantizationRun run{.source = source, .scheme = scheme};
  run.input_bytes = source.matrix_bytes();
  run.baseline_memory = resident_memory() - reading.bytes();
  StreamingQuantization model(source, scheme, output.path());
  const auto prepare = [&] {
    model.prepare();
    if (settings.text("page-cache") == "cold")
      for (const std::string& path : source.paths())
        drop_from_page_cache(path);
  };
  const auto all = static_cast<std::size_t>(out.wanted().warmup + out.wanted().steps);
  prepare();
  reading.probe();
  while (out.next_step()) {
    model.step(out);
    out.stop_step();
    reading.probe();
    if (!out.steps().back().warmup)
      reading.step(static_cast<double>(run.input_bytes + model.output_bytes()),
                   out.steps().back().seconds);
    if (out.steps().size() < all)
      prepare();
  }
  run.peak_memory = peak.bytes(out) - reading.bytes();
  const QuantizedFile written(output.path());
  run.output_bytes = matrix_bytes_written(written, source);
  measure_quality(written, out.wanted().seed, run);
  report_quantization(run, reading, settings.text("by-layer") == "on", out);
  out.metric("file_bytes", "B", Better::lower, static_cast<double>(model.output_bytes()));
  check_quantization(run, input.cached.has_value(), out);
  check_file(run, output.path(), out);
  if (input.cached)
    out.check("input_matches_seed", static_cast<double>(differ_from_seed(source, settings)), 0);
}

}  // namespace perf::workloads
