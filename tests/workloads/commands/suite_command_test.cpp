// Several workloads in one process. The program itself runs in program_test.cpp.
#include "workloads/commands/suite_command.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tests/contains.h"
#include "tests/sanitized.h"
#include "tests/thrown_by.h"
#include "workloads/commands/suite_choice.h"
#include "workloads/commands/suite_progress.h"
#include "workloads/commands/suite_table.h"
#include "workloads/program/error.h"
#include "workloads/program/memory.h"
#include "workloads/program/run_command.h"

namespace perf::workloads {
namespace {

using nlohmann::json;
using Options = std::map<std::string, std::string>;
using perf_compare::Better;
using perf_compare::StepEmitter;

constexpr std::size_t kHeldBytes = std::size_t{64} << 20;

void take_steps(const Settings&, StepEmitter& out) {
  while (out.next_step()) {
    out.phase("work");
  }
  out.check("right", 0, 1);
}

Workload quick(std::string name, std::vector<Parameter> parameters = {}) {
  return {.name = std::move(name),
          .summary = "Steps.",
          .parameters = std::move(parameters),
          .phases = {"work"},
          .metrics = {},
          .checks = {"right"},
          .run = take_steps};
}

Workload sweep(std::string name) {
  Workload workload =
      quick(std::move(name), {integers("batch-size", {"1", "1,4", "1,4,8"}, 1, 64, "sequences"),
                              integer("layers", {1, 1, 1}, 1, 9, "layers")});
  workload.series = [](const Settings& settings) {
    std::vector<Series> series;
    for (const std::int64_t batch : settings.integers("batch-size")) {
      series.push_back({"batch_" + std::to_string(batch), {{"batch-size", std::to_string(batch)}}});
    }
    return series;
  };
  return workload;
}

std::vector<Workload> few() {
  return {sweep("inference/batched"), quick("inference/load"),
          quick("micro/softmax", {integer("columns", {8, 8, 8}, 1, 64, "a row")}),
          quick("training/stack", {integer("layers", {1, 1, 1}, 1, 4, "layers")})};
}

std::vector<std::string> chosen(const std::vector<std::string>& patterns) {
  std::vector<std::string> names;
  const std::vector<Workload> all = few();
  for (const Workload* workload : matching_workloads(all, patterns)) {
    names.push_back(workload->name);
  }
  return names;
}

using Names = std::vector<std::string>;

TEST(SuiteChoice, PatternsAreNamesFamiliesAndGlobs) {
  const Names all = {"inference/batched", "inference/load", "micro/softmax", "training/stack"};
  EXPECT_EQ(chosen({}), all);
  EXPECT_EQ(chosen({"*"}), all);
  EXPECT_EQ(chosen({"micro"}), Names{"micro/softmax"});
  EXPECT_EQ(chosen({"inference/load"}), Names{"inference/load"});
  EXPECT_EQ(chosen({"inference/*"}), (Names{"inference/batched", "inference/load"}));
  EXPECT_EQ(chosen({"*/s*"}), (Names{"micro/softmax", "training/stack"}));
  EXPECT_EQ(chosen({"micro/????max"}), Names{"micro/softmax"});
  EXPECT_EQ(chosen({"*o*"}), (Names{"inference/load", "micro/softmax"}));
}

TEST(SuiteChoice, EachRunsOnceInTheirOwnOrder) {
  EXPECT_EQ(chosen({"training", "micro", "micro/*", "*/softmax"}),
            (Names{"micro/softmax", "training/stack"}));
}

TEST(SuiteChoice, APatternThatMatchesNothingNamesTheNearest) {
  for (const auto& [pattern, nearest] : Options{{"micr", "micro "},
                                                {"traning/stack", "training/stack "},
                                                {"inference/x*", "inference "},
                                                {"batched", "inference/batched "},
                                                {"", ""}}) {
    SCOPED_TRACE(pattern);
    const auto error = thrown_by<Error>([pattern = pattern] { chosen({"micro", pattern}); });
    EXPECT_EQ(error.subject, "'" + pattern + "'");
    EXPECT_EQ(error.hint.rfind(nearest, 0), 0U) << error.hint;
  }
}

TEST(SuiteChoice, AnOptionGoesToThoseThatHaveIt) {
  const std::vector<Workload> all = few();
  const auto series =
      read_suite_series(all, {}, {{"layers", "3"}, {"steps", "5"}, {"batch", "2,4"}});
  ASSERT_EQ(series.size(), 5U);
  EXPECT_EQ(series[0].name, "inference/batched/batch_2");
  EXPECT_EQ(series[1].name, "inference/batched/batch_4");
  EXPECT_EQ(series[0].request.settings.integer("layers"), 3);
  EXPECT_EQ(series[4].request.settings.integer("layers"), 3);
  for (const SuiteSeries& one : series) {
    EXPECT_EQ(one.request.wanted.steps, 5) << one.name;
  }
  EXPECT_EQ(read_suite_series(all, {"inference/batched"}, {{"batch", "2"}}).front().name,
            "inference/batched");
}

TEST(SuiteChoice, RefusesAllBadOptionsBeforeAnythingRuns) {
  const std::vector<Workload> all = few();
  const auto refusal = [&](const Names& patterns, const Options& options) -> std::string {
    try {
      read_suite_series(all, patterns, options);
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refusal({}, {{"layers", "4"}}), "accepted");
  // The last accepts up to 4 only.
  EXPECT_TRUE(contains(refusal({}, {{"layers", "5"}}), "--layers 5, of training/stack"));
  EXPECT_TRUE(contains(refusal({}, {{"layrs", "2"}}), "hint: --layers"));
  EXPECT_TRUE(contains(refusal({"micro"}, {{"layers", "2"}}), "no such parameter"));
  EXPECT_TRUE(contains(refusal({}, {{"size", "huge"}}), "no such size"));
  EXPECT_TRUE(contains(refusal({}, {{"batch", "2"}, {"batch-size", "4"}}), "given twice"));
}

// With the file of PERF_COMPARE_OUT, as lines.
struct Ran {
  SuiteAnswer answer;
  std::vector<json> lines;
};

Ran run_all(const std::vector<Workload>& all,
            Options options = {{"steps", "2"}, {"size", "full"}}) {
  const std::string path = testing::TempDir() + "suite_command_test.jsonl";
  std::remove(path.c_str());
  setenv("PERF_COMPARE_OUT", path.c_str(), 1);
  Ran ran{suite_answer(all, {}, options), {}};
  unsetenv("PERF_COMPARE_OUT");
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    ran.lines.push_back(json::parse(line));
  }
  std::remove(path.c_str());
  return ran;
}

TEST(Suite, WritesABlockForEachSeriesUnderANameOfItsOwn) {
  const Ran ran = run_all(few());
  EXPECT_EQ(ran.answer.status, 0);
  Names begun;
  std::size_t ended = 0;
  for (const json& line : ran.lines) {
    if (line.at("type") == "begin") {
      EXPECT_EQ(ended, begun.size()) << "blocks follow each other";
      begun.push_back(line.at("workload"));
      EXPECT_EQ(line.at("params").at("size"), "full");
      EXPECT_EQ(line.at("params").contains("columns"), begun.back() == "micro/softmax");
    }
    ended += line.at("type") == "end" ? 1 : 0;
  }
  EXPECT_EQ(begun, (Names{"inference/batched/batch_1", "inference/batched/batch_4",
                          "inference/batched/batch_8", "inference/load", "micro/softmax",
                          "training/stack"}));
  EXPECT_EQ(ended, begun.size());
  EXPECT_TRUE(contains_all(ran.answer.table, {"6 series measured in 0:0", "6 checks passed\n"}));
}

TEST(Suite, OneThatCannotRunDoesNotStopTheOthers) {
  std::vector<Workload> all = few();
  all[1].run = [](const Settings&, StepEmitter& out) {
    out.next_step();
    throw Error("not enough memory", "a model", "a smaller one");
  };
  all[2].run = [](const Settings&, StepEmitter&) { throw std::bad_alloc(); };
  const Ran ran = run_all(all);
  EXPECT_EQ(ran.answer.status, 3);
  EXPECT_TRUE(
      contains(ran.answer.table, "could not run: not enough memory: a model; hint: a smaller one"));
  EXPECT_TRUE(contains(ran.answer.table, "could not run: std::bad_alloc\n"));
  EXPECT_TRUE(contains(ran.answer.table, ", 2 could not run\n"));
  std::size_t begun = 0, ended = 0;
  for (const json& line : ran.lines) {
    begun += line.at("type") == "begin" ? 1 : 0;
    ended += line.at("type") == "end" ? 1 : 0;
  }
  EXPECT_EQ(begun, 4U);
  EXPECT_EQ(ended, 4U);
}

TEST(Suite, AFailedCheckIsNamedAndTheSuiteHasRun) {
  std::vector<Workload> all = {quick("micro/softmax")};
  all[0].run = [](const Settings& settings, StepEmitter& out) {
    take_steps(settings, out);
    out.check("rows_sum_to_one", 2, 1);
  };
  const Ran ran = run_all(all);
  EXPECT_EQ(ran.answer.status, 0);
  EXPECT_TRUE(contains(ran.answer.table, "FAILED: rows_sum_to_one\n"));
  EXPECT_TRUE(contains(ran.answer.table, "1 check passed, 1 FAILED\n"));
  EXPECT_EQ(suite_answer(all, {}, {}).status, 1) << "nobody else looks at the checks";
}

TEST(Suite, RunsNothingWhereItCannotWrite) {
  static bool has_run;
  has_run = false;
  std::vector<Workload> all = {quick("micro/softmax")};
  all[0].run = [](const Settings&, StepEmitter&) { has_run = true; };
  setenv("PERF_COMPARE_OUT", "/dev/null/x.jsonl", 1);
  EXPECT_THROW(suite_answer(all, {}, {}), std::runtime_error);
  unsetenv("PERF_COMPARE_OUT");
  EXPECT_FALSE(has_run);
}

// Small pieces, as vectors of vectors and strings take them: a single large one would go back to
// the system by itself.
void hold_small_pieces() {
  constexpr std::size_t kPiece = 4096;
  std::vector<std::unique_ptr<char[]>> pieces;
  for (std::size_t i = 0; i < kHeldBytes / kPiece; ++i) {
    pieces.push_back(std::make_unique<char[]>(kPiece));
    pieces.back()[0] = 1;
  }
}

TEST(Suite, TheMemoryOfOneIsGivenBackBeforeTheNext) {
  if (kSanitized) {
    GTEST_SKIP() << "a sanitizer keeps memory that was given back";
  }
  static std::size_t before_next;
  std::vector<Workload> all = {quick("micro/large"), quick("micro/next")};
  all[0].run = [](const Settings& settings, StepEmitter& out) {
    hold_small_pieces();
    take_steps(settings, out);
  };
  all[1].run = [](const Settings& settings, StepEmitter& out) {
    before_next = resident_memory();
    take_steps(settings, out);
  };
  const std::size_t before = resident_memory();
  run_all(all);
  EXPECT_LT(static_cast<double>(before_next), static_cast<double>(before) + 0.25 * kHeldBytes);
}

TEST(SuiteTable, ShowsTheShareOfTheRoofline) {
  SuiteRow products, memory;
  products.name = "micro/matmul";
  products.step_time = 0.0123;
  products.gemm_share = 0.962;
  products.peak_rss = 3 << 20;
  products.checks_passed = 3;
  memory.name = "micro/softmax";
  memory.step_time = 2e-4;
  memory.read_share = 1.25;
  EXPECT_TRUE(contains(suite_table({memory}, 3.4), "  over 100 % of reading  "));
  memory.read_share = 0.7;
  EXPECT_EQ(suite_table({products, memory, row_of_failure("x", "a\nb")}, 3.4),
            "workload             step      of its roof      memory  checks\n"
            "micro/matmul      12.3 ms     96 % of GEMM    3.00 MiB  3 passed\n"
            "micro/softmax      200 us  70 % of reading     unknown  none\n"
            "x              could not run: a; b\n"
            "2 series measured in 0:03, 3 checks passed, 1 could not run\n");
}

TEST(SuiteTable, ShowsEnergyOrOneNoteWithoutACounter) {
  SuiteRow training, other;
  training.name = "training/x";
  training.step_time = other.step_time = 0.0123;
  training.energy = 1.234;
  other.name = "micro/softmax";
  EXPECT_EQ(suite_table({training, other}, 1),
            "workload             step  of its roof      memory      energy  checks\n"
            "training/x        12.3 ms                  unknown      1.23 J  none\n"
            "micro/softmax     12.3 ms                  unknown              none\n"
            "2 series measured in 0:01, 0 checks passed\n");
  training.energy = 0;
  EXPECT_FALSE(contains(suite_table({training, other}, 1), "energy"));
  training.lacks_energy = other.lacks_energy = true;
  const std::string table = suite_table({training, other}, 1);
  EXPECT_EQ(table.find("energy"), table.size() - std::string("energy counter here\n").size());
}

// Said of a machine, not of each series; recorded where there is something to record.
TEST(Suite, ReportsAMissingEnergyCounterOnce) {
  std::vector<Workload> all = {sweep("inference/batched"), quick("micro/softmax")};
  const auto times_said = [](const std::string& text) { return occurrences(text, kNoEnergy); };
  EXPECT_EQ(times_said(run_all(all).answer.table), 0U);
  all[0].metrics_of_some_machines = {"energy_per_step"};
  EXPECT_EQ(times_said(run_all(all).answer.table), 1U);
  EXPECT_EQ(times_said(run_answer(all[0], {{"steps", "1"}})), 1U);
  all[1].metrics_of_some_machines = {"energy_per_step"};
  EXPECT_EQ(times_said(run_all(all).answer.table), 1U);
  all.erase(all.begin());
  all[0].run = [](const Settings& settings, StepEmitter& out) {
    take_steps(settings, out);
    out.metric("energy_per_step", "J", Better::lower, 2.5);
  };
  const Ran told = run_all(all);
  EXPECT_EQ(times_said(told.answer.table), 0U);
  EXPECT_TRUE(contains(told.answer.table, "2.50 J"));
  EXPECT_TRUE(std::any_of(told.lines.begin(), told.lines.end(), [](const json& line) {
    return line.at("type") == "metric" && line.at("name") == "energy_per_step" &&
           line.at("value") == 2.5;
  }));
}

TEST(SuiteTable, TakesSharesAndMemoryFromWhatWasMeasured) {
  StepEmitter out(perf_compare::Wanted{1, 0, 1}, "micro/x", {});
  out.next_step();
  out.stop_step();
  out.metric("gemm_share", "1", Better::higher, 0.5);
  out.metric("read_share", "1", Better::higher, 0.25);
  SuiteRow row = row_of(out);
  EXPECT_EQ(row.gemm_share, 0.5);
  EXPECT_EQ(row.read_share, 0.25);
  EXPECT_EQ(row.peak_rss, out.steps().front().rss);
  EXPECT_FALSE(row.unknown_share);
  StepEmitter unknown(perf_compare::Wanted{1, 0, 1}, "micro/x", {});
  unknown.next_step();
  unknown.stop_step();
  unknown.metric("read_rate", "B/s", Better::higher, 26e9);
  row = row_of(unknown);
  EXPECT_TRUE(row.unknown_share);
  EXPECT_TRUE(contains(suite_table({row}, 1), "  unknown of reading  "));
}

TEST(SuiteTable, ClocksAreReadLikeClocks) {
  EXPECT_EQ(clock_text(-1), "0:00");
  EXPECT_EQ(clock_text(65.4), "1:05");
  EXPECT_EQ(clock_text(3723), "1:02:03");
}

// What the bar writes to a terminal of this kind, as it stands and when it has gone.
std::string drawn_on(const char* kind) {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0) {
    throw std::runtime_error("no pseudo-terminal");
  }
  setenv("TERM", kind, 1);
  std::FILE* out = std::fopen(ptsname(terminal), "w");
  {
    ProgressBar bar(out);
    bar.show({0, 2, 0, "micro/softmax"});
    bar.show({1, 2, 1, "micro/matmul"});
  }
  std::fputs("end", out);
  std::fflush(out);
  std::string text;
  char buffer[512];
  while (text.find("end") == std::string::npos) {
    const ssize_t size = read(terminal, buffer, sizeof buffer);
    if (size <= 0) {
      break;
    }
    text.append(buffer, static_cast<std::size_t>(size));
  }
  std::fclose(out);
  close(terminal);
  return text;
}

TEST(SuiteProgress, IsOneLineThatIsGoneAtTheEnd) {
  EXPECT_EQ(drawn_on("xterm"),
            "\r\x1b[K[                    ] 0/2  0:00  micro/softmax"
            "\r\x1b[K[==========          ] 1/2  0:01, about 0:01 left  micro/matmul"
            "\r\x1b[Kend");
  EXPECT_EQ(drawn_on("dumb"), "end");
}

TEST(SuiteProgress, NothingIsDrawnInAFile) {
  setenv("TERM", "xterm", 1);
  std::FILE* out = std::tmpfile();
  {
    ProgressBar bar(out);
    bar.show({0, 2, 0, "micro/softmax"});
  }
  EXPECT_EQ(std::ftell(out), 0);
  std::fclose(out);
}

TEST(SuiteProgress, ShowsWhatIsDoneAndLeft) {
  EXPECT_EQ(progress_line({0, 4, 0, "micro/softmax"}, 80),
            "[                    ] 0/4  0:00  micro/softmax");
  EXPECT_EQ(progress_line({1, 4, 20, "training/x"}, 80),
            "[=====               ] 1/4  0:20, about 1:00 left  training/x");
  EXPECT_EQ(progress_line({3, 4, 30, "training/x"}, 12), "[===========");
}

}  // namespace
}  // namespace perf::workloads
