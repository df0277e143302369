#include "workloads/quantization/streaming_quantization.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <optional>

#include "tests/workloads/model/safetensors_file.h"
#include "tests/workloads/quantization/quantized_model.h"
#include "tests/workloads/threads.h"
#include "workloads/decoder/decoder_check.h"
#include "workloads/decoder/decoder_in_memory.h"
#include "workloads/inference/load_check.h"
#include "workloads/kernels/agreement.h"
#include "workloads/model/bad_checkpoint.h"
#include "workloads/model/checkpoint.h"
#include "workloads/program/error.h"
#include "workloads/program/memory.h"
#include "workloads/quantization/checkpoint_tensors.h"
#include "workloads/quantization/streaming_check.h"
#include "workloads/quantization/synthetic_model.h"
#include "workloads/training/starting_point.h"

namespace perf::workloads {
namespace {

const std::vector<CodeType> kSavedTypes = {CodeType::int8, CodeType::int4, CodeType::int2,
                                           CodeType::nf4};

class StreamingPass : public ScratchFolder {
 protected:
  const std::string input_ = folder_ + "/model.safetensors";
  const std::string output_ = folder_ + "/quantized.safetensors";

  /// Streams once, and gives what it took.
  std::size_t stream(const TensorSource& source, const Scheme& scheme,
                     std::size_t piece_bytes = StreamingQuantization::kPieceBytes) const {
    StreamingQuantization pass(source, scheme, output_, piece_bytes);
    perf_compare::StepEmitter out({.steps = 1, .warmup = 0, .seed = 1}, "streaming", {});
    pass.prepare();
    out.next_step();
    pass.step(out);
    out.stop_step();
    EXPECT_EQ(out.phase_names(),
              std::vector<std::string>(std::begin(StreamingQuantization::kPhases),
                                       std::end(StreamingQuantization::kPhases)));
    EXPECT_EQ(std::filesystem::file_size(output_), pass.output_bytes());
    return pass.buffer_bytes();
  }
};

/// What a whole tensor becomes in memory: the bytes of codes and of scales.
std::pair<std::string, std::string> in_memory(const std::vector<float>& values,
                                              const Scheme& scheme, std::size_t columns) {
  const std::size_t rows = values.size() / columns;
  Arena memory(QuantizedMatrix::room(scheme, rows, columns));
  const QuantizedMatrix to = QuantizedMatrix::take(scheme, rows, columns, memory);
  quantize(values.data(), to);
  return {{reinterpret_cast<const char*>(to.codes), to.code_bytes()},
          {reinterpret_cast<const char*>(to.scales), to.scale_bytes()}};
}

std::string bytes_of(const SafetensorsFile& file, const std::string& name) {
  return file.data.substr(file.begin(name), file.size(name));
}

TEST_F(StreamingPass, IsQuantizingInMemoryToTheLastBit) {
  // Rows that are no multiple of a group, of a byte or of a vector; pieces of many rows, of few,
  // and of one row that is larger than the piece should be.
  const std::vector<RandomTensor> tensors = {
      {"model.embed_tokens.weight", "BF16", {97, 33}, 1},
      {"model.layers.0.self_attn.q_proj.weight", "F32", {33, 257}, 2},
      {"model.layers.0.mlp.down_proj.weight", "F16", {5, 1000}, 3},
      {"model.layers.1.mlp.up_proj.weight", "F32", {64, 128}, 4},
      {"one.weight", "BF16", {1, 1}, 5},
      {"model.norm.weight", "BF16", {33}, 6},
      {"model.layers.0.self_attn.q_proj.bias", "F32", {33}, 7},
      {"ids", "I64", {3, 3}},
      {"scalar", "F32", {}},
  };
  write_tensors(input_, tensors);
  const CheckpointTensors source(input_);
  for (const CodeType type : kSavedTypes) {
    for (const std::size_t group : {0, 32, 64, 128}) {
      for (const std::size_t piece : {std::size_t{2000}, std::size_t{9000}, std::size_t{1} << 20}) {
        const Scheme scheme = {type, group};
        SCOPED_TRACE(name_of(type) + " " + std::to_string(group) + " " + std::to_string(piece));
        stream(source, scheme, piece);
        const SafetensorsFile file(output_);
        EXPECT_EQ(file.header.at("__metadata__"),
                  nlohmann::json({{"format", "perf-workloads quantized"},
                                  {"type", name_of(type)},
                                  {"group", group == 0 ? "channel" : std::to_string(group)}}));
        ASSERT_EQ(file.names().size(), 5U * 2 + 4);
        for (const RandomTensor& tensor : tensors) {
          const std::string& name = tensor.entry.name;
          if (tensor.entry.shape.size() != 2 || tensor.entry.type == "I64") {
            EXPECT_EQ(bytes_of(file, name), tensor.bytes) << name;
            EXPECT_EQ(file.tensor(name).at("dtype"), tensor.entry.type);
            continue;
          }
          const auto [codes, scales] = in_memory(tensor.values(), scheme, tensor.entry.shape[1]);
          EXPECT_EQ(bytes_of(file, name + ".codes"), codes) << name;
          EXPECT_EQ(bytes_of(file, name + ".scales"), scales) << name;
          EXPECT_EQ(file.tensor(name + ".codes").at("dtype"), "U8");
          EXPECT_EQ(file.tensor(name + ".scales").at("dtype"), group == 0 ? "F32" : "BF16");
          EXPECT_EQ(file.begin(name + ".scales") % (group == 0 ? 4 : 2), 0U);  // aligned
        }
        const StreamedErrors errors = streamed_errors(source, scheme, output_, 1, piece);
        EXPECT_EQ(errors.layout, 0);
        EXPECT_EQ(errors.rows, 0);
        EXPECT_EQ(errors.kept, 0);
      }
    }
  }
}

TEST_F(StreamingPass, GivesTheSameOnAnyThreads) {
  write_tensors(input_, {{"w", "F32", {301, 515}}});
  const CheckpointTensors source(input_);
  expect_same_on_any_threads([&] {
    stream(source, {CodeType::int4, 32}, 100'000);
    return SafetensorsFile(output_).data;
  });
}

TEST_F(StreamingPass, TakesTheSameMemoryForAModelOfEightTimesTheSize) {
  const SyntheticShape small = {
      .layers = 1, .hidden = 512, .intermediate = 1024, .vocabulary = 2048};
  SyntheticShape large = small;
  large.layers = 8;
  large.vocabulary *= 8;
  const Scheme scheme = {CodeType::int8, 0};
  const std::size_t piece = 1 << 20;
  const SyntheticTensors one(small, 1), eight(large, 1);
  ASSERT_EQ(eight.values(), 8 * one.values());
  EXPECT_EQ(stream(one, scheme, piece), piece);
  const std::size_t after_one = peak_resident_memory();
  EXPECT_EQ(stream(eight, scheme, piece), piece);
  // 100 MB of values, of which the piece is a hundredth; a megabyte for what else moves.
  EXPECT_LT(peak_resident_memory(), after_one + (1U << 20));
  EXPECT_EQ(streamed_errors(eight, scheme, output_, 1, piece).rows, 0);
}

TEST_F(StreamingPass, RefusesWhatIsQuantizedAlready) {
  write_tensors(input_, {{"w", "F32", {4, 8}}});
  stream(CheckpointTensors(input_), {CodeType::int8, 32});
  EXPECT_THROW(CheckpointTensors{output_}, BadCheckpoint);
}

TEST_F(StreamingPass, RefusesNamesThatWouldComeTwice) {
  write_tensors(input_, {{"w", "F32", {4, 8}}, {"w.codes", "U8", {4}}});
  const CheckpointTensors source(input_);
  EXPECT_THROW(StreamingQuantization(source, {}, output_), Error);
}

TEST_F(StreamingPass, LeavesTheOldFileWhereTheSourceBreaks) {
  write_tensors(input_, {{"w", "F32", {400, 100}}});
  const CheckpointTensors source(input_);
  std::ofstream(output_) << "old";
  StreamingQuantization pass(source, {}, output_, 10'000);
  ASSERT_EQ(truncate(input_.c_str(), 100'000), 0);
  perf_compare::StepEmitter out({.steps = 1, .warmup = 0, .seed = 1}, "streaming", {});
  out.next_step();
  EXPECT_THROW(pass.step(out), BadCheckpoint);
  std::string text;
  std::ifstream(output_) >> text;
  EXPECT_EQ(text, "old");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 2);  // no partial one
}

TEST_F(StreamingPass, ReportsAFullDiskBeforehand) {
  const SyntheticTensors huge({.layers = 1000, .hidden = 1 << 20, .intermediate = 1 << 20}, 1);
  try {
    const StreamingQuantization pass(huge, {}, output_, 1 << 20);
    FAIL() << "7 PB fit on this disk";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("no room for " + output_), std::string::npos);
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

class StreamedCheck : public StreamingPass {
 protected:
  StreamedCheck() {
    write_tensors(
        input_,
        {{"a", "F32", {300, 64}, 1}, {"b", "BF16", {90, 100}, 2}, {"norm", "F32", {64}, 3}});
    source_.emplace(input_);
    stream(*source_, kScheme, kPiece);
  }

  /// After a byte of a row of a tensor was turned over.
  StreamedErrors with_byte(const std::string& tensor, std::size_t row, std::size_t row_bytes) {
    const SafetensorsFile file(output_);
    const auto start = std::filesystem::file_size(output_) - file.data.size();
    const auto at =
        static_cast<std::streamoff>(start + file.begin(tensor) + row * row_bytes + row_bytes - 1);
    std::fstream bytes(output_, std::ios::in | std::ios::out | std::ios::binary);
    bytes.seekg(at);
    const char found = static_cast<char>(bytes.get());
    bytes.seekp(at);
    bytes.put(static_cast<char>(found ^ 1));
    bytes.flush();
    const StreamedErrors errors = streamed_errors(*source_, kScheme, output_, kSeed, kPiece);
    bytes.seekp(at);
    bytes.put(found);
    return errors;
  }

  static constexpr Scheme kScheme = {CodeType::int4, 32};
  static constexpr std::size_t kPiece = 10'000;
  static constexpr std::uint64_t kSeed = 3;
  std::optional<CheckpointTensors> source_;
};

TEST_F(StreamedCheck, SeesAWrongByteAtTheEndsAndInTheMiddle) {
  EXPECT_EQ(streamed_errors(*source_, kScheme, output_, kSeed, kPiece).rows, 0);
  for (const std::size_t row : {0, 150, 299}) {
    EXPECT_GT(with_byte("a.codes", row, 32).rows, 0) << row;
  }
  for (const std::size_t row : {0, 45, 89}) {
    EXPECT_GT(with_byte("b.scales", row, 8).rows, 0) << row;
  }
  EXPECT_GT(with_byte("norm", 10, 4).kept, 0);
  EXPECT_EQ(with_byte("norm", 10, 4).rows, 0);
}

TEST_F(StreamedCheck, SeesRowsThatAreWrongFromAPiecesBorderOn) {
  const std::size_t rows = StreamingQuantization::piece_rows(kScheme, 64, kPiece);
  ASSERT_LT(rows, 150U);
  std::size_t seen = 0;
  for (std::size_t border = rows; border < 300; border += rows) {
    seen +=
        with_byte("a.codes", border, 32).rows > 0 && with_byte("a.codes", border - 1, 32).rows > 0
            ? 1
            : 0;
  }
  EXPECT_EQ(seen, 1U);  // the seed's choice of the borders
}

TEST_F(StreamedCheck, SeesAnotherLayout) {
  EXPECT_EQ(streamed_errors(*source_, {CodeType::int8, 32}, output_, kSeed, kPiece).layout, 3);
  EXPECT_EQ(streamed_errors(*source_, {CodeType::nf4, 32}, output_, kSeed, kPiece).layout, 1);
  write_tensors(input_, {{"a", "F32", {300, 64}, 1}});
  EXPECT_GT(streamed_errors(CheckpointTensors(input_), kScheme, output_, kSeed, kPiece).layout, 0);
}

TEST_F(StreamedCheck, SeesTheValuesOfAnotherModel) {
  write_tensors(
      input_, {{"a", "F32", {300, 64}, 8}, {"b", "BF16", {90, 100}, 9}, {"norm", "F32", {64}, 10}});
  const CheckpointTensors other(input_);
  const StreamedErrors errors = streamed_errors(other, kScheme, output_, kSeed, kPiece);
  EXPECT_GT(errors.rows, 0.5);
  EXPECT_GT(errors.kept, 0.3);
}

// Logits after a few tokens of a decoder whose matrices are stored in `weights`.
std::vector<float> logits_of(const ParameterSource& source, WeightType weights) {
  DecoderSetup setup;
  setup.shape = source.shape();
  setup.weights = weights;
  setup.capacity = setup.most_rows = 8;
  DecoderInMemory model(setup, source);
  const std::vector<int> tokens = {3, 0, 39, 17, 5};
  const float* logits = model.decoder().advance(tokens.data(), tokens.size());
  return {logits, logits + setup.shape.tokens()};
}

/// Another source whose matrices are quantized in memory.
class QuantizedInMemory : public ParameterSource {
 public:
  QuantizedInMemory(const ParameterSource& source, const Scheme& scheme)
      : source_(source), scheme_(scheme) {}
  const ModelShape& shape() const override { return source_.shape(); }
  void read(const ModelTensor& tensor, std::size_t first, std::size_t count,
            float* values) const override {
    std::vector<float> all(tensor.values());
    source_.read(tensor, 0, all.size(), all.data());
    if (tensor.shape.size() == 2) {
      const std::size_t rows = tensor.shape[0], columns = tensor.shape[1];
      Arena memory(QuantizedMatrix::room(scheme_, rows, columns));
      const QuantizedMatrix to = QuantizedMatrix::take(scheme_, rows, columns, memory);
      quantize(all.data(), to);
      dequantize(to, all.data());
    }
    std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(first), count, values);
  }

 private:
  const ParameterSource& source_;
  Scheme scheme_;
};

TEST_F(StreamingPass, MakesAFileThatInferenceLoads) {
  for (const bool is_tied : {true, false}) {
    StartingPoint start;
    start.shape = {.layers = 2,
                   .hidden = 72,
                   .heads = 4,
                   .kv_heads = 2,
                   .head_size = 16,
                   .intermediate = 100,
                   .vocabulary = 40,
                   .is_tied = is_tied,
                   .has_qkv_bias = is_tied};
    start.dtype = DType::bf16;
    start.seed = 5;
    write_starting_point(start, input_);
    const Checkpoint original(input_);
    const CheckpointTensors tensors(input_);
    for (const CodeType type : kSavedTypes) {
      for (const std::size_t group : {0, 32, 64}) {
        SCOPED_TRACE(name_of(type) + " " + std::to_string(group));
        const Scheme scheme{type, group};
        stream(tensors, scheme);
        const Checkpoint quantized(output_);
        ASSERT_EQ(quantized.shape().is_tied, is_tied);
        const std::vector<float> logits = logits_of(quantized, WeightType::fp32);
        EXPECT_EQ(logits, logits_of(QuantizedInMemory(original, scheme), WeightType::fp32));
        EXPECT_NE(logits, logits_of(original, WeightType::fp32));
        const ModelTensor tensor = ModelLayout(start.shape).tensors()[1 + 8];
        std::vector<float> part(tensor.values() / 2), all(tensor.values());
        quantized.read(tensor, 0, all.size(), all.data());
        quantized.read(tensor, all.size() / 3, part.size(), part.data());  // no whole rows
        EXPECT_TRUE(std::equal(part.begin(), part.end(),
                               all.begin() + static_cast<std::ptrdiff_t>(all.size() / 3)));
        DecoderSetup setup;
        setup.shape = start.shape;
        DecoderInMemory model(setup, quantized);
        EXPECT_EQ(loaded_weights_error(model.decoder(), quantized), 0);
        // Inference's own groups are stored as they are.
        if (group == 32 && type != CodeType::int2) {
          setup.weights = weight_type_from(name_of(type));
          DecoderInMemory stored(setup, quantized);
          const std::size_t values = start.shape.parameters();
          EXPECT_EQ(stored.decoder().parameters(0, values), model.decoder().parameters(0, values));
          const std::vector<float> got = logits_of(quantized, setup.weights);
          EXPECT_LT(largest_relative_error(got.data(), logits.data(), got.size()),
                    tolerances(setup).logits);
        }
      }
    }
  }
}

TEST_F(StreamingPass, MakesAFileOfAnyModelThatInferenceRefuses) {
  write_tensors(input_, {{"model.embed_tokens.weight", "BF16", {97, 33}, 1}});
  stream(CheckpointTensors(input_), {CodeType::int8, 32});
  EXPECT_THROW(Checkpoint{output_}, BadCheckpoint);
}

}  // namespace
}  // namespace perf::workloads
