#include "workloads/step_emitter.h"

#include <gtest/gtest.h>

#include <clocale>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

namespace perf_compare {
namespace {

using nlohmann::json;

std::vector<json> parsed(const std::string& lines) {
  std::vector<json> all;
  std::istringstream in(lines);
  for (std::string line; std::getline(in, line);) {
    all.push_back(json::parse(line));
  }
  return all;
}

std::vector<std::string> types(const std::vector<json>& lines) {
  std::vector<std::string> all;
  for (const json& line : lines) {
    all.push_back(line.at("type"));
  }
  return all;
}

class StepEmitterTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name :
         {"PERF_COMPARE_OUT", "PERF_COMPARE_STEPS", "PERF_COMPARE_WARMUP", "PERF_COMPARE_SEED"}) {
      unsetenv(name);
    }
  }
};

TEST_F(StepEmitterTest, WritesTheProtocolInOrder) {
  StepEmitter out("family/name", {{"layers", 2}, {"backend", "eigen"}}, {2, 1, 7});
  out.begin_field("tokens_per_step", 4096);
  out.environment("threads", 2);
  while (out.next_step()) {
    out.phase("first");
    out.phase("second");
  }
  out.metric("tokens_per_second", "1/s", Better::higher, 12.5);
  out.check("matches", 1e-7, 1e-6);
  const std::vector<json> lines = parsed(out.lines());
  EXPECT_EQ(types(lines), (std::vector<std::string>{"begin", "environment", "step", "step", "step",
                                                    "metric", "check", "end"}));
  EXPECT_EQ(lines[0], json::parse(R"({"type":"begin","protocol":1,"workload":"family/name",
      "params":{"layers":2,"backend":"eigen"},"tokens_per_step":4096})"));
  EXPECT_EQ(lines[1], json::parse(R"({"type":"environment","threads":2})"));
  EXPECT_EQ(lines[5], json::parse(R"({"type":"metric","name":"tokens_per_second","unit":"1/s",
      "better":"higher","value":12.5,"judge":false})"));
  EXPECT_EQ(
      lines[6],
      json::parse(
          R"({"type":"check","name":"matches","passed":true,"error":1e-7,"tolerance":1e-6})"));
}

