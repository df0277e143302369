#include "workloads/program/table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "tests/contains.h"
#include "tests/workloads/metric.h"
#include "workloads/program/emitted.h"
#include "workloads/program/roofline.h"
#include "workloads/program/sweep_table.h"
#include "workloads/registry.h"

namespace perf::workloads {
namespace {

// What a training workload has that may be left open.
const std::vector<Parameter> kFinetuneParameters =
    all_parameters(workload_named("training/full_finetune"));

TEST(Table, ScalesUnitsForPeople) {
  EXPECT_EQ(scaled(0.01234, "s"), "12.3 ms");
  EXPECT_EQ(scaled(123.4, "s"), "123 s");
  EXPECT_EQ(scaled(4.2e-6, "s"), "4.20 us");
  EXPECT_EQ(scaled(0, "s"), "0 us");
  EXPECT_EQ(scaled(5.0e11, "flop/s"), "500 GFLOP/s");
  EXPECT_EQ(scaled(41.5e9, "B/s"), "41.5 GB/s");
  EXPECT_EQ(scaled(3.0 * 1024 * 1024, "B"), "3.00 MiB");
  EXPECT_EQ(scaled(12345.6, "1/s"), "12346 /s");
  EXPECT_EQ(scaled(234.4, "1/s"), "234 /s");
  EXPECT_EQ(scaled(2.4, "1/s"), "2.40 /s");
  EXPECT_EQ(scaled(43.4, "dB"), "43.4 dB");
}

// Each step by the mean of the rates before and after it: 75 / 150, 240 / 300, 540 / 600.
TEST(ReadShare, IsTheMedianOfTheStepsShares) {
  ReadShare share(0);
  for (const double rate : {10.0, 100.0})  // before and after a step that only warmed up
  {
    share.probed(rate);
  }
  const double bytes[] = {150, 480, 1080}, rates[] = {200, 400, 800};
  for (std::size_t i = 0; i < 3; ++i) {
    share.step(bytes[i], 2);
    share.probed(rates[i]);
  }
  perf_compare::StepEmitter out("test/read_share");
  share.report(out);
  EXPECT_DOUBLE_EQ(metric(out, "read_rate"), 200);
  EXPECT_DOUBLE_EQ(metric(out, "bytes_per_second"), 240);
  EXPECT_DOUBLE_EQ(metric(out, "read_share"), 0.8);
}

// 26 GB/s of 256 MiB is no memory's rate where a cache gives 30: the loop was too slow for both.
TEST(ReadShare, BelievesARateThatACacheClearlyExceeds) {
  constexpr std::size_t kMebi = std::size_t{1} << 20;
  EXPECT_TRUE(is_rate_of_memory(32e9, 256 * kMebi, 176e9));
  EXPECT_FALSE(is_rate_of_memory(26e9, 256 * kMebi, 30e9));
  EXPECT_TRUE(is_rate_of_memory(30e9, 8 * kMebi, 30e9)) << "a cache's own rate";
}

TEST(ReadShare, IsUnknownWithoutAReference) {
  for (const double cache_rate : {30e9, 176e9}) {
    ReadShare share(std::size_t{64} << 20);
    share.probed(26e9, cache_rate);
    share.step(13e9, 1);
    share.probed(26e9);
    perf_compare::StepEmitter out("test/read_share");
    share.report(out);
    EXPECT_DOUBLE_EQ(metric(out, "read_rate"), 26e9);
    EXPECT_EQ(metric_value(out, "read_share").has_value(), cache_rate == 176e9);
    EXPECT_EQ(roofline_rows(out).find("unknown") != std::string::npos, cache_rate == 30e9)
        << roofline_rows(out);
  }
}

TEST(Table, ShowsFailedChecks) {
  perf_compare::StepEmitter out(perf_compare::Wanted{1, 0, 1}, "family/name", {{"layers", 2}});
  out.next_step();
  out.phase("forward");
  out.stop_step();
  out.check("right", 0, 1);
  out.check("wrong", 2, 1);
  const std::string table = run_table(out, kFinetuneParameters);
  EXPECT_TRUE(contains_all(table, {"family/name", "layers 2", "forward", "passed", "FAILED"}));
}

TEST(Table, EqualLayersShareARow) {
  perf_compare::StepEmitter out(perf_compare::Wanted{1, 0, 1}, "family/name", {});
  out.next_step();
  out.stop_step();
  const double bytes[] = {1024, 1024, 1024, 2048, 1024};
  for (int layer = 0; layer < 5; ++layer) {
    out.metric("layer_0" + std::to_string(layer) + "_bytes", "B", perf_compare::Better::lower,
               bytes[layer]);
  }
  out.metric("layer_bytes", "B", perf_compare::Better::lower, 2048);
  const std::string table = run_table(out, kFinetuneParameters);
  EXPECT_TRUE(contains(table,
                       "  layer_bytes                         2.00 KiB\n"
                       "  memory by layer\n"
                       "    layers 0 to 2, each               1.00 KiB\n"
                       "    layer 3                           2.00 KiB\n"
                       "    layer 4                           1.00 KiB\n"));
}

TEST(Table, HasSettingsInItsHeaderIn80Columns) {
  perf_compare::StepEmitter out(perf_compare::Wanted{1, 0, 1}, "training/full_finetune",
                                {{"backend", "auto"},
                                 {"batch-size", 1},
                                 {"checkpointing", "off"},
                                 {"heads", 0},
                                 {"learning-rate", 0},
                                 {"model", "micro"},
                                 {"optimizer", "adamw"},
                                 {"size", "ci"},
                                 {"threads", 0},
                                 {"weight-decay", 0.01}});
  out.environment("backend", "openblas");
  out.environment("threads", 2);
  out.next_step();
  out.stop_step();
  const std::string table = run_table(out, kFinetuneParameters);
  EXPECT_EQ(table.find("training/full_finetune: size ci, model micro, backend openblas, "
                       "batch-size 1,\n  checkpointing off, learning-rate 0, optimizer adamw, "
                       "weight-decay 0.01\n"),
            0U)
      << table;
}

TEST(Table, TheHeaderHasRoomForTheNameOfASeries) {
  perf_compare::StepEmitter out(
      perf_compare::Wanted{1, 0, 1}, "batch_1_length_128",
      {{"backend", "reference"}, {"batch-size", 1}, {"model", "micro"}, {"size", "smoke"}});
  out.next_step();
  out.stop_step();
  EXPECT_EQ(run_table(out, kFinetuneParameters, "inference/forward/")
                .find("inference/forward/batch_1_length_128: size smoke, model micro,\n"
                      "  backend reference, batch-size 1\n"),
            0U)
      << run_table(out, kFinetuneParameters, "inference/forward/");
}

TEST(Table, ShowsSharesInPercentAndOneThread) {
  perf_compare::StepEmitter out(perf_compare::Wanted{1, 0, 1}, "family/name", {});
  out.environment("threads", 1);
  out.next_step();
  out.phase("forward");
  out.stop_step();
  const auto add = [&](const char* name, double value) {
    out.metric(name, "1", perf_compare::Better::lower, value);
  };
  add("sample_share", 0.0331);
  add("streaming_overhead", -0.002);
  add("batching_gain", 3.1);
  const std::string table = run_table(out, kFinetuneParameters);
  EXPECT_TRUE(contains_all(
      table, {" kernels, 1 thread, ", "  sample_share                          3.31 %\n",
              "  streaming_overhead                   -0.20 %\n",
              "  batching_gain                           3.10\n"}));
}

TEST(Table, KeepsLongNamesAndTheirValuesApart) {
  perf_compare::StepEmitter out(perf_compare::Wanted{1, 0, 1}, "family/name", {});
  out.next_step();
  out.phase("forward");
  out.stop_step();
  const std::string name = "kv_cache_bytes_at_2048_per_query_head";
  out.metric(name, "B", perf_compare::Better::lower, 1023.0 * 1024);
  out.metric("weights_bytes", "B", perf_compare::Better::lower, 1 << 20);
  out.metric("short", "1", perf_compare::Better::lower, 1);
  out.check("a_check", 0, 1);
  const std::string table = run_table(out, kFinetuneParameters);
  const auto end_of_value = [&](const std::string& before) {
    const std::size_t at = table.find("\n" + before) + 1;
    EXPECT_GT(at, 0U) << before << " in\n" << table;
    return table.find_first_of("\n", at) - at;
  };
  EXPECT_TRUE(contains(table, name + "      1023 KiB\n"));
  EXPECT_EQ(end_of_value("  " + name), end_of_value("  short"));
  EXPECT_EQ(end_of_value("  " + name), end_of_value("    weights"));
}

perf_compare::StepEmitter point(int batch, int length, double rate) {
  perf_compare::StepEmitter out(perf_compare::Wanted{1, 0, 1}, "batch_and_length",
                                {{"batch-size", batch}, {"seq-len", length}});
  out.metric("tokens_per_second", "1/s", perf_compare::Better::higher, rate);
  return out;
}

TEST(SweepTable, IsAGridOfBatchAndLength) {
  std::vector<perf_compare::StepEmitter> series;
  series.push_back(point(1, 128, 555.4));
  series.push_back(point(1, 1024, 2.349));
  series.push_back(point(16, 128, 12345));
  EXPECT_EQ(sweep_table(series),
            "tokens a second\n"
            "             length 128  length 1024\n"
            "  batch 1        555 /s      2.35 /s\n"
            "  batch 16     12345 /s             \n");
}

TEST(SweepTable, IsEmptyForASingleRowOrColumn) {
  std::vector<perf_compare::StepEmitter> series;
  EXPECT_EQ(sweep_table(series), "");
  series.push_back(point(1, 128, 5));
  series.push_back(point(1, 256, 5));
  EXPECT_EQ(sweep_table(series), "");
  series.clear();
  series.push_back(point(1, 0, 5));
  series.push_back(point(2, 0, 5));
  EXPECT_EQ(sweep_table(series), "");
}

TEST(Table, NamesAShapeThatWasSetApart) {
  perf_compare::StepEmitter out(perf_compare::Wanted{1, 0, 1}, "w",
                                {{"model", "micro"}, {"layers", 1}, {"heads", 2}, {"kv-heads", 2}});
  out.environment("model", "micro with layers 1, heads 2");
  out.next_step();
  out.stop_step();
  EXPECT_EQ(run_table(out, kFinetuneParameters)
                .find("w: model micro with layers 1, heads 2, "
                      "kv-heads 2\n"),
            0U)
      << run_table(out, kFinetuneParameters);
}

TEST(Table, NotesWhatToTry) {
  perf_compare::StepEmitter out(perf_compare::Wanted{1, 0, 1}, "family/name",
                                {{"learning-rate", 1}});
  out.environment("threads", 1'000'000);
  out.next_step();
  out.stop_step();
  EXPECT_TRUE(contains(run_table(out, kFinetuneParameters), "note: 1000000 threads share "));
  EXPECT_FALSE(contains(run_table(out, kFinetuneParameters), "--learning-rate"));
  out.metric("loss", "1", perf_compare::Better::lower, std::nan(""));
  EXPECT_TRUE(
      contains(run_table(out, kFinetuneParameters), "a smaller --learning-rate or --loss-scale"));
}

TEST(Table, ShowsMemoryByPurposeBesideThePrediction) {
  perf_compare::StepEmitter out(perf_compare::Wanted{1, 0, 1}, "family/name", {});
  out.begin_field("predicted_weights_bytes", 2.0 * (1 << 20));
  out.begin_field("predicted_optimizer_bytes", 0);
  out.begin_field("predicted_workspace_bytes", 4.0 * (1 << 20));
  out.next_step();
  out.stop_step();
  out.metric("weights_bytes", "B", perf_compare::Better::lower, 2 << 20);
  out.metric("optimizer_bytes", "B", perf_compare::Better::lower, 0);
  out.metric("workspace_bytes", "B", perf_compare::Better::lower, 3 << 20);
  out.metric("memory_share", "1", perf_compare::Better::lower, 0.0123);
  const std::string table = run_table(out, kFinetuneParameters);
  EXPECT_TRUE(contains(table,
                       "  memory                               counted     predicted\n"
                       "    weights                           2.00 MiB      2.00 MiB     +0.0 %\n"
                       "    optimizer                            0 KiB         0 KiB     +0.0 %\n"
                       "    workspace                         3.00 MiB      4.00 MiB    -25.0 %\n"
                       "    all                               5.00 MiB      6.00 MiB    -16.7 %\n"
                       "  memory_share                          1.23 %\n"));
}

perf_compare::StepEmitter one_step(perf_compare::Fields params) {
  perf_compare::StepEmitter out(perf_compare::Wanted{1, 0, 1}, "family/name", std::move(params));
  out.next_step();
  out.phase("work");
  out.stop_step();
  return out;
}

TEST(Roofline, FollowsTheSteps) {
  perf_compare::StepEmitter out = one_step({{"peak-size", 2048}});
  EXPECT_FALSE(contains(run_table(out, kFinetuneParameters), "roofline")) << "nothing measured";
  out.metric("flop_rate", "flop/s", perf_compare::Better::higher, 399e9);
  report_gemm_share(399e9, 475e9, out);
  const std::string table = run_table(out, kFinetuneParameters);
  const std::string line =
      "\n  roofline                              84.0 %   of 475 GFLOP/s, the rate of a 2048^3 "
      "product\n  flop_rate  ";
  const std::size_t found = table.find(line);
  ASSERT_NE(found, std::string::npos) << table;
  EXPECT_EQ(table.rfind("    work ", found), table.rfind('\n', found - 1) + 1) << table;
}

TEST(Roofline, HasTheBytesReadFromMemory) {
  perf_compare::StepEmitter out = one_step({});
  out.begin_field("read_rate_bytes", std::size_t{256} << 20);
  out.metric("read_rate", "B/s", perf_compare::Better::higher, 55.2e9);
  out.metric("bytes_per_second", "B/s", perf_compare::Better::higher, 37e9);
  out.metric("read_share", "1", perf_compare::Better::higher, 0.673);
  EXPECT_EQ(
      roofline_rows(out),
      "  roofline                              67.3 %   of 55.2 GB/s, the rate of reading 256 "
      "MiB\n");
}

TEST(Roofline, ReportsMoreThanALimitAsWrong) {
  perf_compare::StepEmitter out = one_step({});
  out.metric("read_rate", "B/s", perf_compare::Better::higher, 50e9);
  EXPECT_EQ(roofline_rows(out),
            "  roofline                             unknown   of 50.0 GB/s, the rate of reading "
            "memory: a cache is read no faster\n");
  out.metric("read_share", "1", perf_compare::Better::higher, 2.07);
  EXPECT_EQ(roofline_rows(out),
            "  roofline                             207.0 %   of 50.0 GB/s, the rate of reading "
            "memory: exceeded, so not its limit\n");
}

// A text has two parts: its prompt is bound by products, the rest by memory.
TEST(Roofline, APromptHasItsOwn) {
  perf_compare::StepEmitter out = one_step({{"peak-size", 512}});
  out.metric("prefill_rate", "flop/s", perf_compare::Better::higher, 30e9);
  report_gemm_share(30e9, 60e9, out);
  out.metric("read_rate", "B/s", perf_compare::Better::higher, 50e9);
  out.metric("read_share", "1", perf_compare::Better::higher, 0.5);
  EXPECT_EQ(roofline_rows(out),
            "  roofline, prompt                      50.0 %   of 60.0 GFLOP/s, the rate of a 512^3 "
            "product\n"
            "  roofline                              50.0 %   of 50.0 GB/s, the rate of reading "
            "memory\n");
}

TEST(Roofline, EachWorkloadHasOne) {
  for (const Workload& workload : workloads()) {
    EXPECT_TRUE(std::any_of(
        workload.metrics.begin(), workload.metrics.end(),
        [](const std::string& name) { return name == "gemm_share" || name == "read_share"; }))
        << workload.name;
  }
}

TEST(Description, KeepsItsColumnsApart) {
  Workload workload;
  workload.name = "family/name";
  workload.parameters = {choice("model", {"a-name-of-some-length", "b"}, "whose")};
  EXPECT_TRUE(contains(description(workload), " a-name-of-some-length  a-name-of-some-length "));
}

TEST(List, KeepsNamesAndSummariesApart) {
  for (const Workload& workload : workloads()) {
    EXPECT_TRUE(contains(list_table(workloads()), workload.name + "  ")) << workload.name;
  }
}

TEST(List, KeepsFamiliesApart) {
  Workload first, second, third;
  first.name = "a/x";
  second.name = "a/long";
  third.name = "b/x";
  first.summary = second.summary = third.summary = "Steps.";
  EXPECT_EQ(list_table({first, second, third}),
            "a/x     Steps.\na/long  Steps.\n\nb/x     Steps.\n");
}

}  // namespace
}  // namespace perf::workloads
