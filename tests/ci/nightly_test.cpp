// ci/nightly as a job runs it, night after night, on a history with a planted step.

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "schema/files/content.h"
#include "tests/ci/claimed_benchmark.h"
#include "tests/ci/recorded_line.h"
#include "tests/ci/scratch_repository.h"

namespace perf::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// A history whose commits claim 100 ms, each with 1 % of noise of its own, and 10 % more from
/// commit `step` on.
struct NightlyHistory : ScratchRepository {
  explicit NightlyHistory(int step_at) : step(step_at) {
    write("bench", kClaimedBenchmark, true);
    write("perf-compare.json", kClaimedConfig);
    write(".gitignore", ".perf-compare/\n");
  }

  void grow_to(int count) {
    while (static_cast<int>(oids.size()) < count) {
      const int number = static_cast<int>(oids.size());
      const double level = number >= step ? 110 : 100;
      write("work", std::to_string(level * (1 + 0.01 * noise(generator))));
      oids.push_back(commit("Commit " + std::to_string(number)));
    }
  }

  fs::path kept() const { return path().parent_path() / "kept" / "results.db"; }
  fs::path reports() const { return path().parent_path() / "reports"; }

  /// One night on a machine of CI: nothing is there but the clone and what was kept.
  Outcome night(const std::vector<std::string>& more = {}) const {
    fs::remove_all(path() / ".perf-compare");
    std::vector<std::string> command = with_more(
        {PERF_SOURCE_DIR "/ci/nightly", kept().string(), reports().string(), "--pairs", "2"}, more);
    // Memory is real, and this is about claimed times.
    command.insert(command.end(), {"--", "--metric", "step_time"});
    return run(command, path(), {{"PERF_COMPARE", program}});
  }

  Json report(const std::string& name) const { return Json::parse(content_of(reports() / name)); }

  std::string oid(int commit) const { return oids.at(static_cast<std::size_t>(commit)); }

  std::string program = PERF_BINARY_DIR "/bin/perf-compare";
  int step;
  std::mt19937 generator{20260131};
  std::normal_distribution<double> noise;
  std::vector<std::string> oids;
};

std::vector<Json> change_points(const Json& trend) {
  std::vector<Json> found;
  for (const Json& series : trend.at("series")) {
    found.insert(found.end(), series.at("change_points").begin(), series.at("change_points").end());
  }
  return found;
}

TEST(Nightly, ReportsAStepOnceAsNew) {
  NightlyHistory history(24);
  history.grow_to(21);
  const Outcome quiet = history.night();
  ASSERT_EQ(quiet.exit_code, 0) << quiet.err << quiet.out;
  EXPECT_EQ(history.report("back-fill.json")["commits"].size(), 20U);
  EXPECT_TRUE(change_points(history.report("trend.json")).empty()) << quiet.out;
  ASSERT_TRUE(fs::exists(history.kept()));

  history.grow_to(29);
  const Outcome alarmed = history.night();
  ASSERT_EQ(alarmed.exit_code, 1) << alarmed.err << alarmed.out;
  const std::vector<Json> found = change_points(history.report("trend.json"));
  ASSERT_EQ(found.size(), 1U) << alarmed.out;
  EXPECT_EQ(found[0]["oid"], history.oid(24)) << found[0];
  EXPECT_EQ(found[0]["previous_oid"], history.oid(23)) << found[0];
  EXPECT_EQ(found[0]["state"], "new") << found[0];
  EXPECT_NEAR(found[0]["change"].get<double>(), 0.10, 0.02);
  EXPECT_TRUE(contains(content_of(history.reports() / "trend.md"), history.oid(24).substr(0, 12)));
  EXPECT_EQ(content_of(history.reports() / "trend.txt"), alarmed.out);

  history.grow_to(30);
  const Outcome known = history.night();
  EXPECT_EQ(known.exit_code, 0) << known.err << known.out;
  const std::vector<Json> again = change_points(history.report("trend.json"));
  ASSERT_EQ(again.size(), 1U) << known.out;
  EXPECT_EQ(again[0]["state"], "known") << again[0];
  EXPECT_EQ(again[0]["oid"], history.oid(24));
}

