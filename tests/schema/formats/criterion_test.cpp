#include "schema/formats/reading.h"
#include "tests/schema/formats/sample_set_helpers.h"

namespace perf::formats {

FormatReader read_criterion;

namespace {

const std::string kBencher =
    "running 3 tests\n"
    "test fibonacci/recursive/10 ... bench:       1,234 ns/iter (+/- 56)\n"
    "test decode ... bench:        20.50 us/iter (+/- 1.20) = 555 MB/s\n"
    "test works ... ok\n"
    "test broken ... FAILED\n\n"
    "test result: FAILED. 1 passed; 1 failed; 0 ignored; 2 measured; 0 filtered out\n";

// files/criterion.jsonl is written to the format of cargo-criterion 1.1.
TEST(Criterion, ReadsTheMessagesOfCargoCriterion) {
  const SampleSet set = samples_of(read_criterion, fixture_file("criterion.jsonl"));
  const SampleSeries& norm = series_in(set, "norm");
  EXPECT_EQ(norm.metric, kStepTime);
  EXPECT_TRUE(norm.judge);
  ASSERT_EQ(norm.values.size(), 3u);
  EXPECT_DOUBLE_EQ(norm.values[0], 4140e-9);
  EXPECT_DOUBLE_EQ(norm.values[2], 4200e-9);
  const SampleSeries& rate = series_in(set, "norm", "elements_per_second");
  EXPECT_DOUBLE_EQ(rate.values[0], 1024 / 4140e-9);
  EXPECT_EQ(rate.metric.better, Better::higher);
  EXPECT_FALSE(rate.judge) << "it repeats the time";
}

TEST(Criterion, KeepsOtherMeasurementsInTheirUnit) {
  const SampleSet set = samples_of(read_criterion, fixture_file("criterion.jsonl"));
  const SampleSeries& cycles = series_in(set, "copy/4096", "value");
  EXPECT_EQ(cycles.metric.unit, "cycles");
  EXPECT_EQ(cycles.values, (std::vector<double>{100, 120}));
  EXPECT_TRUE(cycles.judge) << "criterion calls more of any unit a regression";
  EXPECT_EQ(set.series.size(), 3u) << "bytes a cycle are no rate of time";
}

TEST(Criterion, ReadsBencherText) {
  const SampleSet set = samples_of(read_criterion, kBencher);
  EXPECT_DOUBLE_EQ(series_in(set, "fibonacci/recursive/10").values.at(0), 1234e-9);
  EXPECT_DOUBLE_EQ(series_in(set, "decode").values.at(0), 20.5e-6);
  EXPECT_DOUBLE_EQ(series_in(set, "decode", "bytes_per_second").values.at(0), 555e6);
  EXPECT_EQ(set.failures,
            (std::map<BenchmarkId, std::string>{{{"broken"}, "cargo reports FAILED"}}));
  EXPECT_EQ(set.series.size(), 3u);
}

TEST(Criterion, ReadsTheDeviationOfBencherText) {
  const auto deviation = [](const std::string& stated) {
    const SampleSet set = samples_of(read_criterion, "test a ... bench: 1,234.5 ns/iter" + stated);
    const SampleSeries& one = series_in(set, "a");
    return one.summary ? one.summary->stddev : 0;
  };
  EXPECT_DOUBLE_EQ(deviation(" (+/- 1,056.5)"), 1056.5e-9);
  EXPECT_DOUBLE_EQ(deviation(" (+/- 56) = 5 MB/s"), 56e-9);
  for (const char* none : {"", " (+/- 0)", " (+/- -1)", " (+/- x)", " (+/- inf)", " (+/- nan)",
                           " (+/- ", " (+/- 1e999)"}) {
    EXPECT_EQ(deviation(none), 0) << none;
  }
}

TEST(Criterion, ReadsTheFilesThatItLeaves) {
  const SampleSet set =
      read_criterion_files(
          {{"target/criterion/fib/10/new",
            R"({"group_id":"fib","function_id":null,"value_str":"10","throughput":{"Bytes":100},
            "full_id":"fib/10","directory_name":"fib/10","title":"fib/10"})",
            R"({"sampling_mode":"Linear","iters":[10.0,20.0],"times":[1000.0,3000.0]})"},
           {"target/criterion/sum/new", R"({"full_id":"sum","throughput":null})",
            R"({"sampling_mode":"Flat","iters":[1.0],"times":[7.0]})"}},
          "target/criterion")
          .samples;
  EXPECT_EQ(set.source, "target/criterion");
  const std::vector<double>& values = series_in(set, "fib/10").values;
  ASSERT_EQ(values.size(), 2u);
  EXPECT_DOUBLE_EQ(values[0], 100e-9);
  EXPECT_DOUBLE_EQ(values[1], 150e-9);
  EXPECT_DOUBLE_EQ(series_in(set, "fib/10", "bytes_per_second").values[0], 1e9);
  EXPECT_DOUBLE_EQ(series_in(set, "sum").values[0], 7e-9);
}

