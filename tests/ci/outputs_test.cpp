// Every output of a comparison and of a history, as a CI job asks for it.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <future>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "schema/files/content.h"
#include "tests/ci/claimed_benchmark.h"
#include "tests/ci/scratch_repository.h"
#include "tests/contains.h"

namespace perf::test {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

/// A repository in which the second of two commits is slower, compared once: the tests ask for its
/// stored pairs, which is fast.
class Outputs : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    repository = new ScratchRepository;
    repository->write("bench", kClaimedBenchmark, true);
    repository->write("perf-compare.json", kClaimedConfig);
    repository->write("work", "100");
    repository->commit("Add a benchmark");
    repository->write("work", "120");
    repository->commit("Work more");
    measured = repository->perf_compare({"HEAD~1", "HEAD", "--html", "first.html"});
  }
  static void TearDownTestSuite() {
    delete repository;
    repository = nullptr;
  }

  static Outcome again(std::vector<std::string> arguments,
                       const std::map<std::string, std::string>& environment = {}) {
    arguments.insert(arguments.begin(), {"judge", "HEAD~1", "HEAD"});
    return repository->perf_compare(arguments, environment);
  }
  static std::string text(const std::string& name) { return content_of(repository->path() / name); }

  static ScratchRepository* repository;
  static Outcome measured;
};

ScratchRepository* Outputs::repository = nullptr;
Outcome Outputs::measured;

/// Lines that the runner of GitHub Actions would take for commands.
std::vector<std::string> commands_in(const std::string& log) {
  std::vector<std::string> commands;
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("::", 0) == 0) {
      commands.push_back(line);
    }
  }
  return commands;
}

TEST_F(Outputs, AreWrittenAllAtOnce) {
  ASSERT_EQ(measured.exit_code, 1) << measured.err;
  EXPECT_TRUE(contains(text("first.html"), "</html>"));
  const Outcome outcome =
      again({"--json", "r.json", "--markdown", "r.md", "--html", "r.html", "--junit", "r.xml",
             "--openmetrics", "r.txt", "--plots", "plots/"});
  ASSERT_EQ(outcome.exit_code, 1) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "Regressed: claimed is slower")) << "the terminal's report";
  EXPECT_EQ(Json::parse(text("r.json"))["summary"]["verdict"], "regressed");
  EXPECT_TRUE(contains(text("r.md"), "Regressed"));
  EXPECT_TRUE(contains(text("r.html"), "</html>"));
  EXPECT_TRUE(contains(text("r.xml"),
                       "<testcase classname=\"claimed\" name=\"step_time\">\n"
                       "      <failure message=\"regressed: step_time 100"));
  const std::string metrics = text("r.txt");
  EXPECT_EQ(metrics.substr(metrics.size() - 6), "# EOF\n");
  std::size_t pictures = 0;
  for (const auto& entry : fs::directory_iterator(repository->path() / "plots")) {
    EXPECT_EQ(entry.path().extension(), ".svg");
    EXPECT_TRUE(contains(content_of(entry.path()), "<svg"));
    ++pictures;
  }
  EXPECT_GT(pictures, 0U);
}

TEST_F(Outputs, MayUseStandardOutputOnce) {
  for (const auto& [option, beginning] :
       std::map<std::string, std::string>{{"--json", "{"},
                                          {"--markdown", "### "},
                                          {"--html", "<!DOCTYPE html>"},
                                          {"--junit", "<?xml version="},
                                          {"--openmetrics", "# TYPE "}}) {
    const Outcome outcome = again({option, "-"});
    EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
    EXPECT_EQ(outcome.out.substr(0, beginning.size()), beginning) << option;
  }
}

TEST_F(Outputs, AreCheckedBeforeMeasuring) {
  repository->write("file", "text");
  const std::vector<std::vector<std::string>> wrong{{"--html", "-", "--junit", "-"},
                                                    {"--openmetrics", "same", "--json", "./same"},
                                                    {"--html", "no/such/folder/r.html"},
                                                    {"--junit", "."},
                                                    {"--plots", "-"},
                                                    {"--plots", "file"},
                                                    {"--plots", "no/such/folder"},
                                                    {"--json", "perf-compare.json"},
                                                    {"--html", ".perf-compare/results.db"},
                                                    {"--html", "copy"},
                                                    {"--junit", ".git/config"}};
  ASSERT_EQ(repository->perf_compare({"export", "copy"}).exit_code, 0);
  for (const std::vector<std::string>& arguments : wrong) {
    const Outcome outcome = again(arguments);
    EXPECT_TRUE(ended(outcome, 2, {"\nhint: "})) << arguments[0] << " " << arguments[1];
    EXPECT_EQ(outcome.out, "");
  }
  EXPECT_FALSE(fs::exists(repository->path() / "same"));
}

