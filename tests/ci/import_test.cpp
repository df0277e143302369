// `perf-compare import` as a user runs it, on scratch repositories; what is kept is read from the
// store.

#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "schema/files/content.h"
#include "schema/store/store.h"
#include "tests/ci/scratch_repository.h"

namespace perf::test {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr const char* kGoogle = R"({"context":{"host_name":"ci-7","num_cpus":2,
  "date":"2026-01-31T12:00:00+00:00"},"benchmarks":[
  {"name":"BM_copy","run_name":"BM_copy","run_type":"iteration","iterations":10,"real_time":50,
   "cpu_time":49,"time_unit":"ns"},
  {"name":"BM_copy","run_name":"BM_copy","run_type":"iteration","iterations":10,"real_time":54,
   "cpu_time":53,"time_unit":"ns"},
  {"name":"BM_parse/64","run_name":"BM_parse/64","run_type":"iteration","iterations":10,
   "real_time":100,"cpu_time":99,"time_unit":"ns"}]}
)";

std::string file(const std::string& name) {
  return std::string(PERF_SOURCE_DIR) + "/tests/schema/formats/files/" + name;
}

struct Import : ::testing::Test {
  Import() {
    repository.write("code", "1");
    first = repository.commit("Write code");
    repository.write("code", "2");
    second = repository.commit("Change code");
    fs::create_directory(outside.path() / "files");
  }

  std::string put(const std::string& name, const std::string& text) {
    const fs::path path = outside.path() / "files" / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
    return path.string();
  }
  Store store() const { return Store(repository.path() / ".perf-compare/results.db"); }
  Outcome import(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "import");
    return repository.perf_compare(arguments);
  }

  ScratchRepository repository;
  TemporaryFolder outside;
  std::string first, second;
};

