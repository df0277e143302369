// `perf-compare bisect --list`: the lines of a file in place of commits, without a repository.

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "schema/files/content.h"
#include "tests/ci/claimed_benchmark.h"
#include "tests/ci/scratch_repository.h"

namespace perf::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Words = std::vector<std::string>;

/// A folder with the list v1 to v12, of which `vN/work` is what the item claims to take: 100 ms,
/// and from v8 on 140.
class ItemList {
 public:
  ItemList() {
    fs::create_directories(here());
    fs::create_directories(temporary());
    std::string list;
    for (int i = 1; i <= 12; ++i) {
      const std::string item = "v" + std::to_string(i);
      list += item + "\n";
      write(item + "/work", i < 8 ? "100" : "140");
      write(item + "/bench", kClaimedBenchmark);
    }
    write("list", list);
    // Takes what its first argument has.
    write("run", "#!/bin/sh\ncd \"$1\" && exec ./bench\n");
  }

  void write(const std::string& name, const std::string& text) const {
    const fs::path file = here() / name;
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
    fs::permissions(file, fs::perms::owner_all);
  }

  Outcome bisect(Words options, const Words& command, const std::string& stop_at = {}) const {
    options.insert(options.begin(), {PERF_BINARY_DIR "/bin/perf-compare", "bisect"});
    if (!command.empty()) {
      options.emplace_back("--");
      options.insert(options.end(), command.begin(), command.end());
    }
    return run(options, here(), {{"TMPDIR", temporary()}, {"HOME", "/nonexistent"}}, stop_at,
               stop_at.empty() ? 0 : SIGINT);
  }
  /// The result, where the command ends as expected.
  Json result(int exit_code, Words options, const Words& command) const {
    options.insert(options.begin(), {"--list", "list", "--json", "-"});
    const Outcome outcome = bisect(options, command);
    EXPECT_EQ(outcome.exit_code, exit_code) << outcome.out << outcome.err;
    EXPECT_TRUE(Json::accept(outcome.out)) << outcome.err;
    return Json::parse(outcome.out, nullptr, false);
  }
  std::set<std::string> names_here() const {
    std::set<std::string> names;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(here())) {
      names.insert(entry.path().string());
    }
    return names;
  }

  fs::path here() const { return folder_.path() / "here"; }
  fs::path temporary() const { return folder_.path() / "temporary"; }

 private:
  TemporaryFolder folder_;
};

const Words kRun{"./run", "{}"};

TEST(BisectList, FindsTheItemAmong12) {
  const ItemList items;
  items.write(
      "list", "\xEF\xBB\xBF# oldest first\r\n\r\n" + [&] {
        std::string list = content_of(items.here() / "list");
        for (std::size_t at = list.find('\n'); at != std::string::npos;
             at = list.find('\n', at + 2)) {
          list.replace(at, 1, "\r\n");
        }
        return list;
      }());
  const std::set<std::string> before = items.names_here();
  const Json json = items.result(1, {}, kRun);
  EXPECT_EQ(json["schema"], "perf-compare/bisect/1");
  EXPECT_EQ(json["answer"], "found");
  EXPECT_EQ(json["commits"], 11);
  for (const auto& [field, item] :
       {std::pair("good", "v1"), {"bad", "v12"}, {"last_good", "v7"}, {"first_bad", "v8"}}) {
    EXPECT_EQ(json[field]["kind"], "item") << field;
    EXPECT_EQ(json[field]["item"], item) << field;
    EXPECT_EQ(json[field]["digest"].get<std::string>().size(), 32U) << field;
  }
  EXPECT_NEAR(json["ends"]["change"], 0.40, 0.02);
  EXPECT_EQ(json["comparison"]["base"]["item"], "v7");
  EXPECT_EQ(json["comparison"]["head"]["item"], "v8");
  EXPECT_EQ(json["comparison"]["summary"]["verdict"], "regressed");
  EXPECT_LE(json["visited"].size(), 6U);
  EXPECT_TRUE(json["reproduce"][0].get<std::string>().ends_with(" -- ./run '{}'"))
      << json["reproduce"];
  expect_says(json["reproduce"][0], "perf-compare bisect --list list --seed ");
  expect_says(json["comparison"]["reproduce"].dump(), "perf-compare ab --metric step_time");
  expect_says(json["comparison"]["reproduce"].dump(), "-- './run v7' './run v8'");
  EXPECT_EQ(items.names_here(), before);
  EXPECT_TRUE(fs::is_empty(items.temporary()));

  const Outcome text =
      items.bisect({"--list", "list", "--markdown", "a.md", "--html", "a.html"}, kRun);
  EXPECT_EQ(text.exit_code, 1) << text.err;
  EXPECT_TRUE(text.out.starts_with("First bad item: v8\n")) << text.out;
  expect_says(text.out, "Comparison with the last good item:");
  EXPECT_FALSE(contains(text.out, "commit"));
  EXPECT_FALSE(contains(text.err, "commit"));
  expect_says(text.err, "step 1 of about 4: v6\n");
  expect_says(content_of(items.here() / "a.md"), "First bad item");
  expect_says(content_of(items.here() / "a.html"), "First bad item");
}

