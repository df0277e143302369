// What is called the same program where nothing can be traced, where it was looked at before, and
// where nobody is to look.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/ci/same_program/field.h"
#include "tests/ci/scratch_repository.h"

namespace perf::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using RowsByName = std::map<std::string, Row>;
using Words = std::vector<std::string>;

/// Two commits, and workloads whose program or data differ, or do not.
struct Small : ScratchRepository {
  Small() {
    write("bench", "#!/bin/sh\ntrue\n", true);
    write("bin/other", "#!/bin/sh\ntrue\n", true);
    write("data/a", "1\n");
    write("more/a", "1\n");
    add("no_inputs", {"./bench"}, {});
    add("same_inputs", {"./bench"}, {"data/*"});
    add("other_inputs", {"./bench"}, {"more/*"});
    add("other_program", {"./bin/other"}, {"data/*"});
    add("by_shell", {"sh", "-c", "cd bin; ./other"}, {"data/a"});
    add("all_by_shell", {"sh", "-c", "./bench"}, {"bench", "data/*"});
    add("no_such_input", {"./bench"}, {"dta/*"});
    write("perf-compare.json", config.dump(1));
    commit("Begin");
    write("bin/other", "#!/bin/sh\ntrue 2\n", true);
    write("more/a", "2\n");
    commit("Change some");
  }
  void add(const std::string& name, const Words& command, const Words& inputs) {
    Json entry = {{"name", name}, {"command", command}, {"format", "process"}};
    if (!inputs.empty()) {
      entry["inputs"] = inputs;
    }
    config["workloads"].push_back(entry);
  }
  RowsByName compare(const Words& more = {},
                     const std::map<std::string, std::string>& variables = {}) const {
    Words arguments{"HEAD~1", "HEAD", "--budget", "1s", "--json", "-"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return rows_of(perf_compare(arguments, variables));
  }
  Json config;
};

void expect_reason(RowsByName& rows, const std::string& name, const std::string& because) {
  EXPECT_NE(rows[name].basis, "same program") << name;
  EXPECT_TRUE(contains(rows[name].because, because)) << name;
}

TEST(SameProgram, UsesDeclaredInputsWithoutTracing) {
  const TemporaryFolder folder;
  RowsByName rows = Small().compare({}, {{"PATH", path_without_strace(folder)}});
  expect_reason(rows, "no_inputs", "strace is not installed");
  EXPECT_EQ(rows["same_inputs"].basis, "same program") << rows["same_inputs"].because;
  EXPECT_EQ(rows["all_by_shell"].basis, "same program") << rows["all_by_shell"].because;
  expect_reason(rows, "other_inputs", "more/a: line 1");
  expect_reason(rows, "other_program", "bin/other: line 2");
  expect_reason(rows, "by_shell", "bin/other: line 2");
  expect_reason(rows, "no_such_input", "dta/*");
}

TEST(SameProgram, IsUnknownIfTracingIsForbidden) {
  NEEDS_TRACING();
  const Small repository;
  // Whoever is traced already cannot be traced again.
  RowsByName rows = rows_of(
      run({"strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=none",
           PERF_BINARY_DIR "/bin/perf-compare", "HEAD~1", "HEAD", "--budget", "1s", "--json", "-"},
          repository.path()));
  expect_reason(rows, "no_inputs", "strace may not trace");
  EXPECT_EQ(rows["same_inputs"].basis, "same program") << rows["same_inputs"].because;
  expect_reason(rows, "other_program", "bin/other: line 2");
}

TEST(SameProgram, IsDetectedByTracing) {
  NEEDS_TRACING();
  const Small repository;
  RowsByName rows = repository.compare();
  for (const char* const name : {"no_inputs", "same_inputs", "all_by_shell", "no_such_input"}) {
    EXPECT_EQ(rows[name].basis, "same program") << name << ": " << rows[name].because;
  }
  expect_reason(rows, "other_inputs", "more/a: line 1");
  expect_reason(rows, "other_program", "bin/other: line 2");
  expect_reason(rows, "by_shell", "bin/other: line 2");
  // What was looked at says the same again.
  rows = repository.compare();
  EXPECT_EQ(rows["no_inputs"].basis, "same program") << rows["no_inputs"].because;
  expect_reason(rows, "by_shell", "bin/other: line 2");
}

TEST(SameProgram, IsMeasuredWithMeasureAll) {
  const Small repository;
  EXPECT_EQ(repository.compare({"--measure", "all"})["no_inputs"].basis, "pairs");
  EXPECT_EQ(repository.compare({"--base-set", "n=1", "--head-set", "n=1"})["no_inputs"].basis,
            "pairs");
}

TEST(SameProgram, IgnoresCompiledFilesOfAnEarlierRun) {
  NEEDS_TRACING();
  ScratchRepository repository;
  repository.write("bench.py", "import sys; sys.path.append('lib'); import m\n");
  repository.write("lib/m.py", "X = 1\n");
  repository.write("perf-compare.json", R"({"workloads": [
    {"name": "python", "command": ["/usr/bin/python3", "bench.py"], "format": "process"}]})");
  repository.commit("Begin");
  repository.write("lib/m.py", "X = 2\n");
  repository.commit("Change the module");
  for (const char* const seed : {"1", "2"}) {
    RowsByName rows = rows_of(repository.perf_compare(
        {"HEAD~1", "HEAD", "--budget", "1s", "--seed", seed, "--json", "-"}));
    expect_reason(rows, "python", "lib/");
  }
}

TEST(SameProgram, IsDetectedBelowALinkedCache) {
  NEEDS_TRACING();
  const Small repository;
  const fs::path folder = repository.path().parent_path();
  fs::create_directory(folder / "elsewhere");
  fs::create_directory_symlink("elsewhere", folder / "link");
  RowsByName rows = repository.compare({}, {{"XDG_CACHE_HOME", (folder / "link").string()}});
  EXPECT_EQ(rows["no_inputs"].basis, "same program") << rows["no_inputs"].because;
  expect_reason(rows, "other_program", "bin/other: line 2");
}

}  // namespace
}  // namespace perf::test
