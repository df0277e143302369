#include "schema/formats/reading.h"
#include "tests/schema/formats/sample_set_helpers.h"

namespace perf::formats {

FormatReader read_jmh;

namespace {

/// A run of one benchmark with these further members, and these of its primary metric.
std::string jmh_run(const std::string& members, const std::string& primary) {
  return R"({"benchmark": "a.B.c", "mode": "avgt", )" + members +
         R"("primaryMetric": {"score": 7,)" + primary + "}}";
}

SampleSet jmh_set(const std::string& runs) {
  return samples_of(read_jmh, "[" + runs + "]");
}

// files/jmh.json is written as JSONResultFormat of JMH 1.37 does.
TEST(Jmh, ReadsTimesPerOperation) {
  const SampleSet set = samples_of(read_jmh, fixture_file("jmh.json"));
  const SampleSeries& load = series_in(set, "org.example.Kit.load/size=1024/avgt");
  EXPECT_EQ(load.metric, kStepTime);
  EXPECT_TRUE(load.judge);
  ASSERT_EQ(load.values.size(), 6u) << "of both forks";
  EXPECT_DOUBLE_EQ(load.values[3], 10.2e-6);
}

TEST(Jmh, ReadsRatesAsRates) {
  const SampleSet set = samples_of(read_jmh, fixture_file("jmh.json"));
  const SampleSeries& rate =
      series_in(set, "org.example.Kit.load/size=1024/thrpt/threads=4", "ops_per_second");
  EXPECT_EQ(rate.metric.better, Better::higher);
  EXPECT_TRUE(rate.judge);
  EXPECT_EQ(rate.values, (std::vector<double>{380e3, 381e3}));
}

TEST(Jmh, TakesTheMeanOfEachHistogram) {
  const SampleSet set = samples_of(read_jmh, fixture_file("jmh.json"));
  EXPECT_EQ(series_in(set, "org.example.Kit.store/sample").values,
            (std::vector<double>{2.5e-3, 3e-3}));
}

TEST(Jmh, JudgesAllocationsOfABenchmarkThatAllocates) {
  const SampleSet set = samples_of(read_jmh, fixture_file("jmh.json"));
  const std::string name = "org.example.Kit.load/size=1024/avgt";
  EXPECT_TRUE(series_in(set, name, "bytes_per_op").judge);
  EXPECT_EQ(series_in(set, name, "bytes_per_op").values.at(0), 1072);
  EXPECT_FALSE(series_in(set, name, "gc.alloc.rate").judge);
  EXPECT_EQ(series_in(set, name, "gc.alloc.rate").metric.unit, "MB/sec");
  const SampleSet none = jmh_set(jmh_run(
      "\"secondaryMetrics\": {\"\xC2\xB7gc.alloc.rate.norm\": {\"score\": 1e-3, \"scoreUnit\": "
      "\"B/op\", \"rawData\": [[0.001, 0.3]]}},",
      R"("scoreUnit": "ns/op")"));
  EXPECT_FALSE(series_in(none, "a.B.c/avgt", "bytes_per_op").judge) << "JMH's own";
}

TEST(Jmh, HasTheArgumentsOfTheVirtualMachineAsParameter) {
  const auto params_of = [](const std::string& arguments) {
    return jmh_set(jmh_run("\"jvmArgs\": [" + arguments + "],", R"("scoreUnit": "ns/op")"))
        .series.at(0)
        .params;
  };
  EXPECT_EQ(params_of(R"("-XX:+UseZGC", "-Xmx2g", "-Djava.io.tmpdir=/tmp/4711")"),
            (Params{{"jvmArgs", "-XX:+UseZGC -Xmx2g"}}))
      << "folders change";
  EXPECT_TRUE(params_of("").empty());
  EXPECT_EQ(to_text(params_of("\"" + std::string(5000, 'x') + "\"").at("jvmArgs")).size(), 200u);
}

TEST(Jmh, NamesTheVirtualMachineOnly) {
  const Environment found = samples_of(read_jmh, fixture_file("jmh.json")).environment;
  EXPECT_EQ(found.machine, (std::map<std::string, std::string>{
                               {"java", "17"}, {"vm", "OpenJDK 64-Bit Server VM"}}));
  EXPECT_EQ(found.facts.at("jdkVersion"), "17.0.9");
  EXPECT_EQ(found.fingerprint, "");
  EXPECT_EQ(jmh_set(jmh_run(R"("jdkVersion": "1.8.0_392",)", R"("scoreUnit": "s/op")"))
                .environment.machine.at("java"),
            "1.8");
}

TEST(Jmh, TakesTheScoreWithoutRawData) {
  for (const char* raw : {"", R"("rawData": [], )", R"("rawData": [[]], )"}) {
    const SampleSet set = jmh_set(jmh_run("", std::string(raw) + R"("scoreUnit": "min/op")"));
    EXPECT_EQ(series_in(set, "a.B.c/avgt").values, std::vector<double>{420}) << raw;
  }
}

TEST(Jmh, FailsBenchmarksAndNotTheFile) {
  const auto failures_of = [](const std::string& members, const std::string& primary) {
    const std::string good = jmh_run(R"("threads": 2, )", R"("scoreUnit": "s/op")");
    const std::string text = "[" + good + ", " + jmh_run(members, primary) + "]";
    const SampleSet set = samples_of("jmh", text);
    EXPECT_EQ(series_in(set, "a.B.c/avgt/threads=2").values.size(), 1u) << text;
    EXPECT_EQ(set.series.size(), 1u) << text;
    return set.failures.size() + set.skipped.size();
  };
  EXPECT_EQ(failures_of("", R"("scoreUnit": "cycles/op")"), 1u);
  EXPECT_EQ(failures_of("", R"("scoreUnit": "s/op", "rawData": [["NaN", "+INF", "-INF"]])"), 1u);
  EXPECT_EQ(failures_of("", R"("scoreUnit": "s/op", "rawData": [[0.0]])"), 1u);
}

TEST(Jmh, RefusesEqualNames) {
  const std::string run = jmh_run("", R"("scoreUnit": "s/op")");
  EXPECT_TRUE(jmh_set(run + "," + run).series.empty()) << "which one is which is not known";
}

TEST(Jmh, RefusesOtherTextWithThePlace) {
  expect_refused_at(
      read_jmh, "j.json:",
      {R"({"benchmark": 1})", R"([1])", R"([{"benchmark": ""}])", R"([{"benchmark": "a"}])",
       R"([{"benchmark": "a", "mode": "avgt", "primaryMetric": {"scoreUnit": "s/op"}}])",
       R"([{"benchmark": "a", "mode": "avgt", "primaryMetric": {"scoreUnit": "s/op", "score": 1,
             "rawData": [1]}}])",
       R"([{"benchmark": "a", "mode": "avgt", "primaryMetric": {"scoreUnit": "s/op", "score": 1,
             "rawDataHistogram": [[[[1]]]]}}])"});
}

}  // namespace
}  // namespace perf::formats
