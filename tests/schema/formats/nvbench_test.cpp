#include "schema/formats/reading.h"
#include "tests/schema/formats/sample_set_helpers.h"

namespace perf::formats {
namespace {

// 0.25, 0.125 and 0.375, whose mean is that of the first state.
const std::string kSamples("\0\0\x80\x3e\0\0\0\x3e\0\0\xc0\x3e", 12);

ImportedSession nvbench_session(const std::optional<std::string>& samples) {
  return read_nvbench_results(fixture_file("nvbench.json"), "copy.json",
                              [&](const std::string& file) {
                                EXPECT_EQ(file, "copy.json-bin/0.bin");
                                return samples;
                              });
}

TEST(Nvbench, ReadsTheSamplesBesideIt) {
  const SampleSet set = nvbench_session(kSamples).samples;
  const SampleSeries& times = series_in(set, "copy/Device=0 N=2^20");
  EXPECT_EQ(times.metric, kStepTime);
  EXPECT_EQ(times.values, (std::vector<double>{0.25, 0.125, 0.375}));
}

// Samples that are missing, cut, or of a later run that wrote a file of the same name.
TEST(Nvbench, TakesTheMedianWithoutItsOwnSamples) {
  for (const std::optional<std::string>& samples :
       {std::optional<std::string>(), std::optional(kSamples.substr(0, 8)),
        std::optional<std::string>(""),
        std::optional(std::string("\0\0\x80\x3f", 4) + kSamples.substr(4))}) {
    const SampleSet set = nvbench_session(samples).samples;
    EXPECT_EQ(series_in(set, "copy/Device=0 N=2^20").values, std::vector<double>{0.25});
    EXPECT_EQ(set.warnings.front().kind, WarningKind::files_passed_over);
  }
}

TEST(Nvbench, JudgesTheTimeOfTheDeviceAlone) {
  const SampleSet set = samples_of("nvbench", fixture_file("nvbench.json"));
  for (const SampleSeries& series : set.series) {
    EXPECT_EQ(series.judge, series.metric == kStepTime) << series.metric.name;
  }
  EXPECT_DOUBLE_EQ(series_in(set, "copy/Device=0 N=2^20", "cpu_time").values.at(0), 0.3);
  EXPECT_EQ(series_in(set, "host").values, std::vector<double>{0.5}) << "cpu_only, and no median";
}

TEST(Nvbench, TellsSkippedStatesFromFailures) {
  const SampleSet set = nvbench_session(kSamples).samples;
  EXPECT_EQ(set.failures.at({"copy/Device=0 N=2^40"}), "Unexpected error: out of memory");
  EXPECT_EQ(set.skipped.at({"copy/Device=0 N=2^4"}),
            "Warmup time did not meet skip_time limit: 1.000us < 5.000us.");
}

TEST(Nvbench, NamesTheDevicesThatWereUsed) {
  EXPECT_EQ(nvbench_session(kSamples).samples.environment.machine,
            (std::map<std::string, std::string>{{"gpus", "NVIDIA H200"}}));
}

// Where the clock throttled, no sample may be left.
TEST(Nvbench, FailsStatesWithoutTime) {
  const SampleSet set =
      samples_of("nvbench", R"({"devices": [], "benchmarks": [{"name": "a", "states": [
                       {"name": "N=1", "summaries": [{"tag": "nv/cold/sample_size"}]},
                       {"name": "N=1", "summaries": null}, {"name": "N=2", "summaries": [1]}]}]})");
  EXPECT_EQ(set.failures, (std::map<BenchmarkId, std::string>{{{"a/N=2"}, "it has no time"}}));
  EXPECT_EQ(set.skipped.size(), 1u) << "N=1 comes twice";
}

TEST(Nvbench, RefusesOtherTextWithThePlace) {
  expect_refused_at(
      format_reader("nvbench"), "n.json:",
      {"{}", R"({"benchmarks": [1]})", R"({"benchmarks": [{"name": "a", "states": [{}]}]})",
       R"({"benchmarks": [{"name": "", "states": []}]})", "[", ""});
}

}  // namespace
}  // namespace perf::formats
