#include "reporter/text/sentences.h"
#include "schema/formats/reading.h"
#include "schema/workload_name.h"
#include "tests/schema/formats/sample_set_helpers.h"

namespace perf::formats {

FormatReader read_asv;

namespace {

// files/asv.json and files/asv_benchmarks.json are written to the format of asv, api version 2.
ImportedSession fixture() {
  return read_asv(fixture_file("asv.json"), "5e1fae6a-env.json").at(0);
}

TEST(Asv, ReadsOneBenchmarkPerCombinationOfParameters) {
  const SampleSet set = fixture().samples;
  const SampleSeries& quick = series_in(set, "suite.TimeSort.time_sort(10, 'quick')");
  EXPECT_EQ(quick.metric, kStepTime);
  EXPECT_TRUE(quick.judge);
  EXPECT_EQ(quick.values, (std::vector<double>{0.0020, 0.0021, 0.0022})) << "the samples";
  EXPECT_EQ(quick.params,
            (Params{{"param1", std::int64_t{10}}, {"param2", std::string("'quick'")}}));
  EXPECT_EQ(series_in(set, "suite.TimeSort.time_sort(1000, 'heap')").values,
            (std::vector<double>{0.031}))
      << "no samples: the result";
}

TEST(Asv, DistinguishesFailedFromSkipped) {
  const SampleSet set = fixture().samples;
  ASSERT_EQ(set.failures.size(), 2u);
  EXPECT_EQ(set.failures.count({"suite.TimeSort.time_sort(10, 'heap')",
                                {{"param1", std::int64_t{10}}, {"param2", std::string("'heap'")}}}),
            1u);
  EXPECT_EQ(set.failures.count({"suite.time_broken"}), 1u);
  EXPECT_EQ(reporter::sentences(set.warnings),
            (std::vector<std::string>{"1 benchmark was skipped"}));
  EXPECT_EQ(set.skipped.size(), 1u);
}

TEST(Asv, DerivesTypesFromNames) {
  const SampleSet set = fixture().samples;
  EXPECT_EQ(series_in(set, "suite.mem_table", "object_size").metric.unit, "B");
  EXPECT_TRUE(series_in(set, "suite.peakmem_load", "peak_memory").judge);
  const SampleSeries& track = series_in(set, "suite.track_iterations", "value");
  EXPECT_FALSE(track.judge) << "nobody said which direction is good";
  EXPECT_EQ(track.metric.unit, "1");
  for (const auto& [name, type] :
       std::vector<std::pair<std::string, AsvType>>{{"a.B.time_x", AsvType::time},
                                                    {"a.B.TimeX", AsvType::time},
                                                    {"timeraw_x", AsvType::time},
                                                    {"a.PeakMemX", AsvType::peak_memory},
                                                    {"a.mem_x", AsvType::memory},
                                                    {"a.timer", AsvType::track},
                                                    {"a.time_x.other", AsvType::track}}) {
    EXPECT_EQ(asv_type_of(name), type) << name;
  }
}

TEST(Asv, TakesNamesAndUnitsFromBenchmarksJson) {
  const std::string benchmarks = fixture_file("asv_benchmarks.json");
  const ImportedSession session =
      read_asv_results(fixture_file("asv.json"), "r.json", benchmarks, "benchmarks.json");
  EXPECT_EQ(series_in(session.samples, "suite.TimeSort.time_sort(10, 'quick')").params,
            (Params{{"size", std::int64_t{10}}, {"kind", std::string("'quick'")}}));
  EXPECT_EQ(series_in(session.samples, "suite.track_iterations", "value").metric.unit,
            "iterations");
  EXPECT_EQ(refusal_of([] { read_asv_results("{}", "r.json", "[]", "benchmarks.json"); }).subject,
            "benchmarks.json:1:1");
}

TEST(Asv, ReadsCommitTimeAndMachine) {
  const ImportedSession session = fixture();
  EXPECT_EQ(session.commit, "5e1fae6ad92a96e7a1fa4ce83c8e3d3c2f0b1a97");
  EXPECT_EQ(session.measured_at, "2024-01-01T12:00:00Z") << "the first to start, not the commit";
  const Environment& environment = session.samples.environment;
  EXPECT_EQ(environment.machine.at("machine"), "bench-1");
  EXPECT_EQ(environment.machine.at("numpy"), "1.26") << "asv keeps a series for each";
  EXPECT_EQ(environment.facts.at("env_name"), "virtualenv-py3.11-numpy1.26");
  EXPECT_TRUE(contains(environment.fingerprint, "machine=bench-1\n"));
}

TEST(Asv, KeepsFactsThatChangeByThemselvesOutOfTheMachine) {
  const auto machine = [](const std::string& os, const std::string& ram,
                          const std::string& python) {
    return samples_of(read_asv, R"({"params": {"machine": "m", "cpu": "X", "os": ")" + os +
                                    R"(", "ram": ")" + ram + R"("}, "python": ")" + python +
                                    R"(", "result_columns": ["result"], "results": {}})")
        .environment;
  };
  const Environment one = machine("Linux 5.11.0-37-generic", "16164140", "3.10.1");
  EXPECT_EQ(one.fingerprint, machine("Linux 6.1.0-18-amd64", "16164136", "3.10.2").fingerprint);
  EXPECT_EQ(one.fingerprint, "cpu=X\nmachine=m\nos=Linux\npython=3.10\n");
  EXPECT_EQ(one.facts.at("os_in_full"), "Linux 5.11.0-37-generic");
  EXPECT_EQ(one.facts.at("ram_in_full"), "16164140");
  EXPECT_NE(one.fingerprint, machine("Linux", "16164140", "3.11").fingerprint);
}