/// Of an issue in a folder: its file, and the record in its first line.
Json issue_in(const fs::path& folder, std::string& text) {
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 1) << folder;
  text = content_of(fs::directory_iterator(folder)->path());
  const std::size_t begin = text.find('{');
  return Json::parse(text.substr(begin, text.find(" -->\n") - begin));
}

// Every third commit is known; pairs confirm the step, and a bisection finds its commit.
TEST(Nightly, KeepsOneIssueForAnAlert) {
  constexpr std::size_t kCommits = 60, kStep = 40;
  RecordedLine line(kCommits, kStep, "110");
  for (std::size_t i = 0; i < kCommits; i += 3) {
    line.record(i, i + 1, [](std::size_t at) { return at >= kStep ? 0.11 : 0.1; });
  }
  const fs::path folder = line.path().parent_path() / "issues";
  const auto night = [&] {
    return run({PERF_SOURCE_DIR "/ci/nightly", "../kept.db", "../reports", "--back", "0",
                "--issues", folder.string(), "--", "--metric", "step_time"},
               line.path(), {{"PERF_COMPARE", PERF_BINARY_DIR "/bin/perf-compare"}});
  };
  const Outcome first = night();
  ASSERT_EQ(first.exit_code, 1) << first.err << first.out;
  std::string text, later;
  const Json issue = issue_in(folder, text);
  EXPECT_EQ(issue["status"], "confirmed") << text << first.err;
  EXPECT_EQ(issue["culprit"]["oid"], line.oids[kStep]) << text << first.err;
  EXPECT_TRUE(
      contains(text, "- commit: " + line.oids[kStep].substr(0, 12) + " Commit 40 (Somebody)"));
  EXPECT_EQ(night().exit_code, 0);
  issue_in(folder, later);
  EXPECT_EQ(later, text) << "no news";

  const std::string id = issue["key"].get<std::string>().substr(0, 12);
  ASSERT_EQ(line.perf_compare({"alert", "ack", id, "--reason", "Ada looks"}).exit_code, 0);
  EXPECT_EQ(night().exit_code, 0);
  EXPECT_EQ(issue_in(folder, later)["status"], "acknowledged") << later;
  EXPECT_TRUE(contains(later, "Ada looks"));
}

TEST(Nightly, KeepsTheOldStoreIfTheNewOneCannotBeWritten) {
  NightlyHistory history(100);
  history.grow_to(3);
  ASSERT_EQ(history.night({"--back", "0"}).exit_code, 0);
  const std::string before = content_of(history.kept());
  const fs::path folder = history.kept().parent_path();
  // A program that cannot export stands for a disk that is full.
  history.write("../no-export",
                "#!/bin/sh\n[ \"$1\" = export ] && exit 3\nexec " PERF_BINARY_DIR
                "/bin/perf-compare \"$@\"\n",
                true);
  const Outcome outcome = run(
      {PERF_SOURCE_DIR "/ci/nightly", history.kept().string(), history.reports().string(),
       "--pairs", "1", "--back", "0"},
      history.path(), {{"PERF_COMPARE", (history.path().parent_path() / "no-export").string()}});
  EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
  EXPECT_EQ(content_of(history.kept()), before);
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    EXPECT_EQ(entry.path(), history.kept()) << "left behind";
  }
}

TEST(Nightly, RefusesAnEmptyStore) {
  NightlyHistory history(100);
  history.grow_to(2);
  ASSERT_EQ(history.night({"--back", "0"}).exit_code, 0);
  fs::resize_file(history.kept(), 0);  // as a failed download leaves it
  EXPECT_TRUE(ended(history.night({"--back", "0"}), 3, {"the kept store is empty"}));
}

