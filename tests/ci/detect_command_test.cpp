// `perf-compare detect FILE` as a user runs it, in a folder that is no repository.

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "schema/files/content.h"
#include "tests/ci/scratch_repository.h"

namespace perf::test {
namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

/// 40 values about 1 that grow by 10 % at the 25th; then times `factor`, plus `offset`.
std::vector<double> stepped(double factor = 1, double offset = 0) {
  std::vector<double> values;
  for (int i = 0; i < 40; ++i) {
    values.push_back(factor * ((i < 25 ? 1.0 : 1.1) + 0.002 * ((i * 7) % 5)) + offset);
  }
  return values;
}

std::string line_of(const std::string& name, const std::vector<double>& values) {
  std::string line = name;
  for (const double value : values) {
    line += " " + std::to_string(value);
  }
  return line + "\n";
}

struct DetectCommand : ::testing::Test {
  TemporaryFolder folder;

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder.path() / name) << text;
  }
  /// Runs detect by a shell, so that input can be redirected.
  Outcome detect(const std::string& arguments) const {
    return run({"sh", "-c", PERF_BINARY_DIR "/bin/perf-compare detect " + arguments},
               folder.path());
  }
  void expect(const std::vector<CommandCase>& cases) const {
    expect_outcomes(cases, [this](const Words& arguments) { return detect(arguments.front()); });
  }
};

TEST_F(DetectCommand, FindsTheStepsOfEverySeriesInEveryFormat) {
  const std::vector<double> values = stepped(), flat(40, 1.0);
  std::string csv = "series,index,value\n", gaps = csv;
  for (std::size_t i = values.size(); i-- > 0;) {
    const std::string at = std::to_string(i), value = std::to_string(values[i]) + "\n";
    csv += "moved," + at + "," + value + "flat," + at + ",1\n";
    if (i % 5 != 3) {  // five of them before the step
      gaps += "moved," + at + "," + value + "nights," + at + ".5," + value;
    }
  }
  write("csv", csv);
  write("gaps", gaps);
  write("lines", line_of("moved", values) + line_of("flat", flat));
  write("json", Json{{"moved", values}, {"flat", flat}}.dump());
  write("one", line_of("a", values));
  write("none", "{}");
  write("escaped", line_of("\"x \"\"\\ \x01\" nan NaN", values));  // a gap is a position as well
  write("around zero", line_of("a", stepped(1, -1.05)));
  write("negative", line_of("below", stepped(-1)));
  write("zero", "nothing 0 0 0 0 0\n");
  std::vector<double> errors(80, 0), dips = values;
  std::fill(errors.begin() + 40, errors.end(), 5);
  dips[3] = dips[30] = 0;
  write("errors", line_of("moved", dips) + line_of("errors", errors) +
                      line_of("crashes", std::vector<double>(errors.begin(), errors.end() - 15)));
  write("column", "1.5\n1.6\nfast\n");
  for (const char* file : {"csv", "lines", "json"}) {
    EXPECT_EQ(Json::parse(detect(file).out), (Json{{"moved", {25}}, {"flat", Json::array()}}));
  }
  expect({
      {{"gaps"}, 0, {"\"moved\": [25]", "\"nights\": [25.5]"}},
      {{"one"}, 0, {"{\n  \"a\": [25]\n}\n"}},
      {{"none"}, 0, {"{}\n"}},
      {{"escaped"}, 0, {"{\n  \"x \\\"\\\\ \\u0001\": [27]\n}\n"}},
      {{"'around zero'"}, 0, {"\"a\": [25]", "searched with --scale linear (a)"}},
      {{"'around zero' --scale linear"}, 0, {"\"a\": [25]"}},
      {{"negative"}, 0, {"\"below\": [25]", "40 values of 0 or less: searched with"}},
      {{"negative --scale linear"}, 0, {"\"below\": [25]"}},
      {{"zero"}, 0, {}},
      {{"errors"},
       0,
       {"\"crashes\": [40]", "\"errors\": [40]", "\"moved\": [25]",
        "2 values of 0 or less left out; --scale linear has them (moved)",
        "80 values of 0 or less: searched with --scale linear (errors and 1 more)"}},
      {{"column"}, 2, {"no name before the values, but \"1.5\": column:1", "\"value\""}},
      {{"one --json steps.json"}, 0, {}},
  });
  EXPECT_EQ(content_of(folder.path() / "steps.json"), "{\n  \"a\": [25]\n}\n");
  EXPECT_EQ(detect("one --json steps.json").out + detect("one").err, "");
}

// A pipe without end does not take all memory, and a disk that fails is not the end of the text.
TEST_F(DetectCommand, RefusesBadInput) {
  write("one", line_of("a", stepped()));
  write("bad", "a 1 2\nb 1 x\n");
  expect({
      {{"bad"}, 2, {"bad:2"}},
      {{"absent"}, 2, {"absent"}},
      {{""}, 2, {}},
      {{"one --scale square"}, 2, {"square"}},
      {{"/dev/zero"}, 2, {"64 MiB: /dev/zero"}},
      {{"- </dev/zero"}, 2, {"64 MiB: standard input"}},
      {{"- </proc/self/mem"}, 3, {"standard input: Input/output error"}},  // its first page
  });
}

// A file that is mounted, as containers have it, cannot be replaced by another.
TEST_F(DetectCommand, LeavesNothingBesideAFileThatCannotBeReplaced) {
  write("series.txt", line_of("a", stepped()));
  write("steps.json", "kept");
  const auto mounted = [&](const std::string& command) {
    return run({"unshare", "--map-root-user", "--mount", "sh", "-c",
                "mount --bind steps.json steps.json && " + command},
               folder.path());
  };
  if (mounted("true").exit_code != 0) {
    GTEST_SKIP() << "a file cannot be mounted here";
  }
  const Outcome outcome =
      mounted("exec " PERF_BINARY_DIR "/bin/perf-compare detect series.txt --json steps.json");
  EXPECT_EQ(outcome.exit_code, 3);
  expect_says(outcome.err, "steps.json: Device or resource busy");
  EXPECT_EQ(content_of(folder.path() / "steps.json"), "kept");
  for (const auto& file : std::filesystem::directory_iterator(folder.path())) {
    EXPECT_FALSE(contains(file.path().filename().string(), ".part-")) << file.path();
  }
}

}  // namespace
}  // namespace perf::test
