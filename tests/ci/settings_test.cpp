// Two settings of one revision, as a user compares them: real processes on a scratch repository.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "schema/files/content.h"
#include "tests/ci/claimed_history.h"
#include "tests/ci/scratch_repository.h"

namespace perf::test {
namespace {

using Json = nlohmann::json;

/// Claims the time that its setting --backend stands for, to 0.5 %, and says what parameters it ran
/// with: all but --ignored.
constexpr const char* kBenchmark = R"(#!/usr/bin/python3
import json, os, random, sys
options = dict(zip([a[2:] for a in sys.argv[1::2]], sys.argv[2::2]))
ms = {"slow": 100, "fast": 50, "middle": 75, "same": 100}[options.get("backend", "slow")]
random.seed(int(os.environ["PERF_COMPARE_SEED"]) + os.getpid())
with open(os.environ["PERF_COMPARE_OUT"], "w") as out:
    options.pop("ignored", None)
    print(json.dumps({"type": "begin", "protocol": 1, "workload": "w", "params": options}), file=out)
    for i in range(int(os.environ["PERF_COMPARE_STEPS"])):
        print(json.dumps({"type": "step", "index": i, "warmup": False,
                          "seconds": ms / 1000 * random.uniform(0.995, 1.005)}), file=out)
    print(json.dumps({"type": "end"}), file=out)
)";

struct Settable : ScratchRepository {
  Settable() {
    write("bench", kBenchmark, true);
    write("perf-compare.json", R"({
      "workloads": [{"name": "w", "command": ["./bench"], "params": {"backend": "slow", "layers": 4}}],
      "targets": [{"name": "fast pays", "of": "w", "of_set": {"backend": "slow"},
                   "over_set": {"backend": "fast"}, "at_least": 1.9},
                  {"name": "as configured", "of": "w", "at_most": "1ms"}]
    })");
    commit("Add a benchmark");
  }
};

/// Their kinds; a busy machine has others.
std::string warnings_about_settings(const Json& row) {
  std::string kinds;
  for (const Json& warning : row.at("warning_details")) {
    const std::string kind = warning.at("kind");
    if (kind.find("setting") != std::string::npos || kind == "unlike_params") {
      kinds += kind + " ";
    }
  }
  return kinds;
}

