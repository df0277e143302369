// quantization/{int8,int4,int2,nf4}: the synthetic models, the runs in memory and from file to
// file on a tiny model, and each of their checks on something that is wrong.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "tests/workloads/metric.h"
#include "tests/workloads/quantization/quantized_model.h"
#include "workloads/program/error.h"
#include "workloads/program/run_command.h"
#include "workloads/quantization/expected_noise.h"
#include "workloads/quantization/in_memory.h"
#include "workloads/quantization/perplexity_change.h"
#include "workloads/quantization/quantization_check.h"
#include "workloads/quantization/quantization_report.h"
#include "workloads/quantization/quantization_workloads.h"
#include "workloads/quantization/synthetic_model.h"

namespace perf::workloads {
namespace {

using perf_compare::StepEmitter;
using Options = std::map<std::string, std::string>;

constexpr SyntheticShape kSmall{.layers = 2,
                                .hidden = 96,
                                .intermediate = 200,
                                .vocabulary = 150,
                                .gated = true,
                                .own_output = true};

TEST(SyntheticShape, NamedModelsHaveTheirSizes) {
  const double millions[] = {31.4, 100.3, 599.3, 6738.1};
  ASSERT_EQ(synthetic_model_names().size(), std::size(millions));
  for (std::size_t i = 0; i < std::size(millions); ++i) {
    const auto parameters =
        static_cast<double>(synthetic_shape(synthetic_model_names()[i]).parameters());
    EXPECT_NEAR(parameters / 1e6, millions[i], 0.1) << synthetic_model_names()[i];
  }
  EXPECT_EQ(synthetic_shape("100m").parameters(),
            20000U * 768 + 12 * (4 * 768 * 768 + 2 * 768 * 3072));
  EXPECT_EQ(kSmall.tensors().size(), 2U + 2 * 7);
  EXPECT_THROW(synthetic_shape("1b"), std::invalid_argument);
}

TEST(SyntheticTensors, AValueDependsOnSeedTensorAndPositionAlone) {
  const SyntheticTensors source(kSmall, 1), other(kSmall, 2);
  std::vector<float> whole(150 * 96), part(3 * 96), otherwise(96);
  source.read(0, 0, 150, whole.data());
  source.read(0, 70, 3, part.data());
  EXPECT_TRUE(std::equal(part.begin(), part.end(), whole.begin() + 70 * 96));
  other.read(0, 0, 1, otherwise.data());
  EXPECT_FALSE(std::equal(otherwise.begin(), otherwise.end(), whole.begin()));
  source.read(1, 0, 1, otherwise.data());
  EXPECT_FALSE(std::equal(otherwise.begin(), otherwise.end(), whole.begin()));
}

/// A small model, quantized in memory, and what its checks find.
struct Quantized {
  SyntheticTensors source{kSmall, 1};
  Scheme scheme;
  InMemoryQuantization model;

  explicit Quantized(const Scheme& wanted) : scheme(wanted), model(source, wanted) { step(); }

