#include "workloads/inference/load.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/contains.h"
#include "tests/thrown_by.h"
#include "workloads/decoder/decoder_in_memory.h"
#include "workloads/inference/inference_parameters.h"
#include "workloads/inference/load_check.h"
#include "workloads/inference/seeded_checkpoint.h"
#include "workloads/program/error.h"
#include "workloads/program/page_cache.h"

namespace perf::workloads {
namespace {

namespace fs = std::filesystem;

const ModelShape kShape = {.layers = 2,
                           .hidden = 64,
                           .heads = 4,
                           .kv_heads = 2,
                           .head_size = 16,
                           .intermediate = 96,
                           .vocabulary = 128};
constexpr std::uint64_t kSeed = 3;
constexpr DType kTypes[] = {DType::fp32, DType::bf16, DType::fp16};
// A value half-way between two levels may go either way; a wrong place is off by about 1.
constexpr double kOneLevel = 0.01;

DecoderSetup small_decoder(WeightType weights) {
  DecoderSetup setup;
  setup.shape = kShape;
  setup.weights = weights;
  setup.capacity = setup.most_rows = 8;
  return setup;
}

TEST(SeededCheckpoint, HoldsTheSeedsValuesRounded) {
  for (const DType dtype : kTypes) {
    const SeededCheckpoint file(kShape, dtype, kSeed);
    const Checkpoint checkpoint(file.path());
    const RoundedParameters want(kShape, dtype, kSeed);
    EXPECT_EQ(checkpoint.shape().rope_theta, kShape.rope_theta);
    EXPECT_EQ(checkpoint.shape().norm_epsilon, kShape.norm_epsilon);
    for (const ModelTensor& tensor : ModelLayout(kShape).tensors()) {
      std::vector<float> got(tensor.values()), expected(tensor.values());
      checkpoint.read(tensor, 0, got.size(), got.data());
      want.read(tensor, 0, expected.size(), expected.data());
      EXPECT_EQ(got, expected) << tensor.name << " in " << name_of(dtype);
    }
  }
}

/// TMPDIR is an empty folder as long as the object lives.
class EmptyTemporaryFolder : public testing::Test {
 protected:
  EmptyTemporaryFolder() {
    fs::create_directories(folder_);
    setenv("TMPDIR", folder_.c_str(), 1);
  }
  ~EmptyTemporaryFolder() override {
    unsetenv("TMPDIR");
    fs::remove_all(folder_);
  }
  const std::string folder_ =
      testing::TempDir() + "load_" + testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(EmptyTemporaryFolder, StaysEmptyBesideASeededCheckpoint) {
  const SeededCheckpoint file(kShape, DType::bf16, kSeed);
  EXPECT_TRUE(fs::is_empty(folder_));
  EXPECT_NO_THROW(Checkpoint(file.path()));  // it can be read all the same
}

TEST_F(EmptyTemporaryFolder, IsAnErrorWhereItIsMissing) {
  fs::remove_all(folder_);
  EXPECT_THROW(SeededCheckpoint(kShape, DType::bf16, kSeed), Error);
}

TEST(LoadCheck, PassesWhatWasLoadedInEveryType) {
  for (const WeightType weights : {WeightType::fp32, WeightType::bf16, WeightType::fp16}) {
    const SeededCheckpoint file(kShape, DType::bf16, kSeed);
    const Checkpoint checkpoint(file.path());
    DecoderInMemory model(small_decoder(weights), checkpoint);
    EXPECT_EQ(loaded_weights_error(model.decoder(), checkpoint), 0) << name_of(weights);
  }
  for (const WeightType weights : {WeightType::int8, WeightType::int4, WeightType::nf4}) {
    const SeededCheckpoint file(kShape, DType::fp32, kSeed);
    const Checkpoint checkpoint(file.path());
    DecoderInMemory model(small_decoder(weights), checkpoint);
    EXPECT_LE(loaded_weights_error(model.decoder(), checkpoint), kOneLevel) << name_of(weights);
  }
}

/// Another source but for one tensor, whose values are shifted by one place.
class Shifted : public ParameterSource {
 public:
  Shifted(const ParameterSource& source, std::string tensor)
      : source_(source), tensor_(std::move(tensor)) {}
  const ModelShape& shape() const override { return source_.shape(); }
  void read(const ModelTensor& tensor, std::size_t first, std::size_t count,
            float* values) const override {
    source_.read(tensor, first, count, values);
    if (tensor.name == tensor_) {
      std::rotate(values, values + 1, values + count);
    }
  }

