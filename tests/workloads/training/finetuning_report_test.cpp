#include "workloads/training/finetuning_report.h"

#include <gtest/gtest.h>

namespace perf::workloads {
namespace {

FinetuningRun run_of(double predicted, std::size_t growth) {
  FinetuningRun run;
  run.predicted.bytes = {predicted, 0, 0, 0, 0};
  run.resident = 1'000'000'000;
  run.peak = run.resident + growth;
  return run;
}

TEST(FinetuningReport, MeasuresHowFarTheProcessGrewFromThePrediction) {
  EXPECT_DOUBLE_EQ(growth_drift(run_of(1e9, 1'000'000'000)), 0);
  EXPECT_DOUBLE_EQ(growth_drift(run_of(1e9, 1'150'000'000)), 0.15);
  EXPECT_DOUBLE_EQ(growth_drift(run_of(1e9, 850'000'000)), 0.15);
  EXPECT_GT(growth_drift(run_of(1e9, 1'150'000'000)), kMemoryTolerance);
  // A small model: 4 MB of libraries beside 50 MB are no drift, but half of 20 MB is.
  EXPECT_LT(growth_drift(run_of(50e6, 54'000'000)), kMemoryTolerance);
  EXPECT_LT(growth_drift(run_of(10e6, 14'000'000)), kMemoryTolerance);
  EXPECT_GT(growth_drift(run_of(20e6, 30'000'000)), kMemoryTolerance);
  EXPECT_GT(growth_drift(run_of(50e6, 60'000'000)), kMemoryTolerance);
}

TEST(FinetuningReport, ReportsWhatItSays) {
  perf_compare::StepEmitter out(perf_compare::Wanted{2, 0, 1}, "family/name", {});
  while (out.next_step()) {
    out.phase("forward");
  }
  FinetuningRun run = run_of(1e9, 1'000'000'000);
  run.gemm_rate = 1e9;
  run.joules = 30;
  Ledger memory;
  memory.take<float>(Purpose::activations, 1024);
  report_run(run, memory, 512, out);
  std::vector<std::string> wanted = finetuning_metrics(), got;
  for (const std::string& name : finetuning_energy_metrics()) {
    wanted.push_back(name);
  }
  for (const perf_compare::Metric& metric : out.metrics()) {
    got.push_back(metric.name);
    EXPECT_FALSE(metric.judge);
    if (metric.name == "activations_bytes") {
      EXPECT_EQ(metric.value, 4096);
    }
    if (metric.name == "energy_per_step") {
      EXPECT_EQ(metric.value, 15);
    }
    if (metric.name == "tokens_per_joule") {
      EXPECT_DOUBLE_EQ(metric.value, 512 / 15.0);
    }
  }
  EXPECT_EQ(got, wanted);
}

TEST(FinetuningReport, LeavesOutUnknownEnergy) {
  perf_compare::StepEmitter out(perf_compare::Wanted{1, 0, 1}, "family/name", {});
  while (out.next_step()) {
    out.phase("forward");
  }
  FinetuningRun run = run_of(1e9, 1'000'000'000);
  run.gemm_rate = 1e9;
  report_run(run, Ledger(), 512, out);
  for (const perf_compare::Metric& metric : out.metrics()) {
    EXPECT_EQ(metric.name.find("joule"), std::string::npos) << "unknown is not 0";
  }
  EXPECT_EQ(out.metrics().size(), finetuning_metrics().size());
}

}  // namespace
}  // namespace perf::workloads
