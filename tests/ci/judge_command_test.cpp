// `perf-compare judge` as a user runs it: a table of commands on files of cases and of sessions.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "schema/files/content.h"
#include "tests/ci/scratch_repository.h"

namespace perf::test {
namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

/// `pairs` pairs of five-step invocations with 0.5 % noise, head slower by `planted`.
Json recorded(int pairs, double planted, double threshold, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> noise(0, 0.005);
  const auto invocation = [&](double seconds) {
    Json steps = Json::array();
    for (int i = 0; i < 5; ++i) {
      steps.push_back(seconds * std::exp(noise(random)));
    }
    return steps;
  };
  Json sample{{"base", Json::array()}, {"head", Json::array()}};
  for (int i = 0; i < pairs; ++i) {
    sample["base"].push_back(invocation(0.02));
    sample["head"].push_back(invocation(0.02 * (1 + planted)));
  }
  if (threshold > 0) {
    sample["threshold"] = threshold;
  }
  return sample;
}

/// What `go test -bench -count 5` prints of a benchmark that takes `milliseconds`, 0.2 % apart.
std::string go_text(double milliseconds, unsigned seed, const std::string& cpu = "EPYC") {
  std::mt19937 random(seed);
  std::normal_distribution<double> between(0, 0.01), within(0, 0.002);
  const double own = milliseconds * std::exp(between(random));
  std::string text = "goos: linux\ngoarch: amd64\ncpu: " + cpu + "\n";
  for (int i = 0; i < 5; ++i) {
    text +=
        "BenchmarkParse-8 100 " + std::to_string(own * 1e6 * std::exp(within(random))) + " ns/op\n";
  }
  return text;
}

/// The same lines, the values in another order.
std::string rotated(const std::string& text, int by) {
  const auto values = text.find("Benchmark");
  std::string rest = text.substr(values);
  for (int i = 0; i < by; ++i) {
    const auto line = rest.find('\n') + 1;
    rest = rest.substr(line) + rest.substr(0, line);
  }
  return text.substr(0, values) + rest;
}

/// `NAME: VERDICT +5 %, 24 pairs, interval, alpha .01; NOTES` of each row, the report's warnings
/// and its sides.
std::string summary_of(const std::string& out) {
  const Json report = Json::parse(out);
  std::string text;
  for (const Json& one : report.at("comparisons")) {
    const std::string metric = one["metric"];
    text += one["workload"].get<std::string>() + (metric == "step_time" ? "" : " " + metric) +
            ": " + (one["verdict"].is_null() ? "none" : one["verdict"].get<std::string>());
    if (!one["change"].is_null()) {
      text += " " + std::to_string(std::lround(100 * one["change"].get<double>())) + " %";
    }
    text += ", " + one["pairs"].dump() + " pairs, " +
            (one["interval"].is_null() ? "no interval" : "interval") + ", alpha " +
            one["look_alpha"].dump() + (one["judged"] == false ? ", not judged" : "") + "; " +
            one["notes"].dump() + one["warnings"].dump() + "\n";
  }
  for (const char* side : {"base", "head"}) {
    text += std::string(side) + ": " + report[side]["kind"].get<std::string>() + " " +
            report[side]["name"].get<std::string>() + "\n";
  }
  return text + report["warnings"].dump();
}

struct JudgeCommand : ::testing::Test {
  TemporaryFolder folder;

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder.path() / name) << text;
  }
  void write_cases(const std::string& name, const Json& cases) const {
    write(name, Json{{"cases", cases}}.dump());
  }
  /// Runs judge; with --json - the report's summary takes the place of its text.
  Outcome judge(Words arguments) const {
    const bool is_json = arguments.size() > 1 && arguments.back() == "-" &&
                         arguments[arguments.size() - 2] == "--json";
    arguments.insert(arguments.begin(), {PERF_BINARY_DIR "/bin/perf-compare", "judge"});
    Outcome outcome = run(arguments, folder.path());
    outcome.out = is_json && !outcome.out.empty() ? summary_of(outcome.out) : outcome.out;
    return outcome;
  }
  void expect(const std::vector<CommandCase>& cases) const {
    expect_outcomes(cases, [this](const Words& arguments) { return judge(arguments); });
  }
  /// The options of eight or more sessions a side, in files of these names.
  static Words sessions(int count, const std::string& suffix, Words more) {
    Words arguments;
    for (int i = 0; i < count; ++i) {
      const std::string number = std::to_string(i) + suffix;
      arguments.insert(arguments.end(), {"--base", "b" + number, "--head", "h" + number});
    }
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
};

