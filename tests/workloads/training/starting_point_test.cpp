#include "workloads/training/starting_point.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/workloads/model/safetensors_file.h"
#include "workloads/model/initial_weights.h"
#include "workloads/training/finetuning_in_memory.h"

namespace perf::workloads {
namespace {

StartingPoint small_start(DType dtype) {
  StartingPoint start;
  start.model = "small";
  start.shape = {.layers = 2,
                 .hidden = 24,
                 .heads = 3,
                 .kv_heads = 1,
                 .head_size = 8,
                 .intermediate = 40,
                 .vocabulary = 100};
  start.dtype = dtype;
  start.seed = 9;
  start.batch = 2;
  start.length = 5;
  start.lora.rank = 4;
  start.lora.targets = {Projection::q, Projection::down};
  start.lora.layers = {false, true};
  return start;
}

SafetensorsFile written(const StartingPoint& start) {
  const std::string path =
      testing::TempDir() + testing::UnitTest::GetInstance()->current_test_info()->name();
  const std::uint64_t bytes = write_starting_point(start, path);
  EXPECT_EQ(std::filesystem::file_size(path), bytes);
  SafetensorsFile file(path);
  std::filesystem::remove(path);
  return file;
}

template <class T>
class StartingPoints : public testing::Test {};
using Types = testing::Types<float, Bf16, Fp16>;
TYPED_TEST_SUITE(StartingPoints, Types);

// What a training run of the same seed makes for itself.
TYPED_TEST(StartingPoints, AreWhatTrainingStartsFrom) {
  const StartingPoint start = small_start(kDType<TypeParam>);
  const SafetensorsFile file = written(start);
  TrainingSetup setup;
  setup.shape = start.shape;
  setup.batch = 2;
  setup.length = 5;
  setup.dtype = start.dtype;
  setup.lora = start.lora;
  FinetuningInMemory in_memory(setup, start.seed);
  const Finetuning& training = in_memory.model();

  const auto widened = [&](const std::string& name) {
    std::vector<float> values;
    for (const TypeParam value : file.values<TypeParam>(name)) {
      values.push_back(widen(value));
    }
    return values;
  };
  const std::vector<float> parameters = training.parameters(), adapters = training.adapters();
  for (const ModelTensor& tensor : ModelLayout(start.shape).tensors()) {
    const auto first = parameters.begin() + static_cast<std::ptrdiff_t>(tensor.offset);
    EXPECT_EQ(widened(tensor.name),
              std::vector<float>(first, first + static_cast<std::ptrdiff_t>(tensor.values())))
        << tensor.name;
    EXPECT_EQ(file.tensor(tensor.name).at("dtype"), safetensors_type(start.dtype));
  }
  EXPECT_EQ(file.values<int>("tokens"), training.tokens());
  EXPECT_EQ(file.values<int>("targets"), training.targets());
  std::vector<float> lora;
  for (const char* name : {"lora.1.q.A", "lora.1.q.B", "lora.1.down.A", "lora.1.down.B"}) {
    for (const float value : widened(name)) {
      lora.push_back(value);
    }
  }
  EXPECT_EQ(lora, adapters);
}

TEST(StartingPoint, DescribesItsTensors) {
  const SafetensorsFile file = written(small_start(DType::fp32));
  EXPECT_EQ(file.names().size(), 2U + 2 + 24 + 4);
  EXPECT_EQ(file.tensor("tokens").at("dtype"), "I32");
  EXPECT_EQ(file.tensor("tokens").at("shape"), nlohmann::json({2, 5}));
  EXPECT_EQ(file.tensor("lora.1.q.A").at("shape"), nlohmann::json({4, 24}));
  EXPECT_EQ(file.tensor("lora.1.down.A").at("shape"), nlohmann::json({4, 40}));
  EXPECT_EQ(file.tensor("lora.1.down.B").at("shape"), nlohmann::json({24, 4}));
  EXPECT_EQ(file.tensor("model.layers.0.self_attn.k_proj.weight").at("shape"),
            nlohmann::json({8, 24}));
  const nlohmann::json& metadata = file.header.at("__metadata__");
  EXPECT_EQ(metadata.at("format"), "pt");
  EXPECT_EQ(metadata.at("seed"), "9");
  EXPECT_EQ(metadata.at("hidden_size"), "24");
  EXPECT_EQ(metadata.at("lora_targets"), "q,down");
  EXPECT_EQ(metadata.at("lora_layers"), "1");
}

TEST(StartingPoint, MayBeTheWeightsAlone) {
  StartingPoint start = small_start(DType::bf16);
  start.batch = start.length = 0;
  start.lora = {};
  const SafetensorsFile file = written(start);
  EXPECT_EQ(file.names().size(), 26U);
  EXPECT_EQ(file.data.size(), 2 * start.shape.parameters());
}

TEST(StartingPoint, TargetsAreTheTokensThatComeNext) {
  const SafetensorsFile file = written(small_start(DType::fp32));
  const std::vector<int> tokens = file.values<int>("tokens"), targets = file.values<int>("targets");
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    EXPECT_GE(tokens[i], 0);
    EXPECT_LT(tokens[i], 100);
    EXPECT_LT(targets[i], 100);
    if (i % 5 < 4) {
      EXPECT_EQ(targets[i], tokens[i + 1]);
    }
  }
  EXPECT_NE(targets[4], tokens[5]) << "rows are windows of sequences of their own";
}

TEST(StartingPoint, IsTheSameOfEachSeed) {
  StartingPoint start = small_start(DType::fp32);
  const SafetensorsFile first = written(start), again = written(start);
  EXPECT_EQ(first.data, again.data);
  start.seed = 10;
  const SafetensorsFile other = written(start);
  for (const std::string& name : first.names()) {
    const bool zeros = name.ends_with(".B");  // until the first step
    EXPECT_EQ(first.values<int>(name) == other.values<int>(name), zeros) << name;
  }
}

}  // namespace
}  // namespace perf::workloads