TEST(Criterion, DropsSamplesOfNoIterations) {
  const SampleSet set =
      samples_of("criterion", R"({"reason":"benchmark-complete","id":"a","unit":"s",)"
                              R"("measured_values":[1,4,-1],"iteration_count":[0,2,1]})");
  EXPECT_EQ(series_in(set, "a").values, std::vector<double>{2});
  EXPECT_EQ(set.warnings.at(0).kind, WarningKind::repetitions_left_out);
}

TEST(Criterion, RefusesMessagesWithThePlace) {
  const auto read_message = [](const std::string& members, const std::string& file) {
    read_criterion(
        "{\"reason\":\"group-complete\"}\nwarning: unused\n"
        "{\"reason\":\"benchmark-complete\"," +
            members + "}",
        file);
  };
  expect_refused(
      read_message, "c.json:3:",
      {{R"("unit":"ns")", "id"},
       {R"("id":"","unit":"ns","measured_values":[1],"iteration_count":[1])", "empty"},
       {R"("id":"a","measured_values":[1],"iteration_count":[1])", "unit"},
       {R"("id":"a","unit":"ns","measured_values":[1,2],"iteration_count":[1])",
        "2 measured values for 1 iteration counts"},
       {R"("id":"a","unit":"ns","measured_values":[],"iteration_count":[])", "0 measured"},
       {R"("id":"a","unit":"ns","measured_values":[1],"iteration_count":[1],"x":})", "literal"}});
  EXPECT_EQ(refusal_of([&] { read_criterion("{\"reason\":\"x\"}", "c.json"); }).what,
            "no benchmark result");
}

/// "NAME [PROGRAM] VALUE METRIC" of each series, then failures and what is lost.
std::string told_of_cargo(const std::string& text) {
  const SampleSet set = samples_of(read_criterion, text);
  std::string all;
  for (const SampleSeries& one : set.series) {
    all += one.name;
    for (const auto& [name, program] : one.params) {
      all += " [" + to_text(program) + "]";
    }
    all += " " + to_text(Param(one.values.at(0))) + " " + one.metric.unit + "\n";
  }
  for (const auto& [id, why] : set.failures) {
    all += id.name + " failed: " + why + "\n";
  }
  for (const auto& [id, why] : set.skipped) {
    all += id.name + " skipped: " + why + "\n";
  }
  for (const LostBenchmarks& lost : set.lost) {
    all += "lost: " + lost.why + "\n";
  }
  return all;
}

TEST(Criterion, LosesOnlyOddLinesOfBencherText) {
  for (const auto& [line, why] : std::vector<std::pair<std::string, std::string>>{
           {"twelve ns/iter (+/- 1)", "invalid number \"twelve\""},
           {"1,23 ns/iter (+/- 1)", "invalid number \"1,23\""},
           {"1,2,4 ns/iter (+/- 1)", "invalid number \"1,2,4\""},
           {",234 ns/iter (+/- 1)", "invalid number \",234\""},
           {"1234,567 ns/iter (+/- 1)", "invalid number \"1234,567\""},
           {"1,234.5,000 ns/iter (+/- 1)", "invalid number \"1,234.5,000\""},
           {"9,007,199,254,740,993 ns/iter (+/- 1)", "invalid number \"9,007,199,254,740,993\""},
           {"12", "no unit such as ns/iter after the number: was the file cut off?"},
           {"", "invalid number \"\""}}) {
    EXPECT_EQ(told_of_cargo("test a ... bench: 3 s/iter (+/- 1)\ntest b ... bench: " + line),
              "a 3 s\nb failed: " + why + "\n");
  }
  EXPECT_EQ(
      refusal_of([] { read_criterion(kBencher + "test a\xff ... bench: 3 ns/iter", "b"); }).subject,
      "b:8");
  for (const char* text : {"", "running 0 tests\n", "test a ... ok\n"}) {
    EXPECT_EQ(refusal_of([&] { read_criterion(text, "b.txt"); }).what, "no benchmark result");
  }
}

TEST(Criterion, ReadsAllUnitsOfBencherText) {
  EXPECT_EQ(told_of_cargo("test a ... bench: 1,234 cycles/iter (+/- 5)\n"
                          "test b ... bench: 7 [instructions]/iter (+/- 5)\n"
                          "test c ... bench: 2 ms/iter (+/- 1)\n"),
            "a 1234 cycles\nb 7 instructions\nc 0.002 s\n");
}

