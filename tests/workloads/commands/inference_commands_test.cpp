// What settings, export and trace say of the inference workloads that other implementations do.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/contains.h"
#include "tests/workloads/model/safetensors_file.h"
#include "tests/workloads/program/process.h"
#include "workloads/model/model_shape.h"

namespace perf::workloads {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

const std::string kGenerate =
    "inference/generate --size smoke --prompt 12 --new-tokens 5 --steps 1 --warmup 1";
const std::string kSampling =
    "inference/sampling --size smoke --sampling top-k,greedy --vocabulary 300 --samples 7 "
    "--vectors "
    "2 --steps 2 --warmup 1";

class InferenceCommands : public testing::Test {
 protected:
  InferenceCommands() { fs::create_directories(folder_); }
  ~InferenceCommands() override { fs::remove_all(folder_); }

  // `verb NAME FILE OPTIONS`: the file.
  SafetensorsFile written(const std::string& verb, const std::string& name_and_options) const {
    const std::size_t space = name_and_options.find(' ');
    const ProcessResult result =
        run_process(kProgram + " " + verb + " " + name_and_options.substr(0, space) + " " + path_ +
                    " --force " + name_and_options.substr(space));
    EXPECT_EQ(result.status, 0) << result.out;
    return SafetensorsFile(path_);
  }