TEST_F(Outputs, KeepForeignFilesBesidePictures) {
  repository->write("kept/other.svg", "mine");
  EXPECT_EQ(again({"--plots", "kept"}).exit_code, 1);
  EXPECT_EQ(text("kept/other.svg"), "mine");
  EXPECT_GT(std::distance(fs::directory_iterator(repository->path() / "kept"), {}), 1);
}

TEST_F(Outputs, TellGitHubOfTheResult) {
  repository->write("summary.md", "what another tool wrote");
  repository->write("outputs", "earlier=1\n");
  const std::map<std::string, std::string> job{{"GITHUB_STEP_SUMMARY", "summary.md"},
                                               {"GITHUB_OUTPUT", "outputs"}};
  const Outcome outcome = again({"--github"}, job);
  ASSERT_EQ(outcome.exit_code, 1) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "Regressed: claimed is slower"));
  const std::vector<std::string> commands = commands_in(outcome.out);
  ASSERT_EQ(commands.size(), 3U) << outcome.out;
  EXPECT_EQ(commands[0].rfind("::error title=claimed regressed::step_time 100", 0), 0U)
      << commands[0];
  EXPECT_EQ(commands[1].rfind("::warning title=perf-compare::nothing was measured", 0), 0U);
  EXPECT_EQ(commands[2].rfind("::notice title=perf-compare::Regressed: ", 0), 0U) << commands[2];
  EXPECT_EQ(text("summary.md").rfind("what another tool wrote\n\n### ", 0), 0U);
  EXPECT_EQ(text("outputs").rfind("earlier=1\nverdict=regressed\nheadline=Regressed: ", 0), 0U);
  EXPECT_TRUE(contains(text("outputs"), "\nregressed=1\n"));
  EXPECT_TRUE(contains(text("outputs"), "\nexit-code=1\n"));
}

TEST_F(Outputs, KeepCommandsOffAReportOnStandardOutput) {
  repository->write("summary.md", "");
  const Outcome outcome =
      again({"--github", "--json", "-"}, {{"GITHUB_STEP_SUMMARY", "summary.md"}});
  EXPECT_EQ(Json::parse(outcome.out)["summary"]["verdict"], "regressed");
  EXPECT_EQ(commands_in(outcome.err).size(), 3U) << outcome.err;
  EXPECT_EQ(text("summary.md").rfind("### ", 0), 0U);
}

TEST_F(Outputs, StayBelowTheLimitsOfAStep) {
  constexpr std::size_t kLimit = 900 * 1024;
  repository->write("summary.md", std::string(kLimit - 1000, 'x'));
  const Outcome full = again({"--github"}, {{"GITHUB_STEP_SUMMARY", "summary.md"}});
  EXPECT_EQ(text("summary.md").size(), kLimit - 1000);
  EXPECT_TRUE(contains(full.err, "summary is full"));
  repository->write("summary.md", "");
  again({"--github"}, {{"GITHUB_STEP_SUMMARY", "summary.md"}});
  const std::size_t whole = text("summary.md").size();
  repository->write("summary.md", std::string(kLimit - whole + 1, 'x'));
  again({"--github"}, {{"GITHUB_STEP_SUMMARY", "summary.md"}});
  EXPECT_LE(text("summary.md").size(), kLimit);
  EXPECT_TRUE(contains(text("summary.md"), "left out here to stay below 900 KiB"));
}

TEST_F(Outputs, DoNotWaitForTheReaderOfAPipe) {
  const fs::path pipe = repository->path() / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const Outcome outcome =
      again({"--github"}, {{"GITHUB_STEP_SUMMARY", "pipe"}, {"GITHUB_OUTPUT", "pipe"}});
  EXPECT_EQ(outcome.exit_code, 1) << "the regression";
  EXPECT_TRUE(contains(outcome.err, "the file of GITHUB_STEP_SUMMARY could not be written"));
  EXPECT_TRUE(contains(outcome.err, "the file of GITHUB_OUTPUT could not be written"));
}

/// The end of a pipe at which nobody reads. The pipe takes a page.
struct UnreadEnd {
  explicit UnreadEnd(const fs::path& pipe) : end(open(pipe.c_str(), O_RDONLY | O_NONBLOCK)) {
    EXPECT_EQ(fcntl(end, F_SETPIPE_SZ, 4096), 4096);
  }
  ~UnreadEnd() { close(end); }
  bool is_empty() const {
    pollfd polled{end, POLLIN, 0};
    return poll(&polled, 1, 10) == 0 || (polled.revents & POLLIN) == 0;
  }
  int end;
};

TEST_F(Outputs, ReachAPipeWhoeverOpensItFirst) {
  const Outcome outcome = run(
      {"sh", "-c",
       "mkfifo late; \"$0\" judge HEAD~1 HEAD --html late 2>err & "
       "until grep -q 'waiting for a reader of late' err; do sleep 0.01; done; cat late; wait $!",
       PERF_BINARY_DIR "/bin/perf-compare"},
      repository->path());
  EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "</html>\n"));
}

