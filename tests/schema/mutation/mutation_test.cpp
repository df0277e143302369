#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "schema/config.h"
#include "schema/error.h"
#include "schema/formats/judge_cases.h"
#include "schema/formats/steps.h"
#include "schema/workload_name.h"
#include "tests/schema/mutation/mutator.h"

namespace perf {
namespace {

constexpr int kTexts = 20'000;
/// A message is for one line of a report, whatever the file held.
constexpr std::size_t kLongestMessage = 600;

const std::vector<std::string> kStepsSeeds{
    R"({"type":"begin","protocol":1,"workload":"a/b","params":{"layers":4,"x":"y"},"tokens_per_step":4096}
{"type":"environment","blas":"OpenBLAS","threads":2}
{"type":"step","index":0,"warmup":true,"seconds":0.0123,"rss":123456,"phases":{"forward":0.004,"backward":0.007}}
{"type":"step","index":1,"warmup":false,"seconds":0.0123,"rss":123456}
{"type":"metric","name":"first_token_time","unit":"s","better":"lower","value":0.021,"judge":false}
{"type":"check","name":"matches","passed":true,"error":3.1e-6,"tolerance":1e-4}
{"type":"end"}
)",
    "{\"type\":\"begin\",\"protocol\":1,\"workload\":\"a\"}\r\n{\"type\":\"step\",\"seconds\":1}"
    "\r\n{\"type\":\"end\"}\r\n"
    "{\"type\":\"begin\",\"protocol\":1,\"workload\":\"b\"}\n{\"type\":\"step\",\"seconds\":2}\n{"
    "\"type\":\"end\"}"};

const std::vector<std::string> kConfigSeeds{
    R"(// comment
{ "$schema": "s", "build": { "command": ["make", "bench"], "timeout": "30m" }, "baselines": { "release": "v1" },
  "workloads": [ { "name": "a/b", "command": ["bin", "run"], "format": "steps", "params": {"layers": 4},
                   "sizes": {"smoke": {"layers": 1}, "ci": false}, "timeout": "5m", "metrics": {"m": {"threshold": "1%"}} },
                 { "name": "c", "command": ["x"] } ], /* more */
  "policy": { "threshold": "10%", "alpha": "1%", "budget": "10m", "metrics": {"peak_rss": {"threshold": "5%"}},
              "workloads": {"a/*": {"threshold": "3%"}} },
  "targets": [ {"name": "t", "metric": "step_time", "of": "a/b", "over": "c", "at_least": 2.0, "size": "full"},
               {"name": "u", "of": "c", "at_most": "2m"} ] })"};

const std::vector<std::string> kJudgeSeeds{
    R"({"cases": {"one": {"threshold": 0.02, "base": [[1.5, 2], [3]], "head": [[4], [5, 6e-3]]}, "two": {"base": [], "head": []}}})"};

/// Feeds a reader with damaged texts. It must return, or throw an Error with a place and a message
/// of bounded length; anything else ends the test. Both outcomes must occur, or the damage is no
/// test of anything.
void expect_value_or_error(const std::vector<std::string>& seeds, const std::string& place,
                           const std::function<void(const std::string&)>& read) {
  Mutator mutator(20240607, seeds);
  int taken = 0;
  int refused = 0;
  for (int i = 0; i < kTexts; ++i) {
    const std::string text = mutator.next();
    try {
      read(text);
      ++taken;
    } catch (const Error& error) {
      ++refused;
      ASSERT_EQ(error.subject.rfind(place, 0), 0u) << error.subject;
      ASSERT_FALSE(error.what.empty());
      ASSERT_LT(error.what.size() + error.hint.size(), kLongestMessage) << error.what;
      ASSERT_EQ(error.what.find('\x1b'), std::string::npos);
    }
  }
  EXPECT_GT(taken, kTexts / 100);
  EXPECT_GT(refused, kTexts / 2);
}

TEST(Mutation, OfStepsGivesValidBlocksOrAnErrorWithALine) {
  expect_value_or_error(kStepsSeeds, "line ", [](const std::string& text) {
    const std::vector<Block> blocks = formats::read_steps(text);
    ASSERT_FALSE(blocks.empty());
    for (const Block& block : blocks) {
      ASSERT_TRUE(block.workload.empty() || fault_in_workload_name(block.workload).empty());
      ASSERT_FALSE(block.steps.empty());
      for (const Step& step : block.steps)
        ASSERT_TRUE(std::isfinite(std::log(step.seconds)));
      for (const MetricValue& reported : block.metrics)
        ASSERT_TRUE(std::isfinite(reported.value * reported.value));
    }
  });
}

TEST(Mutation, OfAConfigGivesASafeConfigOrAnErrorWithAPlace) {
  expect_value_or_error(kConfigSeeds, "perf-compare.json:", [](const std::string& text) {
    const Config config = read_config(text, "perf-compare.json");
    ASSERT_FALSE(config.workloads.empty());
    for (const ConfiguredWorkload& entry : config.workloads) {
      ASSERT_EQ(fault_in_workload_name(entry.workload.name), "");
      ASSERT_FALSE(entry.workload.command.empty());
      ASSERT_GT(entry.workload.timeout, 0);
    }
    ASSERT_GT(config.policy.threshold, 0);
    ASSERT_GT(config.policy.alpha, 0);
  });
}

TEST(Mutation, OfJudgeCasesGivesPairsOrAnErrorWithAPlace) {
  expect_value_or_error(kJudgeSeeds, "cases.json:", [](const std::string& text) {
    for (const JudgeCase& one : formats::read_judge_cases(text, "cases.json")) {
      ASSERT_EQ(one.base.size(), one.head.size());
      for (const std::vector<double>& invocation : one.base)
        ASSERT_FALSE(invocation.empty());
    }
  });
}

}  // namespace
}  // namespace perf
