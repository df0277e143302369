#include <fmt/format.h>

#include "workloads/kernels/triad_rate.h"
#include "workloads/micro/micro_run.h"
#include "workloads/micro/micro_workloads.h"
#include "workloads/program/memory.h"
#include "workloads/program/roofline.h"

namespace perf::workloads {

namespace {

using perf_compare::StepEmitter;

void run_memory_triad(const Settings& settings, StepEmitter& out) {
  const auto bytes = static_cast<std::size_t>(settings.integer("kib")) * 1024;
  require_memory(3 * bytes, fmt::format("3 times --kib {}", bytes / 1024));
  TriadRate triad(bytes);
  ReadShare reading(triad.result(), triad.count() * sizeof(double));
  out.begin_field("bytes_per_step", triad.traffic());
  // The probe reads the spoilt result, as it read a right one: caches are as ever.
  triad.spoil_result();
  reading.probe();
  while (out.next_step()) {
    triad.pass();
    out.phase("triad");
    out.stop_step();
    if (!out.steps().back().warmup) {
      reading.step(triad.traffic(), out.steps().back().seconds);
    }
    if (steps_follow(out)) {
      triad.spoil_result();
    }
    reading.probe();
  }
  reading.report(out);
  out.check("result_matches_reference", triad.error(), kTriadTolerance);
}

}  // namespace

Workload micro_memory_triad() {
  return {
      .name = "micro/memory_triad",
      .summary = "The machine's limit for reading and writing: the triad of STREAM, a = b + s c.",
      .parameters = {integer("kib", {16384, 16384, 262144}, 4, 1 << 26,
                             "KiB of each of the three arrays")},
      .phases = {"triad"},
      .metrics = ReadShare::metrics(),
      .checks = {"result_matches_reference"},
      .run = run_memory_triad,
  };
}

}  // namespace perf::workloads
