#include "workloads/quantization/checkpoint_tensors.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/workloads/quantization/quantized_model.h"
#include "tests/workloads/threads.h"
#include "workloads/model/bad_checkpoint.h"
#include "workloads/program/memory.h"

namespace perf::workloads {
namespace {

class CheckpointTensorsTest : public ScratchFolder {
 protected:
  const std::string file_ = folder_ + "/model.safetensors";

  static std::string refusal(const std::string& path) {
    try {
      const CheckpointTensors tensors(path);
      return "";
    } catch (const BadCheckpoint& bad) {
      return bad.what();
    }
  }
};

std::vector<float> all_values(const TensorSource& source, std::size_t tensor) {
  std::vector<float> values(source.tensors()[tensor].values());
  source.read(tensor, 0, source.tensors()[tensor].rows, values.data());
  return values;
}

TEST_F(CheckpointTensorsTest, AreTheMatricesInTheOrderOfTheFile) {
  const std::vector<RandomTensor> written = {
      {"model.embed_tokens.weight", "BF16", {10, 6}, 1},
      {"model.layers.3.mlp.up_proj.weight", "F32", {7, 6}, 2},
      {"model.norm.weight", "F32", {6}, 3},
      {"model.layers.3.self_attn.q_proj.weight", "F16", {5, 6}, 4},
      {"position_ids", "I64", {3, 2}},
      {"conv.weight", "F32", {2, 2, 2}, 5},
      {"empty.weight", "F32", {0, 4}},
  };
  write_tensors(file_, written);
  for (const std::string& path : {folder_, file_}) {
    const CheckpointTensors source(path);
    ASSERT_EQ(source.tensors().size(), 3U);
    EXPECT_EQ(source.tensors()[0].part, "embedding");
    EXPECT_EQ(source.tensors()[0].layer, Tensor::kNoLayer);
    EXPECT_EQ(source.tensors()[1].name, "model.layers.3.mlp.up_proj.weight");
    EXPECT_EQ(source.tensors()[1].part, "mlp");
    EXPECT_EQ(source.tensors()[1].layer, 3);
    EXPECT_EQ(source.tensors()[1].rows, 7U);
    EXPECT_EQ(source.tensors()[1].columns, 6U);
    EXPECT_EQ(all_values(source, 0), written[0].values());
    EXPECT_EQ(all_values(source, 1), written[1].values());
    EXPECT_EQ(all_values(source, 2), written[3].values());
    EXPECT_EQ(source.matrix_bytes(), 60U * 2 + 42 * 4 + 30 * 2);
    ASSERT_EQ(source.kept().size(), 4U);
    std::string bytes(8, ' ');
    source.read_kept(0, 4, 8, reinterpret_cast<std::byte*>(bytes.data()));
    EXPECT_EQ(source.kept()[0].name, "model.norm.weight");
    EXPECT_EQ(bytes, written[2].bytes.substr(4, 8));
  }
}

TEST_F(CheckpointTensorsTest, ReadsAnyRowsOnAnyThreads) {
  // More than one thread's block (2^18 values), and more than what is widened at once.
  const std::size_t rows = 1021, columns = 701;
  for (const char* type : {"F32", "BF16", "F16"}) {
    const RandomTensor tensor("w", type, {rows, columns});
    write_tensors(file_, {{"first", "I32", {1}}, tensor});
    const CheckpointTensors source(file_);
    const std::vector<float> all = tensor.values();
    expect_same_on_any_threads([&] { return all_values(source, 0); });
    EXPECT_EQ(all_values(source, 0), all);
    std::vector<float> some(5 * columns);
    source.read(0, 700, 5, some.data());
    EXPECT_EQ(some, std::vector<float>(all.begin() + 700 * columns, all.begin() + 705 * columns));
    EXPECT_THROW(source.read(0, rows - 4, 5, some.data()), std::out_of_range);
  }
}

TEST_F(CheckpointTensorsTest, ComeFromTheFilesThatAnIndexNames) {
  const std::vector<RandomTensor> one = {{"a", "F32", {4, 3}, 1}, {"both", "F32", {4, 3}, 2}};
  const std::vector<RandomTensor> two = {{"both", "BF16", {5, 3}, 3}, {"b", "F32", {3}, 4}};
  write_tensors(folder_ + "/1.safetensors", one);
  write_tensors(folder_ + "/2.safetensors", two);
  std::ofstream(folder_ + "/model.safetensors.index.json")
      << R"({"weight_map": {"a": "1.safetensors", "both": "2.safetensors", "b": "2.safetensors"}})";
  const CheckpointTensors source(folder_);
  ASSERT_EQ(source.tensors().size(), 2U);
  EXPECT_EQ(all_values(source, 0), one[0].values());
  EXPECT_EQ(all_values(source, 1), two[0].values());
  EXPECT_EQ(source.kept().size(), 1U);
  EXPECT_EQ(source.paths().size(), 2U);
}

TEST_F(CheckpointTensorsTest, RefusesAFileThatShrinksOrChangesMeanwhile) {
  const RandomTensor tensor("w", "F32", {100, 100});
  std::vector<float> values(100 * 100);
  write_tensors(file_, {tensor});
  const CheckpointTensors shrunk(file_);
  ASSERT_EQ(truncate(file_.c_str(), 20'000), 0);
  EXPECT_THROW(shrunk.read(0, 0, 100, values.data()), BadCheckpoint);
  EXPECT_THROW(shrunk.read(0, 0, 1, values.data()), BadCheckpoint);  // a part that is still there
  write_tensors(file_, {tensor});
  const CheckpointTensors changed(file_);
  std::fstream(file_, std::ios::in | std::ios::out).seekp(5000) << "other";
  EXPECT_THROW(changed.read(0, 0, 100, values.data()), BadCheckpoint);
}

TEST_F(CheckpointTensorsTest, DoNotCountAsResidentMemory) {
  const std::size_t rows = 16384, columns = 1024;  // 64 MiB
  write_tensors(file_, {{"w", "F32", {rows, columns}}});
  const CheckpointTensors source(file_);
  std::vector<float> piece(64 * columns);
  source.read(0, 0, 64, piece.data());
  const std::size_t before = resident_memory();
  for (std::size_t row = 0; row < rows; row += 64) {
    source.read(0, row, 64, piece.data());
  }
  EXPECT_LT(resident_memory(), before + (8U << 20));
}

TEST_F(CheckpointTensorsTest, RefusesWhatHasNothingToQuantize) {
  EXPECT_NE(refusal(file_).find("No such file"), std::string::npos);
  EXPECT_NE(refusal(folder_).find("no checkpoint in a folder"), std::string::npos);
  write_tensors(file_, {{"norm", "F32", {6}}});
  EXPECT_NE(refusal(file_).find("no matrix in F32"), std::string::npos) << refusal(file_);
}

TEST(PlaceByName, KnowsTheUsualNames) {
  const auto expect = [](const char* name, const char* part, int layer) {
    EXPECT_EQ(place_by_name(name).part, part) << name;
    EXPECT_EQ(place_by_name(name).layer, layer) << name;
  };
  expect("model.embed_tokens.weight", "embedding", -1);
  expect("model.layers.17.self_attn.o_proj.weight", "attention", 17);
  expect("model.layers.0.mlp.down_proj.weight", "mlp", 0);
  expect("lm_head.weight", "output", -1);
  expect("transformer.wte.weight", "embedding", -1);
  expect("transformer.h.11.attn.c_attn.weight", "attention", 11);
  expect("h.2.mlp.c_fc.weight", "mlp", 2);
  expect("model.layers.x.other.weight", "other", -1);
  expect("adapter.weight", "other", -1);
  expect("model.layers.99999999999.mlp.w", "mlp", -1);
}

}  // namespace
}  // namespace perf::workloads
