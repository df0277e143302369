// Folders of results: what is a session of them, and what is passed over.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "ci/cli/judge/judge.h"
#include "schema/error.h"
#include "schema/formats/foreign.h"
#include "schema/text/lists.h"

namespace perf {
namespace {

namespace fs = std::filesystem;

struct SessionFiles : testing::Test {
  SessionFiles() {
    std::string name = (fs::temp_directory_path() / "sessions.XXXXXX").string();
    folder = ::mkdtemp(name.data());
  }
  ~SessionFiles() override { fs::remove_all(folder); }

  void put(const std::string& path, const std::string& text) const {
    fs::create_directories((folder / path).parent_path());
    std::ofstream(folder / path) << text;
  }
  /// A benchmark of criterion.rs whose only sample takes `ns`.
  void put_criterion(const std::string& path, const std::string& id, int ns) const {
    put(path + "/benchmark.json", R"({"full_id":")" + id + R"("})");
    put(path + "/sample.json", R"({"iters":[1],"times":[)" + std::to_string(ns) + "]}");
  }
  std::vector<SampleSet> read(const std::string& path) const {
    return mapped(read_sessions((folder / path).string()), &ImportedSession::samples);
  }
  /// The refusal: WHAT | HINT.
  static std::string refusal(const std::function<void()>& read) {
    try {
      read();
    } catch (const UsageError& error) {
      return error.what + " | " + error.hint;
    }
    return "accepted";
  }

  fs::path folder;
};

std::string pytest(const std::string& commit, int seconds) {
  return R"({"machine_info":{},"commit_info":{"id":")" + commit +
         R"("},"benchmarks":[{"name":"a","stats":{"data":[)" + std::to_string(seconds) + "]}}]}";
}

std::vector<std::string> names_in(const SampleSet& set) {
  std::vector<std::string> names;
  for (const SampleSeries& series : set.series) {
    names.push_back(series.name);
  }
  return names;
}

using Names = std::vector<std::string>;

TEST_F(SessionFiles, ReadsBaselinesOfCriterion) {
  put_criterion("c/parse/small/new", "parse/small", 2);
  put_criterion("c/parse/small/main", "parse/small", 1);
  put_criterion("c/walk/new", "walk", 2);
  put("c/report/index.html", "<html>");
  put("c/old/new/sample.json", R"({"iters":[1],"times":[9]})");
  const std::vector<SampleSet> latest = read("c");
  ASSERT_EQ(latest.size(), 1u);
  EXPECT_EQ(names_in(latest[0]), (Names{"parse/small", "walk"}));
  EXPECT_EQ(latest[0].series[0].values, std::vector<double>{2e-9});
  ASSERT_EQ(latest[0].warnings.size(), 1u) << "of old";
  EXPECT_EQ(latest[0].warnings[0].kind, WarningKind::files_passed_over);
  EXPECT_EQ(latest[0].warnings[0].about.at("file"), (folder / "c/old/new/sample.json").string());
  EXPECT_EQ(names_in(read("c@main").at(0)), Names{"parse/small"});
  EXPECT_EQ(read("c@main").at(0).series[0].values, std::vector<double>{1e-9});
  EXPECT_EQ(read("c/parse/small/main").at(0).series[0].values, std::vector<double>{1e-9});
  EXPECT_EQ(read_sessions((folder / "c@main").string(), "criterion").size(), 1u);
  EXPECT_EQ(refusal([&] { read("c@mian"); }),
            "no results of that name in the folder | did you mean \"main\"?");
  EXPECT_EQ(refusal([&] { read("c@other"); }),
            "no results of that name in the folder | known: main, new");
}

TEST_F(SessionFiles, TakesEachFileOfAFolder) {
  put(".benchmarks/Linux/0002_b.json", pytest("bbbb", 2));
  put(".benchmarks/Linux/0001_a.json", pytest("aaaa", 1));
  put(".benchmarks/.DS_Store", "x");
  const std::vector<SampleSet> all = read(".benchmarks");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].series[0].values, std::vector<double>{1}) << "in the order of names";
  ASSERT_EQ(all[0].warnings.size(), 1u);
  EXPECT_EQ(all[0].warnings[0].kind, WarningKind::several_commits);
  const std::vector<SampleSet> one = read(".benchmarks@0002");
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0].source, (folder / ".benchmarks/Linux/0002_b.json").string());
  EXPECT_TRUE(one[0].warnings.empty());
  EXPECT_EQ(read(".benchmarks@b").at(0).source, one[0].source) << "--benchmark-save=b";
  EXPECT_EQ(refusal([&] { read(".benchmarks@c"); }),
            "no results of that name in the folder | known: 0001_a.json, 0002_b.json");
  const auto imported = read_sessions((folder / ".benchmarks").string(), "pytest-benchmark");
  ASSERT_EQ(imported.size(), 2u);
  EXPECT_EQ(imported[1].commit, "bbbb");
}

TEST_F(SessionFiles, PassOverOtherFiles) {
  put("r/a.json", pytest("aaaa", 1));
  put("r/b.txt", "BenchmarkX-8 1 5 ns/op\n");
  put("r/notes.md", "# notes");
  put("r/report.html", "<html>");
  const std::vector<SampleSet> sets = read("r");
  EXPECT_EQ(sets.size(), 2u);
  ASSERT_FALSE(sets[0].warnings.empty());
  EXPECT_EQ(sets[0].warnings[0].figures.at("files"), 2);
  EXPECT_EQ(sets[0].warnings[0].about.at("why"), "not of a known format");
  const auto go = read_sessions((folder / "r").string(), "go");
  ASSERT_EQ(go.size(), 1u) << "only of the format that is named";
  EXPECT_EQ(go[0].samples.warnings[0].figures.at("files"), 3);
}

