#include "workloads/program/table.h"

#include <gtest/gtest.h>

#include <cmath>

#include "workloads/registry.h"

namespace perf::workloads {
namespace {

// What a training workload has that may be left open.
const std::vector<Parameter> kParameters = all_parameters(workload_named("training/full_finetune"));

TEST(Table, ScalesUnitsForPeople) {
  EXPECT_EQ(scaled(0.01234, "s"), "12.3 ms");
  EXPECT_EQ(scaled(123.4, "s"), "123 s");
  EXPECT_EQ(scaled(4.2e-6, "s"), "4.20 us");
  EXPECT_EQ(scaled(0, "s"), "0 us");
  EXPECT_EQ(scaled(5.0e11, "flop/s"), "500 GFLOP/s");
  EXPECT_EQ(scaled(41.5e9, "B/s"), "41.5 GB/s");
  EXPECT_EQ(scaled(3.0 * 1024 * 1024, "B"), "3.00 MiB");
  EXPECT_EQ(scaled(12345.6, "1/s"), "12346 /s");
  EXPECT_EQ(scaled(43.4, "dB"), "43.4 dB");
}

TEST(Table, ShowsFailedChecks) {
  perf_compare::StepEmitter out(perf_compare::Wanted{1, 0, 1}, "family/name", {{"layers", 2}});
  out.next_step();
  out.phase("forward");
  out.stop_step();
  out.check("right", 0, 1);
  out.check("wrong", 2, 1);
  const std::string table = run_table(out, kParameters);
  for (const char* part : {"family/name", "layers 2", "forward", "passed", "FAILED"})
    EXPECT_NE(table.find(part), std::string::npos) << part;
}

TEST(Table, TheHeaderSaysWhatIsInForceInEightyColumns) {
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
  const std::string table = run_table(out, kParameters);
  EXPECT_EQ(table.find("training/full_finetune: size ci, model micro, backend openblas, "
                       "batch-size 1,\n  checkpointing off, learning-rate 0, optimizer adamw, "
                       "weight-decay 0.01\n"),
            0U)
      << table;
}

TEST(Table, NotesWhatToTry) {
  perf_compare::StepEmitter out(perf_compare::Wanted{1, 0, 1}, "family/name",
                                {{"learning-rate", 1}});
  out.environment("threads", 1'000'000);
  out.next_step();
  out.stop_step();
  EXPECT_NE(run_table(out, kParameters).find("note: 1000000 threads share "), std::string::npos);
  EXPECT_EQ(run_table(out, kParameters).find("--learning-rate"), std::string::npos);
  out.metric("loss", "1", perf_compare::Better::lower, std::nan(""));
  EXPECT_NE(run_table(out, kParameters).find("a smaller --learning-rate or --loss-scale"),
            std::string::npos);
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
  const std::string table = run_table(out, kParameters);
  EXPECT_NE(table.find("  memory                               counted     predicted\n"
                       "    weights                           2.00 MiB      2.00 MiB     +0.0 %\n"
                       "    optimizer                            0 KiB         0 KiB     +0.0 %\n"
                       "    workspace                         3.00 MiB      4.00 MiB    -25.0 %\n"
                       "    all                               5.00 MiB      6.00 MiB    -16.7 %\n"
                       "  memory_share                          0.0123\n"),
            std::string::npos)
      << table;
}

TEST(Description, KeepsItsColumnsApart) {
  Workload workload;
  workload.name = "family/name";
  workload.parameters = {choice("model", {"a-name-of-some-length", "b"}, "whose")};
  EXPECT_NE(description(workload).find(" a-name-of-some-length  a-name-of-some-length "),
            std::string::npos)
      << description(workload);
}

TEST(List, KeepsNamesAndSummariesApart) {
  for (const Workload& workload : workloads())
    EXPECT_NE(list_table(workloads()).find(workload.name + "  "), std::string::npos)
        << workload.name;
}

}  // namespace
}  // namespace perf::workloads
