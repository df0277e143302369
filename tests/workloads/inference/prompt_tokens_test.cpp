#include "workloads/inference/prompt_tokens.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/contains.h"
#include "workloads/inference/batched.h"
#include "workloads/inference/generate.h"
#include "workloads/inference/inference_parameters.h"
#include "workloads/inference/streaming_workload.h"
#include "workloads/program/emitted.h"
#include "workloads/program/error.h"
#include "workloads/program/run_command.h"

namespace perf::workloads {
namespace {

using Options = std::map<std::string, std::string>;

class PromptTokens : public testing::Test {
 protected:
  ~PromptTokens() override { std::filesystem::remove(path_); }

  std::vector<int> read(const std::string& text, const Options& more = {}) const {
    std::ofstream(path_, std::ios::binary) << text;
    Options options = {{"prompt-tokens", path_}};
    options.insert(more.begin(), more.end());
    return prompt_tokens(
        Settings({prompt_tokens_parameter(), integer("prompt", {3, 3, 3}, 1, 9, "")}, Size::ci,
                 options),
        1000);
  }
  std::string refusal(const std::string& text, const Options& more = {}) const {
    try {
      read(text, more);
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  }

  const std::string path_ = testing::TempDir() + "prompt_tokens_" +
                            testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(PromptTokens, AreReadAsTokenizersWriteThem) {
  const std::vector<int> want = {9, 0, 999};
  for (const char* text :
       {"9 0 999", "9\n0\r\n999\n", "[9, 0, 999]", " [9,0,\t999]\n", "9,0,999"}) {
    EXPECT_EQ(read(text), want) << text;
  }
  EXPECT_EQ(read("7"), std::vector<int>{7});
}

TEST_F(PromptTokens, AreRefusedWithTheirPlace) {
  for (const auto& [text, said] : std::vector<std::pair<std::string, std::string>>{
           {"", "cannot be read, or is empty"},
           {" \n", "a number is missing"},
           {"[]", "a number is missing"},
           {"1 2,", "byte 4: a number is missing"},
           {"1,,2", "byte 2: no token's number"},
           {"1 -2", "byte 2: no token's number"},
           {"12 x3", "byte 3: no token's number"},
           {"12x", "byte 2: no token's number"},
           {"1.5", "byte 1: no token's number"},
           {"1 99999999999999", "byte 2: no token's number"},
           {"[[1]]", "byte 1: no token's number"},
           {std::string("1\0 2", 4), "byte 1: no token's number"},
           {"5 1000", "byte 2: 1000 is outside the vocabulary of 1000"},
           {std::string(2 << 20, ' '), "more than 1 MiB"},
       }) {
    EXPECT_TRUE(contains(refusal(text), path_));
    EXPECT_TRUE(contains(refusal(text), said));
  }
  std::string many;
  for (int i = 0; i <= 65536; ++i) {
    many += "1 ";
  }
  EXPECT_TRUE(contains(refusal(many), "more than 65536 tokens"));
  EXPECT_TRUE(contains(refusal("1", {{"prompt", "4"}}), "one of the two"));
}

TEST_F(PromptTokens, AreWhatATextBeginsWith) {
  std::ofstream(path_) << "[9, 0, 299, 17, 5]";
  for (const Workload& workload : {inference_generate(), inference_generate_nocache(),
                                   inference_batched(), inference_streaming()}) {
    Options options = {{"layers", "2"},         {"hidden-size", "64"}, {"heads", "4"},
                       {"kv-heads", "2"},       {"head-size", "16"},   {"intermediate-size", "96"},
                       {"vocabulary", "300"},   {"steps", "1"},        {"warmup", "0"},
                       {"prompt-tokens", path_}};
    if (workload.name == "inference/batched") {
      options["batch-size"] = "2";
    }
    for (const perf_compare::StepEmitter& out : run_workload(workload, options)) {
      EXPECT_EQ(text_of(out.environment(), "prompt"), "5") << workload.name;
      for (const perf_compare::Check& check : out.checks()) {
        EXPECT_TRUE(check.passed()) << workload.name << " " << check.name;
      }
    }
  }
}

TEST_F(PromptTokens, DecideHowLongThePromptIs) {
  std::ofstream(path_) << "9 0 299";
  const Workload workload = inference_generate();
  const Settings settings(all_parameters(workload), Size::ci, {{"prompt-tokens", path_}});
  const std::unique_ptr<ParameterSource> source = parameter_source(settings, 1);
  const GenerationSetup setup = generation_setup(settings, *source, true);
  EXPECT_EQ(setup.prompt, 3U);
  Ledger memory;
  Decoder decoder(generating_setup(settings, *source, setup), memory);
  const Generation generation(decoder, setup, 1);
  const std::vector<int>& tokens = generation.tokens(0);
  EXPECT_EQ(std::vector<int>(tokens.begin(), tokens.begin() + 3), (std::vector<int>{9, 0, 299}));
}

}  // namespace
}  // namespace perf::workloads
