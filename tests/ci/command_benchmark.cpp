// What the command itself costs its user: start-up, and memory over a whole comparison.
//
//   build/test-release/tests/command_benchmark

#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/ci/claimed_benchmark.h"
#include "tests/ci/scratch_repository.h"

namespace perf::test {
namespace {

constexpr const char* kCommand = PERF_BINARY_DIR "/bin/perf-compare";

/// Runs perf-compare quietly and returns what the kernel says it used. A run that does not exit
/// with 0 measures nothing, and ends the benchmark.
rusage usage_of(benchmark::State& state, const std::vector<std::string>& arguments,
                const std::filesystem::path& directory) {
  const pid_t child = fork();
  if (child == 0) {
    const int null = open("/dev/null", O_RDWR);
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    std::vector<char*> argv{const_cast<char*>(kCommand)};
    for (const std::string& argument : arguments) {
      argv.push_back(const_cast<char*>(argument.c_str()));
    }
    argv.push_back(nullptr);
    if (chdir(directory.c_str()) == 0) {
      execv(kCommand, argv.data());
    }
    _exit(127);
  }
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    state.SkipWithError("perf-compare failed");
  }
  return usage;
}

/// Start-up: wall time of `perf-compare --version`, supervisor's fork included.
void StartUp(benchmark::State& state) {
  for (auto _ : state) {
    usage_of(state, {"--version"}, "/tmp");
  }
}
BENCHMARK(StartUp)->Unit(benchmark::kMillisecond)->UseRealTime();

/// Start-up with a repository and a store to open: `perf-compare pins`.
void OpenRepositoryAndStore(benchmark::State& state) {
  ScratchRepository repository;
  repository.write("file", "x");
  repository.commit("Start");
  for (auto _ : state) {
    usage_of(state, {"pins"}, repository.path());
  }
}
BENCHMARK(OpenRepositoryAndStore)->Unit(benchmark::kMillisecond)->UseRealTime();

/// A whole comparison of a workload that is nothing but a shell, so that the largest process is
/// the tool: its peak memory.
void WholeComparison(benchmark::State& state) {
  ScratchRepository repository;
  repository.write("bench", kClaimedBenchmark, true);
  repository.write("work", "100");
  repository.write("perf-compare.json", kClaimedConfig);
  repository.commit("Start");
  setenv("XDG_CACHE_HOME", repository.cache().c_str(), 1);
  long peak = 0;
  for (auto _ : state) {
    peak = std::max(peak, usage_of(state, {"HEAD", "HEAD"}, repository.path()).ru_maxrss);
  }
  state.counters["tool_peak_rss_MiB"] = static_cast<double>(peak) / 1024;
}
BENCHMARK(WholeComparison)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(3);

}  // namespace
}  // namespace perf::test

BENCHMARK_MAIN();