TEST_F(StepEmitterTest, FlagsWarmupAndTimesPhases) {
  StepEmitter out("w", {}, {2, 1, 1});
  while (out.next_step()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
    out.phase("sleep");
    out.phase("nothing");
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    out.phase("sleep");  // adds to the first
  }
  const std::vector<json> lines = parsed(out.lines());
  ASSERT_EQ(lines.size(), 5U);
  for (int i = 0; i < 3; ++i) {
    const json& step = lines[static_cast<std::size_t>(i) + 1];
    EXPECT_EQ(step.at("index"), i);
    EXPECT_EQ(step.at("warmup"), i == 0);
    EXPECT_GE(step.at("phases").at("sleep"), 0.004);
    EXPECT_GE(step.at("seconds").get<double>(), step.at("phases").at("sleep").get<double>());
    EXPECT_GT(step.at("rss"), 100'000);
  }
  EXPECT_GE(out.median_seconds(), 0.004);
}

TEST_F(StepEmitterTest, StopsTheClockEarly) {
  StepEmitter out("w", {}, {1, 0, 1});
  while (out.next_step()) {
    out.stop_step();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_LT(out.median_seconds(), 0.02);
}

TEST_F(StepEmitterTest, PlantsASlowdownInProportionToEachStep) {
  StepEmitter out("w", {}, {3, 1, 1});
  out.plant_slowdown(0.5);
  while (out.next_step()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    out.phase("sleep");
  }
  for (const Step& step : out.steps())  // a lower bound: it holds however busy the machine is
  {
    EXPECT_GE(step.seconds, 1.5 * step.phases[0]);
  }
}

TEST_F(StepEmitterTest, TakesWantedCountsFromTheEnvironment) {
  setenv("PERF_COMPARE_STEPS", "5", 1);
  setenv("PERF_COMPARE_WARMUP", "0", 1);
  setenv("PERF_COMPARE_SEED", "18446744073709551615", 1);
  StepEmitter out("w");
  EXPECT_EQ(out.wanted().seed, UINT64_MAX);
  int steps = 0;
  while (out.next_step()) {
    ++steps;
  }
  EXPECT_EQ(steps, 5);
  EXPECT_FALSE(out.steps().front().warmup);
}

TEST_F(StepEmitterTest, RefusesInvalidCounts) {
  for (const char* bad : {"0", "-1", "3.5", "many", "8 ", "99999999999999999999"}) {
    setenv("PERF_COMPARE_STEPS", bad, 1);
    EXPECT_THROW(wanted_from_environment(), std::invalid_argument) << bad;
  }
  setenv("PERF_COMPARE_STEPS", "", 1);
  EXPECT_EQ(wanted_from_environment({3, 1, 1}).steps, 3);
}

TEST_F(StepEmitterTest, EscapesText) {
  const std::string text = "quote\" slash\\ line\n tab\t bell\x07 nul" + std::string(1, '\0') +
                           " delete\x7f umlaut \xc3\xbc";
  EXPECT_EQ(json::parse(Json(text).encoded()), json(text));
  StepEmitter out("w", {{"na\"me", "va\nlue"}});
  EXPECT_EQ(parsed(out.lines())[0]["params"]["na\"me"], "va\nlue");
}

TEST_F(StepEmitterTest, NumbersRoundTripInAnyLocale) {
  std::setlocale(LC_ALL, "de_DE.UTF-8");  // where installed, a comma for the point
  for (const double value : {0.1, 1e-300, 123456789.125, 1.0 / 3, -0.0, 5e-324}) {
    EXPECT_EQ(std::strtod(Json(value).encoded().c_str(), nullptr), value);
    EXPECT_EQ(json::parse(Json(value).encoded()).get<double>(), value);
  }
  EXPECT_EQ(Json(std::uint64_t{18446744073709551615U}).encoded(), "18446744073709551615");
  EXPECT_EQ(Json(true).encoded(), "true");
  EXPECT_EQ(Json("text").encoded(), "\"text\"");  // and not a bool made of a pointer
  EXPECT_EQ(Json(3e5).encoded(), "300000") << "whole numbers, by their digits";
#ifndef PERF_OLD_TO_CHARS
  EXPECT_EQ(Json(0x1p60).encoded(), "1152921504606846976") << "no digit is made up";
#endif
  EXPECT_EQ(Json(std::nan("")).encoded(), "null");
  EXPECT_EQ(Json(std::numeric_limits<double>::infinity()).encoded(), "null");
  std::setlocale(LC_ALL, "C");
}

TEST_F(StepEmitterTest, ChecksFailAboveToleranceAndForNan) {
  EXPECT_TRUE((Check{"c", 1e-6, 1e-6}.passed()));
  EXPECT_FALSE((Check{"c", 2e-6, 1e-6}.passed()));
  EXPECT_FALSE((Check{"c", std::nan(""), 1e-6}.passed()));
}

TEST_F(StepEmitterTest, WritesOnlyWhereAsked) {
  StepEmitter out("w", {}, {1, 0, 1});
  while (out.next_step()) {
  }
  out.finish();  // no PERF_COMPARE_OUT: nothing happens, the data stay
  EXPECT_EQ(out.steps().size(), 1U);

  const std::string path = testing::TempDir() + "step_emitter_test.jsonl";
  std::remove(path.c_str());
  setenv("PERF_COMPARE_OUT", path.c_str(), 1);
  out.finish();
  out.finish();
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_EQ(text.str(), out.lines() + out.lines());  // several blocks may share a file

  setenv("PERF_COMPARE_OUT", "/dev/null/folder/file", 1);
  EXPECT_THROW(out.finish(), std::runtime_error);
}

TEST_F(StepEmitterTest, MisuseIsABug) {
  StepEmitter out("w", {}, {1, 0, 1});
  EXPECT_THROW(out.phase("before the first step"), std::logic_error);
  out.next_step();
  for (std::size_t i = 0; i < kMaxPhases; ++i) {
    out.phase("phase " + std::to_string(i));
  }
  EXPECT_THROW(out.phase("one too many"), std::logic_error);
}

}  // namespace
}  // namespace perf_compare