TEST_F(Outputs, WithoutReaderWaitUntilASignal) {
  const fs::path pipe = repository->path() / "unread";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const int signal : {SIGINT, SIGTERM}) {
    fs::remove(repository->path() / "beside.md");
    const Outcome outcome = run({PERF_BINARY_DIR "/bin/perf-compare", "judge", "HEAD~1", "HEAD",
                                 "--json", "unread", "--markdown", "beside.md"},
                                repository->path(), {}, "waiting for a reader of unread", signal);
    EXPECT_EQ(outcome.exit_code, 128 + signal) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "unread: no reader of this pipe"));
    EXPECT_TRUE(contains(text("beside.md"), "Regressed"));
  }
  EXPECT_EQ(fs::status(pipe).type(), fs::file_type::fifo);
}

TEST_F(Outputs, WithStoppedReaderWaitUntilASignal) {
  const fs::path pipe = repository->path() / "stopped";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const UnreadEnd unread(pipe);
  std::future<Outcome> writer = std::async(std::launch::async, [] {
    return run({"sh", "-c", "echo $$ > pid; exec \"$0\" judge HEAD~1 HEAD --html stopped",
                PERF_BINARY_DIR "/bin/perf-compare"},
               repository->path());
  });
  while (unread.is_empty() &&
         writer.wait_for(std::chrono::seconds(0)) != std::future_status::ready) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  kill(std::stoi(text("pid")), SIGTERM);
  EXPECT_TRUE(ended(writer.get(), 143, {"stopped: no reader of this pipe"}));
}

TEST_F(Outputs, DoNotWaitForAReaderThatLeft) {
  const Outcome outcome = run({"sh", "-c",
                               "mkfifo left; : < left & exec 3> left; wait $!; "
                               "exec \"$0\" judge HEAD~1 HEAD --json /dev/fd/3",
                               PERF_BINARY_DIR "/bin/perf-compare"},
                              repository->path());
  EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "/dev/fd/3: no reader of this pipe"));
}

TEST_F(Outputs, WarnOutsideGitHub) {
  const Outcome outcome = again({"--github"});
  EXPECT_TRUE(ended(outcome, 1, {"GITHUB_STEP_SUMMARY"}));
  EXPECT_EQ(commands_in(outcome.out).size(), 3U);
}

TEST_F(Outputs, NameTheCommitsOfATestMerge) {
  repository->git({"checkout", "-q", "-b", "side", "HEAD~1"});
  repository->write("notes", "a change of a pull request");
  const std::string side = repository->commit("Say more");
  repository->git({"checkout", "-q", "--detach", "main"});
  repository->git({"merge", "-q", "--no-ff", "-m", "Merge side into main", "side"});
  const Outcome outcome = repository->perf_compare(
      {"judge", "baseline", "HEAD", "--github", "--json", "merge.json"},
      {{"GITHUB_EVENT_NAME", "pull_request"}, {"GITHUB_BASE_REF", "main"}});
  repository->git({"checkout", "-q", "main"});
  const std::string says =
      "the test merge of the pull request's " + side.substr(0, 12) + " into main";
  EXPECT_EQ(Json::parse(text("merge.json"))["head"]["rule"], says) << outcome.err;
  const std::vector<std::string> commands = commands_in(outcome.out);
  ASSERT_FALSE(commands.empty()) << outcome.out;
  EXPECT_TRUE(contains(commands.back(), says));
}

TEST_F(Outputs, WorkForAHistory) {
  ASSERT_EQ(repository
                ->perf_compare({"collect", "HEAD", "--github", "--html", "night.html"},
                               {{"GITHUB_STEP_SUMMARY", "night.md"}})
                .exit_code,
            0);
  EXPECT_TRUE(contains(text("night.html"), "</html>"));
  EXPECT_EQ(text("night.md").rfind("### ", 0), 0U);
  const Outcome outcome =
      repository->perf_compare({"trend", "--html", "t.html", "--junit", "t.xml", "--openmetrics",
                                "t.txt", "--plots", "t", "--github"},
                               {{"GITHUB_OUTPUT", "trend_outputs"}});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(contains(text("t.html"), "</html>"));
  EXPECT_TRUE(contains(text("t.xml"), "<testcase classname=\"claimed\" name=\"step_time\""));
  EXPECT_TRUE(contains(text("t.txt"), "perf_compare_level_seconds{workload=\"claimed\""));
  EXPECT_TRUE(contains(text("trend_outputs"), "\nnew-alerts=0\n"));
  EXPECT_EQ(commands_in(outcome.out).size(), 1U);
}

}  // namespace
}  // namespace perf::test
