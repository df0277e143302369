#include "schema/formats/foreign.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "reporter/text/sentences.h"
#include "schema/formats/reading.h"
#include "schema/formats/steps.h"
#include "schema/text/utc_time.h"
#include "schema/workload_name.h"
#include "tests/schema/formats/example_files.h"
#include "tests/schema/formats/sample_set_helpers.h"

namespace perf::formats {
namespace {

const std::string kSteps = fixture_file("steps.jsonl");

SampleSeries series_of(const std::string& name, const Metric& metric,
                       const std::vector<double>& values, const Params& params = {}) {
  SampleSeries series;
  series.name = name;
  series.metric = metric;
  series.values = values;
  series.params = params;
  series.judge = true;
  return series;
}

/// A format is a row of the table with its reader; this finds what else it needs.
TEST(Foreign, HasAnExampleAndARowInTheDocumentationOfEveryFormat) {
  const std::string page = content_of(PERF_SOURCE_DIR "/docs/formats.md");
  for (const std::string_view format : foreign_formats()) {
    EXPECT_TRUE(contains(page, "| `" + std::string(format) + "` |")) << format;
    const std::vector<std::string> examples = example_texts(format);
    ASSERT_FALSE(examples.empty()) << format << ": tests/schema/formats/files/";
    for (const std::string& text : examples) {
      const std::vector<ImportedSession> sessions = read_foreign(format, text, "file");
      ASSERT_FALSE(sessions.empty()) << format;
      EXPECT_EQ(sessions[0].samples.source, "file") << format;
      EXPECT_FALSE(blocks_of(sessions[0]).blocks.empty()) << format;
      EXPECT_EQ(format_of(text).name, format == "github-action-benchmark" ? "data.js" : format);
    }
  }
}

TEST(Foreign, ReadsCommitAndTime) {
  const ImportedSession google =
      read_foreign("google-benchmark", fixture_file("google_benchmark.json"), "f").at(0);
  EXPECT_EQ(google.measured_at, "2026-11-21T20:31:15Z");
  EXPECT_EQ(google.commit, "");
  EXPECT_EQ(read_foreign("go", fixture_file("go.txt"), "f").at(0).commit, "7cd9055");
}

TEST(Foreign, HintsAtKnownFormats) {
  EXPECT_EQ(refusal_of([] { read_foreign("hyperfin", "", "f"); }).hint,
            "did you mean \"hyperfine\"?");
  const UsageError error = refusal_of([] { read_foreign("xml\x1b", "", "f"); });
  EXPECT_TRUE(contains(error.hint, "known: google-benchmark, "));
  EXPECT_EQ(error.subject, "\"xml\\x1b\"");
}

TEST(Foreign, NamesTheLineOfAProtocolError) {
  const UsageError error =
      refusal_of([] { read_foreign("steps", kSteps + "{\"type\":\"end\"}", "out.jsonl"); });
  EXPECT_EQ(error.subject, "out.jsonl:7");
}

TEST(Foreign, KeepsAllBlocksOfTheProtocol) {
  const ImportedSession session = read_foreign("steps", kSteps, "out.jsonl").at(0);
  EXPECT_EQ(series_in(session.samples, "a/b").values, (std::vector<double>{1, 2}));
  EXPECT_TRUE(series_in(session.samples, "a/b", "loss").judge);
  const ForeignBlocks found = blocks_of(session);
  ASSERT_EQ(found.blocks.size(), 1u);
  EXPECT_EQ(found.blocks[0].steps.size(), 3u) << "with its warm-up";
  EXPECT_EQ(found.blocks[0].steps[1].phases.size(), 1u);
  const ImportedSession unnamed =
      read_foreign("steps",
                   "{\"type\":\"begin\",\"protocol\":1}\n{\"type\":\"step\",\"seconds\":1}\n"
                   "{\"type\":\"end\"}\n",
                   "my out.jsonl")
          .at(0);
  EXPECT_EQ(blocks_of(unnamed).blocks.at(0).workload, "my_out.jsonl");
  EXPECT_EQ(unnamed.samples.series.at(0).name, "my_out.jsonl");
}

TEST(Foreign, JudgesFilesOfTheProtocolByTimesAndChecks) {
  const auto file = [](const std::string& passed) {
    return "{\"type\":\"begin\",\"protocol\":1,\"workload\":\"w\",\"params\":{\"n\":2}}\n"
           "{\"type\":\"step\",\"seconds\":1}\n"
           "{\"type\":\"check\",\"name\":\"sum\",\"passed\":" +
           passed + "}\n{\"type\":\"end\"}\n";
  };
  EXPECT_TRUE(format_of(file("true")).is_session);
  const SampleSet passed = read_samples(file("true"), "out.jsonl");
  EXPECT_EQ(series_in(passed, "w").values, std::vector<double>{1});
  EXPECT_TRUE(passed.failures.empty());
  const SampleSet failed = read_samples(file("false"), "out.jsonl");
  EXPECT_EQ(series_in(failed, "w").values, std::vector<double>{1});
  const BenchmarkId id{"w", {{"n", std::int64_t{2}}}};
  EXPECT_TRUE(passed.checks.at(id).at(0).at(0).passed);
  EXPECT_FALSE(failed.checks.at(id).at(0).at(0).passed);
  EXPECT_EQ(blocks_of(read_foreign("steps", file("false"), "f").at(0)).blocks.size(), 1u);
}

TEST(ForeignBlocks, HoldStepsAndTheMediansOfOtherMetrics) {
  SampleSet set;
  set.environment.machine["cpu"] = "X";
  set.series = {series_of("a", kStepTime, {2, 1, 3}),
                series_of("a", {"bytes", "B", Better::lower}, {30, 10, 20, 40})};
  const ForeignBlocks found = blocks_of(set);
  ASSERT_EQ(found.blocks.size(), 1u);
  const Block& block = found.blocks[0];
  EXPECT_EQ(block.workload, "a");
  EXPECT_EQ(block.facts.at("cpu"), "X");
  ASSERT_EQ(block.steps.size(), 3u);
  EXPECT_EQ(block.steps[1].index, 1);
  EXPECT_EQ(block.steps[1].seconds, 1);
  EXPECT_FALSE(block.steps[1].warmup);
  ASSERT_EQ(block.metrics.size(), 1u);
  EXPECT_EQ(block.metrics[0].value, 25);
  EXPECT_TRUE(block.metrics[0].judge);
  EXPECT_TRUE(found.warnings.empty());
}

TEST(ForeignBlocks, TakeTheMedianOfASummary) {
  SampleSet set;
  set.series = {series_of("a", kStepTime, {})};
  set.series[0].summary = SideStats{};
  set.series[0].summary->median = 0.5;
  const ForeignBlocks found = blocks_of(set);
  ASSERT_EQ(found.blocks.at(0).steps.size(), 1u);
  EXPECT_EQ(found.blocks[0].steps[0].seconds, 0.5);
}

TEST(ForeignBlocks, SeparateBenchmarksByParameters) {
  SampleSet set;
  const Params first{{"n", std::int64_t{1}}};
  const Params second{{"n", std::int64_t{2}}};
  set.series = {series_of("a", kStepTime, {1}, first), series_of("a", kStepTime, {2}, second),
                series_of("a", {"x", "1", Better::lower}, {3}, first)};
  const ForeignBlocks apart = blocks_of(set);
  ASSERT_EQ(apart.blocks.size(), 2u);
  EXPECT_EQ(apart.blocks[0].params, first);
  EXPECT_EQ(apart.blocks[0].metrics.size(), 1u);
  EXPECT_EQ(apart.blocks[0].workload, "a_n_1");
  EXPECT_EQ(apart.blocks[1].workload, "a_n_2");
  EXPECT_EQ(apart.blocks[1].params, second);
  set.of_workloads = true;
  set.series.erase(set.series.begin() + 1);
  set.series[1].params = second;
  EXPECT_EQ(blocks_of(set).blocks.size(), 1u) << "the name alone tells workloads apart";
}

/// Names of workloads by the benchmark: of those with parameters of its first value.
std::map<std::string, std::string> names_of(const std::vector<SampleSeries>& series) {
  SampleSet set;
  set.series = series;
  std::map<std::string, std::string> names;
  for (const Block& block : blocks_of(set).blocks) {
    names[std::to_string(block.steps.at(0).seconds)] = block.workload;
  }
  return names;
}

// Nothing but the order or the absence of others differs.
TEST(ForeignBlocks, NameBenchmarksByContent) {
  const std::string long_one(300, 'x');
  std::vector<SampleSeries> series{
      series_of("f<int,1>", kStepTime, {1}), series_of("f<int;1>", kStepTime, {2}),
      series_of("f_int_1_", kStepTime, {3}), series_of(long_one + "a", kStepTime, {4}),
      series_of(long_one + "b", kStepTime, {5})};
  const std::map<std::string, std::string> names = names_of(series);
  std::ranges::reverse(series);
  EXPECT_EQ(names_of(series), names);
  std::set<std::string> all;
  for (const auto& [time, name] : names) {
    EXPECT_EQ(fault_in_workload_name(name), "");
    all.insert(name);
  }
  EXPECT_EQ(all.size(), series.size());
  EXPECT_TRUE(all.contains("f_int_1_")) << "a valid name stays";
  EXPECT_EQ(names_of({series_of(long_one + "b", kStepTime, {5})}).begin()->second,
            names.at(std::to_string(5.0)));
  EXPECT_EQ(names_of({series_of("f<int,1>", kStepTime, {1})}).begin()->second, "f_int_1_");
}

// Another file may have a benchmark that is called as this one's workload.
TEST(ForeignBlocks, KeepNamesWithOtherCharactersApart) {
  ImportedSession session;
  session.samples.series = {series_of("kit x", kStepTime, {1})};
  session.samples.failures = {{{"kit y"}, "no"}};
  const Block block = blocks_of(session).blocks.at(0);
  EXPECT_EQ(block.workload, "kit_x");
  EXPECT_EQ(block.params, (Params{{kForeignName, std::string("kit x")}}));
  EXPECT_TRUE(blocks_of(session.samples).blocks.at(0).params.empty()) << "of a measured command";
  name_as_imported(session.samples);
  EXPECT_EQ(session.samples.series.at(0).name, "kit_x");
  EXPECT_EQ(session.samples.series.at(0).params, block.params);
  EXPECT_EQ(session.samples.failures.begin()->first.name, "kit_y");
  for (const std::string& name : {std::string("kit_x"), std::string(300, 'x')}) {
    session.samples.series = {series_of(name, kStepTime, {1})};
    EXPECT_TRUE(blocks_of(session).blocks.at(0).params.empty()) << name;
  }
}

TEST(ForeignBlocks, NameBenchmarksByTheirPackageOrProgram) {
  for (const auto& [name, params, workload] :
       std::vector<std::tuple<std::string, Params, std::string>>{
           {"BenchmarkGet-8", {{"pkg", "a.org/k"}}, "a.org/k/BenchmarkGet-8"},
           {"kit/A", {{"bench", "benches/a.rs"}}, "benches/a.rs/kit/A"},
           {"kit/A", {}, "kit/A"},
           {"test_a[x]", {{"bench", "x"}}, "test_a_x_"}}) {
    EXPECT_EQ(names_of({series_of(name, kStepTime, {1}, params)}).begin()->second, workload);
  }
}

// What is no value, in one place for all formats and commands.
TEST(UsableValues, LeaveOutOthers) {
  struct Case {
    std::vector<double> times;
    std::size_t left;
    std::string why;
  };
  for (const Case& one : std::vector<Case>{
           {{1, 0}, 1, "0 is not a valid time: the compiler may have removed the work"},
           {{-1, 2, 3}, 2, "-1 s is not a valid time: it must lie between 1e-15 and 1e9 s"},
           {{1e-16, 1e10}, 0, "1e-16 s is not a valid time: it must lie between 1e-15 and 1e9 s"},
           {{HUGE_VAL, 1}, 1, "not a finite number: null, NaN or infinity"},
           {{std::nan("")}, 0, "not a finite number: null, NaN or infinity"},
           {{1e-15, 1e9}, 2, ""}}) {
    SampleSet set;
    set.series = {series_of("a", kStepTime, one.times), series_of("a", {"bytes", "B"}, {4}),
                  series_of("b", kStepTime, {1})};
    keep_usable(set);
    EXPECT_EQ(set.series.size(), one.left == 0 ? 1u : 3u) << one.why;
    EXPECT_EQ(set.warnings.size(), one.left > 0 && !one.why.empty() ? 1u : 0u) << one.why;
    EXPECT_EQ(one.left == 0          ? set.failures.at({"a"})
              : set.warnings.empty() ? ""
                                     : set.warnings[0].about.at("why"),
              one.why);
  }
}

TEST(UsableValues, AreMissedOnceForEachReason) {
  SampleSet set;
  for (const char* name : {"a", "b", "c"}) {
    set.series.push_back(series_of(name, kStepTime, {1, 0}));
  }
  set.series.push_back(series_of("d", kStepTime, {1, -2}));
  keep_usable(set);
  ASSERT_EQ(set.warnings.size(), 2u);
  EXPECT_EQ(set.warnings[0].about.at("benchmark"), "\"d\"");
  EXPECT_EQ(reporter::sentence(set.warnings[1]),
            "some repetitions of \"a\" and of 2 more were left out: 0 is not a valid time: the "
            "compiler may "
            "have removed the work");
}

TEST(UsableValues, OfOtherMetricsMayBeZeroOrNegative) {
  SampleSet set;
  const Metric hits{"hits", "1", Better::higher};
  set.series = {series_of("a", hits, {0, -3, 1e200, 5}), series_of("b", hits, {std::nan("")}),
                series_of("b", kStepTime, {1}), series_of("c", hits, {1e-200})};
  keep_usable(set);
  EXPECT_EQ(series_in(set, "a", "hits").values, (std::vector<double>{0, -3, 5}));
  EXPECT_EQ(set.series.size(), 2u);
  EXPECT_EQ(set.failures,
            (std::map<BenchmarkId, std::string>{{{"c"}, "1e-200 is outside 1e-150 to 1e150"}}));
  ASSERT_EQ(set.warnings.size(), 1u);
  EXPECT_EQ(set.warnings[0].figures.at("values"), 3);
}

TEST(ForeignBlocks, SkipInvalidMetrics) {
  SampleSet set;
  set.series = {series_of("a", kStepTime, {1}), series_of("a", kPeakRss, {1}),
                series_of("a", {std::string(201, 'x'), "1", Better::lower}, {1}),
                series_of("a", {"value", std::string(201, 'u'), Better::lower}, {1}),
                series_of("a", {"loss", "1", Better::lower}, {-1})};
  const ForeignBlocks found = blocks_of(set);
  ASSERT_EQ(found.blocks.at(0).metrics.size(), 1u);
  EXPECT_FALSE(found.blocks[0].metrics[0].judge) << "it is negative";
  set.series.back().judge = true;
  EXPECT_FALSE(blocks_of(set).blocks[0].metrics[0].judge);
  ImportedSession session;
  session.samples = set;
  EXPECT_TRUE(blocks_of(session).blocks[0].metrics[0].judge) << "a history has differences";
  EXPECT_EQ(found.warnings.size(), 4u);
}

TEST(ForeignBlocks, NameFailuresByWorkload) {
  SampleSet set;
  set.failures = {{{"sleep {n}"}, "no"}};
  EXPECT_EQ(blocks_of(set).failures, (std::map<std::string, std::string>{{"sleep__n_", "no"}}));
}

TEST(ForeignBlocks, ReadTheOutputOfAnInvocation) {
  const std::vector<Block> steps = read_foreign_blocks("steps", kSteps, "stdout");
  ASSERT_EQ(steps.size(), 1u);
  EXPECT_TRUE(steps[0].steps[0].warmup) << "as the protocol has it, whole";
  const std::vector<Block> norm =
      read_foreign_blocks("criterion", fixture_file("criterion.jsonl"), "stdout");
  ASSERT_EQ(norm.size(), 2u);
  EXPECT_EQ(norm[0].workload, "norm");
  EXPECT_TRUE(norm[1].steps.empty()) << "cycles are no time";
}

TEST(ForeignBlocks, RefuseFailuresAndSeveralSessions) {
  const auto what = [](std::string_view format, const std::string& text) {
    try {
      read_foreign_blocks(format, text, "stdout");
    } catch (const Error& error) {
      return error.what + " | " + error.subject;
    }
    return std::string("accepted");
  };
  EXPECT_EQ(what("hyperfine", R"({"results": [{"command": "false", "exit_codes": [1, 1, 1]}]})"),
            "a benchmark failed: \"3 of 3 runs failed: the first exited with 1\" | false");
  EXPECT_EQ(what("github-action-benchmark", fixture_file("github_action_benchmark.js")),
            "a text of 5 sessions | stdout");
  EXPECT_EQ(what("google-benchmark",
                 R"({"benchmarks": [{"name": "B", "skipped": true, "skip_message": "no GPU"}]})"),
            "no benchmark has a value | stdout");
  EXPECT_EQ(what("hyperfine", "{}"), "the file has no \"results\" | stdout:1:1");
}

/// "NAME: number of steps" or "NAME: why it has none" of every block.
std::vector<std::string> told_of(const std::string& format, const std::string& text) {
  std::vector<std::string> told;
  for (const Block& block : read_foreign_blocks(format, text, "stdout")) {
    told.push_back(block.workload + ": " +
                   (block.skipped.empty() ? std::to_string(block.steps.size()) : block.skipped));
  }
  return told;
}

TEST(ForeignBlocks, GiveTheReasonForMissingValues) {
  using Told = std::vector<std::string>;
  const std::string measured = R"({"benchmarks": [
    {"name": "sum/c", "real_time": 3, "time_unit": "ms"}, )";
  EXPECT_EQ(told_of("google-benchmark", measured + R"(
    {"name": "sum/avx/1", "error_occurred": true, "error_message": "no avx", "real_time": 0,
     "time_unit": "ns"},
    {"name": "sum/gpu", "skipped": true, "skip_message": "no GPU\nat all"},
    {"name": "sum/fast", "real_time": 0, "time_unit": "ns"}]})"),
            (Told{"sum/c: 1", "sum/avx/1: no avx",
                  "sum/fast: 0 is not a valid time: the compiler may have removed the work",
                  "sum/gpu: no GPU"}));
  EXPECT_EQ(told_of("hyperfine", fixture_file("hyperfine.json")),
            (Told{"sleep_0.005: 3", "sleep_0.01: 3",
                  "false_n_0.005: 3 of 3 runs failed: the first exited with 1",
                  "false_n_0.01: 3 of 3 runs failed: the first exited with 1"}));
  EXPECT_EQ(told_of("go",
                    "--- SKIP: TestX\n    x_test.go:9: no\nBenchmarkSum\nBenchmarkSum-8 1 5 ns/op\n"
                    "BenchmarkAvx\n    a_test.go:9: no avx\n--- SKIP: BenchmarkAvx\n"
                    "BenchmarkGpu\n--- SKIP: BenchmarkGpu\n--- SKIP: BenchmarkSum\n"),
            (Told{"BenchmarkSum-8: 1", "BenchmarkAvx-8: a_test.go:9: no avx",
                  "BenchmarkGpu-8: no reason given"}));
  const std::string long_reason(300, 'x');
  EXPECT_EQ(told_of("google-benchmark", measured + R"({"name": "a", "skipped": true,)" +
                                            R"("skip_message": ")" + long_reason + "\"}]}")
                .at(1),
            "a: " + long_reason.substr(0, 200));
}

