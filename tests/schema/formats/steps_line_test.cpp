// What single lines may hold, seen through read_steps: a good block around one line in question.
#include <gtest/gtest.h>

#include "schema/error.h"
#include "schema/formats/steps.h"

namespace perf::formats {
namespace {

Block block_with(const std::string& line) {
  return read_steps(
             "{\"type\":\"begin\",\"protocol\":1,\"workload\":\"w\"}\n{\"type\":\"step\",\"index\":"
             "0,\"seconds\":1}\n" +
             line + "\n{\"type\":\"end\"}\n")
      .front();
}

std::string refused_line(const std::string& line) {
  try {
    block_with(line);
  } catch (const Error& error) {
    EXPECT_EQ(error.subject, "line 3");
    return error.what;
  }
  ADD_FAILURE() << "accepted: " << line;
  return {};
}

std::string step(const std::string& fields) {
  return "{\"type\":\"step\"," + fields + "}";
}
std::string metric(const std::string& fields) {
  return "{\"type\":\"metric\"," + fields + "}";
}

void expect_refused(const std::string& line, const std::string& words) {
  const std::string what = refused_line(line);
  EXPECT_NE(what.find(words), std::string::npos) << what;
}

std::string begin_refusal(const std::string& fields) {
  try {
    read_steps("{\"type\":\"begin\"" + fields +
               "}\n{\"type\":\"step\",\"seconds\":1}\n{\"type\":\"end\"}\n");
  } catch (const Error& error) {
    EXPECT_EQ(error.subject, "line 1");
    return error.what;
  }
  return "accepted";
}

TEST(BeginLine, RequiresAKnownProtocol) {
  EXPECT_EQ(begin_refusal(R"(,"protocol":1)"), "accepted");
  EXPECT_EQ(begin_refusal(""), "the line has no \"protocol\"");
  EXPECT_EQ(begin_refusal(R"(,"protocol":2)"), "unknown protocol version 2");
  EXPECT_NE(begin_refusal(R"(,"protocol":"1")"), "accepted");
}

TEST(BeginLine, ChecksItsName) {
  for (const char* name : {"", "../x", "/x", "a b", "-x", "a/../b"}) {
    EXPECT_NE(begin_refusal(R"(,"protocol":1,"workload":")" + std::string(name) + "\""), "accepted")
        << name;
  }
  EXPECT_NE(begin_refusal(R"(,"protocol":1,"workload":7)"), "accepted");
}

TEST(BeginLine, ChecksParamsAndTokens) {
  const std::string good = R"(,"protocol":1)";
  EXPECT_EQ(
      begin_refusal(good + R"(,"params":{"a":1,"b":"x","c":true,"d":0.5},"tokens_per_step":null)"),
      "accepted");
  for (const char* bad :
       {R"(,"params":[])", R"(,"params":{"a":null})", R"(,"params":{"a":[1]})",
        R"(,"params":{"":1})", R"(,"params":{"a":9007199254740993})", R"(,"tokens_per_step":0)",
        R"(,"tokens_per_step":-1)", R"(,"tokens_per_step":"8")", R"(,"tokens_per_step":1e200)"}) {
    EXPECT_NE(begin_refusal(good + bad), "accepted") << bad;
  }
}

TEST(StepLine, RefusesImpossibleSeconds) {
  for (const char* seconds : {"0", "-1", "0.0", "-0.0", "5e-324", "1e308", "1e-16", "1e10", "null",
                              "\"1\"", "true", "NaN", "-Infinity", "1e999", "9007199254740993"}) {
    EXPECT_NE(refused_line(step("\"seconds\":" + std::string(seconds))), "") << seconds;
  }
  for (const char* seconds : {"1e-15", "1e9", "1", "0.25"}) {
    EXPECT_EQ(block_with(step("\"seconds\":" + std::string(seconds))).steps.size(), 2u) << seconds;
  }
  expect_refused(step("\"index\":1"), "has no \"seconds\"");
  expect_refused(step("\"seconds\":null"), "NaN or an infinity");
}

TEST(StepLine, RequiresIncreasingIndices) {
  EXPECT_EQ(block_with(step(R"("seconds":1)")).steps[1].index, 1);
  EXPECT_EQ(block_with(step(R"("seconds":1,"index":7)")).steps[1].index, 7);
  expect_refused(step(R"("seconds":1,"index":0)"), "out of order: expected at least 1");
  expect_refused(step(R"("seconds":1,"index":-1)"), "out of order");
  expect_refused(step(R"("seconds":1,"index":1.5)"), "integer");
  expect_refused(step(R"("seconds":1,"index":"1")"), "integer");
  // The largest index there is leaves no room for overflow behind it.
  EXPECT_EQ(block_with(step(R"("seconds":1,"index":9007199254740992)")).steps[1].index,
            9007199254740992);
}

TEST(StepLine, ReadsZeroMemoryAsUnknown) {
  EXPECT_EQ(block_with(step(R"("seconds":1,"rss":4096)")).steps[1].rss, 4096);
  EXPECT_EQ(block_with(step(R"("seconds":1,"rss":0)")).steps[1].rss, std::nullopt);
  EXPECT_EQ(block_with(step(R"("seconds":1,"rss":null)")).steps[1].rss, std::nullopt);
  expect_refused(step(R"("seconds":1,"rss":-1)"), "negative");
  expect_refused(step(R"("seconds":1,"rss":1.5)"), "integer");
}

TEST(StepLine, RefusesNegativePhases) {
  // Their sum may exceed the step: phases may overlap in threads.
  EXPECT_EQ(block_with(step(R"("seconds":1,"phases":{"a":0,"b":5})")).steps[1].phases.size(), 2u);
  EXPECT_TRUE(block_with(step(R"("seconds":1,"phases":{})")).steps[1].phases.empty());
  EXPECT_TRUE(block_with(step(R"("seconds":1,"phases":null)")).steps[1].phases.empty());
  for (const char* phases : {R"({"a":-1})", R"({"a":null})", R"({"a":"1"})", R"({"":1})",
                             R"({"a":1e10})", R"({"a":5e-324})", "[1]", R"({"a":1,"a":2})"}) {
    EXPECT_NE(refused_line(step("\"seconds\":1,\"phases\":" + std::string(phases))), "") << phases;
  }
  expect_refused(step("\"seconds\":1,\"phases\":{\"" + std::string(201, 'p') + "\":1}"),
                 "longer than 200 bytes");
}

TEST(StepLine, ReadsWarmup) {
  expect_refused(step(R"("seconds":1,"warmup":1)"), "true or false");
  EXPECT_TRUE(block_with(step(R"("seconds":1,"warmup":true)")).steps[1].warmup);
}

TEST(MetricLine, HasADirectionAndAValue) {
  EXPECT_EQ(block_with(metric(R"("name":"m","better":"higher","value":-3.5)")).metrics[0].value,
            -3.5);
  EXPECT_EQ(block_with(metric(R"("name":"m","better":"lower","value":0,"judge":true,"unit":null)"))
                .metrics[0]
                .metric,
            (Metric{"m", "", Better::lower}));
  expect_refused(metric(R"("name":"m","better":"faster","value":1)"), "not \"faster\"");
  expect_refused(metric(R"("name":"m","value":1)"), "has no \"better\"");
  expect_refused(metric(R"("better":"lower","value":1)"), "has no \"name\"");
  expect_refused(metric(R"("name":"","better":"lower","value":1)"), "empty");
  expect_refused(metric(R"("name":"m","better":"lower")"), "has no \"value\"");
  expect_refused(
      metric(R"("name":"m","better":"lower","value":1,"unit":")" + std::string(201, 'u') + '"'),
      "unit is longer than 200 bytes");
  expect_refused(metric(R"("name":"m","better":"lower","value":null)"), "NaN");
  expect_refused(metric(R"("name":"m","better":"lower","value":1e308)"), "is outside");
  expect_refused(metric(R"("name":"m","better":"lower","value":-5e-324)"), "is outside");
  expect_refused(metric(R"("name":"m","better":"lower","value":1,"judge":"yes")"), "true or false");
}

TEST(MetricLine, RefusesNegativeJudgedValues) {
  expect_refused(metric(R"("name":"m","better":"lower","value":-1,"judge":true)"),
                 "must not be negative");
}

TEST(MetricLine, RefusesReservedNames) {
  for (const char* name : {"step_time", "peak_rss", "server_peak_rss", "server_cpu_time"}) {
    expect_refused(
        metric("\"better\":\"lower\",\"value\":1,\"name\":\"" + std::string(name) + "\""),
        "measured by perf-compare itself");
  }
}

TEST(CheckLine, ReadsTheOutcome) {
  const Block block = block_with(R"({"type":"check","name":"c","passed":false,"error":null})");
  EXPECT_FALSE(block.checks[0].passed);
  EXPECT_EQ(block.checks[0].error, std::nullopt);
  expect_refused(R"({"type":"check","name":"c"})", "has no \"passed\"");
  expect_refused(R"({"type":"check","name":"c","passed":1})", "true or false");
  expect_refused(R"({"type":"check","passed":true})", "has no \"name\"");
  expect_refused(R"({"type":"check","name":"c","passed":true,"error":"small"})", "a number");
}

TEST(EnvironmentLine, KeepsScalarsAsText) {
  const Block block = block_with(
      R"({"type":"environment","a":"x","b":2,"c":0.5,"d":true,"e":null,"f":{"deep":1},"g":[1]})");
  EXPECT_EQ(block.facts, (std::map<std::string, std::string>{
                             {"a", "x"}, {"b", "2"}, {"c", "0.5"}, {"d", "true"}}));
  expect_refused(R"({"type":"environment","":"x"})", "empty");
}

}  // namespace
}  // namespace perf::formats
