// `perf-compare detect FILE` as a user runs it: in a folder that is no repository.

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "schema/files/content.h"
#include "tests/ci/scratch_repository.h"

namespace perf::test {
namespace {

using Json = nlohmann::json;

/// 40 values about 1 that grow by 10 % at the 25th.
std::vector<double> stepped() {
  std::vector<double> values;
  for (int i = 0; i < 40; ++i) {
    values.push_back((i < 25 ? 1.0 : 1.1) + 0.002 * ((i * 7) % 5));
  }
  return values;
}

struct Detect {
  TemporaryFolder folder;
  Outcome operator()(const std::string& text, std::vector<std::string> options = {}) const {
    std::ofstream(folder.path() / "series.txt") << text;
    std::vector<std::string> command{PERF_BINARY_DIR "/bin/perf-compare", "detect", "series.txt"};
    command.insert(command.end(), options.begin(), options.end());
    return run(command, folder.path());
  }
};

std::string line_of(const std::string& name, const std::vector<double>& values) {
  std::string line = name;
  for (const double value : values) {
    line += " " + std::to_string(value);
  }
  return line + "\n";
}

TEST(DetectCommand, NamesEverySeriesOfEveryFormat) {
  const std::vector<double> values = stepped();
  std::string csv = "series,index,value\n";
  for (std::size_t i = values.size(); i-- > 0;) {
    csv += "moved," + std::to_string(i) + "," + std::to_string(values[i]) + "\n";
  }
  for (int i = 0; i < 40; ++i) {
    csv += "flat," + std::to_string(i) + ",1\n";
  }
  const std::string lines = line_of("moved", values) + line_of("flat", std::vector(40, 1.0));
  const std::string json = Json{{"moved", values}, {"flat", std::vector(40, 1.0)}}.dump();
  for (const std::string& text : {csv, lines, json}) {
    const Outcome outcome = Detect()(text, {"--json", "-"});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(Json::parse(outcome.out), (Json{{"moved", {25}}, {"flat", Json::array()}}));
  }
}

TEST(DetectCommand, TellsTheIndexOfACsvWhereRowsAreAbsent) {
  const std::vector<double> values = stepped();
  std::string csv = "series,index,value\n";
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i % 5 != 3) {  // five of them before the step
      csv += "moved," + std::to_string(i) + "," + std::to_string(values[i]) + "\n";
      csv += "nights," + std::to_string(i) + ".5," + std::to_string(values[i]) + "\n";
    }
  }
  EXPECT_EQ(Json::parse(Detect()(csv).out), (Json{{"moved", {25}}, {"nights", {25.5}}}));
}

// A file that is mounted, as containers have it, cannot be replaced by another.
TEST(DetectCommand, LeavesNothingBesideAFileThatCannotBeReplaced) {
  const Detect detect;
  const std::filesystem::path& folder = detect.folder.path();
  std::ofstream(folder / "series.txt") << line_of("a", stepped());
  std::ofstream(folder / "steps.json") << "kept";
  const auto mounted = [&](const std::string& command) {
    return run({"unshare", "--map-root-user", "--mount", "sh", "-c",
                "mount --bind steps.json steps.json && " + command},
               folder);
  };
  if (mounted("true").exit_code != 0) {
    GTEST_SKIP() << "a file cannot be mounted here";
  }
  const Outcome outcome =
      mounted("exec " PERF_BINARY_DIR "/bin/perf-compare detect series.txt --json steps.json");
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_NE(outcome.err.find("steps.json: Device or resource busy"), std::string::npos)
      << outcome.err;
  EXPECT_EQ(content_of(folder / "steps.json"), "kept");
  for (const std::filesystem::directory_entry& file : std::filesystem::directory_iterator(folder)) {
    EXPECT_EQ(file.path().filename().string().find(".part-"), std::string::npos) << file.path();
  }
}