TEST_F(Import, KeepsASessionAtItsCommitAndMachine) {
  const Outcome outcome = import(
      {"google-benchmark", put("gb.json", kGoogle), "--rev", "HEAD", "--environment", "lab"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "imported 2 benchmarks of google-benchmark at " + second.substr(0, 10) +
                             " (HEAD) on lab\n");
  EXPECT_EQ(import({"google-benchmark", put("gb.json", kGoogle), "--rev", "HEAD", "--environment",
                    "lab", "-q"})
                .out,
            "");
  const Store kept = store();
  ASSERT_EQ(kept.runs().size(), 1u);
  EXPECT_EQ(kept.runs()[0].started_at, "2026-01-31T12:00:00Z");
  const std::string id = kept.runs()[0].id;
  const Plan plan = kept.load_plan(id);
  EXPECT_EQ(plan.purpose, Purpose::collect);
  EXPECT_EQ(plan.head.oid, second);
  EXPECT_FALSE(plan.base);
  EXPECT_EQ(plan.environment.machine, (std::map<std::string, std::string>{{"name", "lab"}}));
  EXPECT_EQ(plan.environment.facts.at("host_name"), "ci-7");
  ASSERT_EQ(plan.workloads.size(), 2u);
  EXPECT_EQ(plan.workloads[1].workload.name, "BM_parse/64");
  EXPECT_EQ(plan.workloads[1].workload.format, "google-benchmark");
  const Measurements history = kept.load(id);
  ASSERT_EQ(history.invocations.size(), 2u);
  const Invocation& copy = history.invocations[0];
  EXPECT_EQ(copy.workload, "BM_copy");
  EXPECT_EQ(copy.side, Side::head);
  EXPECT_EQ(copy.oid, second);
  EXPECT_FALSE(copy.paired);
  EXPECT_TRUE(copy.ok());
  ASSERT_EQ(copy.blocks.size(), 1u);
  ASSERT_EQ(copy.blocks[0].steps.size(), 2u);
  EXPECT_DOUBLE_EQ(copy.blocks[0].steps[1].seconds, 54e-9);
  EXPECT_DOUBLE_EQ(copy.process.wall, 104e-9);
  EXPECT_TRUE(kept.problems().empty());
}

TEST_F(Import, KeepsTheSameSessionOnce) {
  const std::string name = put("gb.json", kGoogle);
  ASSERT_EQ(import({"google-benchmark", name, "--rev", "HEAD"}).exit_code, 0);
  const Outcome again = import({"google-benchmark", put("copy.json", kGoogle), "--rev", second});
  EXPECT_EQ(again.exit_code, 0);
  EXPECT_EQ(again.out.rfind("already imported: 2 benchmarks of google-benchmark at ", 0), 0u)
      << again.out;
  EXPECT_TRUE(contains(again.out, "run " + store().runs()[0].id));
  EXPECT_EQ(store().runs().size(), 1u);
  // Of another commit, machine, entry or time it is another one.
  ASSERT_EQ(import({"google-benchmark", name, "--rev", "HEAD~1"}).exit_code, 0);
  ASSERT_EQ(import({"google-benchmark", name, "--rev", "HEAD", "--environment", "x"}).exit_code, 0);
  ASSERT_EQ(import({"google-benchmark", name, "--rev", "HEAD", "--as", "gb"}).exit_code, 0);
  EXPECT_EQ(store().runs().size(), 4u);
}

TEST_F(Import, TakesTheMachineFromTheFile) {
  ASSERT_EQ(import({"google-benchmark", put("gb.json", kGoogle), "--rev", "HEAD"}).exit_code, 0);
  std::string other = kGoogle;
  other.replace(other.find("ci-7"), 4, "ci-8");
  const Outcome outcome = import({"google-benchmark", put("other.json", other), "--rev", "HEAD"});
  EXPECT_TRUE(contains(outcome.out, "on the machine in the file"));
  const Store kept = store();
  const Environment one = kept.load_plan(kept.runs()[1].id).environment;
  const Environment two = kept.load_plan(kept.runs()[0].id).environment;
  EXPECT_EQ(one.machine.at("host_name"), "ci-7");
  EXPECT_EQ(two.machine.at("host_name"), "ci-8");
  EXPECT_NE(one.fingerprint, two.fingerprint);
}

TEST_F(Import, AssumesThisMachineByDefault) {
  const Outcome outcome = import({"hyperfine", file("hyperfine.json"), "--rev", "HEAD"});
  ASSERT_TRUE(ended(outcome, 0));
  EXPECT_TRUE(contains(outcome.out, "on this machine"));
  EXPECT_TRUE(contains(outcome.err, "warning: ")) << "a command of it failed";
  ASSERT_EQ(
      import({"google-benchmark", put("gb.json", kGoogle), "--rev", "HEAD", "--environment", "."})
          .exit_code,
      0);
  const Store kept = store();
  EXPECT_EQ(kept.load_plan(kept.runs()[0].id).environment.fingerprint,
            kept.load_plan(kept.runs()[1].id).environment.fingerprint);
}

// What a tracked command would have stored: one invocation of the entry, a block a benchmark.
TEST_F(Import, JoinsTheSeriesOfATrackedWorkload) {
  ASSERT_EQ(
      import({"google-benchmark", put("gb.json", kGoogle), "--rev", "HEAD", "--as", "micro/gb"})
          .exit_code,
      0);
  const Store kept = store();
  const Plan plan = kept.load_plan(kept.runs()[0].id);
  ASSERT_EQ(plan.workloads.size(), 1u);
  EXPECT_EQ(plan.workloads[0].workload.name, "micro/gb");
  const Measurements history = kept.load(kept.runs()[0].id);
  ASSERT_EQ(history.invocations.size(), 1u);
  ASSERT_EQ(history.invocations[0].blocks.size(), 2u);
  EXPECT_EQ(history.invocations[0].blocks[1].workload, "BM_parse/64");
}

/// Names of the series of step_time in the history, with how many values each has.
std::map<std::string, std::size_t> series_of(const Store& store, const Words& oids) {
  std::map<std::string, std::size_t> found;
  for (const RecordedSeries& one : store.load_recorded({.oids = oids}).series) {
    std::string name = one.name;
    for (const auto& [key, value] : one.params) {
      name += " " + key + "=" + to_text(value);
    }
    found[name] += one.metric == kStepTime ? one.values.size() : 0;
  }
  return found;
}

// `kit x` becomes kit_x, which another file may have as it is.
TEST_F(Import, KeepsNamesApartThatBecomeEqual) {
  const auto text = [](const std::string& command) {
    return R"({"results": [{"command": ")" + command + R"(", "times": [1, 2]}]})";
  };
  for (const Words& more : {Words{}, Words{"--as", "all"}}) {
    for (const auto& [command, commit] : {std::pair{"kit x", first}, {"kit_x", second}}) {
      ASSERT_EQ(
          import(with_more({"hyperfine", put("h.json", text(command)), "--rev", commit}, more))
              .exit_code,
          0);
    }
  }
  EXPECT_EQ(series_of(store(), {first, second}),
            (std::map<std::string, std::size_t>{{"kit_x", 1},
                                                {"kit_x benchmark_name=kit x", 1},
                                                {"all", 1},
                                                {"all benchmark_name=kit x", 1}}));
}

TEST_F(Import, KeepsProgramsApartThatShareNames) {
  for (const std::string program : {"parse", "lex"}) {
    std::string text = kGoogle;
    text.replace(text.find("\"num_cpus\""), 0, "\"executable\":\"./" + program + "\",");
    put("r/" + program + ".json", text);
  }
  const std::string folder = (outside.path() / "files/r").string();
  ASSERT_EQ(import({"google-benchmark", folder, "--rev", first}).exit_code, 0);
  std::set<Params> programs;
  for (const auto& run : store().runs()) {
    programs.insert(store().load_plan(run.id).workloads.at(0).workload.params);
  }
  EXPECT_EQ(programs, (std::set<Params>{{{"executable", "parse"}}, {{"executable", "lex"}}}));
}

TEST_F(Import, BeginsANewSeriesOfAnEditedBenchmark) {
  const auto text = [](const std::string& commit, const std::string& version) {
    return R"({"commit_hash": ")" + commit +
           R"(", "result_columns": ["result", "version"], "results": {"time_a": [[1], ")" +
           version + R"("], "time_b": [[1], "b1"]}, "version": 2})";
  };
  for (const auto& [commit, version] : {std::pair{first, "a1"}, {second, "a2"}}) {
    ASSERT_EQ(import({"asv", put("a.json", text(commit, version)), "--as", "suite"}).exit_code, 0);
  }
  EXPECT_EQ(series_of(store(), {first, second}),
            (std::map<std::string, std::size_t>{{"suite/time_a benchmark_version=a1", 1},
                                                {"suite/time_a benchmark_version=a2", 1},
                                                {"suite/time_b benchmark_version=b1", 2}}));
}