/// A job that runs while another one measures, and people who pin, also while the store is copied.
TEST(Nightly, LosesNoRunOrPinOfOthersInTheSameStore) {
  NightlyHistory history(100);
  history.grow_to(2);
  const fs::path other = history.path().parent_path() / "other";
  history.git({"clone", "-q", history.path().string(), other.string()});
  run({"git", "checkout", "-q", "HEAD~1"}, other);
  history.program = (history.path().parent_path() / "program").string();
  const std::string nightly = std::string(PERF_SOURCE_DIR "/ci/nightly ") +
                              history.kept().string() + " ../other-reports -C " + other.string() +
                              " --pairs 1 --back 0 -- --metric step_time";
  const auto pin = [&history](const std::string& when, const std::string& name) {
    const std::string program = PERF_BINARY_DIR "/bin/perf-compare ",
                      store = " --db " + history.kept().string();
    return "[ $1 != " + when + " ] || " + program + "pins" + store + " | grep -q " + name + " || " +
           program + "pin " + name + store + " >&2 || exit 9\n";
  };
  history.write("../program",
                "#!/bin/sh\n[ \"$1\" != trend ] || PERF_COMPARE=" PERF_BINARY_DIR
                "/bin/perf-compare " +
                    nightly + " >&2 || exit 9\n" + pin("trend", "release") +
                    pin("export", "copied") + "exec " PERF_BINARY_DIR "/bin/perf-compare \"$@\"\n",
                true);
  const Outcome outcome = history.night({"--back", "0"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const Outcome list = history.perf_compare({"list", "--json", "-", "--db", history.kept()});
  EXPECT_EQ(Json::parse(list.out)["runs"].size(), 2U) << list.out << outcome.err;
  const auto pins = [&history] {
    return history.perf_compare({"pins", "--db", history.kept()}).out;
  };
  expect_says(pins(), "release  ");
  expect_says(pins(), "copied  ");

  // The next night, in a checkout with a store of its own.
  ASSERT_EQ(history.perf_compare({"pin", "between", "--db", history.kept()}).exit_code, 0);
  ASSERT_EQ(history.perf_compare({"pin", "own"}).exit_code, 0);
  ASSERT_EQ(history.perf_compare({"unpin", "release"}).exit_code, 0);
  history.program = PERF_BINARY_DIR "/bin/perf-compare";
  const Outcome next = run({PERF_SOURCE_DIR "/ci/nightly", history.kept(), history.reports(),
                            "--pairs", "1", "--back", "0"},
                           history.path(), {{"PERF_COMPARE", history.program}});
  EXPECT_EQ(next.exit_code, 0) << next.err;
  expect_says(pins(), "between  ");
  expect_says(pins(), "own  ");
  EXPECT_FALSE(contains(pins(), "release  "));
  EXPECT_EQ(std::distance(fs::directory_iterator(history.kept().parent_path()), {}), 1)
      << "something is left behind";
}

TEST(Nightly, FailsIfHeadDoesNotRun) {
  NightlyHistory history(100);
  history.grow_to(3);
  ASSERT_EQ(history.night({"--back", "0"}).exit_code, 0);
  history.write("bench", "#!/bin/sh\nexit 1\n", true);
  history.commit("Break the benchmark");
  EXPECT_TRUE(ended(history.night({"--back", "0"}), 3));
  EXPECT_EQ(history.report("head.json")["commits"][0]["status"], "failed");
  EXPECT_TRUE(fs::exists(history.reports() / "trend.json")) << "what is known is told";
  EXPECT_TRUE(contains(content_of(history.reports() / "trend.txt"), "was not measured: the last"));
}

TEST(Nightly, RemovesTheReportOfLastNight) {
  NightlyHistory history(100);
  history.grow_to(2);
  ASSERT_EQ(history.night({"--back", "0"}).exit_code, 0);
  ASSERT_TRUE(fs::exists(history.reports() / "trend.txt"));
  history.write("perf-compare.json", "{ bad");
  EXPECT_EQ(history.night({"--back", "0"}).exit_code, 2);
  EXPECT_FALSE(fs::exists(history.reports() / "trend.txt"));
}

TEST(Nightly, RequiresARepository) {
  const TemporaryFolder folder;
  const Outcome outcome =
      run({PERF_SOURCE_DIR "/ci/nightly", "a.db", "out", "-C", folder.path()}, folder.path());
  EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "error: not in a git repository: "));
}

TEST(Nightly, KeepsMeasurementsIfPruneFails) {
  NightlyHistory history(24);
  history.grow_to(21);
  ASSERT_EQ(history.night().exit_code, 0);
  // A baseline that does not resolve: prune does not know what to keep.
  history.write("perf-compare.json",
                R"({"baselines": {"release": "v1"},
                    "workloads": [{"name": "claimed", "command": ["./bench"]}]})");
  EXPECT_TRUE(
      ended(history.night({"--back", "0", "--keep-steps", "90d"}), 2, {"does not resolve"}));

  // What got worse is told all the same, and remembered.
  history.grow_to(29);
  const std::string before = content_of(history.kept());
  EXPECT_EQ(history.night({"--keep-steps", "90d"}).exit_code, 1);
  EXPECT_NE(content_of(history.kept()), before);
  history.grow_to(30);
  EXPECT_EQ(history.night({"--keep-steps", "90d"}).exit_code, 2);
  const std::vector<Json> known = change_points(history.report("trend.json"));
  ASSERT_EQ(known.size(), 1U);
  EXPECT_EQ(known[0]["state"], "known") << known[0];
}

