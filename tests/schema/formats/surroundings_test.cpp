#include "schema/formats/surroundings.h"

#include "reporter/text/sentences.h"
#include "schema/formats/foreign.h"
#include "schema/text/text_parts.h"
#include "tests/schema/formats/sample_set_helpers.h"

namespace perf::formats {
namespace {

const std::string kDocument = R"({"context": {"num_cpus": 2}, "benchmarks": [)"
                              "\n"
                              R"({"name": "BM_a", "real_time": 5, "time_unit": "s"}]})"
                              "\n";

/// "NAME VALUE" of each series that is judged, then the warnings.
std::string told_of_text(const std::string& text) {
  const SampleSet set = read_samples(text, "f");
  std::string all;
  for (const SampleSeries& one : set.series) {
    all += one.name + " " + to_text(Param(one.values.at(0))) + "\n";
  }
  for (const Warning& warning : set.warnings) {
    all += reporter::sentence(warning) + "\n";
  }
  return all;
}

std::string other_text(const std::string& lines) {
  return lines +
         " of other text beside the JSON were skipped; let the tool write a file of its own, such "
         "as --benchmark_out=FILE\n";
}

TEST(OtherText, IsSkippedBesideOneDocument) {
  EXPECT_EQ(
      told_of_text("loading data... [1/2] \"done\n[INFO] ready\n" + kDocument + "\nbye {1}\n"),
      "BM_a 5\n" + other_text("3 lines"));
  EXPECT_EQ(told_of_text("[##    \n{\"level\": \"info\"}\n" + kDocument),
            "BM_a 5\n" + other_text("2 lines"));
  const std::string hyperfine = R"({"results": [{"command": "ls", "times": [1, 2]}]})";
  EXPECT_EQ(told_of_text("Benchmark 1: ls\n" + hyperfine).substr(0, 5), "ls 1\n");
  // Go's lines count wherever they are.
  EXPECT_EQ(told_of_text("{\"level\": \"info\"}\nBenchmarkX-8 10 5e9 ns/op\n"), "BenchmarkX-8 5\n");
  // What a workload prints is read alike; places in the document stay right.
  EXPECT_EQ(read_foreign_blocks("google-benchmark", "loading\n" + kDocument, "stdout").size(), 1u);
  EXPECT_EQ(formats::refusal_of([] {
              read_samples(
                  "loading\n"
                  R"({"benchmarks": [{"name": "a", "real_time": true,)"
                  "\"time_unit\": \"s\"}]}",
                  "f");
            }).subject,
            "f:2:44");
}

TEST(OtherText, RefusesSeveralDocuments) {
  EXPECT_EQ(formats::refusal_of([] { read_samples(kDocument + kDocument, "f"); }).what,
            "several JSON documents in one file");
}

TEST(OtherText, RefusesWhatIsCutShort) {
  for (const std::string before : {"", "loading\n"}) {
    for (std::size_t size = 2; size < kDocument.size() - 2; ++size) {
      const UsageError error =
          formats::refusal_of([&] { read_samples(before + kDocument.substr(0, size), "f"); });
      EXPECT_EQ(error.what, "the file is cut short") << size;
    }
  }
  EXPECT_EQ(formats::refusal_of([] {
              read_foreign("google-benchmark", kDocument.substr(0, 60), "f");
            }).subject,
            "f:2:15");
}

// Every line opens brackets that end nowhere, or an object that is no JSON.
TEST(OtherText, IsSearchedInLinearTime) {
  for (const std::string line : {"{\"a\n", "[{\n", "{\"a\": x}\n", "{\"a\":[\n"}) {
    std::string text;
    for (int i = 0; i < 20'000; ++i) {
      text += line;
    }
    EXPECT_THROW(read_samples("x\n" + text, "f"), UsageError);
  }
}

const std::string kGo =
    "goos: linux\ncpu: X\nBenchmarkGet-8 \t 10\t 5e9 ns/op\n--- FAIL: BenchmarkDel-8\n"
    "    kit_test.go:9: corrupt\n\nPASS\n";

/// Each line behind a prefix in which # is the number of the line.
std::string logged(const std::string& prefix, std::string_view text) {
  std::string all;
  for (int number = 8; !text.empty(); ++number) {
    std::string own = prefix;
    for (std::size_t at = own.find('#', 1); at != own.npos; at = own.find('#', at + 1)) {
      own.replace(at, 1, std::to_string(number));
    }
    all += own + std::string(take_line(text)) + "\n";
  }
  return all;
}

TEST(LogPrefix, IsTakenOff) {
  for (const std::string prefix :
       {"#15 1#.66 ", "2026-05-02T10:11:##.1234567Z ", "[bench] ", "web-1  | ",
        "bench\tRun benchmarks\t2026-05-02T10:11:00.#Z ",
        "May 02 10:11:# host go[123]: ", "[2026-05-02T10:11:#.123Z] ", "10:11:#  ", "> ", "    "}) {
    const SampleSet set = read_samples(logged(prefix, kGo), "f");
    ASSERT_EQ(set.series.size(), 1u) << prefix;
    EXPECT_EQ(set.series[0].name, "BenchmarkGet-8");
    EXPECT_EQ(set.environment.machine.size(), 2u) << prefix;
    EXPECT_EQ(set.failures.begin()->second, "kit_test.go:9: corrupt") << prefix;
    EXPECT_EQ(set.warnings.at(0).kind, WarningKind::log_prefix);
    const SampleSet cargo =
        read_samples(logged(prefix, "Running x (y)\ntest walk ... bench: 5 s/iter (+/- 1)\n"), "f");
    EXPECT_EQ(cargo.series.at(0).name, "walk") << prefix;
  }
  EXPECT_EQ(told_of_text(logged("#15 #.66 ", kGo) + "#15 DONE 22.7s\n"),
            "BenchmarkGet-8 5\nthe prefix of a log was left out of its lines: \"#15 10.66 \"\n");
}

TEST(LogPrefix, IsTakenOffJson) {
  for (const std::string prefix : {"2026-05-02T10:11:##.1234567Z ", "web-1  | "}) {
    const SampleSet set = read_samples(
        logged(prefix, "Run x\n{\n") + logged(prefix, std::string(kDocument).substr(1)), "f");
    EXPECT_EQ(set.series.at(0).name, "BM_a") << prefix;
    EXPECT_EQ(set.warnings.back().kind, WarningKind::log_prefix);
  }
}

TEST(LogPrefix, HasNumbersOfAnyForm) {
  for (const auto& [first, second] :
       std::vector<std::pair<std::string, std::string>>{{"[59s] ", "[1m0s] "},
                                                        {"[59m59s] ", "[1h0m0s] "},
                                                        {"[ 9.5] ", "[10.0] "},
                                                        {" 9 | ", "10 | "},
                                                        {"#9 9.5 ", "#10 11.25 "},
                                                        {"9:59 ", "1:00:00 "}}) {
    EXPECT_EQ(
        told_of_text(first + "BenchmarkGet-8 10 5e9 ns/op\n" + first +
                     "--- FAIL: BenchmarkDel-8\n" + second + "    kit_test.go:9: no\n" + second +
                     "BenchmarkPut-8 10 6e9 ns/op\n"),
        "BenchmarkGet-8 5\nBenchmarkPut-8 6\nthe prefix of a log was left out of its lines: \"" +
            first + "\"\n");
  }
}

TEST(LogPrefix, IsOneForAllLines) {
  const std::string line = "BenchmarkGet-8 10 5e9 ns/op\n";
  for (const std::string& text :
       {"+" + line + "-" + line, "[a] goos: linux\n[a] pkg: kit\n[a] " + line + "[b] " + line,
        std::string("a| test a ... bench: 1 ns/iter\nb| test b ... bench: 1 ns/iter\n")}) {
    const UsageError error = formats::refusal_of([&] { read_samples(text, "f"); });
    EXPECT_EQ(error.subject, "f: lines of Go or cargo begin with different text") << text;
  }
  EXPECT_EQ(told_of_text(line + "log: " + line), "BenchmarkGet-8 5\n") << "some lines have none";
}

// What is in the files of people that are of no known format.
TEST(UnknownFormats, AreNamedWithWhatToPassInstead) {
  for (const auto& [text, what, hint] :
       std::vector<std::tuple<std::string, std::string, std::string>>{
           {"", "the file is empty", ""},
           {" \n\n", "the file is empty", ""},
           {"<!DOCTYPE html><html><title>404</title>", "an HTML page", "download"},
           {"<testsuites><testsuite><testcase name=\"a\" time=\"1\"/>", "JUnit", "judge CASES"},
           {"version https://git-lfs.github.com/spec/v1\noid sha256:1\n", "git-lfs",
            "git lfs pull"},
           {R"({"metrics": {"http_reqs": {}}, "root_group": {}})", "k6", "steps protocol"},
           {R"({"metrics": {"http_reqs": {}}, "state": {"testRunDurationMs": 1}})", "k6", "steps"},
           {R"({"name": "main", "benchmarks": {"a": {"criterion_benchmark_v1": {}}}})", "critcmp",
            "target/criterion"},
           {R"({"version": 1, "runtime": "Deno/2.1.4", "benches": []})", "deno bench", "steps"},
           {R"([{"name": "a", "ips": 10.5, "microseconds": 5}])", "benchmark-ips", "steps"},
           {R"([{"Julia": "1.10", "BenchmarkTools": {}}, [["BenchmarkGroup", {}]]])",
            "BenchmarkTools.jl", ""},
           {R"({"load": {"latency": {"value": 1}}})", "bencher.dev", "benchmark tool"},
           {"kit   fastest  \xE2\x94\x82 slowest\n", "divan", "steps"},
           {"     Running benches/kit.rs (x)\nfib  time:   [6.2 ms 6.4 ms 6.6 ms]\n", "criterion",
            "--output-format bencher"},
           {"build_commit,build_number,cpu_info,avg_ns\n", "llama-bench", "-o json"},
           {"| model          |       size |            t/s |\n", "llama-bench", "-o json"},
           {"name,iterations,real_time,cpu_time,time_unit\n\"BM_a\",1,2,2,ns\n", "Google Benchmark",
            "--benchmark_out_format=json"},
           {"Run on (8 X 2400 MHz CPU s)\nBenchmark        Time             CPU   Iterations\n"
            "BM_a          1000 ns         1000 ns         1000\n",
            "Google Benchmark", "--benchmark_out=FILE"},
           {"command,mean,stddev,median,user,system,min,max\nls,1,1,1,1,1,1,1\n", "hyperfine",
            "--export-json"},
           {"| Command | Mean [ms] | Min [ms] |\n|:---|---:|---:|\n", "hyperfine", "--export-json"},
           {"\"Benchmark\",\"Mode\",\"Threads\",\"Samples\",\"Score\"\n", "JMH", "-rf json"},
           {"Benchmark     Mode  Cnt  Score   Error  Units\nKit.load      avgt   10  5  us/op\n",
            "JMH", "-rf json"},
           {"Method,Job,AnalyzeLaunchVariance,Mean\n", "BenchmarkDotNet", "--exporters json"},
           {"name,min,max,mean,stddev,rounds,median,iqr,ops,iterations\n", "pytest-benchmark",
            "--benchmark-json"},
           {"goos: linux\n   | old.txt | new.txt |\n   | sec/op  | sec/op vs base |\n", "benchstat",
            "compared"},
           {"goos: linux\npkg: kit\n   \xE2\x94\x82 old.txt\n   \xE2\x94\x82 sec/op\n", "benchstat",
            "compared"},
           {"pkg: kit\n,old.txt\n,sec/op,CI\n", "benchstat", "compared"},
           {"| Command  |  Mean [ms] |  Relative |\n", "hyperfine", "--export-json"},
           {" Nextest run ID 0a1b\n    PASS [ 0.003s] kit x\n", "nextest", "cargo bench"},
           {"benchmark  old ns/op  new ns/op  delta\nBenchmarkA-8  1000  2000  +100.00%\n",
            "benchcmp", "compared"},
           {R"([{"name": "BM_A", "measurements": [{"real_time": 1, "real_time_other": 2}]}])",
            "compare.py", "compared"},
           {"group    base                    new\nkit/A    1.00  1000.0\xC2\xB1"
            "1ns  ? ?/sec\n",
            "critcmp", "target/criterion"},
           {"{ \"type\": \"bench\", \"name\": \"a\", \"median\": 12, \"deviation\": 5 }\n",
            "libtest", "--format json"},
           {"| Change | Before | After |   Ratio | Benchmark (Parameter)   |\n", "asv",
            "results/MACHINE"},
           {"[50.00%] \u00b7\u00b7\u00b7 suite.time_a   1.00\u00b10.01ms\n", "asv",
            "results/MACHINE"},
           {"100.12,msec,task-clock,100120000,100.00,0.998,CPUs utilized\n", "perf stat", "-j"},
           {"3000000,,cycles,100120000,100.00,2.996,GHz\n", "perf stat", "-j"},
           {"\tElapsed (wall clock) time (h:mm:ss or m:ss): 0:01.02\n", "time", "process"},
           {"  name   hz  min  max  mean  rme  samples\n", "vitest", "steps"},
           {R"({"files": [{"groups": [{"benchmarks": [{"rme": 0.5, "hz": 12}]}]}]})", "vitest",
            "steps"},
           {R"({"benchmarks": [{"runs": [{"values": [1], "warmups": [[1, 1]]}]}]})", "pyperf",
            "steps"},
           {R"({"benchmarks": [{"metadata": {"perf_version": "2.6"}, "runs": [{"values": [1]}]}]})",
            "pyperf", "steps"},
           {"benchmark name  samples  iterations  estimated\n  mean  low mean  high mean\n",
            "Catch2", "--reporter xml"},
           {"Type,Name,Request Count,Failure Count\n", "Locust", "pairs"},
           {"timeStamp,elapsed,label,responseCode\n", "JMeter", "pairs"},
           {"<html><pre>BenchmarkA-8 10 5 ns/op</pre>\n<b>\n+BenchmarkA-8 10 5 ns/op",
            "an HTML page", "download"},
           {"goos: linux\npkg: kit\nPASS\n", "without benchmarks", "-bench ."},
           {" Performance counter stats for 'ls':\n", "perf stat", "-j"},
           {"\treal\t0m1.234s\n\tuser\t0m1.001s\n", "time", "process"},
           {"  Latency   635us\nRequests/sec:  74836.94\n", "wrk", "pairs"},
           {"\x1f\x8b\b", "gzip", ""},
           {"PK\x03\x04", "zip", ""},
           {std::string("\x7f\0ELF", 5), "not text", ""},
           {"| Task name | ops/sec | Average Time (ns) | Margin |\n", "tinybench", "steps"},
           {"benchmark   time/iter (avg)   iter/s   (min \u2026 max)\n", "mitata", "steps"},
           {"Name    ips        average  deviation         median\n", "Benchee", "steps"},
           {"latency average = 1.2 ms\ntps = 800.1\n", "pgbench", "pairs"},
           {"Summary:\n  Slowest: 0.1 secs\n  Requests/sec: 9\nLatency distribution:\n", "hey",
            "steps"},
           {R"({"summary": {"slowest": 0.01, "fastest": 0.001, "requestsPerSec": 9}})", "oha",
            "steps"},
           {R"({"connections": 10, "requests": {"mean": 9}, "latency": {}})", "autocannon",
            "steps"},
           {R"({"latencies": {"mean": 2}, "status_codes": {"200": 9}})", "vegeta", "steps"},
           {R"({"fio version": "fio-3.33", "jobs": []})", "fio", "steps"},
           {R"({"layout": [], "benchmarks": [{"alias": "a", "runs": []}]})", "mitata", "steps"},
           {"Test Case '-[T testA]' measured [Time, seconds] average: 0.1\n", "xcodebuild",
            "steps"},
           {"[ RUN      ] A.B\n[       OK ] A.B (12 ms)\n", "GoogleTest", "hyperfine"},
           {"===== slowest 10 durations =====\n1.23s call t.py::a\n", "pytest", "--benchmark-json"},
           {R"([{"name": "a", "unit": "ms", "value": 1}])", "input of github-action-benchmark",
            "data.js"},
           {R"({"results": {"a": 1}})",
            "f:1:13: \"results\" is an object, but hyperfine writes a list", "as the tool wrote"},
           {R"({"benchmarks": 5})", "f:1:16: \"benchmarks\" is a number", "as the tool wrote"},
           {"null", "", "steps protocol"},
           {"[]", "", ""},
           {"{}", "", ""},
           {"hello\n", "", "steps protocol"}}) {
    const UsageError error = formats::refusal_of([&, text = text] { read_samples(text, "f"); });
    EXPECT_EQ(error.what, "file of unknown format") << text;
    EXPECT_EQ(error.subject.substr(0, 1), "f") << text;
    EXPECT_TRUE(contains(error.subject, what));
    EXPECT_TRUE(contains(error.hint, hint));
    EXPECT_TRUE(contains(error.hint, "google-benchmark, hyperfine"));
    if (!what.empty()) {
      EXPECT_EQ(
          formats::refusal_of([&, text = text] { read_foreign("hyperfine", text, "f"); }).subject,
          error.subject);
    }
  }
}

/// What is nearly a file of a known format.
TEST(UnknownFormats, AreToldWhereTheyAreNoJson) {
  const auto error_of = [](const std::string& text) {
    return refusal_of([&text] { read_one_session(text, "f"); });
  };
  const Error comma = error_of("{\"results\": [\n{\"command\": \"x\", \"times\": [1, 2],}]}");
  EXPECT_TRUE(contains(comma.what, "not valid JSON")) << comma.what;
  EXPECT_EQ(comma.subject, "f:2:34");
  EXPECT_TRUE(contains(comma.hint, "known formats: ")) << comma.hint;
  const Error twice = error_of("log\n{\"results\": [], \"results\": []}");
  EXPECT_EQ(twice.what, "duplicate key \"results\"");
  EXPECT_EQ(twice.subject, "f:2:17");
  // What other programs write among their lines is none of these.
  EXPECT_EQ(error_of("log\n[\"build\" done]\n").what, "file of unknown format");
}

TEST(UnknownFormats, HaveTheFaultThatReadersThrow) {
  for (const std::string text :
       {"", "# notes", "<html>", "{\"a\": 1e400}", "[1, 2], 3", "x\n{\"results\": [", "{}{}"}) {
    const TextFormat format = format_of(text, "f");
    ASSERT_TRUE(format.name.empty() && format.fault && !format.is_session) << text;
    const UsageError error = refusal_of([&text] { read_one_session(text, "f"); });
    EXPECT_EQ(format.fault->what, error.what) << text;
    EXPECT_EQ(format.fault->subject, error.subject) << text;
    EXPECT_EQ(format.fault->hint, error.hint) << text;
  }
  EXPECT_FALSE(format_of(kDocument).fault);
  EXPECT_TRUE(format_of(kDocument).is_session);
  EXPECT_FALSE(format_of(R"({"cases": {}})").is_session) << "two sides";
}

TEST(UnknownFormats, AreToldApartFromOthersThatAreRead) {
  const UsageError error = formats::refusal_of([] { read_foreign("hyperfine", kDocument, "f"); });
  EXPECT_EQ(error.what + ": " + error.subject,
            "not a file of hyperfine: f: it is of google-benchmark");
}

}  // namespace
}  // namespace perf::formats
