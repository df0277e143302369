#include "schema/formats/reading.h"
#include "tests/schema/formats/sample_set_helpers.h"

namespace perf::formats {

FormatReader read_hyperfine;

namespace {

// files/hyperfine.json is what hyperfine 1.15.0 wrote under
//   hyperfine -N -r 3 -i -L n 0.005,0.01 'sleep {n}' 'false' --export-json hyperfine.json

TEST(Hyperfine, ReadsTheRunsOfEachCommand) {
  const SampleSet set = read_hyperfine(fixture_file("hyperfine.json"), "old.json").at(0).samples;
  const SampleSeries& time = series_in(set, "sleep 0.01");
  EXPECT_EQ(time.metric, kStepTime);
  EXPECT_TRUE(time.judge);
  EXPECT_EQ(time.values, (std::vector<double>{0.010561510000000001, 0.010644949, 0.010750699}));
  EXPECT_EQ(time.params, (Params{{"n", std::string("0.01")}}));
  EXPECT_FALSE(series_in(set, "sleep 0.01", "user_time").judge);
  EXPECT_TRUE(set.environment.fingerprint.empty());
}

TEST(Hyperfine, CountsANonzeroExitAsAFailure) {
  const SampleSet set = read_hyperfine(fixture_file("hyperfine.json"), "old.json").at(0).samples;
  ASSERT_EQ(set.failures.size(), 1u);
  EXPECT_EQ(set.failures.at("false"), "3 of 3 runs failed: the first exited with 1");
  EXPECT_THROW(series_in(set, "false"), std::runtime_error);
  const SampleSet killed =
      read_hyperfine(R"({"results": [{"command": "x", "times": [1, 2], "exit_codes": [0, null]}]})",
                     "f")
          .at(0)
          .samples;
  EXPECT_EQ(killed.failures.at("x"), "1 of 2 runs failed: the first was killed by a signal");
}

TEST(Hyperfine, ReadsMemoryAndTheMedianWithoutTimes) {
  const SampleSet set =
      read_hyperfine(
          R"({"results": [{"command": "x", "times": [1, 2], "memory_usage_byte": [4096, 8192]},
                      {"command": "y", "median": 0.5, "exit_codes": [0]}]})",
          "f")
          .at(0)
          .samples;
  EXPECT_EQ(series_in(set, "x", "memory_usage").values, (std::vector<double>{4096, 8192}));
  EXPECT_EQ(series_in(set, "x", "memory_usage").metric.unit, "B");
  EXPECT_TRUE(series_in(set, "x", "memory_usage").judge);
  EXPECT_EQ(series_in(set, "y").values, (std::vector<double>{0.5}));
}

TEST(Hyperfine, RefusesWithThePlace) {
  for (const auto& [text, what] : std::vector<std::pair<std::string, std::string>>{
           {"\n{}", "results"},
           {"{\"results\":\n[]}", "no benchmark result"},
           {"{\"results\": [\n{\"times\": [1]}]}", "command"},
           {"{\"results\": [\n{\"command\": \"\", \"times\": [1]}]}", "empty"},
           {"{\"results\": [\n{\"command\": \"x\"}]}", "median"},
           {"{\"results\": [\n{\"command\": \"x\", \"times\": [-1]}]}", "negative"},
           {"{\"results\": [\n{\"command\": \"x\", \"times\": [NaN]}]}", "a number, not NaN"},
           {"{\"results\": [\n{\"command\": \"x\", \"times\": [1e200]}]}", "is outside"},
           {"{\"results\": [{\"command\": \"x\", \"times\": [1]},\n{\"command\": \"x\"}]}",
            "duplicate"}}) {
    const UsageError error = refusal_of([&, text = text] { read_hyperfine(text, "h.json"); });
    EXPECT_NE(error.what.find(what), std::string::npos) << text << ": " << error.what;
    EXPECT_EQ(error.subject.rfind("h.json:2:", 0), 0u) << error.subject;
  }
}

}  // namespace
}  // namespace perf::formats