std::string read_line(const fs::path& file) {
  const std::string text = content_of(file);
  return text.substr(0, text.find('\n'));
}

/// Whether a process is still there, and no zombie.
bool runs(const std::string& pid) {
  const std::string stat = content_of("/proc/" + pid + "/stat");
  const std::size_t end = stat.rfind(')');
  return end != std::string::npos && stat.at(end + 2) != 'Z' && stat.at(end + 2) != 'X';
}

TEST(Nightly, KeepsMeasurementsWhenStopped) {
  for (const auto& [name, status] : {std::pair{"TERM", 143}, {"INT", 130}}) {
    SCOPED_TRACE(name);
    NightlyHistory history(100);
    const std::string folder = history.path().parent_path().string();
    history.program = folder + "/program";
    history.write("../program",
                  "#!/bin/sh\n[ -e " + folder + "/script ] || echo $PPID > " + folder +
                      "/script\nexec " PERF_BINARY_DIR "/bin/perf-compare \"$@\"\n",
                  true);
    history.write("../claimed", kClaimedBenchmark, true);
    // Two processes are traced, one is measured; the next stops the night, and would run on and on.
    history.write("bench",
                  "#!/bin/sh\necho >> " + folder + "/count\nif [ $(wc -l < " + folder +
                      "/count) = 4 ]; then\n  echo $$ > " + folder + "/last\n  kill -" + name +
                      " \"$(cat " + folder + "/script)\"\n  exec sleep 100\nfi\nexec " + folder +
                      "/claimed\n",
                  true);
    history.grow_to(1);
    const Outcome outcome = history.night();
    EXPECT_EQ(outcome.exit_code, status) << outcome.err << outcome.out;
    ASSERT_TRUE(fs::exists(folder + "/last")) << outcome.err;
    EXPECT_FALSE(runs(read_line(folder + "/last"))) << "it went on without the night";
    ASSERT_TRUE(fs::exists(history.kept())) << outcome.err;
    const Outcome kept =
        history.perf_compare({"export", "copy.db", "--db", history.kept().string()});
    EXPECT_TRUE(contains(kept.out, "1 run, 1 commit, ")) << kept.err;
    EXPECT_FALSE(contains(kept.out, " 0 raw steps"));
    EXPECT_FALSE(fs::exists(history.reports() / "trend.json")) << "it went on";
  }
}

TEST(Nightly, RefusesUnknownOptions) {
  const TemporaryFolder folder;
  const std::string script = PERF_SOURCE_DIR "/ci/nightly";
  const std::pair<std::vector<std::string>, std::string> asked[] = {
      {{}, "missing argument: STORE"},
      {{"a.db"}, "missing argument: REPORTS"},
      {{"a.db", "-C", "dir"}, "missing argument: REPORTS, got the option -C"},
      {{"--back", "3"}, "missing argument: STORE, got the option --back"},
      {{"a.db", "out", "--nothing", "1"}, "unknown option: --nothing"},
      {{"a.db", "out", "--back", "many"}, "invalid number: --back many"},
      {{"a.db", "out", "--back"}, "missing value: --back"}};
  for (const auto& [arguments, fault] : asked) {
    const Outcome outcome = run(with_more({script}, arguments), folder.path());
    EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
    EXPECT_EQ(outcome.err, "error: " + fault + "\nhint: see ci/nightly --help\n");
  }
}

TEST(Nightly, PrintsItsUsage) {
  const TemporaryFolder folder;
  for (const char* option : {"-h", "--help"}) {
    const Outcome outcome = run({PERF_SOURCE_DIR "/ci/nightly", option}, folder.path());
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    EXPECT_EQ(outcome.out.rfind("The nightly job", 0), 0U) << outcome.out;
  }
}

}  // namespace
}  // namespace perf::test