TEST(Asv, ReadsTheVersionOfABenchmark) {
  const std::string columns = R"({"result_columns": ["result", "params", "version"], "results": )";
  const SampleSet set = samples_of(
      read_asv, columns + R"({"time_a": [[1], [], "v1"], "time_b": [null, [["1", "2"]], "v2"]}})");
  EXPECT_EQ(series_in(set, "time_a").version, "v1");
  EXPECT_EQ(set.failures.size(), 2u) << "of time_b each combination";
  EXPECT_EQ(blocks_of(set).blocks.at(0).params, (Params{{kForeignVersion, std::string("v1")}}));
}

TEST(Asv, RefusesWithThePlace) {
  const auto of = [](const std::string& row) {
    return "{\"result_columns\": [\"result\", \"params\", \"version\", \"samples\"], \"results\":\n"
           "{" +
           row + "}}";
  };
  expect_refused(read_asv, "a.json:",
                 {{"\n{}", "results"},
                  {"{\n\"results\": {}}", "result_columns"},
                  {"{\"results\": {}, \"result_columns\":\n[]}", "no column \"result\""},
                  {"{\"version\":\n1, \"results\": {}}", "another version"},
                  {of("\"time_x\": 7"), "an array"},
                  {of("\"time_x\": [[1, 2]]"), "2 results for 1 combinations"},
                  {of("\"time_x\": [[1], [[\"1\", \"2\"]]]"), "more combinations"},
                  {of("\"time_x\": [[1], [[1]]]"), "text"},
                  {of("\"time_x\": [[\"1\"]]"), "a number, not text"},
                  {of("\"time_x\": [[1], [], null, [[\"1\"]]]"), "a number, not text"}});
}

TEST(Asv, RefusesTooManyCombinationsEarly) {
  std::string params;
  for (int i = 0; i < 60; ++i) {
    params += std::string(i == 0 ? "" : ",") + "[\"1\",\"2\"]";
  }
  const std::string text =
      "{\"result_columns\": [\"result\", \"params\"], \"results\": "
      "{\"time_x\": [[1,2,3], [" +
      params + "]]}}";
  EXPECT_EQ(refusal_of([&] { read_asv(text, "a.json"); }).what,
            "more combinations of parameters than results");
}

// What stands once would be copied into every combination.
TEST(Asv, RefusesCombinationsOfMoreTextThanTheFileHas) {
  const auto text = [](const std::string& name, const std::string& params) {
    std::string results = "1";
    for (int i = 1; i < 100; ++i) {
      results += ",1";
    }
    return "{\"result_columns\": [\"result\", \"params\"], \"results\": {\"" + name + "\": [[" +
           results + "], [" + params + "]]}}";
  };
  const std::string long_one(200'000, 'x');
  std::string hundred = "[\"0\"";
  for (int i = 1; i < 100; ++i) {
    hundred += ",\"" + std::to_string(i) + "\"";
  }
  hundred += "]";
  EXPECT_EQ(
      refusal_of([&] { read_asv(text("time_x", "[\"" + long_one + "\"]," + hundred), "a"); }).what,
      "more than 8 MiB of combinations of parameters");
  EXPECT_EQ(refusal_of([&] { read_asv(text("time_" + long_one, hundred), "a"); }).what,
            std::string(kTooManySeries));
  std::string many = "[\"1\"]";
  for (int i = 0; i < 100; ++i) {
    many += ",[\"1\"]";
  }
  EXPECT_EQ(refusal_of([&] { read_asv(text("time_x", many), "a"); }).what,
            "a benchmark with more than 100 parameters");
}

}  // namespace
}  // namespace perf::formats