TEST(Settings, CompareOneRevision) {
  Settable repository;
  repository.write("notes", "another commit");
  const std::string head = repository.commit("Change nothing");
  const Outcome outcome =
      repository.perf_compare({"--head-set", "backend=fast", "--json", "out.json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json report = Json::parse(content_of(repository.path() / "out.json"));
  EXPECT_EQ(report["base"]["oid"], head);
  EXPECT_EQ(report["head"]["oid"], head);
  const Json time = row(report, "w");
  EXPECT_EQ(time["verdict"], "improved");
  EXPECT_NEAR(time["change"], -0.5, 0.02);
  EXPECT_EQ(time["params"], Json::parse(R"({"backend": "fast", "layers": "4"})"));
  EXPECT_EQ(time["base_params"], Json::parse(R"({"backend": "slow", "layers": "4"})"));
  EXPECT_EQ(warnings_about_settings(time), "");
  EXPECT_TRUE(contains_all(outcome.out, {"with backend=slow", "with backend=fast"}));
  EXPECT_TRUE(contains(report["reproduce"][0].get<std::string>(), " --head-set 'backend=fast'"));
  EXPECT_NEAR(report["targets"][0]["value"], 2, 0.1);
  EXPECT_EQ(report["targets"][0]["met"], true);
  EXPECT_TRUE(report["targets"][1]["met"].is_null());
}

TEST(Settings, FindASlowerSettingAtHead) {
  const Settable repository;
  const Outcome outcome = repository.perf_compare(
      {"HEAD", "HEAD", "--base-set", "backend=fast", "--head-set", "backend=middle"});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.out << outcome.err;
}

TEST(Settings, VaryAgainstTheFirst) {
  const Settable repository;
  const Outcome outcome = repository.perf_compare(
      {"--vary", "backend=slow,fast,middle,same", "--json", "out.json", "--markdown", "out.md"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json report = Json::parse(content_of(repository.path() / "out.json"));
  EXPECT_NEAR(row(report, "w/backend-fast")["change"], -0.5, 0.02);
  EXPECT_NEAR(row(report, "w/backend-middle")["change"], -0.25, 0.02);
  EXPECT_EQ(row(report, "w/backend-same")["verdict"], "unchanged");
  EXPECT_EQ(row(report, "w/backend-same")["base_params"]["backend"], "slow");
  EXPECT_TRUE(contains_all(outcome.out, {"backend slow -> fast", "backend slow -> same"}));
  EXPECT_TRUE(contains(content_of(repository.path() / "out.md"), "slow"));
  EXPECT_EQ(report["targets"][0]["met"], true);
}

TEST(Settings, WarnIfTheWorkloadIgnoresThem) {
  const Settable repository;
  const Outcome outcome = repository.perf_compare(
      {"HEAD", "HEAD", "--base-set", "ignored=1", "--head-set", "ignored=2", "--json", "-"});
  EXPECT_TRUE(ended(outcome, 0));
  EXPECT_TRUE(contains(outcome.err, "no selected workload has a parameter 'ignored'"));
  const Json time = row(Json::parse(outcome.out), "w");
  EXPECT_EQ(warnings_about_settings(time), "setting_not_taken ");
}

/// Two programs behind one: each its own script, that says what it computed in and with.
struct TwoImplementations : ScratchRepository {
  TwoImplementations() {
    write("bench", R"(#!/bin/sh
case "$2" in one) threads=1 ms=100 ;; two) threads=2 ms=050 ;; esac
echo '{"type":"begin","protocol":1,"workload":"w","params":{"dtype":"'$(cat dtype-$2)'","layers":4}}
{"type":"environment","threads":'$threads',"compiler":"'$2'"}' > "$PERF_COMPARE_OUT"
for i in 1 2 3 4 5 6 7 8; do
  echo '{"type":"step","seconds":0.'$ms$i'}' >> "$PERF_COMPARE_OUT"
done
echo '{"type":"end"}' >> "$PERF_COMPARE_OUT"
)",
          true);
    write("dtype-one", "fp32");
    write("dtype-two", "fp32");
    write("perf-compare.json", R"({"workloads": [{"name": "w", "command": ["./bench"],
                                                  "params": {"implementation": "one"}}],
      "targets": [{"name": "two pays", "of": "w", "of_set": {"implementation": "one"},
                   "over_set": {"implementation": "two"}, "at_least": 1.5}]})");
    commit("Add a benchmark");
  }
  Json compared(int pairs, int exit_code = 0) {
    const Json report = json_of(perf_compare({"HEAD", "HEAD", "--head-set", "implementation=two",
                                              "--metric", "step_time", "--json", "-"}),
                                exit_code);
    EXPECT_EQ(row(report, "w")["pairs"], pairs);
    return report;
  }
};

TEST(Settings, CompareTwoImplementations) {
  TwoImplementations repository;
  const Json report = repository.compared(11);
  const Json time = row(report, "w");
  EXPECT_EQ(time["verdict"], "improved");
  EXPECT_EQ(report["targets"][0]["met"], true);
  std::string texts;
  for (const Json& warning : time["warning_details"]) {
    texts += warning.at("kind") == "unlike_settings" ? warning.at("text").get<std::string>() : "";
  }
  EXPECT_EQ(texts, "different settings: threads is 1 at base, 2 at head");
}

TEST(Settings, RefuseImplementationsThatDoOtherWork) {
  TwoImplementations repository;
  repository.write("dtype-two", "bf16");
  repository.commit("Compute in another type");
  const Json report = repository.compared(1, 3);
  const Json time = row(report, "w");
  EXPECT_EQ(time["verdict"], "incomparable");
  EXPECT_TRUE(time["change"].is_null() && time["interval"].is_null()) << time;
  EXPECT_TRUE(contains(time["warnings"].dump(),
                       "different work on both sides: dtype is fp32 at base, bf16 at head"))
      << time;
  EXPECT_TRUE(report["targets"][0]["met"].is_null());
  EXPECT_EQ(report["summary"]["verdict"], "incomparable");
}

TEST(Settings, RefuseInvalidValues) {
  const Settable repository;
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"--head-set", "a b=1"},
                                             {"--head-set", "a=1", "--head-set", "a=2"},
                                             {"--vary", "a=1,1"},
                                             {"--vary", "a=1,2", "--base-set", "a=3"}}) {
    EXPECT_EQ(repository.perf_compare(arguments).exit_code, 2) << arguments[1];
  }
}

}  // namespace
}  // namespace perf::test