TEST(ForeignBlocks, TellAFailedBenchmarkByItsParameters) {
  EXPECT_EQ(
      told_of("hyperfine", R"({"results": [
    {"command": "x", "parameters": {"n": "1"}, "exit_codes": [1], "times": [1]},
    {"command": "x", "parameters": {"n": "2"}, "exit_codes": [0], "times": [1]}]})"),
      (std::vector<std::string>{"x_n_2: 1", "x_n_1: 1 of 1 run failed: the first exited with 1"}));
}

std::string go_output(std::size_t benchmarks, const std::string& facts = {}) {
  std::string text = facts;
  for (std::size_t i = 1; i <= benchmarks; ++i) {
    text += "BenchmarkX" + std::to_string(i) + " 1 5 ns/op\n";
  }
  return text;
}

TEST(ForeignBlocks, HaveALimit) {
  EXPECT_EQ(read_foreign_blocks("go", go_output(kMostBlocks), "stdout").size(), kMostBlocks);
  EXPECT_THROW(read_foreign_blocks("go", go_output(kMostBlocks + 1), "stdout"), Error);
}

// What a text says once goes with every block.
TEST(ForeignBlocks, LimitRepeatedFactsAndPackages) {
  const std::string flood(1 << 20, 'x');
  const std::vector<Block> blocks = read_foreign_blocks(
      "go", go_output(2, "goos: linux\ncpu: " + flood + "\npkg: " + flood + "\n"), "stdout");
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_EQ(blocks[1].facts, (std::map<std::string, std::string>{{"goos", "linux"}}));
  EXPECT_TRUE(blocks[1].params.empty());
  SampleSet set;
  set.environment.machine = {{"a", std::string(4000, 'x')}, {"b", std::string(100, 'x')}};
  EXPECT_EQ(blocks_of(set).warnings.size(), 1u);
}

