#include "schema/formats/steps.h"

#include <gtest/gtest.h>

#include "schema/error.h"
#include "schema/files/content.h"
#include "tests/contains.h"

namespace perf::formats {
namespace {

const std::string kBegin = "{\"type\":\"begin\",\"protocol\":1,\"workload\":\"w\"}\n";
const std::string kStep = "{\"type\":\"step\",\"seconds\":0.5}\n";
const std::string kEnd = "{\"type\":\"end\"}\n";

struct Refusal {
  std::string line;
  std::string what;
};

Refusal steps_refusal(const std::string& text) {
  try {
    read_steps(text);
  } catch (const Error& error) {
    return {error.subject, error.what};
  }
  ADD_FAILURE() << "accepted: " << text.substr(0, 200);
  return {};
}

#define EXPECT_REFUSED(text, at_line, words)     \
  do {                                           \
    const Refusal refusal = steps_refusal(text); \
    EXPECT_EQ(refusal.line, at_line);            \
    EXPECT_TRUE(contains(refusal.what, words));  \
  } while (false)

TEST(Steps, ReadsABlock) {
  const std::vector<Block> blocks = read_steps(
      R"({"type":"begin","protocol":1,"workload":"training/mlp","params":{"layers":4,"rate":0.1},"tokens_per_step":4096}
{"type":"environment","blas":"OpenBLAS 0.3.21","threads":2}
{"type":"step","index":0,"warmup":true,"seconds":0.0123,"rss":123456,"phases":{"forward":0.004,"backward":0}}
{"type":"step","index":1,"warmup":false,"seconds":0.01}
{"type":"metric","name":"first_token_time","unit":"s","better":"lower","value":0.021,"judge":true}
{"type":"check","name":"matches","passed":false,"error":3.1e-6,"tolerance":1e-4}
{"type":"end"}
)");
  ASSERT_EQ(blocks.size(), 1u);
  const Block& block = blocks[0];
  EXPECT_EQ(block.workload, "training/mlp");
  EXPECT_EQ(block.params.at("layers"), Param(std::int64_t{4}));
  EXPECT_EQ(block.params.at("rate"), Param(0.1));
  EXPECT_EQ(block.tokens_per_step, 4096);
  EXPECT_EQ(block.facts,
            (std::map<std::string, std::string>{{"blas", "OpenBLAS 0.3.21"}, {"threads", "2"}}));
  ASSERT_EQ(block.steps.size(), 2u);
  EXPECT_TRUE(block.steps[0].warmup);
  EXPECT_EQ(block.steps[0].seconds, 0.0123);
  EXPECT_EQ(block.steps[0].rss, 123456);
  EXPECT_EQ(block.steps[0].phases,
            (std::vector<std::pair<std::string, double>>{{"forward", 0.004}, {"backward", 0}}));
  EXPECT_EQ(block.steps[1].index, 1);
  EXPECT_FALSE(block.steps[1].warmup);
  EXPECT_EQ(block.steps[1].rss, std::nullopt);
  ASSERT_EQ(block.metrics.size(), 1u);
  EXPECT_EQ(block.metrics[0].metric, (Metric{"first_token_time", "s", Better::lower}));
  EXPECT_EQ(block.metrics[0].value, 0.021);
  EXPECT_TRUE(block.metrics[0].judge);
  ASSERT_EQ(block.checks.size(), 1u);
  EXPECT_FALSE(block.checks[0].passed);
  EXPECT_EQ(block.checks[0].error, 3.1e-6);
  EXPECT_EQ(block.checks[0].tolerance, 1e-4);
}

TEST(Steps, ReadsTheExampleOfTheManual) {
  const std::string manual = content_of(PERF_SOURCE_DIR "/docs/protocol.md");
  const std::size_t begin = manual.find("```json\n");
  ASSERT_NE(begin, std::string::npos);
  const std::size_t start = begin + std::string("```json\n").size();
  const std::vector<Block> blocks =
      read_steps(manual.substr(start, manual.find("```", start) - start));
  ASSERT_EQ(blocks.size(), 1u);
  EXPECT_EQ(blocks[0].steps.size(), 2u);
  EXPECT_EQ(blocks[0].metrics.size(), 1u);
  EXPECT_EQ(blocks[0].checks.size(), 1u);
}

TEST(Steps, ReadsSeveralBlocksEachWithItsOwnIndices) {
  const std::string second = "{\"type\":\"begin\",\"protocol\":1,\"workload\":\"v\"}\n";
  const std::vector<Block> blocks =
      read_steps(kBegin + kStep + kStep + kEnd + second + kStep + kEnd);
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_EQ(blocks[0].steps[1].index, 1);
  EXPECT_EQ(blocks[1].workload, "v");
  EXPECT_EQ(blocks[1].steps[0].index, 0);
}

TEST(Steps, RequiresDifferentNamesOfBlocks) {
  const std::string nameless = "{\"type\":\"begin\",\"protocol\":1}\n";
  EXPECT_EQ(read_steps(nameless + kStep + kEnd)[0].workload, "");
  EXPECT_REFUSED(kBegin + kStep + kEnd + kBegin + kStep + kEnd, "line 4",
                 "duplicate block of workload \"w\"");
  EXPECT_REFUSED(kBegin + kStep + kEnd + nameless + kStep + kEnd, "line 4",
                 "without workload name");
  EXPECT_REFUSED(nameless + kStep + kEnd + kBegin + kStep + kEnd, "line 4",
                 "without workload name");
}

TEST(Steps, AcceptsBlankLinesAndAMissingLastNewline) {
  std::string text = "\n" + kBegin + " \t\n" + kStep + kEnd;
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) {
    text.replace(at, 1, "\r\n");
  }
  EXPECT_EQ(read_steps(text).size(), 1u);
  EXPECT_EQ(read_steps(kBegin + kStep + "{\"type\":\"end\"}").size(), 1u);
}

TEST(Steps, JudgesTheMedianTimeOnTheDevice) {
  const auto step = [](const std::string& fields) {
    return "{\"type\":\"step\",\"seconds\":1" + fields + "}\n";
  };
  const std::string warmup = step(",\"warmup\":true,\"device_seconds\":9");
  const std::string steps = step(",\"device_seconds\":0.5") + step(",\"device_seconds\":0.25");
  const std::vector<Block> blocks = read_steps(kBegin + warmup + steps + kEnd);
  ASSERT_EQ(blocks[0].metrics.size(), 1u);
  EXPECT_EQ(blocks[0].metrics[0].metric, (Metric{"device_time", "s", Better::lower}));
  EXPECT_EQ(blocks[0].metrics[0].value, 0.375);
  EXPECT_TRUE(blocks[0].metrics[0].judge);
  EXPECT_EQ(read_steps(kBegin + step(",\"device_seconds\":null") + kEnd)[0].metrics.size(), 0u);

  EXPECT_REFUSED(kBegin + steps + kStep + kEnd, "line 5", "missing in some timed steps");
  EXPECT_REFUSED(kBegin + step(",\"device_seconds\":-1") + kEnd, "line 2", "device_seconds");
  EXPECT_REFUSED(kBegin + step(",\"device_seconds\":\"1\"") + kEnd, "line 2", "device_seconds");
  const std::string own = R"({"type":"metric","name":"device_time","better":"lower","value":1})"
                          "\n";
  EXPECT_EQ(read_steps(kBegin + kStep + own + kEnd)[0].metrics.size(), 1u);
  EXPECT_REFUSED(kBegin + own + steps + kEnd, "line 5", "duplicate metric \"device_time\"");
}

TEST(Steps, SkipsUnknownTypesAndFields) {
  const std::string news = "{\"type\":\"gpu\",\"watts\":{\"a\":[1,null]}}\n";
  const std::string step = "{\"type\":\"step\",\"seconds\":1,\"joules\":[3]}\n";
  const std::vector<Block> blocks = read_steps(news + kBegin + news + step + kEnd + news);
  ASSERT_EQ(blocks.size(), 1u);
  EXPECT_EQ(blocks[0].steps.size(), 1u);
}

TEST(Steps, RefusesAnOutputWithoutABlock) {
  EXPECT_REFUSED("", "line 1", "no begin line");
  EXPECT_REFUSED("\n\n", "line 2", "no begin line");
  EXPECT_REFUSED("{\"type\":\"hello\"}\n", "line 1", "no begin line");
}

TEST(Steps, RefusesABlockWithoutEnd) {
  EXPECT_REFUSED("\n" + kBegin + kStep, "line 2", "no end line");
  EXPECT_REFUSED(kBegin + kStep + kBegin + kStep + kEnd, "line 3",
                 "begin inside the block of line 1");
}

TEST(Steps, RefusesLinesOutsideOfABlock) {
  EXPECT_REFUSED(kStep + kBegin + kEnd, "line 1", "step outside a begin...end block");
  EXPECT_REFUSED(kBegin + kStep + kEnd + kStep, "line 4", "step outside");
  EXPECT_REFUSED(kBegin + kStep + kEnd + kEnd, "line 4", "end outside");
  EXPECT_REFUSED("{\"type\":\"environment\"}\n" + kBegin, "line 1", "environment outside");
  EXPECT_REFUSED("{\"type\":\"metric\"}\n", "line 1", "metric outside");
  EXPECT_REFUSED("{\"type\":\"check\"}\n", "line 1", "check outside");
}

TEST(Steps, RefusesABlockWithoutATimedStep) {
  EXPECT_REFUSED(kBegin + kEnd, "line 2", "no timed step");
  EXPECT_REFUSED(kBegin + "{\"type\":\"step\",\"warmup\":true,\"seconds\":1}\n" + kEnd, "line 3",
                 "no timed step");
}

TEST(Steps, RefusesRepeatedMetricsAndChecks) {
  const std::string metric =
      "{\"type\":\"metric\",\"name\":\"m\",\"better\":\"lower\",\"value\":1}\n";
  const std::string check = "{\"type\":\"check\",\"name\":\"m\",\"passed\":true}\n";
  EXPECT_EQ(read_steps(kBegin + kStep + metric + check + kEnd).size(), 1u);
  EXPECT_REFUSED(kBegin + kStep + metric + metric + kEnd, "line 4", "duplicate metric \"m\"");
  EXPECT_REFUSED(kBegin + kStep + check + check + kEnd, "line 4", "duplicate check \"m\"");
}

TEST(Steps, RefusesGarbage) {
  EXPECT_REFUSED("hello\n", "line 1", "not valid JSON");
  EXPECT_REFUSED(kBegin + "[1]\n", "line 2", "a line must be an object, not an array");
  EXPECT_REFUSED(kBegin + "{}\n", "line 2", "the line has no \"type\"");
  EXPECT_REFUSED(kBegin + "{\"type\":1}\n", "line 2", "type must be text");
  EXPECT_REFUSED(kBegin + kStep + "{\"type\":\"end\"} x\n", "line 3", "not valid JSON");
  EXPECT_REFUSED(kBegin + "{\"type\":\"step\",\"seconds\":1,\"seconds\":2}\n", "line 2",
                 "duplicate key");
  EXPECT_REFUSED(kBegin + "{\"type\":\"\xff\"}\n", "line 2", "UTF-8");
  EXPECT_REFUSED(std::string("\0\0\0", 3), "line 1", "not valid JSON");
}

TEST(Steps, HintsAtATruncatedLine) {
  EXPECT_REFUSED(kBegin + kStep + "{\"type\":\"st", "line 3", "was the last line cut off?");
  const Refusal complete = steps_refusal(kBegin + "{\"type\":\"st\n");
  EXPECT_FALSE(contains(complete.what, "cut off"));
}

TEST(Steps, BoundsEverything) {
  EXPECT_REFUSED(kBegin + "{\"type\":\"x\",\"a\":" + std::string(1'000'000, '[') + "\n", "line 2",
                 "longer than 262144 bytes");
  EXPECT_REFUSED(kBegin + "{\"type\":\"x\",\"a\":" + std::string(1'000, '[') + "\n", "line 2",
                 "deeper than 64");
  constexpr std::size_t kMiB = 1024 * 1024;
  // The line of the first byte too many: one behind all the newlines that still fit.
  const std::string line = "line " + std::to_string(64 * kMiB - kBegin.size() + 2);
  EXPECT_REFUSED(kBegin + std::string(64 * kMiB, '\n'), line, "more than 64 MiB");
  std::string blocks;
  for (std::size_t i = 0; i <= kMostBlocks; ++i) {
    blocks += "{\"type\":\"begin\",\"protocol\":1,\"workload\":\"w" + std::to_string(i) +
              "\"}\n{\"type\":\"step\",\"seconds\":1}\n{\"type\":\"end\"}\n";
  }
  EXPECT_REFUSED(blocks, "line " + std::to_string(3 * kMostBlocks + 1), "more than 10,000 blocks");
}

}  // namespace
}  // namespace perf::formats
