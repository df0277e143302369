// `perf-compare judge FILE` as a user runs it.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "schema/files/content.h"
#include "tests/ci/scratch_repository.h"

namespace perf::test {
namespace {

using Json = nlohmann::json;

/// `pairs` pairs of five-step invocations with 0.5 % noise, head slower by `planted`.
Json recorded(int pairs, double planted, double threshold, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> noise(0, 0.005);
  const auto invocation = [&](double seconds) {
    Json steps = Json::array();
    for (int i = 0; i < 5; ++i) {
      steps.push_back(seconds * std::exp(noise(random)));
    }
    return steps;
  };
  Json sample{{"threshold", threshold}, {"base", Json::array()}, {"head", Json::array()}};
  for (int i = 0; i < pairs; ++i) {
    sample["base"].push_back(invocation(0.02));
    sample["head"].push_back(invocation(0.02 * (1 + planted)));
  }
  return sample;
}

struct Judge {
  TemporaryFolder folder;
  Outcome operator()(const std::string& text,
                     std::vector<std::string> options = {"--json", "-"}) const {
    std::ofstream(folder.path() / "cases.json") << text;
    std::vector<std::string> command{PERF_BINARY_DIR "/bin/perf-compare", "judge", "cases.json"};
    command.insert(command.end(), options.begin(), options.end());
    return run(command, folder.path());
  }
};

/// A full disk (/dev/full) is no reason to hide the verdict.
TEST(JudgeCommand, UnwritableReportHidesNoRegression) {
  const Json slower{{"cases", {{"slower", recorded(24, 0.05, 0.02, 2)}}}};
  const Outcome regressed = Judge()(slower.dump(), {"--json", "/dev/full"});
  EXPECT_EQ(regressed.exit_code, 1) << regressed.err;
  EXPECT_NE(regressed.err.find("could not be written"), std::string::npos) << regressed.err;
  EXPECT_NE(regressed.out.find("slower"), std::string::npos) << regressed.out;
  const Json same{{"cases", {{"same", recorded(24, 0, 0.02, 1)}}}};
  EXPECT_EQ(Judge()(same.dump(), {"--json", "/dev/full"}).exit_code, 3);
}

TEST(JudgeCommand, GivesEachCaseItsVerdictFromAllPairs) {
  const Json cases{{"cases",
                    {{"same", recorded(24, 0, 0.02, 1)},
                     {"slower", recorded(24, 0.05, 0.02, 2)},
                     {"few", recorded(7, 0.5, 0.02, 4)}}}};
  const Json verdicts = Json::parse(Judge()(cases.dump()).out).at("cases");
  EXPECT_EQ(verdicts["same"]["verdict"], "unchanged");
  EXPECT_EQ(verdicts["same"]["pairs"], 24);
  EXPECT_EQ(verdicts["slower"]["verdict"], "regressed");
  EXPECT_EQ(verdicts["slower"]["look_alpha"], 0.01);
  EXPECT_EQ(verdicts["few"]["verdict"], "inconclusive");
  EXPECT_TRUE(verdicts["few"]["interval"].is_null());
}

TEST(JudgeCommand, ReplaysTheLooksOfWhoStoppedBecauseOfThem) {
  const Json cases{{"cases",
                    {{"same", recorded(24, 0, 0.02, 1)},
                     {"slower", recorded(24, 0.05, 0.02, 2)},
                     {"faster", recorded(24, -0.05, 0.02, 3)},
                     {"few", recorded(10, 0.5, 0.02, 4)}}}};
  const Outcome outcome = Judge()(cases.dump(), {"--json", "-", "--looks", "6"});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
  const Json verdicts = Json::parse(outcome.out).at("cases");
  EXPECT_EQ(verdicts["same"]["verdict"], "unchanged");
  EXPECT_EQ(verdicts["slower"]["verdict"], "regressed");
  EXPECT_NEAR(verdicts["slower"]["change"], 0.05, 0.01);
  EXPECT_LT(verdicts["slower"]["interval"][0], verdicts["slower"]["change"]);
  EXPECT_EQ(verdicts["slower"]["pairs"], 11);
  EXPECT_EQ(verdicts["faster"]["verdict"], "improved");
  EXPECT_EQ(verdicts["few"]["verdict"], "inconclusive");
  EXPECT_TRUE(verdicts["few"]["interval"].is_null());
}

TEST(JudgeCommand, OneErrorRateForAllNeedsMorePairs) {
  const Json cases{{"cases", {{"a", recorded(24, 0.5, 0.1, 1)}, {"b", recorded(24, 0.5, 0.1, 2)}}}};
  const Json together =
      Json::parse(Judge()(cases.dump(), {"--json", "-", "--together", "--looks", "6"}).out);
  EXPECT_EQ(together["cases"]["a"]["pairs"], 12);
}

TEST(JudgeCommand, LooksAreANumberAndNotOfFiles) {
  for (const char* looks : {"0", "101", "six"}) {
    EXPECT_EQ(Judge()("{}", {"--looks", looks}).exit_code, 2);
  }
  EXPECT_NE(Judge()("{}", {"cases.json", "--looks", "6"}).err.find("looked at once"),
            std::string::npos);
}

TEST(JudgeCommand, NeedsNoThresholdInTheFile) {
  Json sample = recorded(24, 0.05, 0, 1);
  sample.erase("threshold");
  const std::string text = Json{{"cases", {{"a", sample}}}}.dump();
  EXPECT_EQ(Judge()(text).exit_code, 0) << "5 % is far below the default of 10 %";
  EXPECT_EQ(Judge()(text, {"--threshold", "2%"}).exit_code, 1);
}

TEST(JudgeCommand, PrintsATableForPeople) {
  const Outcome outcome =
      Judge()(Json{{"cases", {{"parser", recorded(24, 0.05, 0.02, 2)}}}}.dump(), {});
  EXPECT_NE(outcome.out.find("parser"), std::string::npos);
  EXPECT_NE(outcome.out.find("regressed"), std::string::npos);
}

TEST(JudgeCommand, WritesMarkdownAndHtml) {
  const Json cases{{"cases", {{"parser", recorded(24, 0.05, 0.02, 2)}}}};
  const Judge judge;
  EXPECT_EQ(judge(cases.dump(), {"--markdown", "j.md", "--html", "j.html"}).exit_code, 1);
  EXPECT_EQ(content_of(judge.folder.path() / "j.md").find("### ❌ 1 regressed\n"), 0U);
  EXPECT_NE(content_of(judge.folder.path() / "j.html").find("1 regressed"), std::string::npos);
}

TEST(JudgeCommand, StrictMindsTheUndecided) {
  const std::string text = Json{{"cases", {{"few", recorded(4, 0, 0.02, 1)}}}}.dump();
  EXPECT_EQ(Judge()(text).exit_code, 0);
  EXPECT_EQ(Judge()(text, {"--strict"}).exit_code, 4);
}

TEST(JudgeCommand, RefusesBadInputWithItsPlace) {
  for (const auto& [text, place] : std::vector<std::pair<std::string, std::string>>{
           {"", "cases.json"},
           {"{\"cases\": {\"a\": {\"base\": [[1]], \"head\": []}}}", "a"},
           {"{\"cases\": {\"a\": {\"base\": [[1]], \"head\": [[-1]]}}}", "a"},
           {"{\"cases\": {\"a\": {\"base\": [[]], \"head\": [[1]]}}}", "a"},
           {"{\"cases\": {\"a\": {\"base\": [[1]], \"head\": [[1e999]]}}}", "cases.json"}}) {
    const Outcome outcome = Judge()(text);
    EXPECT_EQ(outcome.exit_code, 2) << text;
    EXPECT_NE(outcome.err.find(place), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.out, "");
  }
  const Outcome absent = run({PERF_BINARY_DIR "/bin/perf-compare", "judge", "absent.json"}, "/tmp");
  EXPECT_EQ(absent.exit_code, 2);
}

/// What `go test -bench -count 5` prints of a benchmark that takes `milliseconds`, 0.2 % apart.
std::string go_text(double milliseconds, unsigned seed, const std::string& cpu = "EPYC") {
  std::mt19937 random(seed);
  std::normal_distribution<double> between(0, 0.01), within(0, 0.002);
  const double own = milliseconds * std::exp(between(random));
  std::string text = "goos: linux\ngoarch: amd64\ncpu: " + cpu + "\n";
  for (int i = 0; i < 5; ++i) {
    text +=
        "BenchmarkParse-8 100 " + std::to_string(own * 1e6 * std::exp(within(random))) + " ns/op\n";
  }
  return text;
}

/// Files of samples, and the command on them.
struct JudgeFiles {
  TemporaryFolder folder;
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder.path() / name) << text;
  }
  Outcome operator()(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {PERF_BINARY_DIR "/bin/perf-compare", "judge"});
    return run(arguments, folder.path());
  }
  /// `count` sessions a side.
  std::vector<std::string> sessions(int count, double base, double head) const {
    std::vector<std::string> arguments;
    for (int i = 0; i < count; ++i) {
      const std::string number = std::to_string(i);
      write("b" + number, go_text(base, static_cast<unsigned>(i)));
      write("h" + number, go_text(head, static_cast<unsigned>(100 + i)));
      arguments.insert(arguments.end(), {"--base", "b" + number, "--head", "h" + number});
    }
    return arguments;
  }
};