TEST_F(Import, TakesCommitsFromTheFile) {
  const auto entry = [](const std::string& commit, int value) {
    return R"({"commit":{"id":")" + commit +
           R"("},"date":1573312140323,"tool":"cargo","benches":[{"name":"fib","value":)" +
           std::to_string(value) + R"(,"unit":"ns/iter"}]})";
  };
  const std::string absent(40, 'b');
  const std::string name =
      put("data.js", R"(window.BENCHMARK_DATA = {"entries":{"Rust":[)" + entry(first, 100) + "," +
                         entry(absent, 105) + "," + entry(second, 110) + "]}}");
  const Outcome outcome = import({"github-action-benchmark", name});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 2);
  EXPECT_TRUE(contains(outcome.out, "(Write code)"));
  EXPECT_TRUE(contains(outcome.err,
                       "warning: 1 session was left out: this repository does not have its "
                       "commit (" +
                           absent + ")"));
  // The file grows night by night: only what is new is kept.
  const std::string longer =
      put("data.js", R"(window.BENCHMARK_DATA = {"entries":{"Rust":[)" + entry(first, 100) + "," +
                         entry(second, 110) + "," + entry(second, 111) + "]}}");
  EXPECT_EQ(import({"github-action-benchmark", longer}).exit_code, 0);
  EXPECT_EQ(store().runs().size(), 3u);
  // One revision for sessions of several commits is refused, before anything is stored.
  EXPECT_TRUE(
      ended(import({"github-action-benchmark", longer, "--rev", "HEAD"}), 2, {"leave --rev out"}));
}

TEST_F(Import, SumsUpManySessions) {
  std::string entries;
  for (int i = 0; i < 6; ++i) {
    entries += std::string(i == 0 ? "" : ",") + R"({"commit":{"id":")" + (i < 3 ? first : second) +
               R"("},"date":1573312140323,"tool":"cargo","benches":[{"name":"fib","value":)" +
               std::to_string(100 + i) + R"(,"unit":"ns/iter"}]})";
  }
  const std::string name =
      put("data.js", R"(window.BENCHMARK_DATA = {"entries":{"Rust":[)" + entries + "]}}");
  const Outcome outcome = import({"github-action-benchmark", name, "--as", "old"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out,
            "imported 6 sessions of 2 commits on this machine: 6 benchmarks of "
            "github-action-benchmark as old\n");
  const Outcome again = import({"github-action-benchmark", name, "--as", "old"});
  EXPECT_TRUE(contains(again.out, "; 6 of the sessions were known already"));
}