TEST(BisectList, ReplacesTheItemInVariables) {
  const ItemList items;
  items.write("runs", "#!/bin/sh\nexec ./run $ITEM\n");
  const Json json = items.result(1, {"--env", "ITEM={}"}, {"./runs"});
  EXPECT_EQ(json["first_bad"]["item"], "v8");
  expect_says(json["comparison"]["reproduce"].dump(), "perf-compare bisect --list list");
}

TEST(BisectList, NamesTheRangeOfUnusableItems) {
  const ItemList items;
  for (const char* item : {"v3", "v6", "v7"}) {
    items.write(std::string(item) + "/bench", "#!/bin/sh\necho no such symbol >&2; exit 1\n");
  }
  const Json nearest = items.result(1, {}, kRun);
  EXPECT_EQ(nearest["last_good"]["item"], "v5");
  EXPECT_EQ(nearest["first_bad"]["item"], "v8");
  ASSERT_EQ(nearest["candidates"].size(), 2U);
  EXPECT_EQ(nearest["candidates"][0]["item"], "v6");
  EXPECT_EQ(nearest["candidates"][1]["item"], "v7");
  expect_says(nearest["skipped"].dump(), "exit status 1; last line of stderr: no such symbol");
  const Outcome text = items.bisect({"--list", "list"}, kRun);
  EXPECT_TRUE(
      contains_all(text.out, {"First bad item is one of 3, up to: v8",
                              "the items before it could not be measured", "skipped v7: "}));
}

/// All items go to one place, so the two of a pair take turns in it.
TEST(BisectList, InstallsTheItemBeforeEachProcess) {
  const ItemList items;
  items.write("install",
              "#!/bin/sh\n[ $1 != v7 ] || { echo not found: $1; exit 1; }\n"
              "rm -rf venv; cp -r $1 venv\n");
  const Json json = items.result(1, {"--prepare", "./install '{}'"}, {"./run", "venv"});
  EXPECT_EQ(json["last_good"]["item"], "v6");
  EXPECT_EQ(json["first_bad"]["item"], "v8");
  ASSERT_EQ(json["candidates"].size(), 1U);
  expect_says(json["skipped"].dump(),
              "prepare failed: exit status 1; last line of stdout: not found: v7");
  EXPECT_EQ(json["good"]["digest"], "") << "any item may lie there";
  expect_says(json["comparison"]["reproduce"].dump(), "perf-compare bisect --list list --prepare");
  for (const Json& visited : json["visited"]) {
    EXPECT_TRUE(visited["same_as"].is_null()) << visited;
  }
}

/// Its processes run what was installed before, so the search takes the item for GOOD's neighbour:
/// the last comparison, in which it takes turns with the next one, acquits that.
TEST(BisectList, AccusesNoItemAfterOneThatWasNotInstalled) {
  const ItemList items;
  items.write("install", "#!/bin/sh\n[ $1 = v8 ] || { rm -rf venv; cp -r $1 venv; }\n");
  const Json json = items.result(4, {"--prepare", "./install {}"}, {"./run", "venv"});
  EXPECT_EQ(json["answer"], "unconfirmed");
  EXPECT_EQ(json["likeliest"]["item"], "v9");
  EXPECT_TRUE(json["first_bad"].is_null());
}

TEST(BisectList, FailsIfAnEndCannotBeMeasured) {
  const ItemList items;
  for (const auto& [item, end] : {std::pair("v12", "BAD"), {"v1", "GOOD"}}) {
    items.write(std::string(item) + "/bench", "#!/bin/sh\necho worn out >&2; exit 1\n");
    EXPECT_TRUE(ended(items.bisect({"--list", "list"}, kRun), 3,
                      {std::string(end) + " cannot be measured", "worn out",
                       std::string("choose another item as ") + end}));
    items.write(std::string(item) + "/bench", kClaimedBenchmark);
  }
  EXPECT_TRUE(ended(
      items.bisect({"--list", "list", "--prepare", "sh -c 'echo no network; exit 1' {}"}, kRun), 3,
      {"last line of stdout: no network"}));
}