  const std::string folder_ = testing::TempDir() + "inference_commands_" +
                              testing::UnitTest::GetInstance()->current_test_info()->name();
  const std::string path_ = folder_ + "/file";
};

TEST_F(InferenceCommands, SettingsAreThoseOfEachSeries) {
  const ProcessResult answer = run_process(
      kProgram + " settings inference/forward --size smoke --batch-size 1,3 --seq-len 16 --seed 5");
  ASSERT_EQ(answer.status, 0) << answer.out;
  const Json settings = Json::parse(answer.out);
  EXPECT_EQ(settings["seed"], 5);
  EXPECT_EQ(settings["model"]["layers"], 2) << "micro";
  ASSERT_EQ(settings["series"].size(), 2U);
  const Json& last = settings["series"][1];
  EXPECT_EQ(last["name"], "batch_3_length_16");
  EXPECT_EQ(last["params"]["batch-size"].dump(), "3");
  EXPECT_EQ(last["inference"]["kind"], "forward");
  EXPECT_EQ(last["inference"]["sequences"], 3);
  EXPECT_EQ(last["inference"]["length"], 16);
  EXPECT_EQ(last["inference"]["weights"], "fp32");
  EXPECT_EQ(last["inference"]["parameters"], model_shape("micro").parameters());
  EXPECT_NEAR(last["inference"]["operations"].get<double>() /
                  settings["series"][0]["inference"]["operations"].get<double>(),
              3, 1e-9);
  // Weights at least, and the largest series for all.
  EXPECT_GT(last["memory"]["predicted"], 4 * model_shape("micro").parameters());
  EXPECT_EQ(settings["memory"]["predicted"], last["memory"]["predicted"]);
}

TEST_F(InferenceCommands, SettingsOfAGenerationNameEverything) {
  const ProcessResult answer = run_process(kProgram + " settings " + kGenerate +
                                           " --weights int8 --sampling top-k --top-k 7");
  ASSERT_EQ(answer.status, 0) << answer.out;
  const Json settings = Json::parse(answer.out);
  ASSERT_EQ(settings["series"].size(), 1U);
  EXPECT_EQ(settings["series"][0]["name"], "inference/generate");
  const Json& work = settings["series"][0]["inference"];
  EXPECT_EQ(work["kind"], "generate");
  EXPECT_EQ(work["weights"], "int8");
  EXPECT_EQ(work["cache_dtype"], "fp16");
  EXPECT_EQ(work["length"], 12);
  EXPECT_EQ(work["new_tokens"], 5);
  EXPECT_EQ(work["capacity"], 17);
  EXPECT_EQ(work["method"], "top-k");
  EXPECT_EQ(work["top_k"], 7);
  EXPECT_EQ(work["temperature"], 0.7);
}

// The tokens of the trace begin with the prompt that is exported, and the first new one comes from
// the first logits.
TEST_F(InferenceCommands, TraceOfAGenerationGoesOnFromItsInputs) {
  const SafetensorsFile inputs = written("export", kGenerate);
  const std::vector<std::int32_t> prompt = inputs.values<std::int32_t>("inference/generate/tokens");
  ASSERT_EQ(prompt.size(), 12U);
  EXPECT_EQ(inputs.values<std::int32_t>("inference/generate/unit_bits").size(), 5U);
  const SafetensorsFile trace = written("trace", kGenerate + " --sampling greedy");
  const std::vector<float> tokens = trace.values<float>("inference/generate/tokens"),
                           steps = trace.values<float>("inference/generate/logit_steps"),
                           logits = trace.values<float>("inference/generate/logits");
  ASSERT_EQ(tokens.size(), 17U);
  for (std::size_t i = 0; i < prompt.size(); ++i) {
    EXPECT_EQ(tokens[i], static_cast<float>(prompt[i]));
  }
  EXPECT_EQ(steps, (std::vector<float>{0, 1, 2, 3, 4}));
  const std::size_t vocabulary = model_shape("micro").tokens();
  ASSERT_EQ(logits.size(), 5 * vocabulary);
  for (std::size_t i = 0; i < 5; ++i) {
    const auto row = logits.begin() + static_cast<std::ptrdiff_t>(i * vocabulary);
    const auto largest = std::max_element(row, row + static_cast<std::ptrdiff_t>(vocabulary));
    EXPECT_EQ(tokens[12 + i], static_cast<float>(largest - row)) << "greedy, token " << i;
  }
}

TEST_F(InferenceCommands, TraceOfAForwardPassHasEachSequencesLogits) {
  const std::string options = "inference/forward --size smoke --batch-size 2 --seq-len 8,16";
  const SafetensorsFile inputs = written("export", options), trace = written("trace", options);
  EXPECT_EQ(inputs.values<std::int32_t>("batch_2_length_16/tokens").size(), 32U);
  EXPECT_EQ(trace.values<float>("batch_2_length_16/logits").size(),
            2 * model_shape("micro").tokens());
  EXPECT_NE(trace.values<float>("batch_2_length_16/logits"),
            trace.values<float>("batch_2_length_8/logits"));
}

// Greedy draws are the largest of the exported logits, in turn; there is a number for every draw.
TEST_F(InferenceCommands, TraceOfSamplingIsDrawnFromItsInputs) {
  const SafetensorsFile inputs = written("export", kSampling), trace = written("trace", kSampling);
  const std::vector<float> logits = inputs.values<float>("greedy_300/logits"),
                           tokens = trace.values<float>("greedy_300/tokens");
  ASSERT_EQ(logits.size(), 600U);
  ASSERT_EQ(tokens.size(), 14U);
  EXPECT_EQ(inputs.values<std::int32_t>("top-k_300/unit_bits").size(), 21U) << "with the warm-up";
  for (std::size_t draw = 0; draw < tokens.size(); ++draw) {
    const auto row = logits.begin() + static_cast<std::ptrdiff_t>(draw % 2 * 300);
    EXPECT_EQ(tokens[draw], static_cast<float>(std::max_element(row, row + 300) - row));
  }
  EXPECT_NE(trace.values<float>("top-k_300/tokens"), tokens);
}

TEST_F(InferenceCommands, NothingIsReplacedWithoutForce) {
  const std::string generate = kGenerate.substr(kGenerate.find(' '));
  for (const std::string verb : {"trace", "export"}) {
    const std::string command = kProgram + " " + verb + " inference/generate " + path_ + generate;
    EXPECT_EQ(run_process(command).status, 0);
    const ProcessResult again = run_process(command);
    EXPECT_EQ(again.status, 2);
    EXPECT_TRUE(contains(again.out, "the file exists already: " + path_));
    EXPECT_EQ(run_process(command + " --force").status, 0);
    EXPECT_EQ(run_process(command + " --force=maybe").status, 2);
    fs::remove(path_);
  }
}

TEST_F(InferenceCommands, OnlyWhatOthersCanDoIsExported) {
  for (const std::string name : {"inference/load", "training/full_finetune", "inference/none"}) {
    EXPECT_TRUE(ended(run_process(kProgram + " export " + name + " " + path_), 2));
    EXPECT_FALSE(fs::exists(path_));
  }
}

}  // namespace
}  // namespace perf::workloads