TEST(JudgeFiles, RepetitionsInOneFileAreNeverMoreThanInconclusive) {
  const JudgeFiles judge;
  judge.write("old.txt", go_text(1, 1));
  judge.write("new.txt", go_text(5, 2));
  const Outcome outcome = judge({"old.txt", "new.txt", "--json", "-"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json verdict = Json::parse(outcome.out)["cases"]["BenchmarkParse-8"];
  EXPECT_EQ(verdict["verdict"], "inconclusive");
  EXPECT_NEAR(verdict["change"], 4, 0.5);
  EXPECT_TRUE(verdict["interval"].is_null());
  EXPECT_EQ(verdict["pairs"], 0);
  EXPECT_NE(verdict["notes"][0].get<std::string>().find("no pairs"), std::string::npos);
  EXPECT_EQ(judge({"old.txt", "new.txt", "--strict"}).exit_code, 4);
}

TEST(JudgeFiles, TwelveSessionsASideBearAVerdict) {
  const JudgeFiles judge;
  std::vector<std::string> arguments = judge.sessions(12, 1, 1.4);
  EXPECT_EQ(judge(arguments).exit_code, 1);
  arguments.insert(arguments.end(), {"--threshold", "100%", "--json", "-"});
  const Outcome outcome = judge(arguments);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(Json::parse(outcome.out)["cases"]["BenchmarkParse-8"]["verdict"], "unchanged");
}

TEST(JudgeFiles, OfUnlikeMachinesAreIncomparable) {
  const JudgeFiles judge;
  judge.write("old.txt", go_text(1, 1, "EPYC"));
  judge.write("new.txt", go_text(1, 2, "Xeon"));
  const Outcome outcome = judge({"old.txt", "new.txt", "--json", "-"});
  EXPECT_EQ(Json::parse(outcome.out)["cases"]["BenchmarkParse-8"]["verdict"], "incomparable");
}

TEST(JudgeFiles, TakeGoogleBenchmarkByItsContent) {
  const JudgeFiles judge;
  const std::string file = PERF_SOURCE_DIR "/tests/schema/formats/files/google_benchmark.json";
  const Outcome outcome = judge({file, file, "--json", "-"});
  EXPECT_EQ(outcome.exit_code, 3) << "BM_Broken failed";
  const Json cases = Json::parse(outcome.out)["cases"];
  EXPECT_EQ(cases["BM_Broken"]["verdict"], "failed");
  EXPECT_EQ(cases["BM_Sort/64"]["verdict"], "inconclusive");
  EXPECT_EQ(cases["BM_Sort/64"]["change"], 0);
  EXPECT_TRUE(cases["BM_Sort/64 cpu_time"]["verdict"].is_null());
  EXPECT_EQ(cases["BM_Sort/64 cpu_time"]["judged"], false);
}

/// Eight sessions a side of a format that names no machine, head a third slower.
TEST(JudgeFiles, AreOfTheMachineThatTheUserNames) {
  const JudgeFiles judge;
  std::vector<std::string> arguments{"--json", "-"};
  for (int i = 0; i < 16; ++i) {
    const double seconds = (i < 8 ? 0.3 : 0.4) * (1 + 0.001 * (i % 3));
    const std::string name = std::to_string(i) + ".json";
    judge.write(name,
                R"({"results": [{"command": "x", "times": [)" + std::to_string(seconds) + "]}]}");
    arguments.insert(arguments.end(), {i < 8 ? "--base" : "--head", name});
  }
  const Outcome unknown = judge(arguments);
  EXPECT_EQ(Json::parse(unknown.out)["cases"]["x"]["verdict"], "inconclusive") << unknown.err;
  EXPECT_NE(unknown.out.find("--environment NAME"), std::string::npos) << unknown.out;
  arguments.insert(arguments.end(), {"--environment", "bench-7"});
  const Outcome named = judge(arguments);
  EXPECT_EQ(named.exit_code, 1) << named.err;
  EXPECT_EQ(Json::parse(named.out)["cases"]["x"]["verdict"], "regressed") << named.out;
}

TEST(JudgeFiles, AskForWhatIsMissing) {
  const JudgeFiles judge;
  judge.write("old.txt", go_text(1, 1));
  judge.write("bad.txt", "BenchmarkX-8 10 5\n");
  judge.write("data.js", "window.BENCHMARK_DATA = {\"entries\":{}}");
  judge.write("steps.jsonl", "{\"type\":\"begin\",\"protocol\":1}\n{\"type\":\"end\"}\n");
  for (const auto& [arguments, text] :
       std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"old.txt"}, "one side alone"},
           {{"--base", "old.txt"}, "no file: head"},
           {{"old.txt", "--base", "old.txt"}, "neither side"},
           {{"old.txt", "bad.txt"}, "bad.txt:1"},
           {{"old.txt", "old.txt", "--metric", "step_tmie"}, "step_tmie"},
           {{"old.txt", "absent.txt"}, "absent.txt"},
           {{"old.txt", "data.js"}, "no result in the newest entry of any suite"},
           {{"old.txt", "steps.jsonl"}, "import steps FILE"},
           {{"-", "-"}, "standard input"}}) {
    const Outcome outcome = judge(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << text;
    EXPECT_NE(outcome.err.find(text), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.out, "");
  }
}

}  // namespace
}  // namespace perf::test
