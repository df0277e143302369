// A new user's way through a repository that is not ours, for each kind of project that init knows:
// init, compare, collect, trend and bisect, by the config that init wrote, as it wrote it. Timings
// are real; the change is so large that a busy machine does not hide it, and what is asked is which
// commit is named.

#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <regex>

#include "tests/ci/foreign_projects.h"
#include "tests/ci/scratch_repository.h"
#include "tests/contains.h"

namespace perf::test {
namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

/// Fewer than 13 hide a step in their midst from the detector, and of 14 one that was disturbed does.
constexpr int kCommits = 18, kSlower = 9;

std::string variable(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? "" : text;
}

/// rustup wants its home; and, as many commits are built that differ little, only what is new is
/// compiled.
std::map<std::string, std::string> environment_of(const std::filesystem::path& folder) {
  const std::string rustup = variable("RUSTUP_HOME");
  return {{"RUSTUP_HOME", rustup.empty() ? variable("HOME") + "/.rustup" : rustup},
          {"CC", "ccache gcc"},
          {"CMAKE_GENERATOR", "Ninja"},
          {"CMAKE_CXX_COMPILER_LAUNCHER", "ccache"},
          {"CCACHE_DIR", (folder / "ccache").string()},
          {"CCACHE_BASEDIR", folder.string()},
          {"CCACHE_NOHASHDIR", "1"}};
}

/// The project's history: its files, and then notes, but for one commit that does more work.
struct ForeignLine : ScratchRepository {
  explicit ForeignLine(const ForeignProject& told) : project(told) {
    for (const auto& [name, text] : project.files) {
      write(name, text);
    }
    for (int i = 0; i < kCommits; ++i) {
      const int count = i < kSlower ? project.few : project.many;
      write(project.work, std::regex_replace(project.files.at(project.work), std::regex("COUNT"),
                                             std::to_string(count)));
      write("docs/notes.md", "Note " + std::to_string(i) + "\n");
      oids.push_back(commit(i == kSlower ? "Do more" : "Write note " + std::to_string(i)));
    }
  }

  Outcome run_shell(const std::string& text) const {
    return run({"sh", "-c", text}, path(), environment_of(path().parent_path()));
  }
  Outcome ask(const Words& arguments) const {
    return perf_compare(arguments, environment_of(path().parent_path()));
  }
  /// What a command says in JSON, with the options that name the benchmark.
  Json json(Words arguments, int exit_code) const {
    arguments.insert(arguments.end(), project.options.begin(), project.options.end());
    arguments.insert(arguments.end(), {"--json", "-"});
    const Outcome outcome = ask(arguments);
    EXPECT_EQ(outcome.exit_code, exit_code) << outcome.err << outcome.out;
    return outcome.out.empty() ? Json::object() : Json::parse(outcome.out);
  }

  const ForeignProject& project;
  Words oids{};
};

void begin(ForeignLine& line) {
  const ForeignProject& project = line.project;
  const Outcome outcome = line.ask(project.init);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(contains(outcome.err, " left out: "), !project.left_out.empty()) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, project.left_out)) << outcome.err;
  for (const auto& [name, text] : project.beside) {
    line.write(name, text, true);
  }
}

void expect_one_regression(const ForeignLine& line) {
  const Json report = line.json({line.oids.front(), line.oids.back(), "--pairs", "24"}, 1);
  bool is_found = false, is_skipped = line.project.skipped.empty();
  for (const Json& row : report["comparisons"]) {
    const std::string workload = row["workload"];
    const bool is_slower = row["metric"] == "step_time" && workload == line.project.benchmark;
    EXPECT_EQ(row["verdict"] == "regressed", is_slower) << row.dump(1);
    is_found |= is_slower;
    is_skipped |= workload == line.project.skipped && row["verdict"] == "missing";
  }
  EXPECT_TRUE(is_found && is_skipped) << report["comparisons"].dump(1);
}

/// What is below twice the time is left to the machine's other work.
void expect_one_alert(const ForeignLine& line) {
  const Json trend = line.json({"trend", "--threshold", "100%"}, 0);
  for (const Json& alert : trend["alerts"]) {
    EXPECT_EQ(alert["oid"], line.oids[kSlower]) << alert.dump(1);
    EXPECT_EQ(alert["previous_oid"], line.oids[kSlower - 1]) << alert.dump(1);
    EXPECT_EQ(alert["workload"], line.project.benchmark) << alert.dump(1);
  }
  EXPECT_EQ(trend["summary"]["new"], 1) << line.ask({"trend"}).out;
}

class Foreign : public testing::TestWithParam<ForeignProject> {};

TEST_P(Foreign, FindsTheRightCommit) {
  ForeignLine line(GetParam());
  if (line.run_shell(line.project.needs).exit_code != 0) {
    GTEST_SKIP() << "not here (ci/install_deps.sh --test): " << line.project.needs;
  }
  ASSERT_NO_FATAL_FAILURE(begin(line));
  expect_one_regression(line);

  const std::string& first = line.oids.front();
  const Json collected = line.json({"collect", first + ".." + line.oids.back(), "--pairs", "3"}, 0);
  for (const Json& commit : collected["commits"]) {
    EXPECT_EQ(commit["status"], "measured") << commit.dump(1);
  }
  expect_one_alert(line);

  const Json bisection =
      line.json({"bisect", first, line.oids.back(), "-w", line.project.benchmark}, 1);
  EXPECT_EQ(bisection["answer"], "found");
  EXPECT_EQ(bisection["first_bad"]["oid"], line.oids[kSlower]);
  EXPECT_EQ(bisection["last_good"]["oid"], line.oids[kSlower - 1]);
}

INSTANTIATE_TEST_SUITE_P(Projects, Foreign, testing::ValuesIn(foreign_projects()),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace perf::test
