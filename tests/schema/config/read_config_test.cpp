#include <gtest/gtest.h>

#include "tests/schema/config/config_text.h"

namespace perf {
namespace {

TEST(Config, KeepsAtLeastTwoBuilds) {
  EXPECT_EQ(read(config_with("")).keep_builds, 20u);
  EXPECT_EQ(refusal_of(config_with(R"("keep_builds": 1)")),
            "keep_builds must be at least 2, got 1 @2:16 | keep two builds or more: a comparison "
            "needs two");
}

TEST(Config, ReadsEverythingOfTheContract) {
  const Config config = read(R"(
    // A comment
    {
      "$schema": "schema/json/config.schema.json",
      "build":     { "command": ["cmake", "-P", "ci/build_workloads.cmake"], "timeout": "45m" },
      "keep_builds": 50,
      "baselines": { "release": "v1.2.0" },
      "workloads": [
        { "name": "training/mlp_stack", "command": ["build/bin/perf-workloads", "run", "training/mlp_stack"],
          "format": "steps", "params": {"layers": 4}, "sizes": {"smoke": {"layers": 1}}, "timeout": "2m" },
        { "name": "inference/generate", "command": ["build/bin/perf-workloads", "run"] } /* another */
      ],
      "policy":  { "threshold": "8%", "alpha": "2%", "budget": "5m",
                   "metrics": { "peak_rss": {"threshold": "5%"} }, "workloads": { "micro/*": {"threshold": "3%"} } },
      "targets": [ { "name": "MLP", "metric": "total_time", "of": "training/mlp_stack", "at_most": "2m" },
                   { "name": "ratio", "of": "training/mlp_stack", "over": "inference/generate", "at_least": 2.0 } ]
    })");
  ASSERT_TRUE(config.build.has_value());
  EXPECT_EQ(config.build->command,
            (std::vector<std::string>{"cmake", "-P", "ci/build_workloads.cmake"}));
  EXPECT_EQ(config.build->timeout, 45 * 60);
  EXPECT_EQ(config.keep_builds, 50u);
  EXPECT_EQ(config.baselines.at("release"), "v1.2.0");
  ASSERT_EQ(config.workloads.size(), 2u);
  EXPECT_EQ(config.workloads[0].workload.name, "training/mlp_stack");
  EXPECT_EQ(config.workloads[0].workload.timeout, 120);
  EXPECT_EQ(config.workloads[1].workload.format, "steps");
  EXPECT_EQ(config.workloads[1].workload.timeout, 300);
  EXPECT_EQ(config.policy.threshold, 0.08);
  EXPECT_EQ(config.policy.alpha, 0.02);
  EXPECT_EQ(config.policy.budget, 300);
  ASSERT_EQ(config.targets.size(), 2u);
  EXPECT_EQ(config.targets[0].metric, "total_time");
  EXPECT_EQ(config.targets[0].at_most, 120);
  EXPECT_EQ(config.targets[1].metric, "step_time");
  EXPECT_EQ(config.targets[1].over, "inference/generate");
  EXPECT_EQ(config.targets[1].at_least, 2.0);
}

TEST(Config, NeedsOnlyAWorkload) {
  const Config config = read(config_with(""));
  EXPECT_FALSE(config.build.has_value());
  EXPECT_TRUE(config.baselines.empty());
  EXPECT_EQ(config.policy.threshold, Policy{}.threshold);
  EXPECT_EQ(config.policy.alpha, Policy{}.alpha);
  EXPECT_EQ(config.policy.budget, Policy{}.budget);
}

TEST(Config, HintsAtTheMissingWorkload) {
  for (const char* text : {"{}", R"({"workloads": []})"}) {
    EXPECT_REFUSED(text, R"(the config has no workloads @1:)");
  }
  EXPECT_REFUSED("{}", R"(add "workloads": [{"name")");
}

TEST(Config, NamesTheNearestKnownKeyAndThePlace) {
  EXPECT_REFUSED(config_with(R"(  "polcy": {})"),
                 R"(unknown key "polcy" in the config @2:3 | did you mean "policy"?)");
  EXPECT_REFUSED(workload_with(R"("comand": ["x"])"), R"(did you mean "command"?)");
  EXPECT_REFUSED(config_with(R"("build": {"comand": ["x"]})"), R"(did you mean "command"?)");
  EXPECT_REFUSED(config_with(R"("policy": {"treshold": "1%"})"), R"(did you mean "threshold"?)");
  EXPECT_REFUSED(config_with(R"("policy": {"metrics": {"peak_rss": {"thresold": "1%"}}})"),
                 R"(did you mean "threshold"?)");
  EXPECT_REFUSED(config_with(R"("targets": [{"name": "t", "of": "w", "atleast": 1}])"),
                 R"(did you mean "at_least"?)");
  EXPECT_REFUSED(config_with(R"("Workloads": [])"), R"(did you mean "workloads"?)");
  EXPECT_REFUSED(
      config_with(R"("zzz": 1)"),
      "known: $schema, build, uses, keep_builds, hub, baselines, workloads, policy, targets");
}

TEST(Config, RefusesOtherTexts) {
  for (const char* text :
       {"", "[]", "null", "1", "{", "{} {}", "{\"workloads\": {}}", "\xff\xfe{}"}) {
    EXPECT_NE(refusal_of(text), "") << text;
  }
  EXPECT_REFUSED(config_with("\"build\": null"), "build must be an object, not null @2:10");
  EXPECT_REFUSED(config_with("\"$schema\": 1"), "$schema must be text");
  EXPECT_REFUSED(config_with("\"hub\": 1"), "hub must be text");
  EXPECT_REFUSED(config_with("\"workloads\": []"), "duplicate key \"workloads\" @2:1");
  EXPECT_REFUSED(std::string(9 * 1024 * 1024, ' ') + "{}", "longer than 8388608 bytes");
}

TEST(Config, RequiresACommandOfABuild) {
  EXPECT_REFUSED(config_with("\"build\": {}"), "build has no \"command\"");
  EXPECT_REFUSED(config_with("\"build\": {\"command\": []}"), "command is empty");
  EXPECT_EQ(read(config_with("\"build\": {\"command\": [\"make\"]}")).build->timeout, 1800);
}

TEST(Config, ReadsBaselinesAsNamesOfRevisions) {
  EXPECT_EQ(read(config_with(R"("baselines": {"a/b": "origin/main~3", "baseline": "v1"})"))
                .baselines.size(),
            2u);
  for (const char* name : {"HEAD", "", "-x", ".", "a b", "../x"}) {
    EXPECT_REFUSED(config_with("\"baselines\": {\"" + std::string(name) + "\": \"v1\"}"),
                   "invalid baseline name");
  }
  EXPECT_REFUSED(config_with(R"("baselines": {"a": ""})"), "empty");
  EXPECT_REFUSED(config_with(R"("baselines": {"a": "--upload-pack=x"})"), "invalid revision");
  EXPECT_REFUSED(config_with(R"("baselines": {"a": 1})"), "must be text");
}

TEST(WorkloadsOfSize, MergeParamsAndLeaveOut) {
  const Config config = read(R"({"workloads": [
    {"name": "a", "command": ["x"], "params": {"layers": 4, "dtype": "f32"}, "sizes": {"smoke": {"layers": 1, "fast": true}}},
    {"name": "b", "command": ["x"], "sizes": {"smoke": false, "full": {}}},
    {"name": "c", "command": ["x"]}]})");
  const std::vector<Workload> smoke = workloads_of_size(config, "smoke");
  ASSERT_EQ(smoke.size(), 2u);
  EXPECT_EQ(smoke[0].params,
            (Params{{"layers", std::int64_t{1}}, {"dtype", std::string("f32")}, {"fast", true}}));
  EXPECT_EQ(smoke[1].name, "c");
  const std::vector<Workload> full = workloads_of_size(config, "full");
  ASSERT_EQ(full.size(), 3u);
  EXPECT_EQ(full[0].params.at("layers"), Param(std::int64_t{4}));
}

}  // namespace
}  // namespace perf