// cargo bench of several programs: what a file has besides is no part of an identity.
TEST(Criterion, TellsNamesApartByProgram) {
  const std::string walk = "test walk ... bench: 3 s/iter (+/- 1)\n";
  EXPECT_EQ(told_of_cargo("     Running benches/a.rs (target/release/deps/a-01)\n" + walk +
                          "test sort ... bench: 5 s/iter (+/- 1)\n"
                          "     Running unittests src/lib.rs (target/release/deps/b-01)\n" +
                          walk),
            "walk [benches/a.rs] 3 s\nsort [benches/a.rs] 5 s\n"
            "walk [unittests src/lib.rs] 3 s\n");
  EXPECT_EQ(told_of_cargo("  Running benches/a.rs (target/release/deps/a-01)\n" + walk),
            "walk [benches/a.rs] 3 s\n");
  EXPECT_EQ(told_of_cargo("  Running unittests (target/release/deps/a-01)\n" + walk), "walk 3 s\n")
      << "old versions name no file";
  EXPECT_EQ(told_of_cargo(walk + walk), "walk skipped: several benchmarks have this name\n");
}

// cargo bench --message-format=json -- --output-format bencher
TEST(Criterion, ReadsBencherTextBetweenOtherMessages) {
  EXPECT_EQ(told_of_cargo(R"({"reason":"compiler-artifact","package_id":"kit"})"
                          "\n"
                          R"({"reason":"compiler-message","message":{"rendered":"error: no\n"}})"
                          "\ntest walk ... bench: 3 s/iter (+/- 1)\n"
                          R"({"reason":"build-finished","success":true})"
                          "\ntest sort ... FAILED\n"),
            "walk 3 s\nsort failed: cargo reports FAILED\n");
}

TEST(Criterion, ReadsFailuresOfCargo) {
  const std::string load = "test load ... bench: 3 s/iter (+/- 1)\n";
  for (const auto& [text, expected] : std::vector<std::pair<std::string, std::string>>{
           {"thread 'main' panicked at benches/kit.rs:12:5:\nboom\n"
            "error: bench failed, to rerun pass `--bench kit`\n",
            "lost: panicked at benches/kit.rs:12:5: boom\n"},
           {"thread 'main' (4711) panicked at benches/kit.rs:12:5:\nboom\n",
            "lost: panicked at benches/kit.rs:12:5: boom\n"},
           {"thread 'main' panicked at 'boom', benches/kit.rs:12:5\n",
            "lost: panicked at 'boom', benches/kit.rs:12:5\n"},
           {"test walk ... FAILED\n\nfailures:\n\n---- walk stdout ----\n"
            "thread 'walk' panicked at src/lib.rs:5:9:\nassertion failed: x\n\n"
            "test sort ... bench: 4 s/iter (+/- 1)\n",
            "sort 4 s\nwalk failed: panicked at src/lib.rs:5:9: assertion failed: x\n"},
           {"test walk ... thread 'main' panicked at src/lib.rs:5:9:\nno\n",
            "walk failed: panicked at src/lib.rs:5:9: no\n"
            "lost: panicked at src/lib.rs:5:9: no\n"},
           {"test walk ... ignored\ntest tests::reads ... ignored, needs a GPU\n",
            "tests::reads skipped: cargo ignored it\nwalk skipped: cargo ignored it\n"},
           {"error[E0425]: cannot find value `foo` in this scope\n"
            "error: could not compile `kit` (bench \"kit\") due to 1 previous error\n",
            "lost: error[E0425]: cannot find value `foo` in this scope\n"},
           // A program may print what it likes.
           {"error: the cache is cold\nthread 'worker' panicked at a.rs:1:1:\ncaught\n", ""}}) {
    EXPECT_EQ(told_of_cargo(load + text), "load 3 s\n" + expected) << text;
  }
  EXPECT_EQ(told_of_cargo("error: could not compile `kit`\n"),
            "lost: error: could not compile `kit`\n");
  const std::string messages = fixture_file("criterion.jsonl");
  const SampleSet set =
      samples_of(read_criterion, "   Compiling kit v0.1.0\n" + messages +
                                     "\nerror: bench failed, to rerun pass `--bench kit`\n");
  EXPECT_EQ(set.series.size(), 3u);
  ASSERT_EQ(set.lost.size(), 1u);
  EXPECT_EQ(set.lost[0].why, "error: bench failed, to rerun pass `--bench kit`");
}

TEST(Criterion, RefusesFilesWithTheirName) {
  const auto of = [](const std::string& benchmark, const std::string& sample) {
    return refusal_of([&] { read_criterion_files({{"d", benchmark, sample}}, "."); }).subject;
  };
  EXPECT_EQ(of("{}", "{}"), "d/benchmark.json:1:1");
  EXPECT_EQ(of(R"({"full_id":"a"})", R"({"iters":[1]})"), "d/sample.json:1:1");
  EXPECT_EQ(of(R"({"full_id":"a","throughput":{"Bytes":"x"}})", "{}"), "d/benchmark.json:1:38");
  EXPECT_EQ(refusal_of([] { read_criterion_files({}, "target"); }).subject, "target:1:1");
}

}  // namespace
}  // namespace perf::formats
