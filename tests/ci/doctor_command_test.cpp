// `perf-compare doctor` as a user runs it: anywhere, whatever the machine is like.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "schema/files/content.h"
#include "tests/ci/scratch_repository.h"

namespace perf::test {
namespace {

using Json = nlohmann::json;

Outcome doctor(const std::filesystem::path& directory, std::vector<std::string> options,
               const std::map<std::string, std::string>& environment = {}) {
  return run(with_more({PERF_BINARY_DIR "/bin/perf-compare", "doctor"}, options), directory,
             environment);
}

/// The causes of one code.
std::vector<Json> causes(const Outcome& outcome, const std::string& code) {
  std::vector<Json> found;
  const Json document = Json::parse(outcome.out);
  for (const Json& cause : document.at("causes")) {
    if (cause["code"] == code) {
      found.push_back(cause);
    }
  }
  return found;
}

TEST(DoctorCommand, WorksOutsideARepository) {
  const TemporaryFolder folder;
  const Outcome outcome = doctor(folder.path(), {"--json", "-"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  const Json document = Json::parse(outcome.out);
  EXPECT_EQ(document["schema"], "perf-compare/doctor/1");
  EXPECT_GE(document["watched"], 1.0);
  EXPECT_EQ(causes(outcome, "program")[0]["severity"], "unknown");
  int counted = 0;
  for (const auto& [severity, count] : document["summary"].items()) {
    counted += count.get<int>();
  }
  EXPECT_EQ(counted, static_cast<int>(document["causes"].size()));
}

TEST(DoctorCommand, WritesMarkdownAndHtml) {
  const TemporaryFolder folder;
  EXPECT_EQ(doctor(folder.path(), {"--markdown", "d.md", "--html", "d.html"}).exit_code, 0);
  EXPECT_TRUE(contains(content_of(folder.path() / "d.md"), "| severity | check |"));
  EXPECT_TRUE(contains(content_of(folder.path() / "d.html"), "check</th>"));
}

TEST(DoctorCommand, FailsOnTooManyThreadsWithStrict) {
  const TemporaryFolder folder;
  const std::map<std::string, std::string> threads{{"OMP_NUM_THREADS", "100000"}};
  const Outcome outcome = doctor(folder.path(), {"--json", "-", "--strict"}, threads);
  EXPECT_EQ(outcome.exit_code, 4) << outcome.err;
  ASSERT_EQ(causes(outcome, "threads").size(), 1u);
  EXPECT_EQ(causes(outcome, "threads")[0]["severity"], "bad");
  EXPECT_TRUE(
      ended(doctor(folder.path(), {}, threads), 0, {"threads\n      OMP_NUM_THREADS=100000"}));
}

TEST(DoctorCommand, ChecksProgramsOfTheWorkingTree) {
  ScratchRepository repository;
  repository.write("perf-compare.json", R"({"workloads": [
      {"name": "a", "command": ["build/bench", "a"]},
      {"name": "b", "command": ["build/bench", "b"]},
      {"name": "c", "command": ["build/absent"]}]})");
  repository.commit("Measure");
  repository.write("build/bench", "no ELF file\n", true);
  repository.write("build/CMakeCache.txt", "CMAKE_BUILD_TYPE:STRING=Debug\n");
  const Outcome outcome = doctor(repository.path(), {"--json", "-"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::vector<Json> programs = causes(outcome, "program");
  ASSERT_EQ(programs.size(), 2u);
  EXPECT_EQ(programs[0]["severity"], "bad");
  EXPECT_EQ(programs[0]["what"], "build/bench: CMAKE_BUILD_TYPE is Debug");
  EXPECT_EQ(programs[1]["what"], "build/absent: is not built here");
}

TEST(DoctorCommand, ChecksProgramsOfTheGivenConfig) {
  ScratchRepository repository;
  repository.write("perf-compare.json",
                   R"({"workloads": [{"name": "a", "command": ["build/own"]}]})");
  repository.commit("Measure");
  repository.write("other.json", R"({"workloads": [{"name": "b", "command": ["build/named"]}]})");
  const Outcome outcome = doctor(repository.path(), {"--json", "-", "--config", "other.json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::vector<Json> programs = causes(outcome, "program");
  ASSERT_EQ(programs.size(), 1u);
  EXPECT_EQ(programs[0]["what"], "build/named: is not built here");
  EXPECT_EQ(doctor(repository.path(), {"--config", "absent.json"}).exit_code, 2);
}

TEST(DoctorCommand, ReadsFactsOfTheLatestRun) {
  ScratchRepository repository;
  repository.write("bench.sh", R"(#!/bin/sh
cat > "$PERF_COMPARE_OUT" <<END
{"type":"begin","protocol":1,"workload":"w"}
{"type":"environment","threads":100000}
{"type":"step","index":0,"seconds":0.5}
{"type":"step","index":1,"seconds":0.5}
{"type":"step","index":2,"seconds":0.5}
{"type":"step","index":3,"seconds":0.5}
{"type":"end"}
END
)",
                   true);
  repository.write("perf-compare.json",
                   R"({"workloads": [{"name": "w", "command": ["./bench.sh"]}]})");
  repository.commit("Measure");
  const Outcome measured = repository.perf_compare({"HEAD", "HEAD", "--metric", "step_time"});
  ASSERT_EQ(measured.exit_code, 0) << measured.out << measured.err;
  // What is measured lies in the build cache, and is looked for there first.
  std::filesystem::remove(repository.path() / "bench.sh");
  const Outcome outcome = repository.perf_compare({"doctor", "--json", "-"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  ASSERT_EQ(causes(outcome, "program").size(), 1u);
  EXPECT_EQ(causes(outcome, "program")[0]["what"],
            "./bench.sh: is a script, or not a 64-bit ELF file: not checked");
  ASSERT_EQ(causes(outcome, "threads").size(), 1u);
  EXPECT_EQ(causes(outcome, "threads")[0]["severity"], "bad");
  const std::string what = causes(outcome, "threads")[0]["what"];
  EXPECT_EQ(what.find("100000 in the latest stored run (w)"), 0u) << what;
}

TEST(DoctorCommand, ChecksTheMachineWithAnInvalidConfig) {
  ScratchRepository repository;
  repository.write("perf-compare.json", "{\"workloads\": 7}");
  const Outcome outcome = doctor(repository.path(), {"--json", "-"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::vector<Json> programs = causes(outcome, "program");
  ASSERT_EQ(programs.size(), 1u);
  EXPECT_EQ(programs[0]["severity"], "unknown");
  EXPECT_TRUE(contains(programs[0]["what"].get<std::string>(), "perf-compare.json"));
}

TEST(DoctorCommand, RefusesAMissingRepositoryConfigOrStore) {
  const TemporaryFolder folder;
  EXPECT_EQ(doctor(folder.path(), {"-C", "absent"}).exit_code, 2);
  EXPECT_TRUE(ended(doctor(folder.path(), {"--db", "absent.db"}), 3, {"absent.db"}));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "absent.db"));
  EXPECT_EQ(doctor(folder.path(), {"--json", "absent/out.json"}).exit_code, 2);
}

}  // namespace
}  // namespace perf::test