// A line of 1 KB that names a package stands for every benchmark below it, and a name for all the
// counters of its benchmark.
TEST(Foreign, LimitsRepeatedNames) {
  const auto what = [](const std::string& format, const std::string& text) {
    try {
      read_foreign(format, text, "file");
    } catch (const UsageError& error) {
      return error.what + " | " + error.subject;
    }
    return std::string("it was read");
  };
  EXPECT_EQ(what("go", go_output(kMostSeries)), "it was read");
  EXPECT_EQ(what("go", go_output(kMostSeries + 1)),
            std::string(kTooManySeries) + " | file:" + std::to_string(kMostSeries + 1));
  const std::string refusal =
      what("go", go_output(20'000, "pkg: " + std::string(1000, 'x') + "\n"));
  EXPECT_EQ(refusal.substr(0, refusal.find(" |")), std::string(kTooManySeries));
  std::string counters;
  for (int i = 0; i < 100; ++i) {
    counters += ", \"c" + std::to_string(i) + "\": 1";
  }
  EXPECT_EQ(what("google-benchmark", "{\"benchmarks\": [{\"name\": \"" + std::string(200'000, 'x') +
                                         "\", \"real_time\": 1, \"time_unit\": \"ns\"" + counters +
                                         "}]}"),
            std::string(kTooManySeries) + " | file:1:1");
}

TEST(WorkloadNames, AreValidAndUnique) {
  WorkloadNames names;
  EXPECT_EQ(names.of("training/mlp-1.0_x"), "training/mlp-1.0_x");
  EXPECT_EQ(names.of("tests/a.py::test[x y]"), "tests/a.py__test_x_y_");
  EXPECT_EQ(names.of("tests/a.py::test(x y)"), "tests/a.py__test_x_y__2");
  EXPECT_EQ(names.of("tests/a.py::test{x y}"), "tests/a.py__test_x_y__3");
  EXPECT_EQ(names.of("/usr/bin/x --y"), "_usr/bin/x_--y");
  EXPECT_EQ(names.of("-x/.y/../z..w"), "_x/_y/_./z._w");
  EXPECT_EQ(names.of("a//b/"), "a/_b_");
  EXPECT_EQ(names.of(""), "_");
  EXPECT_EQ(names.of("é"), "__");
}

TEST(WorkloadNames, AreCut) {
  WorkloadNames names;
  const std::string longest(kLongestWorkloadName, 'x');
  const std::string cut = names.of(longest + "y");
  EXPECT_EQ(cut.substr(0, 192), longest.substr(0, 191) + "-");
  EXPECT_EQ(cut.size(), kLongestWorkloadName);
  EXPECT_NE(names.of(longest + "z"), cut) << "a digest of the whole";
  EXPECT_EQ(names.of(longest + "y"), cut.substr(0, 190) + "_2");
}

TEST(WorkloadNames, NumberDuplicates) {
  WorkloadNames names;
  EXPECT_EQ(names.of("a_2"), "a_2");
  EXPECT_EQ(names.of("a"), "a");
  EXPECT_EQ(names.of("a"), "a_3");
  std::string last;
  for (int i = 0; i < 200'000; ++i) {
    last = names.of("b");
  }
  EXPECT_EQ(last, "b_200000") << "and in no time";
}

TEST(WorkloadNames, AcceptAnyBytes) {
  WorkloadNames names;
  std::uint32_t draw = 1;
  for (int i = 0; i < 20'000; ++i) {
    std::string name;
    draw = draw * 1664525u + 1013904223u;
    for (std::uint32_t length = draw % 12; length > 0; --length) {
      draw = draw * 1664525u + 1013904223u;
      name += "a/.-_ Z\xff"[(draw >> 16) % 8];
    }
    ASSERT_EQ(fault_in_workload_name(names.of(name)), "") << name;
  }
}

TEST(UtcTime, ReadsOffsetsAndFractions) {
  EXPECT_EQ(utc_time("2026-11-21T20:31:15+00:00"), "2026-11-21T20:31:15Z");
  EXPECT_EQ(utc_time("2026-11-21T20:31:15.25+01:00"), "2026-11-21T19:31:15Z");
  EXPECT_EQ(utc_time("2026-12-31 23:31:15-0130"), "2027-01-01T01:01:15Z");
  EXPECT_EQ(utc_time("2026-11-21T20:31:15"), "2026-11-21T20:31:15Z");
  for (const char* text :
       {"", "yesterday", "2026-11-21", "2026-13-21T20:31:15Z", "2026-02-30T20:31:15Z",
        "2026-11-21T25:31:15Z", "2026-11-21T20:31:15 UTC", "2026-11-21T20:31:15+1",
        "2026-11-21T20:31:15+99:00", "-100-11-21T20:31:15Z"}) {
    EXPECT_EQ(utc_time(text), "") << text;
  }
}

TEST(UtcTime, ReadsMilliseconds) {
  EXPECT_EQ(utc_time_of(1573312140323), "2019-11-09T15:09:00Z");
  EXPECT_EQ(utc_time_of(0), "1970-01-01T00:00:00Z");
  for (const double milliseconds : {-1.0, 1e18, HUGE_VAL, std::nan("")}) {
    EXPECT_EQ(utc_time_of(milliseconds), "");
  }
}

}  // namespace
}  // namespace perf::formats