TEST(BisectList, ReportsThatTheEndsDoNotDiffer) {
  const ItemList items;
  items.write("v12/work", "100");
  const Json measured = items.result(4, {}, kRun);
  EXPECT_EQ(measured["answer"], "not_worse");
  EXPECT_TRUE(measured["first_bad"].is_null());
  NEEDS_TRACING();
  items.write("runs", "#!/bin/sh\ncd ${0%/*} && exec ./bench\n");
  for (int i = 1; i <= 12; ++i) {
    fs::copy_file(items.here() / "runs", items.here() / ("v" + std::to_string(i)) / "run");
  }
  const Json traced = items.result(4, {}, {"./{}/run"});
  EXPECT_EQ(traced["answer"], "same_program") << traced;
  EXPECT_EQ(traced["pairs"], 0);
  const Outcome text = items.bisect({"--list", "list"}, {"./{}/run"});
  EXPECT_TRUE(text.out.starts_with("No item to search for")) << text.out;
  EXPECT_EQ(items.result(4, {"--measure", "all"}, {"./{}/run"})["answer"], "not_worse");

  // Only the ends are measured where each item runs the program of one.
  items.write("v12/work", "140");
  const Json found = items.result(1, {}, {"./{}/run"});
  EXPECT_EQ(found["first_bad"]["item"], "v8");
  EXPECT_EQ(found["pairs"], found["ends"]["pairs"]) << found["visited"];
}

TEST(BisectList, FollowsOneOfSeveralBenchmarks) {
  const ItemList items;
  items.write("suite", R"sh(#!/bin/sh
exec awk -v work="$(cat "$1/work")" -v seed="$PERF_COMPARE_SEED" -v pid="$$" 'BEGIN {
  srand(seed % 1000000 + pid)
  for (i = 0; i < 2; i++)
    printf "%s{\"name\": \"b%d\", \"time_unit\": \"ms\", \"real_time\": %.6f}%s", i ? "," : "{\"benchmarks\": [", i, (i ? work : 100) * (1 + rand() / 100), i ? "]}\n" : ""
}'
)sh");
  const Words options{"--list", "list", "--format", "google-benchmark"};
  EXPECT_TRUE(ended(items.bisect(options, {"./suite", "{}"}), 2, {"choose one: -w suite/b"}));
  const Words google{"--format", "google-benchmark", "-w"};
  const auto follow = [&](int exit_code, const std::string& benchmark) {
    Words more = google;
    more.push_back(benchmark);
    return items.result(exit_code, more, {"./suite", "{}"});
  };
  EXPECT_EQ(follow(1, "suite/b1")["first_bad"]["item"], "v8");
  EXPECT_EQ(follow(4, "suite/b0")["answer"], "not_worse");
}

TEST(BisectList, ReadsStandardInputAndPipes) {
  const ItemList items;
  for (const char* list : {"--list - < list", "--list <(cat list)"}) {
    const Outcome outcome = run({"bash", "-c",
                                 "exec '" PERF_BINARY_DIR "/bin/perf-compare' bisect " +
                                     std::string(list) + " -- ./run {}"},
                                items.here(), {{"TMPDIR", items.temporary()}});
    EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
    EXPECT_TRUE(outcome.out.starts_with("First bad item: v8\n")) << outcome.out;
  }
}

TEST(BisectList, RunsNoShell) {
  const ItemList items;
  const Words hostile{
      "a b",      "c'd\"e", "; touch pwned", "$(touch pwned)", "`touch pwned`", "{}", "[x,y]",
      "--option", "*"};
  std::string list;
  for (const std::string& item : hostile) {
    list += item + "\n";
  }
  items.write("list", list);
  items.write("show", "#!/bin/sh\nprintf '%s|' $# \"$@\" >> shown\n");
  const Outcome outcome = items.bisect(
      {"--list", "list", "--prepare", "./show p '{}' x={}", "--budget", "2s", "--measure", "all"},
      {"./show", "{}", "a={},{}", "--", "[k]"});
  EXPECT_NE(outcome.exit_code, 2) << outcome.err;
  const std::string shown = content_of(items.here() / "shown");
  for (const std::string& item : {hostile.front(), hostile.back()}) {
    expect_says(shown, "3|p|" + item + "|x=" + item + "|");
    expect_says(shown, "4|" + item + "|a=" + item + "," + item + "|--|[k]|");
  }
  for (const std::string& item : hostile) {  // each as BAD
    items.write("list", "first\n" + item + "\n");
    fs::remove(items.here() / "shown");
    items.bisect({"--list", "list", "--budget", "1ms", "--format", "process"}, {"./show", "{}"});
    expect_says(content_of(items.here() / "shown"), "1|" + item + "|");
  }
  EXPECT_FALSE(fs::exists(items.here() / "pwned"));
}