TEST(DetectCommand, WritesToStandardOutputOrAFile) {
  const Detect detect;
  EXPECT_EQ(detect(line_of("a", stepped())).out, "{\n  \"a\": [25]\n}\n");
  const Outcome outcome = detect(line_of("a", stepped()), {"--json", "steps.json"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(content_of(detect.folder.path() / "steps.json"), "{\n  \"a\": [25]\n}\n");
  EXPECT_EQ(detect("{}").out, "{}\n");
}

TEST(DetectCommand, WarnsOfWhatIsHardlyMeant) {
  const Detect detect;
  const Outcome column = detect("1.5\n1.6\nfast\n");
  EXPECT_EQ(column.exit_code, 0);
  EXPECT_NE(column.err.find("3 of 3 series have no value"), std::string::npos) << column.err;
  EXPECT_NE(column.err.find("2 of 3 names of series are numbers"), std::string::npos) << column.err;
  EXPECT_EQ(detect(line_of("a", stepped())).err, "");
}

TEST(DetectCommand, LinearScaleTakesWhatIsNotPositive) {
  std::vector<double> values = stepped();
  for (double& value : values) {
    value -= 1.05;
  }
  const Detect detect;
  EXPECT_EQ(Json::parse(detect(line_of("a", values)).out), (Json{{"a", Json::array()}}));
  EXPECT_EQ(Json::parse(detect(line_of("a", values), {"--scale", "linear"}).out),
            (Json{{"a", {25}}}));
  EXPECT_EQ(detect(line_of("a", values), {"--scale", "square"}).exit_code, 2);
}

TEST(DetectCommand, NegativeValuesAreNoLogarithms) {
  std::vector<double> values = stepped();
  for (double& value : values) {
    value = -value;
  }
  const Detect detect;
  const Outcome refused = detect(line_of("below", values));
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_EQ(refused.out, "");
  EXPECT_NE(refused.err.find("below"), std::string::npos) << refused.err;
  EXPECT_NE(refused.err.find("--scale linear"), std::string::npos) << refused.err;
  EXPECT_EQ(Json::parse(detect(line_of("below", values), {"--scale", "linear"}).out),
            (Json{{"below", {25}}}));
  EXPECT_EQ(detect("nothing 0 0 0 0 0\n").exit_code, 0);
}

TEST(DetectCommand, PositionsCountGapsAndNamesAreEscaped) {
  std::vector<double> values = stepped();
  std::string line = "\"x \"\"\\ \x01\" nan NaN";
  for (const double value : values) {
    line += "," + std::to_string(value);
  }
  const Outcome outcome = Detect()(line);
  EXPECT_EQ(outcome.out, "{\n  \"x \\\"\\\\ \\u0001\": [27]\n}\n");
}

// A pipe without end is no reason to take all memory, and a disk that fails is no end of the text.
TEST(DetectCommand, ReadsNoMoreThanItsLimitAndNoLess) {
  const Detect detect;
  const auto in_shell = [&](const std::string& arguments) {
    return run({"sh", "-c", PERF_BINARY_DIR "/bin/perf-compare detect " + arguments},
               detect.folder.path());
  };
  for (const std::string arguments : {"/dev/zero", "- </dev/zero"}) {
    const Outcome outcome = in_shell(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
    EXPECT_NE(outcome.err.find("more than 64 MiB: "), std::string::npos) << outcome.err;
  }
  const Outcome unread = in_shell("- </proc/self/mem");  // whose first page is never mapped
  EXPECT_EQ(unread.exit_code, 3) << unread.err;
  EXPECT_NE(unread.err.find("standard input: Input/output error"), std::string::npos) << unread.err;
}

TEST(DetectCommand, BadInputIsExitTwoWithItsPlace) {
  const Outcome bad = Detect()("a 1 2\nb 1 x\n");
  EXPECT_EQ(bad.exit_code, 2);
  EXPECT_NE(bad.err.find("series.txt:2"), std::string::npos) << bad.err;
  EXPECT_EQ(bad.out, "");
  const TemporaryFolder folder;
  EXPECT_EQ(run({PERF_BINARY_DIR "/bin/perf-compare", "detect", "none"}, folder.path()).exit_code,
            2);
  EXPECT_EQ(run({PERF_BINARY_DIR "/bin/perf-compare", "detect"}, folder.path()).exit_code, 2);
}

}  // namespace
}  // namespace perf::test
