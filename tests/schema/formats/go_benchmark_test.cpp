#include <cmath>

#include "reporter/text/sentences.h"
#include "schema/formats/reading.h"
#include "tests/schema/formats/sample_set_helpers.h"

namespace perf::formats {

FormatReader read_go_benchmark;

namespace {

const std::string kGoFile = fixture_file("go.txt");

const SampleSeries& series(const SampleSet& set, const std::string& name, const std::string& metric,
                           const std::string& package) {
  for (const SampleSeries& one : set.series) {
    if (one.name == name && one.metric.name == metric && one.params == Params{{"pkg", package}}) {
      return one;
    }
  }
  throw std::runtime_error("no series " + name + " " + metric);
}

TEST(GoBenchmark, ReadsRepetitionsInOrderAndInBaseUnits) {
  const SampleSet set = samples_of(read_go_benchmark, kGoFile);
  const SampleSeries& time =
      series(set, "BenchmarkDecode/size=1e4-8", "step_time", "compress/flate");
  EXPECT_EQ(time.metric, kStepTime);
  EXPECT_TRUE(time.judge);
  ASSERT_EQ(time.values.size(), 3u);
  EXPECT_DOUBLE_EQ(time.values[0], 154125e-9);
  EXPECT_DOUBLE_EQ(time.values[1], 153900e-9);
  EXPECT_DOUBLE_EQ(time.values[2], 154501e-9);
  const SampleSeries& rate =
      series(set, "BenchmarkDecode/size=1e4-8", "bytes_per_second", "compress/flate");
  EXPECT_DOUBLE_EQ(rate.values[0], 64.88e6);
  EXPECT_EQ(rate.metric.better, Better::higher);
  EXPECT_FALSE(rate.judge) << "it repeats the time";
  const SampleSeries& bytes =
      series(set, "BenchmarkDecode/size=1e4-8", "bytes_per_op", "compress/flate");
  EXPECT_EQ(bytes.metric.unit, "B");
  EXPECT_TRUE(bytes.judge);
  EXPECT_EQ(bytes.values, (std::vector<double>{40418, 40418, 40420}));
  EXPECT_EQ(series(set, "BenchmarkDecode/size=1e4-8", "allocs_per_op", "compress/flate").values[2],
            7);
}

TEST(GoBenchmark, SeparatesPackages) {
  const SampleSet set = samples_of(read_go_benchmark, kGoFile);
  EXPECT_EQ(series(set, "BenchmarkDecode/size=1e4-8", "step_time", "compress/gzip").values,
            (std::vector<double>{1e-3}));
}

TEST(GoBenchmark, ReadsCustomUnitsAndTheirDirection) {
  const SampleSet set = samples_of(read_go_benchmark, kGoFile);
  const SampleSeries& hits = series(set, "BenchmarkCache-8", "hits/op", "compress/flate");
  EXPECT_EQ(hits.metric.better, Better::higher);
  EXPECT_TRUE(hits.judge);
  const SampleSeries& tail = series(set, "BenchmarkCache-8", "p99-ns/op", "compress/flate");
  EXPECT_DOUBLE_EQ(tail.values[0], 12.5e-9);
  EXPECT_EQ(tail.metric.unit, "s");
  EXPECT_FALSE(tail.judge) << "nobody said which direction is good";
  EXPECT_TRUE(series(set, "BenchmarkCache-8", "misses", "compress/flate").judge);
}

TEST(GoBenchmark, MarksExactMetrics) {
  const SampleSet set =
      samples_of(read_go_benchmark,
                 "Unit words better=lower assume=exact\nUnit lines better=lower assume=nothing\n"
                 "BenchmarkX 1 2 ns/op 3 B/op 4 allocs/op 5 words 6 lines");
  for (const SampleSeries& one : set.series) {
    EXPECT_EQ(one.exact, one.metric.name == "allocs_per_op" || one.metric.name == "words")
        << one.metric.name;
  }
}

TEST(GoBenchmark, ReadsTheMachineAndWarnsOfSkippedLines) {
  const SampleSet set = samples_of(read_go_benchmark, kGoFile);
  EXPECT_EQ(set.environment.machine.at("cpu"), "AMD EPYC 7B13");
  EXPECT_EQ(set.environment.machine.size(), 3u);
  EXPECT_FALSE(set.environment.fingerprint.empty());
  EXPECT_EQ(set.environment.facts.at("commit"), "7cd9055");
  ASSERT_EQ(set.warnings.size(), 1u);
  EXPECT_EQ(reporter::sentence(set.warnings[0]),
            "1 line begins with a benchmark's name but has no result");
}

TEST(GoBenchmark, HasNoFingerprintWithoutACpu) {
  const SampleSet set = samples_of(read_go_benchmark, "goos: linux\nBenchmarkX 1 2 ns/op");
  EXPECT_EQ(set.environment.fingerprint, "");
  EXPECT_EQ(set.environment.machine.size(), 1u);
  EXPECT_TRUE(set.series[0].params.empty());
}

TEST(GoBenchmark, RefusesWithTheLine) {
  const auto read_below = [](const std::string& lines, const std::string& file) {
    read_go_benchmark("cpu: A\ncommit: A\nBenchmarkX-8 10 5 ns/op\ncpu: A\ncommit: A\n" + lines,
                      file);
  };
  expect_refused(read_below, "old.txt:6", {{"BenchmarkX-8 10 5 ns/op \xff 3", "UTF-8"}});
  // As a file has them whose end was never written.
  expect_refused(read_below, "old.txt:7",
                 {{"PASS\n" + std::string(8, '\0'), "a NUL byte in column 1"},
                  {"PASS\nok  x" + std::string(8, '\0'), "a NUL byte in column 6"}});
  expect_refused(
      read_below, "old.txt:7",
      {{"cpu: B\nBenchmarkX-8 10 5 ns/op", "two machines in one file: cpu is B here, A above"},
       {"goarch: B\nBenchmarkX-8 10 5 ns/op",
        "two machines in one file: goarch is B here, not given above"},
       {"commit: B\nBenchmarkX-8 10 5 ns/op", "two commits in one file: A and B"}});
}

/// What a text is read as: "X-8 x2" (values), "X-8 failed: why", "X-8 skipped: why", "lost PKG:
/// why"; then the warnings, one a line.
std::string told_of_go(const std::string& text) {
  const SampleSet set = samples_of(read_go_benchmark, text);
  std::string all;
  for (const SampleSeries& one : set.series) {
    all += one.name + " x" + std::to_string(one.values.size()) + "\n";
  }
  for (const auto& [id, why] : set.failures) {
    all += id.name + " failed: " + why + "\n";
  }
  for (const auto& [id, why] : set.skipped) {
    all += id.name + " skipped: " + why + "\n";
  }
  for (const LostBenchmarks& lost : set.lost) {
    all += "lost";
    for (const auto& [name, value] : lost.params) {
      all += " " + to_text(value);
    }
    all += ": " + lost.why + "\n";
  }
  for (const Warning& warning : set.warnings) {
    if (warning.kind != WarningKind::broken_off) {
      all += reporter::sentence(warning) + "\n";
    }
  }
  return all;
}

// The texts are what go 1.22 prints.
TEST(GoBenchmark, ReadsFailures) {
  const std::string put = "pkg: kit\nBenchmarkPut-8 \t 10\t 5 ns/op\n";
  for (const auto& [text, expected] : std::vector<std::pair<std::string, std::string>>{
           {"BenchmarkDel-8     \t--- FAIL: BenchmarkDel-8\n    kit_test.go:9: corrupt\n"
            "BenchmarkGet-8 \t 10\t 5 ns/op\nFAIL\nexit status 1\nFAIL\tkit\t2.1s\nFAIL\n",
            "BenchmarkPut-8 x1\nBenchmarkGet-8 x1\nBenchmarkDel-8 failed: kit_test.go:9: "
            "corrupt\n"},
           {"--- FAIL: BenchmarkDel\n    kit_test.go:9: corrupt\n        more\n"
            "--- FAIL: BenchmarkGet\nFAIL\nFAIL\tkit\t2.1s\n",
            "BenchmarkPut-8 x1\nBenchmarkDel-8 failed: kit_test.go:9: corrupt\n"
            "BenchmarkGet-8 failed: FAIL\n"},
           {"BenchmarkDel-8     \t--- FAIL: BenchmarkDel\n    --- FAIL: BenchmarkDel/large-8\n"
            "        kit_test.go:9: corrupt\nFAIL\nFAIL\tkit\t2.1s\n",
            "BenchmarkPut-8 x1\nBenchmarkDel-8 failed: kit_test.go:9: corrupt\n"
            "BenchmarkDel/large-8 failed: kit_test.go:9: corrupt\n"},
           // With -v names are announced, and logs come first.
           {"BenchmarkDel\n    kit_test.go:9: corrupt\n--- FAIL: BenchmarkDel-8\nPASS\n",
            "BenchmarkPut-8 x1\nBenchmarkDel-8 failed: kit_test.go:9: corrupt\n"},
           {"BenchmarkDel-8     \t--- SKIP: BenchmarkDel-8\n    kit_test.go:9: needs root\nPASS\n",
            "BenchmarkPut-8 x1\nBenchmarkDel-8 skipped: kit_test.go:9: needs root\n"},
           // One of the repetitions.
           {"--- FAIL: BenchmarkPut-8\n    kit_test.go:9: corrupt\nFAIL\nFAIL\tkit\t2.1s\n",
            "BenchmarkPut-8 x1\nsome repetitions of \"BenchmarkPut-8\" were left out: "
            "kit_test.go:9: corrupt\n"},
           {"--- BENCH: BenchmarkPut-8\n    kit_test.go:9: first\n    kit_test.go:9: second\n"
            "--- FAIL: BenchmarkDel-8\nFAIL\nFAIL\tkit\t2.1s\n",
            "BenchmarkPut-8 x1\nBenchmarkDel-8 failed: FAIL\n"},
           {"BenchmarkDel-8     \tpanic: runtime error: index out of range [3]\n\n"
            "goroutine 20 [running]:\nkit.Del(...)\n\t/src/kit.go:9\nexit status 2\n"
            "FAIL\tkit\t0.9s\nFAIL\n",
            "BenchmarkPut-8 x1\nBenchmarkDel-8 failed: panic: runtime error: index out of range "
            "[3]\nlost kit: panic: runtime error: index out of range [3]\n"},
           // A panic in a later repetition leaves no values that count.
           {"BenchmarkPut-8     \tpanic: boom\nexit status 2\nFAIL\tkit\t0.9s\n",
            "BenchmarkPut-8 failed: panic: boom\nlost kit: panic: boom\n"},
           {"BenchmarkDel\nfatal error: all goroutines are asleep - deadlock!\n",
            "BenchmarkPut-8 x1\nBenchmarkDel-8 failed: fatal error: all goroutines are asleep - "
            "deadlock!\nlost: fatal error: all goroutines are asleep - deadlock!\n"},
           {"panic: test timed out after 10m0s\nrunning tests:\n\nFAIL\tkit\t600.1s\n",
            "BenchmarkPut-8 x1\nlost kit: panic: test timed out after 10m0s\n"},
           {"signal: killed\nFAIL\tkit\t9.1s\n", "BenchmarkPut-8 x1\nlost kit: signal: killed\n"},
           {"exit status 3\nFAIL\tkit\t9.1s\n", "BenchmarkPut-8 x1\nlost kit: exit status 3\n"},
           {"BenchmarkDel-8     \texit status 7\nFAIL\tkit\t9.1s\n",  // os.Exit
            "BenchmarkPut-8 x1\nBenchmarkDel-8 failed: exit status 7\nlost kit: exit status 7\n"},
           {"BenchmarkDel-8     \t",
            "BenchmarkPut-8 x1\nBenchmarkDel-8 failed: the file ends "
            "before the result of BenchmarkDel-8\nlost: the file ends "
            "before the result of BenchmarkDel-8\n"},
           {"PASS\nok\tkit\t9.1s\n# kit/net\nnet/conn.go:9:2: undefined: foo\n"
            "FAIL\tkit/net [build failed]\n",
            "BenchmarkPut-8 x1\nlost kit/net: build failed: net/conn.go:9:2: undefined: foo\n"},
           {"PASS\nok\tkit\t9.1s\n# kit/net\npackage kit/net\n\timports kit/io\n"
            "\timports kit/net: import cycle not allowed\nFAIL\tkit/net [setup failed]\n",
            "BenchmarkPut-8 x1\nlost kit/net: setup failed: imports kit/net: import cycle not "
            "allowed\n"},
           {"PASS\nok\tkit\t9.1s\nflag provided but not defined: -foo\nUsage of kit.test:\n"
            "  -test.bench regexp\nFAIL\tkit/net\t0.1s\n",
            "BenchmarkPut-8 x1\nlost kit/net: flag provided but not defined: -foo\n"},
           // Tests that fail keep the benchmarks from running.
           {"PASS\nok\tkit\t9.1s\n--- FAIL: TestOpen (0.00s)\n    o_test.go:5: no\nFAIL\n"
            "exit status 1\nFAIL\tkit/net\t0.1s\n",
            "BenchmarkPut-8 x1\nlost kit/net: TestOpen failed\n"},
           // A panic that was caught.
           {"BenchmarkGet\npanic: in a log\nBenchmarkGet-8 \t 10\t 5 ns/op\nPASS\nok\tkit\t9.1s\n",
            "BenchmarkPut-8 x1\nBenchmarkGet-8 x1\n"},
           // The program prints into the line of its result.
           {"BenchmarkGet-8   \tloading\n     100\t  123 ns/op\nPASS\n",
            "BenchmarkPut-8 x1\nBenchmarkGet-8 x1\n"}}) {
    EXPECT_EQ(told_of_go(put + text), expected) << text;
  }
  EXPECT_EQ(told_of_go("# kit\n./kit.go:9:2: undefined: foo\nFAIL\tkit [build failed]\nFAIL\n"),
            "lost kit: build failed: ./kit.go:9:2: undefined: foo\n");
}

TEST(GoBenchmark, LosesWhatAFileThatWasCutOffLacks) {
  const std::string put = "pkg: kit\nBenchmarkPut-8 \t 10\t 5 ns/op\n";
  const std::string net = "pkg: net\nBenchmarkGet-8 \t 10\t 5 ns/op\n";
  const std::string both = "BenchmarkPut-8 x1\nBenchmarkGet-8 x1\n";
  const auto lost = [](const std::string& where, const std::string& package) {
    return "lost" + where + ": the file has neither PASS nor FAIL of " + package +
           ": was it cut off?\n";
  };
  EXPECT_EQ(told_of_go(put), "BenchmarkPut-8 x1\n" + lost("", "kit"));
  EXPECT_EQ(told_of_go(put + "PASS\nok\tkit\t1s\n" + net), both + lost("", "net"));
  EXPECT_EQ(told_of_go(put + net + "PASS\n"), both + lost(" kit", "kit")) << "two files in one";
  EXPECT_EQ(told_of_go(put + "BenchmarkDel-8 \t 10"),
            "BenchmarkPut-8 x1\nBenchmarkDel-8 failed: a value without a unit\n" + lost("", "kit"));
  for (const std::string end : {"PASS\n", "ok  \tkit\t1s\n", "FAIL\n"}) {
    EXPECT_EQ(told_of_go(put + end), "BenchmarkPut-8 x1\n") << end;
  }
  EXPECT_EQ(told_of_go("goos: linux\nBenchmarkPut-8 \t 10\t 5 ns/op\n"), "BenchmarkPut-8 x1\n")
      << "lines that somebody chose";
}

TEST(GoBenchmark, PassesOverTablesOfBenchcmp) {
  const std::string table =
      "benchmark     old ns/op  new ns/op  delta\nBenchmarkX-8  1000  2000  +100.00%\n"
      "BenchmarkY-8  1000  900  -10.00%\n\nbenchmark     old MB/s  new MB/s  speedup\n"
      "BenchmarkX-8  20  10  0.50x\n";
  EXPECT_FALSE(is_go_text(table));
  EXPECT_EQ(told_of_go("BenchmarkX-8 10 5 99th-ns 7 % 8 \xC2\xB5s\n" + table),
            "BenchmarkX-8 x1\nBenchmarkX-8 x1\nBenchmarkX-8 x1\n"
            "3 lines begin with a benchmark's name but have no result\n");
}

TEST(GoBenchmark, IsKnownWhereAllWasSkipped) {
  const std::string text = "goos: linux\n--- SKIP: BenchmarkX\n    x_test.go:3: no GPU\nPASS\n";
  EXPECT_TRUE(is_go_text(text));
  EXPECT_EQ(told_of_go(text), "BenchmarkX skipped: x_test.go:3: no GPU\n");
}

TEST(GoBenchmark, LosesOnlyOddLines) {
  for (const auto& [line, why] : std::vector<std::pair<std::string, std::string>>{
           {"10 5", "a value without a unit"},
           {"10 5 ns/op 7", "a value without a unit"},
           {"10 five ns/op", "invalid value of \"ns/op\": \"five\""},
           {"10 5 ns/op 6 ns/op", "duplicate unit \"ns/op\""}}) {
    EXPECT_EQ(told_of_go("BenchmarkX-8 10 5 ns/op\nBenchmarkY-8 " + line),
              "BenchmarkX-8 x1\nBenchmarkY-8 failed: " + why + "\n");
    EXPECT_EQ(told_of_go("BenchmarkX-8 10 5 ns/op\nBenchmarkX-8 " + line),
              "BenchmarkX-8 x1\nsome repetitions of \"BenchmarkX-8\" were left out: " + why + "\n");
  }
}

TEST(GoBenchmark, ReadsNumbersThatAreNone) {
  for (const std::string number : {"nan", "NaN", "inf", "+Inf", "-inf", "9007199254740993"}) {
    const SampleSet set =
        samples_of(read_go_benchmark, "BenchmarkX-8 10 5 ns/op " + number + " hits");
    EXPECT_EQ(set.series.at(0).values.at(0), 5e-9) << number;
    EXPECT_FALSE(std::isfinite(set.series.at(1).values.at(0))) << number;
  }
}

// https://pkg.go.dev/cmd/test2json
TEST(GoBenchmark, ReadsTest2json) {
  const auto event = [](const std::string& package, const std::string& output) {
    return R"({"Time":"2026-05-02T10:11:00Z","Action":"output","Package":")" + package +
           R"(","Output":")" + output + "\"}\n";
  };
  const std::string text =
      "go: downloading example.org/x v1.0.0\n"
      R"({"Action":"start","Package":"a"})"
      "\n" +
      event("a", "pkg: a\\n") + event("b", "pkg: b\\n") + event("a", "BenchmarkX-8   \\t") +
      event("b", "BenchmarkX-8 \\t 10\\t 7 ns/op\\n") + event("a", " 10\\t 5 ns/op\\n") +
      event("a", "PASS\\n") + event("b", "--- FAIL: BenchmarkY\\n") +
      event("b", "    y_test.go:9: corrupt\\n") + event("b", "FAIL\\n") + event("d", "pkg: d\\n") +
      event("d", "BenchmarkX-8 \\t 10\\t 7 ns/op\\n") +
      R"({"Action":"build-output","ImportPath":"c","Output":"# c\n"})"
      "\n" +
      R"({"Action":"build-output","ImportPath":"c","Output":"c.go:9: undefined: foo\n"})"
      "\n" +
      event("c", "FAIL\\tc [build failed]\\n") +
      R"({"Action":"fail","Package":"c","Elapsed":0,"FailedBuild":"c"})"
      "\n";
  EXPECT_EQ(told_of_go(text),
            "BenchmarkX-8 x1\nBenchmarkX-8 x1\nBenchmarkX-8 x1\n"
            "BenchmarkY-8 failed: y_test.go:9: corrupt\n"
            "lost d: the file has neither PASS nor FAIL of d: was it cut off?\n"
            "lost c: build failed: c.go:9: undefined: foo\n");
  const SampleSet set = samples_of(read_go_benchmark, text);
  EXPECT_EQ(set.series.at(0).params, (Params{{"pkg", "a"}}));
  EXPECT_EQ(set.series.at(0).values, std::vector<double>{5e-9});
}

TEST(GoBenchmark, RefusesATextWithoutAResult) {
  for (const char* text : {"", "PASS\n", "ok\tkit\t0.1s\n", "Benchmarking 1 2 ns/op\n",
                           "  BenchmarkX-8 1 2 ns/op\n", "BenchmarkX-8 0 2 ns/op\n"}) {
    EXPECT_EQ(refusal_of([&] { read_go_benchmark(text, "old.txt"); }).what, "no benchmark result")
        << text;
  }
}

}  // namespace
}  // namespace perf::formats
