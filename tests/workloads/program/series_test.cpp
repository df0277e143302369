// Workloads that measure several series in one run.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "workloads/program/error.h"
#include "workloads/program/run_command.h"

namespace perf::workloads {
namespace {

using nlohmann::json;
using Options = std::map<std::string, std::string>;

std::vector<Series> series_of(const Settings& settings) {
  std::vector<Series> all;
  for (const std::int64_t batch : settings.integers("batch-size")) {
    all.push_back({"batch_" + std::to_string(batch), {{"batch-size", std::to_string(batch)}}});
  }
  return all;
}

// Reports which batch size it was run with.
Workload sweep() {
  return {.name = "test/sweep",
          .summary = "A sweep.",
          .parameters = {integers("batch-size", {"1", "1,4", "1,4,8"}, 1, 64, "a series each"),
                         integer("width", {3, 3, 3}, 1, 9, "of all")},
          .phases = {"work"},
          .metrics = {"batch"},
          .checks = {},
          .series = series_of,
          .run = [](const Settings& settings, perf_compare::StepEmitter& out) {
            if (settings.integer("batch-size") == 13) {
              throw Error("unlucky", "--batch-size 13", "another");
            }
            while (out.next_step()) {
              out.phase("work");
            }
            out.metric("batch", "1", perf_compare::Better::higher,
                       static_cast<double>(settings.integer("batch-size")));
          }};
}

const Options kFewSteps = {{"steps", "2"}, {"warmup", "1"}};

Options with(Options options, const std::string& name, const std::string& value) {
  options[name] = value;
  return options;
}

std::string fields(const perf_compare::StepEmitter& out) {
  std::string text;
  for (const auto& [name, value] : out.params()) {
    text += name + "=" + value.encoded() + " ";
  }
  return text;
}

TEST(Series, EachIsABlockOfItsOwn) {
  const auto measured = run_workload(sweep(), with(kFewSteps, "size", "full"));
  ASSERT_EQ(measured.size(), 3U);
  const int batches[] = {1, 4, 8};
  for (std::size_t i = 0; i < measured.size(); ++i) {
    const std::string batch = std::to_string(batches[i]);
    EXPECT_EQ(measured[i].workload(), "batch_" + batch);
    EXPECT_EQ(measured[i].steps().size(), 3U);
    EXPECT_EQ(measured[i].metrics().front().value, batches[i]);
    EXPECT_EQ(fields(measured[i]), "size=\"full\" batch-size=" + batch + " threads=0 width=3 ");
  }
}

TEST(Series, OneIsTheWorkloadItself) {
  for (const Options& options : {with(kFewSteps, "size", "smoke"), with(kFewSteps, "batch", "4")}) {
    const auto measured = run_workload(sweep(), options);
    ASSERT_EQ(measured.size(), 1U);
    EXPECT_EQ(measured[0].workload(), "test/sweep");
  }
  Workload plain = sweep();
  plain.series = nullptr;
  EXPECT_EQ(run_workload(plain, with(kFewSteps, "batch", "4"))[0].workload(), "test/sweep");
}

TEST(Series, BlocksFollowEachOtherInTheProtocol) {
  const std::string path = testing::TempDir() + "series_test.jsonl";
  std::remove(path.c_str());
  setenv("PERF_COMPARE_OUT", path.c_str(), 1);
  run_workload(sweep(), with(kFewSteps, "size", "full"));
  unsetenv("PERF_COMPARE_OUT");
  std::ifstream file(path);
  std::vector<std::string> begun;
  bool open = false;
  std::size_t steps = 0;
  for (std::string text; std::getline(file, text);) {
    const json line = json::parse(text);
    if (line.at("type") == "begin") {
      EXPECT_FALSE(open);
      begun.push_back(line.at("workload"));
      EXPECT_EQ("batch_" + line.at("params").at("batch-size").dump(), begun.back());
    }
    open = line.at("type") != "end";
    steps += line.at("type") == "step" ? 1 : 0;
  }
  EXPECT_FALSE(open);
  EXPECT_EQ(begun, (std::vector<std::string>{"batch_1", "batch_4", "batch_8"}));
  EXPECT_EQ(steps, 9U);
  std::remove(path.c_str());
}

TEST(Series, BadOptionsAreRefusedBeforeTheFirstRuns) {
  for (const auto& [name, value] :
       Options{{"batch-size", "1,1"}, {"width", "10"}, {"depth", "1"}}) {
    EXPECT_THROW(read_run_requests(sweep(), {{name, value}}), Error) << name;
  }
  EXPECT_THROW(run_workload(sweep(), with(kFewSteps, "batch-size", "1,13")), Error);
}

TEST(Series, TheAnswerHasATableForEach) {
  const std::string text = run_answer(sweep(), with(kFewSteps, "size", "full"));
  std::size_t last = 0;
  for (const char* name : {"test/sweep/batch_1:", "test/sweep/batch_4:", "test/sweep/batch_8:"}) {
    const std::size_t found = text.find(name);
    ASSERT_NE(found, std::string::npos) << name;
    EXPECT_GE(found, last);
    last = found;
  }
}

}  // namespace
}  // namespace perf::workloads
