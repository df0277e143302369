#include "reporter/text/sentences.h"
#include "schema/formats/reading.h"
#include "tests/schema/formats/sample_set_helpers.h"

namespace perf::formats {

FormatReader read_benchmarkdotnet;

namespace {

SampleSet dotnet_set(const std::string& benchmarks, const std::string& host = "{}") {
  return samples_of(read_benchmarkdotnet, R"({"HostEnvironmentInfo": )" + host +
                                              R"(, "Benchmarks": [)" + benchmarks + "]}");
}

// files/benchmarkdotnet.json is written as JsonExporterBase of BenchmarkDotNet 0.13.12 does.
TEST(BenchmarkDotNet, ReadsTheFullReport) {
  const SampleSet set = samples_of(read_benchmarkdotnet, fixture_file("benchmarkdotnet.json"));
  const std::vector<double>& values = series_in(set, "Example.Kit.Load(n: 1024)").values;
  ASSERT_EQ(values.size(), 3u);
  EXPECT_DOUBLE_EQ(values[1], 10500.5e-9);
  const SampleSeries& bytes = series_in(set, "Example.Kit.Load(n: 1024)", "bytes_per_op");
  EXPECT_EQ(bytes.values, std::vector<double>{1072});
  EXPECT_TRUE(bytes.judge);
  ASSERT_EQ(set.failures.size(), 1u);
  EXPECT_EQ(set.failures.begin()->first.name, "Example.Kit.Save");
}

TEST(BenchmarkDotNet, NamesTheMachine) {
  const Environment found =
      samples_of(read_benchmarkdotnet, fixture_file("benchmarkdotnet.json")).environment;
  EXPECT_EQ(found.machine.at("ProcessorName"), "AMD EPYC 7763");
  EXPECT_EQ(found.machine.at("LogicalCoreCount"), "4");
  EXPECT_EQ(found.facts.at("OsVersion"), "Debian GNU/Linux 12 (bookworm)");
  EXPECT_NE(found.fingerprint, "");
  const auto fingerprint = [](const std::string& processor) {
    return dotnet_set("", R"({"LogicalCoreCount": 4, "ProcessorName": )" + processor + "}")
        .environment.fingerprint;
  };
  EXPECT_EQ(fingerprint(R"("Unknown processor")"), "");
  EXPECT_EQ(fingerprint("null"), "");
  const std::string epyc = fingerprint(R"("AMD EPYC 7763")");
  EXPECT_EQ(fingerprint(R"("AMD EPYC 7763 2.44GHz")"), epyc) << "as measured";
  EXPECT_EQ(fingerprint(R"j("Xeon CPU 2.80GHz (Max: 2.79GHz)")j"),
            fingerprint(R"("Xeon CPU 2.80GHz")"));
  EXPECT_NE(fingerprint(R"("Xeon CPU 2.80GHz")"), fingerprint(R"("Xeon CPU 2.20GHz")"));
  EXPECT_NE(fingerprint(R"({"IsValueCreated": true, "Value": "i7"})"), "")
      << "versions before 0.10";
}

TEST(BenchmarkDotNet, FallsBackToMeasurementsAndTheMedian) {
  const auto values = [](const std::string& members) {
    return series_in(dotnet_set(R"({"FullName": "A.B", )" + members + "}"), "A.B").values;
  };
  EXPECT_EQ(values(R"("Statistics": {"Median": 5e9}, "Measurements": [
    {"IterationMode": "Workload", "IterationStage": "Warmup", "Operations": 1, "Nanoseconds": 9e9},
    {"IterationMode": "Workload", "IterationStage": "Result", "Operations": 2, "Nanoseconds": 6e9},
    {"IterationMode": "Result", "Operations": 1, "Nanoseconds": 4e9}])"),
            (std::vector<double>{3, 4}));
  EXPECT_EQ(values(R"("Statistics": {"Median": 5e9}, "Measurements": [])"), std::vector<double>{5});
  const SampleSet brief = dotnet_set(R"({"FullName": "A.B", "Statistics": {"Median": 5e9}})");
  ASSERT_EQ(brief.warnings.size(), 1u);
  EXPECT_EQ(reporter::sentence(brief.warnings[0]),
            "1 benchmark has statistics only: the median counts as one value; export all values: "
            "--exporters json");
}

TEST(BenchmarkDotNet, TellsJobsApart) {
  const auto run = [](const std::string& job) {
    return R"j({"FullName": "A.B(n: 1)", "DisplayInfo": "A.B: )j" + job +
           R"j( [n=1]", "Statistics": {"Median": 5e9}})j";
  };
  const SampleSet set = dotnet_set(run("DefaultJob") + "," + run("Job-XYZ(Runtime=.NET 8.0)") +
                                   "," + run("Mine(Jit=x)"));
  ASSERT_EQ(set.series.size(), 3u);
  EXPECT_EQ(set.series[0].params, (Params{{"job", "DefaultJob"}}));
  EXPECT_EQ(set.series[1].params, (Params{{"job", "(Runtime=.NET 8.0)"}}));
  EXPECT_EQ(set.series[2].params, (Params{{"job", "Mine(Jit=x)"}}));
  EXPECT_TRUE(dotnet_set(run("J") + "," + run("J")).series.empty());
}

TEST(BenchmarkDotNet, RefusesOtherTextWithThePlace) {
  expect_refused_at(read_benchmarkdotnet, "b.json:",
                    {"{}", R"({"Benchmarks": 1})", R"({"Benchmarks": [1]})",
                     R"({"Benchmarks": [{}]})", R"({"Benchmarks": [{"FullName": ""}]})",
                     R"({"Benchmarks": [{"FullName": "a", "Statistics": 1}]})",
                     R"({"Benchmarks": [{"FullName": "a", "Statistics": {}, "Measurements": [
            {"IterationMode": "Result", "Nanoseconds": 1}]}]})"});
}

}  // namespace
}  // namespace perf::formats