  void step() {
    StepEmitter out(perf_compare::Wanted{1, 0, 1}, "w", {});
    out.next_step();
    model.step(out);
  }
  QuantizationQuality quality() const {
    QuantizationQuality quality;
    for (std::size_t i = 0; i < source.tensors().size(); ++i) {
      quality.add(model.values(i), model.quantized(i));
    }
    return quality;
  }
  ReferenceErrors reference() const {
    return reference_errors(
        source, scheme, 1, [&](std::size_t tensor, std::size_t row, const QuantizedMatrix& to) {
          const QuantizedMatrix& from = model.quantized(tensor);
          std::memcpy(to.codes, from.codes + row * to.code_bytes(), to.code_bytes());
          std::memcpy(to.scales, from.scales + row * to.scale_bytes(), to.scale_bytes());
        });
  }
  bool passes() const {
    const QuantizationQuality all = quality();
    const ReferenceErrors rows = reference();
    return all.scales <= kScaleTolerance && all.error.rounding <= kRoundingTolerance &&
           rows.codes <= kCodeTolerance && rows.scales <= kScaleTolerance &&
           std::abs(all.error.signal_to_noise() - expected_signal_to_noise(source, scheme)) <=
               expected_signal_to_noise_band(source, scheme);
  }
};

const std::vector<Scheme>& schemes() {
  static const std::vector<Scheme> all = [] {
    std::vector<Scheme> some;
    for (const CodeType type : {CodeType::int8, CodeType::int4, CodeType::int2, CodeType::nf4}) {
      for (const std::size_t group : {0, 32, 64, 128}) {
        some.push_back({type, group});
      }
    }
    return some;
  }();
  return all;
}

std::string name_of(const Scheme& scheme) {
  return name_of(scheme.type) + " by " + std::to_string(scheme.group);
}

TEST(InMemory, EveryTypeAndGroupIsRight) {
  for (const Scheme& scheme : schemes()) {
    EXPECT_TRUE(Quantized(scheme).passes()) << name_of(scheme);
  }
}

// A forgotten tensor, and a step that leaves what an earlier one wrote.
TEST(InMemory, FindsValuesThatAStepDoesNotWrite) {
  for (const Scheme& scheme : schemes()) {
    Quantized quantized(scheme);
    quantized.model.spoil_output();
    EXPECT_FALSE(quantized.quality().error.rounding <= kRoundingTolerance) << name_of(scheme);
    EXPECT_FALSE(quantized.quality().scales <= kScaleTolerance) << name_of(scheme);
    quantized.step();
    const QuantizedMatrix& middle = quantized.model.quantized(7);
    std::memset(middle.scales + 70 * scheme.scale_row_bytes(middle.columns), 0xff,
                scheme.scale_bytes());
    EXPECT_FALSE(quantized.passes()) << name_of(scheme);
  }
}

// One code in the middle of a tensor, off by about half of the levels.
TEST(InMemory, OneWrongCodeIsSeen) {
  for (const Scheme& scheme : schemes()) {
    const Quantized quantized(scheme);
    const QuantizedMatrix& matrix = quantized.model.quantized(5);
    matrix.codes[50 * scheme.code_row_bytes(matrix.columns) + 11] ^= 0x02;
    EXPECT_GT(quantized.quality().error.rounding, kRoundingTolerance) << name_of(scheme);
  }
}

// Twice the scale, with the codes that are nearest then: only the scale is wrong, in one row.
TEST(InMemory, OneWrongScaleIsSeen) {
  const Quantized quantized({CodeType::int8, 0});
  const QuantizedMatrix& matrix = quantized.model.quantized(5);
  float scale = 0;
  std::memcpy(&scale, matrix.scales + 50 * sizeof scale, sizeof scale);
  scale *= 2;
  std::memcpy(matrix.scales + 50 * sizeof scale, &scale, sizeof scale);
  const float* values = quantized.model.values(5) + 50 * matrix.columns;
  for (std::size_t i = 0; i < matrix.columns; ++i) {
    matrix.codes[50 * matrix.columns + i] =
        static_cast<std::uint8_t>(static_cast<int>(std::nearbyint(values[i] / scale)));
  }
  EXPECT_LE(quantized.quality().error.rounding, kRoundingTolerance);
  EXPECT_NEAR(quantized.quality().scales, 1, 1e-6);
}

// int4's scale without its sign: within half a level of most values, and yet wrong.
TEST(InMemory, AScaleOfTheOtherSignIsSeen) {
  const Quantized quantized({CodeType::int4, 0});
  const QuantizedMatrix& matrix = quantized.model.quantized(5);
  matrix.scales[50 * 4 + 3] ^= std::byte{0x80};
  EXPECT_NEAR(quantized.quality().scales, 2, 1e-6);
}

TEST(ReferenceErrors, SeesWrongCodesScalesAndValues) {
  const Quantized quantized({CodeType::int8, 32});
  const QuantizedMatrix& last = quantized.model.quantized(quantized.source.tensors().size() - 1);
  EXPECT_LE(quantized.reference().codes, kCodeTolerance);
  for (std::size_t i = 0; i < 96; ++i) {
    last.codes[149 * 96 + i] ^= 1;
  }
  EXPECT_GT(quantized.reference().codes, kCodeTolerance);
  last.scales[(149 * 3 + 2) * 2] ^= std::byte{1};
  EXPECT_GT(quantized.reference().scales, kScaleTolerance);

  // Values that something overwrote: right codes of what is not the source's any more.
  Quantized overwritten({CodeType::int8, 0});
  auto* values = const_cast<float*>(overwritten.model.values(0));
  std::reverse(values, values + 96);
  overwritten.step();
  EXPECT_LE(overwritten.quality().error.rounding, kRoundingTolerance);
  EXPECT_GT(overwritten.reference().codes, kCodeTolerance);
}

TEST(QuantizedBytesByFormula, AgreesWithLiterals) {
  const SyntheticTensors source({.layers = 1, .hidden = 33, .intermediate = 50, .vocabulary = 10},
                                1);
  // Rows of 33: 10 + 4 33 + 50 = 192; of 50: 33.
  EXPECT_EQ(quantized_bytes_by_formula(source, {CodeType::int8, 0}), 192U * 37 + 33 * 54);
  EXPECT_EQ(quantized_bytes_by_formula(source, {CodeType::int4, 32}), 192U * 21 + 33 * 29);
  EXPECT_EQ(quantized_bytes_by_formula(source, {CodeType::int2, 64}), 192U * 11 + 33 * 15);
}

// Figures of 57 million weights (8 layers as those of model 30m), quantized by the kernels.
TEST(ExpectedNoise, KnownFigures) {
  const SyntheticTensors source(
      {.layers = 1, .hidden = 768, .intermediate = 768, .vocabulary = 768}, 1);
  EXPECT_NEAR(expected_signal_to_noise(source, {CodeType::int8, 0}), 43.4, 0.2);
  EXPECT_NEAR(expected_signal_to_noise(source, {CodeType::int4, 32}), 21.8, 0.1);
  EXPECT_NEAR(expected_signal_to_noise(source, {CodeType::int2, 32}), 9.16, 0.1);
  EXPECT_NEAR(expected_signal_to_noise(source, {CodeType::nf4, 64}), 20.8, 0.1);
  EXPECT_LT(expected_signal_to_noise_band(source, {CodeType::int4, 32}), 0.4);
}

void expect_passed(const StepEmitter& out, const std::vector<std::string>& names) {
  std::vector<std::string> found;
  for (const perf_compare::Check& one : out.checks()) {
    found.push_back(one.name);
    EXPECT_TRUE(one.passed()) << one.name << " " << one.error << " > " << one.tolerance;
  }
  EXPECT_EQ(found, names);
}

Options tiny(const Options& more) {
  Options options = {
      {"model", "600m"},     {"layers", "3"}, {"hidden-size", "96"}, {"intermediate-size", "200"},
      {"vocabulary", "150"}, {"steps", "2"},  {"warmup", "1"}};
  options.insert(more.begin(), more.end());
  return options;
}

StepEmitter run_tiny(const Workload& workload, const Options& more) {
  return run_workload(workload, tiny(more)).front();
}

TEST(Quantization, ReportsMemoryByLayer) {
  const StepEmitter out = run_tiny(quantization_int4(), {{"by-layer", "on"}});
  expect_passed(out, quantization_checks());
  // Rows of 96: 48 bytes and three scales; of 200: 100 bytes and seven.
  const double attention = 4 * 96 * 54, mlp = 2 * 200 * 54 + 96 * 114;
  for (const char* layer : {"layer_00_bytes", "layer_01_bytes", "layer_02_bytes", "layer_bytes"}) {
    EXPECT_EQ(metric(out, layer), attention + mlp) << layer;
  }
  EXPECT_EQ(metric(out, "embedding_bytes"), 150 * 54);
  EXPECT_EQ(metric(out, "output_bytes"), 3 * (attention + mlp) + 2 * 150 * 54);
  EXPECT_EQ(metric(out, "bits_per_weight") * metric(out, "input_bytes"),
            32 * metric(out, "output_bytes"));
  EXPECT_EQ(metric(out, "peak_memory") - metric(out, "baseline_memory"),
            metric(out, "quantization_memory"));
  const std::vector<std::string> phases = {"embedding", "attention", "mlp", "output"};
  EXPECT_EQ(out.phase_names(), phases);
}

// The quality of half of the tensors is no quality.
TEST(Quantization, FindsValuesThatWereNotCompared) {
  const Quantized quantized({CodeType::int8, 0});
  QuantizationRun run{.source = quantized.source, .scheme = quantized.scheme};
  const auto compared = [&] {
    StepEmitter out(perf_compare::Wanted{1, 0, 1}, "w", {});
    check_quantization(run, true, out);
    for (const perf_compare::Check& one : out.checks()) {
      if (one.name == "all_values_were_compared") {
        return one.passed();
      }
    }
    ADD_FAILURE() << "no such check";
    return false;
  };
  run.quality.add(quantized.model.values(0), quantized.model.quantized(0));
  EXPECT_FALSE(compared());
  run.quality = quantized.quality();
  EXPECT_TRUE(compared());
}

TEST(Quantization, FiguresFollowFromOneAnother) {
  const StepEmitter out = run_tiny(quantization_int8(), {});
  const double input = metric(out, "input_bytes"), seconds = out.median_seconds();
  EXPECT_EQ(metric(out, "total_time"), seconds);
  EXPECT_NEAR(metric(out, "input_bytes_per_second") * seconds, input, 1e-6 * input);
  EXPECT_NEAR(metric(out, "memory_ratio") * (input + metric(out, "output_bytes")),
              metric(out, "peak_memory"), 1);
  EXPECT_GE(metric(out, "baseline_memory"), input);
  EXPECT_GE(metric(out, "peak_memory"), metric(out, "baseline_memory"));
  // In memory what is read is the input alone. Of two steps the median is their mean.
  const double first = out.steps()[1].seconds, second = out.steps()[2].seconds;
  const double rate = (input / first + input / second) / 2;
  EXPECT_NEAR(metric(out, "bytes_per_second"), rate, 1e-6 * rate);
  const std::vector<double> all = perplexity_changes({{CodeType::int8, 0}}, 1);
  EXPECT_EQ(metric(out, "perplexity_change"), all.front());
}

TEST(Quantization, RefusesSettingsThatDoNotGoTogether) {
  const auto refused = [](const Options& options) -> std::string {
    try {
      run_workload(quantization_int8(), options);
    } catch (const Error& error) {
      return error.subject;
    }
    return "nothing";
  };
  EXPECT_EQ(refused({{"checkpoint", "a"}, {"model", "7b"}}), "--checkpoint a --model 7b");
  EXPECT_EQ(refused({{"checkpoint", "a"}, {"layers", "3"}}), "--checkpoint a --layers 3");
  EXPECT_EQ(refused({{"checkpoint", "a"}, {"mode", "streaming"}, {"file-dtype", "bf16"}}),
            "--checkpoint a --file-dtype bf16");
  EXPECT_EQ(refused({{"page-cache", "cold"}}), "--mode in_memory --page-cache cold");
  EXPECT_EQ(refused({{"output", "a"}}), "--mode in_memory --output a");
  EXPECT_EQ(refused({{"container", "parquet"}}), "--mode in_memory --container parquet");
  EXPECT_EQ(refused({{"mode", "streaming"}, {"output", "a.parquet"}}),
            "--container safetensors --output a.parquet");
  EXPECT_NE(refused({{"checkpoint", "/no/such/file"}}), "nothing");
  try {  // 300 billion parameters
    run_workload(quantization_int8(),
                 {{"model", "7b"}, {"layers", "1000"}, {"vocabulary", "999999"}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.hint.find("--mode streaming"), std::string::npos) << error.hint;
  }
}

class Streaming : public ScratchFolder {
 protected:
  Streaming() { setenv("XDG_CACHE_HOME", folder_.c_str(), 1); }
  ~Streaming() override { unsetenv("XDG_CACHE_HOME"); }

  const std::string output_ = folder_ + "/quantized.safetensors";
};

std::vector<std::string> streaming_checks() {
  std::vector<std::string> names = quantization_checks();
  for (const char* name : {"file_has_all_tensors", "file_matches_memory",
                           "kept_tensors_match_source", "input_matches_seed"}) {
    names.emplace_back(name);
  }
  return names;
}

TEST_F(Streaming, QuantizesFromFileToFile) {
  // The same in memory: its values are the same seed's.
  const StepEmitter in_memory = run_tiny(quantization_nf4(), {{"seed", "1"}});
  for (const std::string& container : container_names()) {
    const std::string output = folder_ + "/quantized." + container;
    const StepEmitter out = run_tiny(quantization_nf4(), {{"mode", "streaming"},
                                                          {"container", container},
                                                          {"output", output},
                                                          {"read-probe-size", "1"}});
    expect_passed(out, streaming_checks());
    EXPECT_EQ(metric(out, "file_bytes"), static_cast<double>(std::filesystem::file_size(output)));
    EXPECT_LT(metric(out, "output_bytes"), metric(out, "file_bytes"));
    EXPECT_GT(metric(out, "read_share"), 0);
    for (const char* name : {"input_bytes", "output_bytes", "signal_to_noise"}) {
      EXPECT_EQ(metric(out, name), metric(in_memory, name)) << name;
    }
    std::string start(4, '\0');
    std::ifstream(output, std::ios::binary).read(start.data(), 4);
    EXPECT_EQ(start == "PAR1", container == "parquet");
  }
}

// A process that was killed removes nothing; the next one does, and leaves what is not a dead
// one's.
TEST_F(Streaming, RemovesWhatKilledRunsHaveLeft) {
  const pid_t dead = fork();
  if (dead == 0) {
    _exit(0);
  }
  ASSERT_EQ(waitpid(dead, nullptr, 0), dead);
  const std::string prefix = folder_ + "/perf-workloads-quantized-";
  const std::string number = std::to_string(dead);
  const std::vector<std::string> stale = {prefix + number + ".safetensors",
                                          prefix + number + ".safetensors.partial-" + number};
  const std::vector<std::string> others = {prefix + std::to_string(getppid()) + ".safetensors",
                                           prefix + number + "-mine.txt", prefix + "x.safetensors",
                                           folder_ + "/" + number + ".safetensors"};
  for (const auto& names : {stale, others}) {
    for (const std::string& name : names) {
      std::ofstream(name) << "x";
    }
  }
  setenv("TMPDIR", folder_.c_str(), 1);
  run_tiny(quantization_int8(), {{"mode", "streaming"}, {"read-probe-size", "0"}});
  for (const std::string& name : stale) {
    EXPECT_FALSE(std::filesystem::exists(name)) << name;
  }
  for (const std::string& name : others) {
    EXPECT_TRUE(std::filesystem::exists(name)) << name;
  }
  // And of a killed run that was filling the cache, though nothing is written to it now.
  const std::string cache = folder_ + "/perf-compare/checkpoints/";
  ASSERT_TRUE(std::filesystem::exists(cache));
  const std::string partial = cache + "a.safetensors.partial-" + number;
  std::ofstream(partial) << "x";
  run_tiny(quantization_int8(), {{"mode", "streaming"}, {"read-probe-size", "0"}});
  EXPECT_FALSE(std::filesystem::exists(partial));
  setenv("TMPDIR", (folder_ + "/none").c_str(), 1);
  EXPECT_THROW(run_tiny(quantization_int8(), {{"mode", "streaming"}}), Error);
  unsetenv("TMPDIR");
  EXPECT_THROW(
      run_tiny(quantization_int8(), {{"mode", "streaming"}, {"output", folder_ + "/none/x"}}),
      Error);
}

TEST_F(Streaming, WritesOverItsOwnFilesAlone) {
  const Options options = {{"mode", "streaming"}, {"output", output_}, {"read-probe-size", "0"}};
  run_tiny(quantization_int2(), options);
  run_tiny(quantization_int8(), options);
  std::string cached;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_)) {
    if (entry.path() != output_ && entry.path().extension() == ".safetensors") {
      cached = entry.path();
    }
  }
  ASSERT_FALSE(cached.empty());
  const auto size = std::filesystem::file_size(cached);
  for (const Options& others :
       {Options{{"checkpoint", cached}}, Options{{"checkpoint", folder_}}}) {
    EXPECT_THROW(
        {
          Options own = others;
          own.insert({{"mode", "streaming"}, {"output", cached}, {"steps", "1"}});
          run_workload(quantization_int8(), own);
        },
        Error);
  }
  EXPECT_EQ(std::filesystem::file_size(cached), size);
}

TEST_F(Streaming, ChecksFindARealCheckpointRightInBothModes) {
  run_tiny(quantization_int8(),
           {{"mode", "streaming"}, {"file-dtype", "bf16"}, {"read-probe-size", "0"}});
  std::string cached;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_)) {
    if (entry.path().extension() == ".safetensors") {
      cached = entry.path();
    }
  }
  std::vector<std::string> of_a_checkpoint = quantization_checks();
  of_a_checkpoint.pop_back();  // nothing is known of its noise
  const Options options = {{"checkpoint", cached}, {"steps", "1"}, {"warmup", "0"}};
  const StepEmitter out = run_workload(quantization_int4(), options).front();
  expect_passed(out, of_a_checkpoint);
  EXPECT_EQ(metric(out, "output_bytes"), metric(run_tiny(quantization_int4(), {}), "output_bytes"));
}

}  // namespace
}  // namespace perf::workloads