TEST_F(Import, ResolvesAbbreviatedCommitsAndWarnsOfDirtyTrees) {
  std::string text = content_of(file("pytest_benchmark.json"));
  const std::string id = "2a9f1b0c4d5e6f708192a3b4c5d6e7f801234567";
  text.replace(text.find(id), id.size(), first.substr(0, 9));
  const Outcome outcome = import({"pytest-benchmark", put("p.json", text)});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(store().runs()[0].head.oid, first);
  EXPECT_TRUE(contains_all(outcome.err, {"warning: ", "commit"}));
  EXPECT_TRUE(ended(import({"pytest-benchmark", put("p.json", text), "--rev", "HEAD"}), 0,
                    {"was measured at " + first.substr(0, 9)}));
}

TEST_F(Import, WalksTheFolderOfCriterion) {
  for (const std::string name : {"sort", "parse"}) {
    put("criterion/" + name + "/new/benchmark.json",
        R"({"group_id":")" + name + R"(","function_id":null,"value_str":null,"throughput":null,)" +
            R"("full_id":")" + name + R"(","directory_name":")" + name + R"(","title":"x"})");
    put("criterion/" + name + "/new/sample.json",
        R"({"sampling_mode":"Linear","iters":[1.0,2.0],"times":[100.0,220.0]})");
    put("criterion/" + name + "/base/sample.json", "not read");
  }
  const std::string folder = (outside.path() / "files/criterion").string();
  ASSERT_TRUE(ended(import({"criterion", folder, "--rev", "HEAD"}), 0));
  const Store kept = store();
  const Measurements history = kept.load(kept.runs()[0].id);
  ASSERT_EQ(history.invocations.size(), 2u);
  EXPECT_EQ(history.invocations[0].workload, "parse");
  EXPECT_DOUBLE_EQ(history.invocations[0].blocks[0].steps[1].seconds, 110e-9);
  EXPECT_EQ(import({"criterion", outside.path().string() + "/none", "--rev", "HEAD"}).exit_code, 2);
  EXPECT_EQ(import({"hyperfine", folder, "--rev", "HEAD"}).exit_code, 2);
}

TEST_F(Import, WalksTheFolderOfAMachineOfAsv) {
  std::string text = content_of(file("asv.json"));
  const std::string id = "5e1fae6ad92a96e7a1fa4ce83c8e3d3c2f0b1a97";
  text.replace(text.find(id), id.size(), first);
  put("results/bench-1/" + first.substr(0, 8) + "-env.json", text);
  put("results/bench-1/machine.json", R"({"machine":"bench-1","version":1})");
  put("results/benchmarks.json", content_of(file("asv_benchmarks.json")));
  ASSERT_TRUE(ended(import({"asv", (outside.path() / "files/results/bench-1").string()}), 0));
  const Store kept = store();
  ASSERT_EQ(kept.runs().size(), 1u);
  EXPECT_EQ(kept.runs()[0].head.oid, first);
  EXPECT_EQ(kept.load_plan(kept.runs()[0].id).environment.machine.at("machine"), "bench-1");
}

TEST_F(Import, RefusesInvalidInput) {
  const std::string name = put("gb.json", kGoogle);
  const auto refused = [&](const std::vector<std::string>& arguments, const std::string& words) {
    EXPECT_TRUE(ended(import(arguments), 2, {words}));
  };
  refused({"google-benchmark", name}, "pass --rev REV");
  refused({"google-benchmark", name, "--rev", "no-such-branch"}, "no-such-branch");
  refused({"google-benchmark", name, "--rev", "."}, "the working tree is not a commit");
  refused({"google-benchmark", put("console.txt", "BM_copy 50 ns"), "--rev", "HEAD"},
          "--benchmark_format=json");
  refused({"hyperfine", put("none.json", "{}"), "--rev", "HEAD"}, "--export-json");
  refused({"google-benchmrk", name, "--rev", "HEAD"}, "google-benchmark");
  refused({"google-benchmark", name, "--rev", "HEAD", "--as", "../x"}, "--as ../x");
  refused({"google-benchmark", put("bad.json", "{"), "--rev", "HEAD"}, "bad.json:1:");
  refused({"google-benchmark", name, put("bad.json", "{"), "--rev", "HEAD"}, "bad.json:1:");
  std::string text = content_of(file("pytest_benchmark.json"));
  refused({"pytest-benchmark", put("p.json", text)}, "nothing was imported");
  EXPECT_FALSE(fs::exists(repository.path() / ".perf-compare/results.db") &&
               !store().runs().empty());
}

}  // namespace
}  // namespace perf::test