TEST_F(SessionFiles, ReadsResultsOfAsvWithTheirBenchmarks) {
  put("results/benchmarks.json", R"({"s.size": {"type": "time", "unit": "ms"}, "version": 2})");
  put("results/m/machine.json", R"({"machine": "m", "version": 1})");
  put("results/m/aaaaaaaa-env.json",
      R"({"commit_hash": "aaaa", "params": {"machine": "m"}, "result_columns": ["result"],
          "results": {"s.size": [[4]]}, "version": 2})");
  for (const std::string path : {"results", "results/m", "results/m@aaaa", "results/m@aaaaaaaaaaaa",
                                 "results/m/aaaaaaaa-env.json"}) {
    const std::vector<SampleSet> sets = read(path);
    ASSERT_EQ(sets.size(), 1u) << path;
    EXPECT_EQ(sets[0].series.at(0).metric, kStepTime) << path;
    EXPECT_TRUE(sets[0].warnings.empty()) << path;
  }
}

TEST_F(SessionFiles, RefusesFoldersWithoutResults) {
  put("empty/notes.md", "# notes");
  EXPECT_EQ(refusal([&] { read("empty"); }).substr(0, 25), "no results in the folder ");
  EXPECT_EQ(refusal([&] { read("empty@x"); }).substr(0, 37),
            "no results of that name in the folder");
  EXPECT_EQ(refusal([&] { read_sessions((folder / "empty").string(), "go"); }).substr(0, 25),
            "no results in the folder ");
  EXPECT_NE(refusal([&] { read("nowhere"); }), "accepted");
  EXPECT_NE(refusal([&] { read("nowhere@x"); }), "accepted");
}

TEST_F(SessionFiles, NamesTheFirstFileThatIsNotRead) {
  put("cut/a.json", R"({"benchmarks": [)");
  try {
    read("cut");
    ADD_FAILURE() << "accepted";
  } catch (const UsageError& error) {
    EXPECT_NE(error.subject.find("cut/a.json: the file is cut short, at 1:16"), std::string::npos)
        << error.subject;
  }
  put("some/a.json", pytest("aaaa", 1));
  put("some/b.json", "{\"results\": [\n{\"command\": \"x\", \"times\": [1e400]}]}");
  EXPECT_EQ(read("some").at(0).warnings.at(0).about.at("why"),
            "number too large for a double: \"1e400\", at 2:28");
}

TEST_F(SessionFiles, KnowsPathsOfSessions) {
  put("a@b/x.json", pytest("aaaa", 1));
  EXPECT_TRUE(names_sessions("-"));
  for (const std::string path : {"a@b", "a@b/x.json", "a@b@x"}) {
    EXPECT_TRUE(names_sessions((folder / path).string())) << path;
    EXPECT_EQ(read(path).size(), 1u) << path;
  }
  for (const std::string path : {"c", "c@d", "a@b/x.json@y", "a"}) {
    EXPECT_FALSE(names_sessions((folder / path).string())) << path;
  }
}

// A link back would be followed without an end.
TEST_F(SessionFiles, DoNotFollowLinksToFolders) {
  put("r/a.json", pytest("aaaa", 1));
  fs::create_directory_symlink(folder / "r", folder / "r/again");
  EXPECT_EQ(read("r").size(), 1u);
}

/// A state of 0.25 s whose samples are in the file of that name.
std::string nvbench(const std::string& samples) {
  const auto datum = [](const std::string& name, const std::string& value) {
    return R"({"name":")" + name + R"(","value":")" + value + "\"}";
  };
  return R"({"devices":[],"benchmarks":[{"name":"copy","states":[{"name":"","summaries":[)"
         R"({"tag":"nv/cold/time/gpu/mean","data":[)" +
         datum("value", "0.25") + R"(]},{"tag":"nv/json/bin:nv/cold/sample_times","data":[)" +
         datum("filename", samples) + "," + datum("size", "2") + "]}]}]}]}";
}

// Results name their samples, and a name may be that of any file.
TEST_F(SessionFiles, FindsTheSamplesOfNvbenchBesideItsResults) {
  const std::string samples("\0\0\0\x3e\0\0\xc0\x3e", 8);  // 0.125 and 0.375
  put("a/new.json", nvbench("new.json-bin/0.bin"));
  put("a/old.json", nvbench("/elsewhere/old.json-bin/0.bin"));
  put("a/new.json-bin/0.bin", samples);
  put("a/old.json-bin/0.bin", samples);
  put("0.bin", samples);
  const std::vector<SampleSet> sets = read("a");
  ASSERT_EQ(sets.size(), 2u);
  for (const SampleSet& set : sets) {
    EXPECT_EQ(set.series.at(0).values, (std::vector<double>{0.125, 0.375})) << set.source;
    EXPECT_TRUE(set.warnings.empty()) << "nothing was passed over";
  }
  for (const char* name : {"../0.bin", "a/../0.bin", "0.bin", "a/new.json-bin", "none/0.bin", ""}) {
    put("b.json", nvbench(name));
    EXPECT_EQ(read("b.json").at(0).series.at(0).values, std::vector<double>{0.25}) << name;
  }
}

}  // namespace
}  // namespace perf
