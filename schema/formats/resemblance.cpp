#include <algorithm>
#include <array>

#include "schema/formats/reading.h"
#include "schema/formats/surroundings.h"

namespace perf::formats {
namespace {

/// A kind of file that people have and that is not read.
struct Signature {
  std::string_view what;
  std::array<std::string_view, 2> words;  ///< its beginning has all of them
  std::string_view remedy;                ///< what to pass instead; empty: only as pairs or steps
  std::string_view unless = {};           ///< a word that such a file does not have
};

constexpr std::string_view kCriterion =
    "pass the output of cargo bench -- --output-format bencher, or of cargo criterion "
    "--message-format=json, or the folder target/criterion";
constexpr std::string_view kGoogle = "write JSON: --benchmark_out=FILE --benchmark_out_format=json";
constexpr std::string_view kHyperfine = "write JSON: hyperfine --export-json FILE";
constexpr std::string_view kJmh = "write JSON: -rf json -rff FILE";
constexpr std::string_view kDotNet = "write JSON: --exporters json";
constexpr std::string_view kPytest = "write JSON: pytest --benchmark-json=FILE";
constexpr std::string_view kPerfStat = "write JSON: perf stat -j -o FILE --append";
constexpr std::string_view kLlamaBench = "write JSON: llama-bench -o json";
constexpr std::string_view kBenchstat = "pass the files that benchstat compared";
constexpr std::string_view kAsv = "pass the folder results/MACHINE, with @COMMIT for a commit";
constexpr std::string_view kTime =
    "let hyperfine time the command, or a workload with \"format\": \"process\"";
constexpr std::string_view kGoHeader = "goos: ";

/// The first that fits counts.
constexpr std::array kSignatures = std::to_array<Signature>({
    {"an HTML page", {"<!DOCTYPE html"}, "download the file itself, not the page about it"},
    {"an HTML page", {"<html"}, "download the file itself, not the page about it"},
    {"a pointer of git-lfs", {"version https://git-lfs.github.com/spec/"}, "git lfs pull"},
    {"a JUnit report", {"<testsuite", "<testcase"}, ""},
    {"a summary of k6", {"\"root_group\"", "\"metrics\""}, ""},
    {"a summary of k6", {"\"testRunDurationMs\"", "\"metrics\""}, ""},
    {"an output of k6", {"\"type\":\"Point\"", "\"metric\""}, ""},
    {"the text that criterion prints for people", {"time:   ["}, kCriterion},
    {"the text that divan prints for people", {"fastest", "\u2502 slowest"}, ""},
    {"the CSV of llama-bench", {"build_commit,", "avg_ns"}, kLlamaBench},
    {"a table of llama-bench", {"| model ", "t/s |"}, kLlamaBench},
    {"results of BenchmarkTools.jl", {"\"BenchmarkTools\""}, ""},
    {"metrics of bencher.dev", {"\"latency\"", "\"value\""}, "pass what the benchmark tool wrote"},
    {"the CSV of Google Benchmark", {"name,iterations,real_time"}, kGoogle},
    {"the text that Google Benchmark prints for people", {"Time  ", "Iterations"}, kGoogle},
    {"the CSV of hyperfine", {"command,mean,stddev"}, kHyperfine},
    {"a table of hyperfine", {"| Command |", "Mean ["}, kHyperfine},
    {"a table of hyperfine", {"|Command", "|Mean ["}, kHyperfine},
    {"a table of hyperfine", {"| Command ", "Mean ["}, kHyperfine},
    {"the text that hyperfine prints for people", {"Time (mean ", "Range (min "}, kHyperfine},
    {"the CSV of JMH", {"\"Benchmark\",\"Mode\",\"Threads\""}, kJmh},
    {"the text that JMH prints for people", {"Mode  ", "Score "}, kJmh},
    {"the CSV of BenchmarkDotNet", {"Method,Job,AnalyzeLaunchVariance"}, kDotNet},
    {"the CSV of BenchmarkDotNet", {"Method;Job;AnalyzeLaunchVariance"}, kDotNet},
    {"a table of BenchmarkDotNet", {"| Method", "| Mean"}, kDotNet},
    {"the CSV of pytest-benchmark", {"min,max,mean,stddev,rounds"}, kPytest},
    {"the text that pytest-benchmark prints for people", {"Name (time in ", "Rounds"}, kPytest},
    {"a table of nanobench", {"| ", "err% |"}, "render JSON: ankerl::nanobench::templates::json()"},
    {"the text that Catch2 prints for people",
     {"benchmark name", "low mean"},
     "write XML: --reporter xml"},
    {"the output of benchstat", {"vs base"}, kBenchstat},
    {"the output of benchstat", {"sec/op", "\u2502"}, kBenchstat},
    {"the output of benchstat", {"sec/op,CI"}, kBenchstat},
    {"the output of benchstat", {"old time/op", "new time/op"}, kBenchstat},
    {"the output of benchcmp", {"old ns/op", "new ns/op"}, "pass the files that it compared"},
    {"the output of compare.py", {"\"real_time_other\""}, "pass the files that it compared"},
    {"the output of critcmp", {"group  ", "?/sec"}, kCriterion},
    {"an export of critcmp", {"\"criterion_benchmark_v1\""}, kCriterion},
    {"the JSON of libtest", {"\"type\": \"bench\"", "\"median\""}, "leave out --format json"},
    {"a table of asv", {"Ratio | Benchmark"}, kAsv},
    {"the text that asv prints for people", {"%] \u00b7\u00b7\u00b7 "}, kAsv},
    {"the output of perf stat for people", {"Performance counter stats for"}, kPerfStat},
    {"the CSV of perf stat", {",task-clock,"}, kPerfStat},
    {"the CSV of perf stat", {",,cycles"}, kPerfStat},
    {"the output of hey", {"Requests/sec:", "Slowest:"}, ""},
    {"the output of wrk", {"Requests/sec:", "Latency"}, ""},
    {"results of oha", {"\"requestsPerSec\"", "\"slowest\""}, ""},
    {"results of autocannon", {"\"connections\"", "\"requests\""}, ""},
    {"results of vegeta", {"\"latencies\"", "\"status_codes\""}, ""},
    {"results of fio", {"\"fio version\""}, ""},
    {"the output of ab", {"Requests per second:", "Time per request:"}, ""},
    {"the output of time", {"real\t", "user\t"}, kTime},
    {"the output of time", {"Elapsed (wall clock) time"}, kTime},
    {"results of iai-callgrind", {"Instructions:", "Estimated Cycles:"}, ""},
    {"the text that benchmark.js prints", {" ops/sec ", "runs sampled"}, ""},
    {"the text that vitest prints for people", {" hz  ", " rme  "}, ""},
    {"results of vitest or tinybench", {"\"hz\"", "\"rme\""}, ""},
    {"results of pyperf", {"\"warmups\"", "\"runs\""}, ""},
    {"results of pyperf", {"\"perf_version\"", "\"runs\""}, ""},
    {"a table of tinybench", {"ops/sec", "Margin"}, ""},
    {"results of mitata", {"\"layout\"", "\"benchmarks\""}, ""},
    {"the text that mitata prints", {"(min \u2026 max)"}, ""},
    {"the text that deno bench prints", {"time/iter (avg)", "iter/s"}, ""},
    {"results of deno bench", {"\"runtime\"", "\"Deno/"}, ""},
    {"results of benchmark-ips", {"\"ips\"", "\"microseconds\""}, ""},
    {"the text that Benchee prints", {"ips ", "average  deviation"}, ""},
    {"a table of phpbench", {"subject", "rstdev"}, ""},
    {"the text that Haskell's criterion prints", {"benchmarking ", "std dev "}, ""},
    {"the output of pgbench", {"latency average = ", "tps = "}, ""},
    {"the output of sysbench", {"events per second:"}, ""},
    {"the output of redis-benchmark", {"====== ", "requests per second"}, ""},
    {"the output of GoogleTest, which times no benchmarks",
     {"[ RUN      ]", "[       OK ]"},
     kTime},
    {"the output of xcodebuild", {"Test Case '-[", "measured ["}, ""},
    {"the durations of pytest's tests", {"slowest ", "durations"}, kPytest},
    {"the CSV of Locust", {"Type,Name,Request Count"}, ""},
    {"the CSV of JMeter", {"timeStamp,elapsed,label"}, ""},
    {"the output of cargo nextest, which times no benchmarks", {"Nextest run "}, "cargo bench"},
    {"the output of go test without benchmarks", {kGoHeader, "pkg: "}, "go test -bench ."},
    {"the input of github-action-benchmark",
     {"\"unit\"", "\"value\""},
     "pass the data.js, or the JSON file, that the action writes",
     "\"entries\""},
    {"XML", {"<?xml"}, ""},
});

constexpr std::size_t kLooked = std::size_t{64} << 10;  // B

/// What says why results of Go or cargo are not found.
Resemblance lines_of_go_or_cargo(std::string_view text) {
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = take_line(rest);
    if (std::min(place_of_go_result(line), place_of_bencher_result(line)) != line.npos) {
      return {"lines of Go or cargo begin with different text",
              "remove the text before each result"};
    }
  }
  return {};
}

/// {"results": {...}}: a known name, where tools write a list.
std::optional<Resemblance> list_missing(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kLists{
      {{"results", "hyperfine"}, {"benchmarks", "Google Benchmark"}}};
  try {
    const JsonValue root = read_foreign_json(text);
    for (const auto& [name, tool] : kLists) {
      const auto* object = std::get_if<JsonObject>(&root.data);
      const JsonValue* value = object == nullptr ? nullptr : find_value(*object, name);
      if (value != nullptr && !std::holds_alternative<JsonArray>(value->data)) {
        return Resemblance{in_quotes(name) + " is " + std::string(kind_of(*value)) + ", but " +
                               std::string(tool) + " writes a list",
                           "pass the file as the tool wrote it", value->offset};
      }
    }
  } catch (const JsonFault&) {  // no JSON
  }
  return std::nullopt;
}

std::string kind_of_bytes(std::string_view text) {
  using namespace std::string_view_literals;
  return text.starts_with("\x1f\x8b"sv)          ? "compressed by gzip: gunzip it"
         : text.starts_with("PK\x03\x04"sv)      ? "a zip archive: unzip it"
         : text.starts_with("(\xb5/\xfd"sv)      ? "compressed by zstd: unzstd it"
         : text.starts_with("SQLite format 3"sv) ? "a database: pass it with --db"
         : !is_utf8(text)                        ? "not text in UTF-8"
                                                 : "";
}

}  // namespace