TEST(BisectList, ContinuesWithAStore) {
  const ItemList items;
  const Words stored{"--list", "list", "--db", "lists.db"};
  EXPECT_TRUE(
      ended(items.bisect(stored, kRun, "step 2 of about"), 130, {"the same command continues"}));
  const Outcome outcome = items.bisect(stored, kRun);
  EXPECT_TRUE(ended(outcome, 1, {"continuing: "}));
  EXPECT_TRUE(outcome.out.starts_with("First bad item: v8\n")) << outcome.out;
  const Outcome again = items.bisect(stored, kRun);
  EXPECT_EQ(again.out, outcome.out);
  EXPECT_FALSE(contains(again.err, "measuring"));
  const std::string program = PERF_BINARY_DIR "/bin/perf-compare";
  EXPECT_TRUE(ended(run({program, "report", "--db", "lists.db"}, items.here()), 1, {"head v8\n"}));

  // Measurements of what an item was before do not count.
  for (const char* work : {"v5/work", "v6/work", "v7/work"}) {
    items.write(work, "140");
  }
  const Outcome changed = items.bisect(stored, kRun);
  EXPECT_TRUE(changed.out.starts_with("First bad item: v5\n")) << changed.out;

  const Outcome unstored = items.bisect({"--list", "list"}, kRun, "step 2 of about");
  EXPECT_TRUE(ended(unstored, 130, {"Interrupted"}));
  EXPECT_FALSE(contains(unstored.out, "continues"));
  EXPECT_TRUE(fs::is_empty(items.temporary()));
  EXPECT_TRUE(ended(items.bisect({"--list", "list", "--budget", "1ms"}, kRun), 3,
                    {"try a larger --budget, and --db to continue"}));
}

TEST(BisectList, RefusesWhatItCannotSearch) {
  const ItemList items;
  items.write("one", "# one\nv1\n\n");
  items.write("twice", "v1\nv2\n# v1\n v1 \n");
  items.write("control", "v1\nv\x1b[2J\n");
  const auto refused = [&](const Words& options, const Words& command,
                           const std::vector<std::string>& says) {
    const Outcome outcome = items.bisect(options, command);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.out << outcome.err;
    EXPECT_EQ(outcome.out, "");
    for (const std::string& one : says) {
      expect_says(outcome.err, one);
    }
  };
  refused({"--list", "none"}, kRun, {"the list cannot be read: --list none: No such file"});
  refused({"--list", "."}, kRun, {"the list cannot be read: --list .: Is a directory"});
  refused({"--list", "one"}, kRun, {"a list needs two items, GOOD and BAD: --list one"});
  refused({"--list", "/dev/null"}, kRun, {"a list needs two items"});
  refused({"--list", "/dev/zero"}, kRun, {"list larger than 1 MiB"});
  refused({"--list", "twice"}, kRun, {"duplicate item: twice:4: v1"});
  refused({"--list", "control"}, kRun, {"control:2"});
  refused({"--list", "list"}, {}, {"missing argument: COMMAND"});
  refused({"--list", "list", "./run", "{}"}, {},
          {"--list cannot be combined with GOOD", "-- COMMAND"});
  refused({"--list", "list", "v1", "v2"}, kRun, {"--list cannot be combined with GOOD"});
  refused({"--list", "list"}, {"./run", "v1"}, {"the command has no {} for the item: ./run v1"});
  refused({"--list", "list"}, {"./none", "{}"}, {"no such program: ./none"});
  refused({"--list", "list", "--prepare", "a {} | b"}, kRun, {"because of |", "sh -c"});
  refused({"--list", "list", "--prepare", " "}, kRun, {"empty command"});
  refused({"--list", "list", "--repo", "."}, kRun, {"--list cannot be combined with --repo"});
  refused({"--list", "list", "--size", "full"}, kRun, {"--list cannot be combined with --size"});
  refused({"--list", "list", "--env", "PERF_COMPARE_SEED=1"}, kRun, {"sets this variable itself"});
  refused({"--list", "list", "--name", "a b"}, kRun, {"--name a b"});
  refused({"--list", "list", "--metric", "step_tine"}, kRun, {"step_time"});
  refused({"--prepare", "x", "v1", "v2"}, {}, {"--prepare requires --list"});
  refused({"v1"}, {}, {"missing argument: BAD"});
}

}  // namespace
}  // namespace perf::test