TEST_F(JudgeCommand, JudgesCases) {
  write_cases("mixed", {{"same", recorded(24, 0, 0.02, 1)},
                        {"slower", recorded(24, 0.05, 0.02, 2)},
                        {"faster", recorded(24, -0.05, 0.02, 3)},
                        {"few", recorded(3, 0.5, 0.02, 4)}});
  write_cases("same", {{"same", recorded(24, 0, 0.02, 1)}});
  write_cases("slower", {{"slower", recorded(24, 0.05, 0.02, 2)}});
  write_cases("few", {{"few", recorded(4, 0.5, 0.02, 4)}});
  write_cases("some", {{"some", recorded(7, 0.5, 0.02, 4)}});
  write_cases("two", {{"a", recorded(24, 0.5, 0.1, 1)}, {"b", recorded(24, 0.5, 0.1, 2)}});
  write_cases("without threshold", {{"a", recorded(24, 0.05, 0, 1)}});
  expect({
      // By default, one look at all pairs.
      {{"same", "--json", "-"}, 0, {"base: files same\nhead: files same\n"}},
      {{"same", "--json", "-"}, 0, {"same: unchanged 0 %, 24 pairs, interval, alpha 0.01;"}},
      {{"slower", "--json", "-"}, 1, {"slower: regressed 5 %, 24 pairs, interval, alpha 0.01;"}},
      {{"few", "--json", "-"}, 0, {"few: inconclusive", "no interval"}},
      {{"few", "--strict"}, 4, {"few"}},
      {{"some"}, 1, {"regressed", "decided at 7 pairs"}},
      {{"slower"}, 1, {"slower", "regressed"}},
      // The looks of somebody who stopped because of one of them.
      {{"mixed", "--looks", "6", "--json", "-"},
       1,
       {"same: unchanged", "slower: regressed 5 %, 6 pairs, interval", "faster: improved",
        "few: inconclusive 50 %, 3 pairs, no interval"}},
      // One error rate for all cases takes more pairs.
      {{"two", "--together", "--looks", "6", "--json", "-"}, 1, {"a: regressed 50 %, 7 pairs"}},
      // The default threshold is 10 %.
      {{"without threshold"}, 0, {"unchanged"}},
      {{"without threshold", "--threshold", "2%"}, 1, {"regressed"}},
      // A report that cannot be written does not hide a regression.
      {{"slower", "--json", "/dev/full"}, 1, {"slower", "could not be written"}},
      {{"same", "--json", "/dev/full"}, 3, {"could not be written"}},
      {{"slower", "--markdown", "j.md", "--html", "j.html"}, 1, {}},
  });
  EXPECT_EQ(content_of(folder.path() / "j.md").find("### ❌ Regressed: `slower` is slower"), 0U);
  expect_says(content_of(folder.path() / "j.html"), "Regressed: slower is slower");
}

TEST_F(JudgeCommand, JudgesFilesOfSessions) {
  write("old", go_text(1, 1));
  write("new", go_text(5, 2));
  write("xeon", go_text(1, 2, "Xeon"));
  for (int i = 0; i < 12; ++i) {
    const auto seed = static_cast<unsigned>(i);
    write("b" + std::to_string(i), go_text(1, seed));
    write("h" + std::to_string(i), go_text(1.4, 100 + seed));
    for (const auto& [side, seconds] : {std::pair{"b", 0.3}, {"h", 0.4}}) {
      write(side + std::to_string(i) + ".json",
            R"({"results": [{"command": "x", "times": [)" +
                std::to_string(seconds * (1 + 0.001 * (i % 3) + 0.00001 * i)) + "]}]}");
    }
  }
  Words again{"b0", "h0"};
  write("copy", "\n" + go_text(1, 0) + "PASS\n");  // other bytes, the same values
  for (int i = 0; i < 9; ++i) {
    again.insert(again.end(), {"--base", "copy", "--head", "h0"});
  }
  again.insert(again.end(), {"--json", "-"});
  Words shuffled{"b0", "h0"};
  for (int i = 1; i < 9; ++i) {
    const std::string number = std::to_string(i);
    write("sb" + number, rotated(go_text(1, 0), i));
    write("sh" + number, rotated(go_text(1.4, 100), i));
    shuffled.insert(shuffled.end(), {"--base", "sb" + number, "--head", "sh" + number});
  }
  shuffled.insert(shuffled.end(), {"--json", "-"});
  const std::string google = PERF_SOURCE_DIR "/tests/schema/formats/files/google_benchmark.json";
  expect({
      // Repetitions in one process are one session.
      {{"old", "new", "--json", "-"},
       0,
       {"BenchmarkParse-8: inconclusive", ", 0 pairs, no interval", "no pairs"}},
      {{"old", "new", "--strict"}, 4, {}},
      {sessions(12, "", {}), 1, {"regressed"}},
      {sessions(12, "", {"--threshold", "100%", "--json", "-"}), 0, {"unchanged"}},
      // One session's file, given as many.
      {again,
       0,
       {"BenchmarkParse-8: inconclusive", "copy and 8 more repeat the values of b0: counted once",
        "h0 was given 10 times: counted once"}},
      {shuffled,
       0,
       {"BenchmarkParse-8: inconclusive", "sb1 and 7 more repeat the values of b0: counted once"}},
      {{"b0", "sb1", "--json", "-"}, 0, {"base and head are the same session: b0 and sb1"}},
      {{"old", "xeon", "--json", "-"},
       3,
       {"BenchmarkParse-8: incomparable", "cpu is EPYC at base, Xeon at head"}},
      {{"b0", "copy", "--json", "-"}, 0, {"base and head are the same session: b0 and copy"}},
      // A Google Benchmark by its content; one of its benchmarks failed, on both sides alike.
      {{google, google, "--json", "-"},
       0,
       {"BM_Broken: incomparable", "fails on both sides alike", "BM_Sort/64: inconclusive 0 %",
        "BM_Sort/64 cpu_time: none", "not judged"}},
      // hyperfine's format does not name the machine.
      {sessions(8, ".json", {"--json", "-"}), 0, {"x: inconclusive", "--environment NAME"}},
      {sessions(8, ".json", {"--environment", "bench-7", "--json", "-"}), 1, {"x: regressed"}},
  });
}

