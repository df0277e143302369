#include "schema/formats/reading.h"
#include "tests/schema/formats/sample_set_helpers.h"

namespace perf::formats {

FormatReader read_nanobench;

namespace {

// files/nanobench.json was rendered by nanobench 4.6 on a machine that permits no counters.
TEST(Nanobench, ReadsItsJson) {
  const SampleSet set = samples_of(read_nanobench, fixture_file("nanobench.json"));
  const SampleSeries& sort = series_in(set, "sorting/sort");
  EXPECT_EQ(sort.metric, kStepTime);
  EXPECT_EQ(sort.values.size(), 3u);
  EXPECT_EQ(series_in(set, "sorting/copy/complexityN=2000").values.size(), 3u);
  EXPECT_EQ(set.series.size(), 2u) << "counters that are all 0 were not counted";
}

SampleSet nanobench_set(const std::string& members) {
  return samples_of(read_nanobench, R"({"results": [{"title": "t", "name": "n")" + members + "}]}");
}

TEST(Nanobench, ShowsCounters) {
  const SampleSet set = nanobench_set(
      R"(, "measurements": [{"elapsed": 2, "instructions": 5}, {"elapsed": 3, "instructions": 0}])");
  EXPECT_EQ(series_in(set, "t/n").values, (std::vector<double>{2, 3}));
  EXPECT_EQ(series_in(set, "t/n", "instructions").values, (std::vector<double>{5, 0}));
  EXPECT_FALSE(series_in(set, "t/n", "instructions").judge);
}

TEST(Nanobench, TakesTheMedianWithoutMeasurements) {
  const SampleSet set =
      nanobench_set(R"j(, "batch": 8, "median(elapsed)": 2, "measurements": [])j");
  EXPECT_EQ(series_in(set, "t/n/batch=8").values, std::vector<double>{2});
}

/// As the template pyperf() renders it.
std::string pyperf_text(const std::string& metadata) {
  return R"({"benchmarks": [{"runs": [{"values": [2e-3, 3e-3, -nan(ind)]}]}], "metadata": {)" +
         metadata + R"("name": "sort", "unit": "second"}, "version": "1.0"})";
}

TEST(Nanobench, ReadsItsPyperfTemplate) {
  const std::string text = pyperf_text(R"("loops": 30, "inner_loops": 1, )");
  EXPECT_EQ(format_of(text).name, "nanobench");
  const SampleSet set = read_samples(text, "n.json");
  EXPECT_EQ(series_in(set, "sort").values, (std::vector<double>{2e-3, 3e-3}));
  EXPECT_EQ(set.warnings.size(), 1u) << "an epoch without a time is said";
  EXPECT_EQ(read_samples(pyperf_text(R"("loops": 30, "inner_loops": 8, )"), "n").series.at(0).name,
            "sort/batch=8");
  EXPECT_EQ(format_of(pyperf_text(R"("inner_loops": 1, "perf_version": "2.6.1", )")).name, "")
      << "of pyperf itself";
}

TEST(Nanobench, RefusesOtherTextWithThePlace) {
  expect_refused_at(
      read_nanobench, "n.json:",
      {"{}", R"({"metadata": {"name": "a"}})", R"({"metadata": 1})",
       R"({"metadata": {"name": "a"}, "benchmarks": [{"runs": [{"values": ["x"]}]}]})",
       R"({"results": 1})", R"({"results": [{}]})", R"({"results": [{"title": "t", "name": 1}]})",
       R"({"results": [{"title": "t", "name": "n", "measurements": [{}]}]})",
       R"({"results": [{"title": "t", "name": "n", "measurements": []}]})"});
}

}  // namespace
}  // namespace perf::formats
