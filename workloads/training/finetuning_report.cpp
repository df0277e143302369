#include "workloads/training/finetuning_report.h"

#include <algorithm>
#include <cmath>

#include "workloads/program/memory.h"
#include "workloads/program/roofline.h"

namespace perf::workloads {

namespace {

using perf_compare::Better;
using perf_compare::StepEmitter;

double share_of_machine(std::size_t bytes) {
  const std::size_t total = total_memory();
  return total == 0 ? 0 : static_cast<double>(bytes) / static_cast<double>(total);
}

void report_speed(const FinetuningRun& run, std::size_t tokens, StepEmitter& out) {
  const double seconds = out.median_seconds();
  out.metric("tokens_per_second", "1/s", Better::higher, static_cast<double>(tokens) / seconds);
  out.metric("flop_rate", "flop/s", Better::higher, run.operations / seconds);
  report_gemm_share(run.operations / seconds, run.gemm_rate, out);
}

void report_memory(const FinetuningRun& run, const Ledger& memory, StepEmitter& out) {
  for (std::size_t i = 0; i < kTrainingPurposes; ++i) {
    out.metric(std::string(kPurposeNames[i]) + "_bytes", "B", Better::lower,
               static_cast<double>(memory.bytes(static_cast<Purpose>(i))));
  }
  out.metric("predicted_bytes", "B", Better::lower, run.predicted.total());
  out.metric("memory_share", "1", Better::lower, share_of_machine(run.peak));
  out.metric("memory_available", "B", Better::higher, static_cast<double>(run.available));
  out.metric("memory_available_share", "1", Better::higher, share_of_machine(run.available));
}

}  // namespace

std::vector<std::string> finetuning_metrics() {
  std::vector<std::string> names = {"tokens_per_second", "flop_rate", "gemm_rate", "gemm_share"};
  for (std::size_t i = 0; i < kTrainingPurposes; ++i) {
    names.push_back(std::string(kPurposeNames[i]) + "_bytes");
  }
  for (const char* name :
       {"predicted_bytes", "memory_share", "memory_available", "memory_available_share", "loss"}) {
    names.emplace_back(name);
  }
  return names;
}

std::vector<std::string> finetuning_energy_metrics() {
  return {"energy_per_step", "tokens_per_joule"};
}

void report_run(const FinetuningRun& run, const Ledger& memory, std::size_t tokens,
                StepEmitter& out) {
  report_speed(run, tokens, out);
  report_memory(run, memory, out);
  out.metric("loss", "1", Better::lower, run.last_loss);
  if (run.joules && *run.joules > 0) {
    const double a_step = *run.joules / out.wanted().steps;
    out.metric("energy_per_step", "J", Better::lower, a_step);
    out.metric("tokens_per_joule", "1/J", Better::higher, static_cast<double>(tokens) / a_step);
  }
}

void describe_prediction(const MemoryModel& predicted, StepEmitter& out) {
  for (std::size_t i = 0; i < kTrainingPurposes; ++i) {
    out.begin_field("predicted_" + std::string(kPurposeNames[i]) + "_bytes", predicted.bytes[i]);
  }
}

double growth_drift(const FinetuningRun& run) {
  const double growth = static_cast<double>(run.peak) - static_cast<double>(run.resident);
  const double predicted = run.predicted.total();
  return std::abs(growth - predicted) / std::max(predicted, run.noise / kMemoryTolerance);
}

}  // namespace perf::workloads