/// A Google Benchmark file of these times of one benchmark.
std::string google_text(const std::string& unit, const Words& times, const std::string& date) {
  std::string runs;
  for (const std::string& time : times) {
    runs += std::string(runs.empty() ? "" : ",\n") + R"({"name": "BM_A", "real_time": )" + time +
            R"(, "time_unit": ")" + unit + "\"}";
  }
  return R"({"context": {"date": "2026-11-)" + date + R"(T10:00:00+00:00", "num_cpus": 8},
"benchmarks": [)" +
         runs + "]}";
}

TEST_F(JudgeCommand, CountsASessionOnceInAnyUnit) {
  write("ns", google_text("ns", {"123456.7", "124567.8", "122345.6"}, "01"));
  write("us", google_text("us", {"123.4567", "124.5678", "122.3456"}, "02"));
  write("ms", google_text("ms", {"0.1223456", "0.1234567", "0.1245678"}, "03"));
  write("next", google_text("ns", {"123456.8", "124567.8", "122345.6"}, "01"));
  write("slower", google_text("ns", {"153456.7", "154567.8", "152345.6"}, "04"));
  const Words to_slower{"--head", "slower", "--json", "-"};
  const auto against_slower = [&](Words base) {
    base.insert(base.begin(), "--base");
    base.insert(base.end(), to_slower.begin(), to_slower.end());
    return base;
  };
  expect({
      {against_slower({"ns", "us"}), 0, {"us repeats the values of ns: counted once"}},
      {against_slower({"us", "ns", "ms", "next"}),
       0,
       {"ns repeats the values of us: counted once"}},
      {{"ns", "us", "--json", "-"}, 0, {"base and head are the same session: ns and us"}},
      {against_slower({"ns", "ns", "us"}),
       0,
       {"ns was given 2 times: counted once", "us repeats the values of ns: counted once"}},
  });
  EXPECT_FALSE(contains(judge(against_slower({"ns", "next"})).out, "counted once"));
}

/// One after the other in a file, as `cat` makes it.
TEST_F(JudgeCommand, CountsARunOnceThatAFileHasSeveralTimes) {
  std::string base, head;
  std::mt19937 random(3);
  std::normal_distribution<double> noise(0, 0.01);
  for (int i = 0; i < 12; ++i) {
    const auto line = [&](double ns) {
      return "BenchmarkX" + std::to_string(i) + "-8 100 " +
             std::to_string(ns * std::exp(noise(random))) + " ns/op 128 B/op 2 allocs/op\n";
    };
    base += line(100);
    head += line(i == 3 ? 800 : 100);
  }
  const auto times = [](const std::string& text, int count) {
    std::string all;
    for (int i = 0; i < count; ++i) {
      all += text;
    }
    return all;
  };
  write("once", base);
  write("base", times(base, 8));
  write("head", times(head, 8));
  std::string sizes;  // are the same in any run
  for (int i = 0; i < 8; ++i) {
    sizes += "BenchmarkX-8 100 123456789 B/op\n";
  }
  write("sizes", sizes);
  expect({
      {{"base", "head", "--json", "-"},
       0,
       {"BenchmarkX3-8: inconclusive", "base has the same values 8 times: counted once",
        "head has the same values 8 times: counted once"}},
      {{"--base", "base", "once", "--head", "head", "--json", "-"},
       0,
       {"once repeats the values of base: counted once"}},
  });
  EXPECT_FALSE(contains(judge({"sizes", "sizes", "--json", "-"}).out, "8 times"));
}

