#include "schema/formats/foreign.h"
#include "schema/formats/judge_cases.h"
#include "schema/formats/reading.h"
#include "schema/formats/report_json.h"
#include "schema/formats/series_file.h"
#include "tests/fuzz/checks.h"
#include "tests/fuzz/target.h"

namespace perf::fuzz {
namespace {

std::string text_of(const std::vector<std::vector<double>>& side) {
  std::string text;
  for (const std::vector<double>& invocation : side) {
    require(!invocation.empty(), "an invocation of nothing");
    for (const double value : invocation) {
      require(value >= 0 && formats::is_measurable(value), "a value that is no time");
      text += " " + exactly(value);
    }
    text += ";";
  }
  return text;
}

std::string cases_text(const std::string& text) {
  std::string all;
  for (const JudgeCase& read : formats::read_judge_cases(text, "old")) {
    require(read.base.size() == read.head.size(), "invocations without a partner");
    require(!read.threshold || (*read.threshold > 0 && *read.threshold < 10), "any threshold");
    all += read.name + exactly(read.threshold.value_or(0)) + text_of(read.base) + "|" +
           text_of(read.head) + "\n";
  }
  return all;
}

std::string series_text(const std::string& text) {
  std::string all;
  for (const NamedSeries& series : formats::read_series_file(text, "old")) {
    all += series.name;
    for (const double value : series.values) {
      require(!std::isinf(value), "an infinity that is no gap");
      all += " " + exactly(value);
    }
    all += "\n";
  }
  return all;
}

std::string report_text(const std::string& text) {
  const formats::ReportFile file = formats::read_report_json(text, "old");
  std::string all = file.head.oid + "|" + file.head.name + "|" +
                    std::to_string(file.head.committed_at) + file.size;
  for (const SampleSet& session : file.sessions) {
    if (!session.series.empty()) {
      require_usable(session);
    }
    all += fuzz::text_of(session);
  }
  return all;
}

std::string samples_text(const std::string& text) {
  formats::format_of(text);
  try {
    const SampleSet samples = formats::read_samples(text, "old");
    return fuzz::text_of(samples);
  } catch (const UsageError& error) {
    // Other commands' files are checked as a whole.
    if (error.hint.rfind("perf-compare ", 0) != 0) {
      throw;
    }
    return error.subject;
  }
}

void run(std::string_view input) {
  constexpr std::string (*kReaders[])(const std::string&) = {cases_text, series_text, report_text,
                                                             samples_text};
  const auto read = kReaders[pick(input, 4)];
  read_twice(input, "old:", read);
}

std::vector<std::string> seeds() {
  const std::string report =
      R"({"schema": "perf-compare/report/2", "head": {"oid": "abc", "dirty": false, "committed_at": "2026-01-31T12:00:00Z", "parents": ["d"]}, "size": "ci",
"environments": [{"fingerprint": "f", "machine": {"cpu": "x"}, "shard": {"number": 1, "count": 2}, "workloads": ["w"]}, {"fingerprint": "g"}], "comparisons": [{"workload": "w", "params": {"n": 4},
"metric": "step_time", "unit": "s", "better": "lower", "judged": true, "verdict": "failed", "warning_details": [{"code": "failed", "text": "head failed: no"}],
"head": {"median": 0.5, "cov": null, "steps": 8, "invocations": 2}}]})";
  return {
      std::string(1, '\0') +
          R"({"cases": {"one": {"threshold": 0.02, "base": [[1.5, 2], [3]], "head": [[4], [5, 6e-3]], "_note": 1}, "two": {"base": [], "head": []}}})",
      "\1series,index,value\na,1,2.5\na,2,nan\n\"b \"\"x\"\"\",1,1e-3\n",
      "\1# x\na,1, 2 ,3,,4\nb 1e3 null\n",
      "\1value;x;index;name\n1.5;p q;2;a\n;\"r;\";3;a\n",
      "\1a 4\nb\t5\na 6\n",
      "\1{\"a\": [1, null, NaN, 2.5e-3], \"b\": []}",
      "\1a 1 1\na 2 2\nb 1 -Infinity\n",
      "\2" + report,
      "\3" + report,
      "\3" + source_file("tests/schema/formats/files/hyperfine.json"),
      "\3" + source_file("tests/schema/formats/files/go.txt"),
      "\3{\"level\": 1}\n" + report + "\nbye [\n",
      "\3#15 2.5 pkg: kit\n#15 3.25 BenchmarkGet-8 \t 10\t 5 ns/op\n#15 3.5 FAIL\tkit\t2.1s\n",
      "\3[a] test walk ... bench: 1,234 ns/iter (+/- 56)\n[a] error: bench failed\n",
      "\3pkg: kit\nBenchmarkPut-8 \t 10\t 5 ns/op\nBenchmarkDel-8 \t--- FAIL: BenchmarkDel-8\n"
      "    k.go:9: no\n--- SKIP: BenchmarkGet\nBenchmarkLog-8 \tx\n  100\t 7 ns/op\n"
      "BenchmarkNet-8 \tpanic: no\nexit status 2\nFAIL\tkit\t0.9s\n# kit/b\nb.go:1: no\n"
      "FAIL\tkit/b [build failed]\n",
      "\3{\"Action\":\"output\",\"Package\":\"a\",\"Output\":\"BenchmarkX-8 \\t\"}\n"
      "{\"Action\":\"output\",\"Package\":\"a\",\"Output\":\" 10\\t 5 ns/op\\n\"}\n",
      "\3     Running benches/a.rs (x)\ntest walk ... bench: 3 [cycles]/iter (+/- 1)\n"
      "     Running benches/b.rs (y)\ntest walk ... FAILED\n---- walk stdout ----\n"
      "thread 'walk' panicked at b.rs:5:9:\nno\nthread 'main' panicked at 'no', b.rs:1:1\n"
      "error[E0425]: no\nerror: could not compile `b`\n"};
}

}  // namespace

FuzzTarget samples_target() {
  return {"samples", run, seeds};
}

}  // namespace perf::fuzz