Resemblance resemblance_of(std::string_view text) {
  if (trimmed(text, " \t\r\n").empty()) {
    return {"the file is empty", ""};
  }
  if (const std::string kind = kind_of_bytes(text); !kind.empty()) {
    return {"it is " + kind, ""};
  }
  const std::string_view beginning = text.substr(0, kLooked);
  const auto found = std::ranges::find_if(kSignatures, [&](const Signature& signature) {
    const auto has = [&](std::string_view word) {
      return beginning.find(word) != std::string_view::npos;
    };
    return std::ranges::all_of(signature.words, has) &&
           (signature.unless.empty() || !has(signature.unless));
  });
  if (found == kSignatures.end() || found->words[0] == kGoHeader) {
    if (Resemblance lines = lines_of_go_or_cargo(beginning); !lines.what.empty()) {
      return lines;
    }
  }
  if (found == kSignatures.end()) {
    if (const std::optional<Resemblance> list = list_missing(text)) {
      return *list;
    }
  }
  const std::string otherwise =
      "print its times with the steps protocol (docs/protocol.md), or pass pairs: perf-compare "
      "judge CASES.json";
  if (found == kSignatures.end()) {
    return {"", otherwise};
  }
  return {"it looks like " + std::string(found->what),
          found->remedy.empty() ? otherwise : std::string(found->remedy)};
}

}  // namespace perf::formats