/// Whole ticks and a few digits are equal by chance.
TEST_F(JudgeCommand, KeepsSessionsApartThatMayBeEqualByChance) {
  Words few, again, ticks, copies;
  for (int i = 10; i < 18; ++i) {
    const std::string day = std::to_string(i);
    for (const auto& [side, time] : {std::pair{"base", "12"}, {"head", "15"}}) {
      const std::string option = std::string("--") + side;
      write(side + day, google_text("ns", {time}, day));
      write(std::string("ticks ") + side + day, google_text("us", {time, time, time, time}, day));
      write(std::string("copy ") + side + day, google_text("ns", {time}, "01"));
      few.insert(few.end(), {option, side + day});
      again.insert(again.end(), {option, std::string(side) + "10"});
      ticks.insert(ticks.end(), {option, std::string("ticks ") + side + day});
      copies.insert(copies.end(), {option, std::string("copy ") + side + day});
    }
  }
  for (Words* files : {&few, &again, &ticks, &copies}) {
    files->insert(files->end(), {"--environment", "bench", "--json", "-"});
  }
  const std::string equal = "have equal values, which show no noise";
  expect({
      {few, 1, {"BM_A: regressed 25 %", equal}},
      {ticks, 1, {"BM_A: regressed 25 %", equal}},
      {again, 0, {"BM_A: inconclusive", "base10 was given 8 times: counted once"}},
      {copies,
       0,
       {"BM_A: inconclusive", "copy base11 and 6 more repeat the values of copy base10"}},
  });
  EXPECT_FALSE(contains(judge({"base10", "base11", "--json", "-"}).out, "same session"));
}

TEST_F(JudgeCommand, RefusesBadInput) {
  write("empty", "");
  write("one side", R"({"cases": {"a": {"base": [[1]], "head": []}}})");
  write("negative", R"({"cases": {"a": {"base": [[1]], "head": [[-1]]}}})");
  write("no values", R"({"cases": {"a": {"base": [[]], "head": [[1]]}}})");
  write("too large", R"({"cases": {"a": {"base": [[1]], "head": [[1e999]]}}})");
  write("old", go_text(1, 1));
  write("number.json", google_text("ns", {"1e400"}, "01"));
  write("bad", "BenchmarkX-8 10 5\n");
  write("data.js", "window.BENCHMARK_DATA = {\"entries\":{}}");
  write("steps.jsonl", "{\"type\":\"begin\",\"protocol\":1}\n{\"type\":\"end\"}\n");
  expect({
      {{"empty"}, 2, {"empty"}},
      {{"one side"}, 2, {"a"}},
      {{"negative"}, 2, {"a"}},
      {{"no values"}, 2, {"a"}},
      {{"too large"}, 2, {"too large"}},
      {{"absent"}, 2, {"no such file: absent", "judge BASE HEAD"}},
      {{"empty", "--looks", "0"}, 2, {}},
      {{"empty", "--looks", "101"}, 2, {}},
      {{"empty", "--looks", "six"}, 2, {}},
      {{"old", "old", "--looks", "6"}, 2, {"--looks 6"}},
      {{"old"}, 2, {"judge BASE HEAD"}},
      {{"--base", "old"}, 2, {"missing side: head"}},
      {{"old", "--base", "old"}, 2, {"--base old or --head old"}},
      {{"old", "old", "old"}, 2, {"several files a side: --base FILE... --head FILE..."}},
      {{"old", "old", "--treshold", "2%"}, 2, {"did you mean --threshold?"}},
      {{"old", "bad"}, 3, {"head failed: a value without a unit"}},
      {{"old", "old", "--metric", "step_tmie"}, 2, {"step_tmie"}},
      {{"old", "absent"},
       2,
       {"no such file: absent", "or run in a clone whose store has the revision"}},
      {{"--base", "old", "--base", "absent", "--head", "old"}, 2, {"absent"}},
      {{"--base", "old", "absent", "--head", "old"}, 2, {"could not be read: absent"}},
      {{"old", "number.json"}, 2, {"number too large for a double: \"1e400\": number.json:2:46"}},
      {{"old", "steps.jsonl"}, 2, {"the block has no timed step"}},
      {{"-", "-"}, 2, {"standard input"}},
  });
}

}  // namespace
}  // namespace perf::test
