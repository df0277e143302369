// What the collector itself costs: to start a process, and while a workload runs. The aim is under
// 1 % of the machine's time for the tool and its supervisor together while a workload runs.
#include <benchmark/benchmark.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>

#include "collector/process/process.h"
#include "collector/process/spawner.h"

namespace {

perf::Spawner spawner;

double own_cpu() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/// s of CPU that the supervisor has used, from the nanoseconds of /proc/PID/schedstat.
double supervisor_cpu() {
  std::ifstream file("/proc/" + std::to_string(spawner.supervisor_pid()) + "/schedstat");
  double nanoseconds = 0;
  file >> nanoseconds;
  return 1e-9 * nanoseconds;
}

perf::ProcessRequest request(std::vector<std::string> command) {
  perf::ProcessRequest wanted;
  wanted.command = std::move(command);
  wanted.directory = "/";
  wanted.timeout = 60;
  return wanted;
}

void spawn_true(benchmark::State& state) {
  const perf::ProcessRequest wanted = request({"true"});
  double inside = 0;
  for (auto _ : state) {
    inside += spawner.run(wanted).wall;
  }
  state.counters["child_wall_s"] = inside / static_cast<double>(state.iterations());
}
BENCHMARK(spawn_true)->Unit(benchmark::kMicrosecond)->UseRealTime();

/// A workload that runs for two seconds; one that prints a line every 10 ms besides.
void attend_workload(benchmark::State& state) {
  const char* chatty = "i=0; while [ $i -lt 200 ]; do echo step $i; sleep 0.01; i=$((i+1)); done";
  spawner.set_interrupted([] { return false; });
  const perf::ProcessRequest wanted =
      state.range(0) == 0 ? request({"timeout", "2", "sh", "-c", "while :; do :; done"})
                          : request({"sh", "-c", chatty});
  double wall = 0, tool = 0, supervisor = 0;
  for (auto _ : state) {
    const double started = perf::monotonic_seconds(), own = own_cpu(), other = supervisor_cpu();
    spawner.run(wanted);
    wall += perf::monotonic_seconds() - started;
    tool += own_cpu() - own;
    supervisor += supervisor_cpu() - other;
  }
  const double machine = wall * static_cast<double>(sysconf(_SC_NPROCESSORS_ONLN));
  state.counters["tool_percent"] = 100 * tool / machine;
  state.counters["supervisor_percent"] = 100 * supervisor / machine;
  state.SetLabel(state.range(0) == 0 ? "quiet" : "chatty");
}
BENCHMARK(attend_workload)
    ->Arg(0)
    ->Arg(1)
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace

BENCHMARK_MAIN();