 private:
  const ParameterSource& source_;
  std::string tensor_;
};

TEST(LoadCheck, FindsEveryMisplacedTensor) {
  const SeededCheckpoint file(kShape, DType::bf16, kSeed);
  const Checkpoint checkpoint(file.path());
  for (const ModelTensor& tensor : ModelLayout(kShape).tensors()) {
    DecoderInMemory model(small_decoder(WeightType::int8), Shifted(checkpoint, tensor.name));
    EXPECT_GT(loaded_weights_error(model.decoder(), checkpoint), kOneLevel) << tensor.name;
  }
}

TEST(LoadCheck, SeesAnotherSourceInTheLogits) {
  const SeededCheckpoint file(kShape, DType::bf16, kSeed);
  const Checkpoint checkpoint(file.path());
  const RoundedParameters seeded(kShape, DType::bf16, kSeed);
  const std::vector<int> prompt = {5, 17, 99, 3};
  DecoderInMemory model(small_decoder(WeightType::fp32), checkpoint);
  EXPECT_LE(source_error(model.decoder(), prompt, seeded), kSameLogits);
  for (const char* tensor : {"model.norm.weight", "model.layers.1.self_attn.q_proj.bias"}) {
    DecoderInMemory wrong(small_decoder(WeightType::fp32), Shifted(checkpoint, tensor));
    EXPECT_GT(source_error(wrong.decoder(), prompt, seeded), kSameLogits) << tensor;
    EXPECT_EQ(source_error(wrong.decoder(), prompt, seeded), 0) << "it holds the source's now";
  }
}

TEST(PageCache, DropsAFileOrReportsThatItCannot) {
  const std::string path = testing::TempDir() + "page_cache_test";
  std::ofstream(path) << std::string(1 << 20, 'x');
  EXPECT_GT(cached_share(path), 0.99);  // it was just written
  try {
    drop_from_page_cache(path);
    EXPECT_LT(cached_share(path), 0.02);
  } catch (const Error& error) {  // a file system in memory
    EXPECT_TRUE(contains(error.hint, "--page-cache warm"));
    EXPECT_GT(cached_share(path), 0.01);
  }
  fs::remove(path);
  EXPECT_THROW(cached_share(path), std::runtime_error);
}

Settings settings_with(const std::map<std::string, std::string>& given) {
  return {inference_load().parameters, Size::ci, given};
}

TEST(InferenceParameters, TakeACheckpointInPlaceOfModelAndShape) {
  const SeededCheckpoint file(kShape, DType::bf16, kSeed);
  const auto source = parameter_source(settings_with({{"checkpoint", file.path()}}), 1);
  EXPECT_EQ(source->shape().intermediate, kShape.intermediate);
  for (const char* name : {"model", "layers", "vocabulary"}) {
    const std::string value = std::string(name) == "model" ? "micro" : "0";
    SCOPED_TRACE(name);
    const auto error = thrown_by<Error>([&] {
      parameter_source(settings_with({{"checkpoint", file.path()}, {name, value}}), 1);
    });
    EXPECT_TRUE(contains(error.subject, std::string("--") + name)) << error.what();
  }
  EXPECT_THROW(parameter_source(settings_with({{"checkpoint", "/absent"}}), 1), Error);
}

TEST(InferenceParameters, GiveTheSetupThatTheyName) {
  const Settings settings =
      settings_with({{"weights", "int8"}, {"backend", "eigen"}, {"layers", "1"}});
  const auto source = parameter_source(settings, 1);
  const DecoderSetup setup = decoder_setup(settings, *source);
  EXPECT_EQ(setup.shape.layers, 1);
  EXPECT_EQ(setup.weights, WeightType::int8);
  EXPECT_EQ(setup.cache, DType::fp16);
  EXPECT_EQ(setup.backend, Backend::eigen);
  const Settings own = settings_with({{"weights", "int8"}, {"cache-dtype", "fp32"}});
  EXPECT_EQ(decoder_setup(own, *source).cache, DType::fp32);
}

perf_compare::StepEmitter run_load(const std::map<std::string, std::string>& given) {
  perf_compare::StepEmitter out({.steps = 2, .warmup = 1, .seed = kSeed}, "inference/load", {});
  std::map<std::string, std::string> all = {{"read-probe-size", "1"}};
  all.insert(given.begin(), given.end());
  inference_load().run(settings_with(all), out);
  return out;
}

void expect_sound(const perf_compare::StepEmitter& out) {
  EXPECT_EQ(out.phase_names(), inference_load().phases);
  for (const perf_compare::Check& check : out.checks()) {
    EXPECT_TRUE(check.passed()) << check.name << " " << check.error;
  }
  for (const perf_compare::Metric& metric : out.metrics()) {
    EXPECT_TRUE(std::isfinite(metric.value)) << metric.name;
  }
}

TEST(InferenceLoad, LoadsASeededFile) {
  for (const char* weights : {"fp32", "int8"}) {
    const auto out = run_load({{"layers", "1"}, {"vocabulary", "500"}, {"weights", weights}});
    expect_sound(out);
    EXPECT_EQ(out.checks()[1].name, "logits_match_seed");
  }
}

TEST(InferenceLoad, LoadsACheckpoint) {
  const SeededCheckpoint file(kShape, DType::fp16, kSeed);
  const auto out = run_load({{"checkpoint", file.path()}});
  expect_sound(out);
  const auto& metrics = out.metrics();
  const auto bytes = std::find_if(metrics.begin(), metrics.end(),
                                  [](const auto& metric) { return metric.name == "file_bytes"; });
  ASSERT_NE(bytes, metrics.end());
  EXPECT_EQ(bytes->value, static_cast<double>(fs::file_size(file.path())));
  EXPECT_THROW(run_load({{"checkpoint", file.path()}, {"file-dtype", "bf16"}}), Error);
}

}  // namespace
}  // namespace perf::workloads
