#include "workloads/program/restart.h"

#include <cblas.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace perf::workloads {

namespace {
constexpr const char* kRestarted = "PERF_WORKLOADS_RESTARTED";  // guards against an endless loop
}

bool is_avx512_core(std::string_view core) {
  // The library's capitals vary ("SapphireRapids", "Sapphirerapids"); its environment variable
  // takes any.
  static constexpr std::array<std::string_view, 3> kCores = {"skylakex", "cooperlake",
                                                             "sapphirerapids"};
  std::string lower(core);
  for (char& letter : lower) {
    if (letter >= 'A' && letter <= 'Z') {
      letter = static_cast<char>(letter - 'A' + 'a');
    }
  }
  return std::find(kCores.begin(), kCores.end(), lower) != kCores.end();
}

bool cpu_has_avx512() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512cd");
#else
  return false;
#endif
}

std::map<std::string, std::string> better_environment(const ProcessFacts& facts) {
  std::map<std::string, std::string> variables;
  if (facts.cpu_has_avx512 && !is_avx512_core(facts.blas_core) &&
      !facts.is_set("OPENBLAS_CORETYPE")) {
    variables["OPENBLAS_CORETYPE"] = "SkylakeX";
  }
  if (!facts.is_set("GOMP_SPINCOUNT") && !facts.is_set("OMP_WAIT_POLICY")) {
    variables["GOMP_SPINCOUNT"] = kSpinCount;
  }
  return variables;
}

void restart_with(const std::map<std::string, std::string>& variables, char** argv) {
  if (variables.empty() || std::getenv(kRestarted) != nullptr) {
    return;
  }
  setenv(kRestarted, "1", 1);
  for (const auto& [name, value] : variables) {
    setenv(name.c_str(), value.c_str(), 1);
  }
  // The path, and not the link itself, which under valgrind leads to valgrind.
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  execv(program.c_str(), argv);
}

void restart_in_better_environment(char** argv) {
  restart_with(
      better_environment({.blas_core = openblas_get_corename(),
                          .cpu_has_avx512 = cpu_has_avx512(),
                          .is_set = [](const char* name) { return std::getenv(name) != nullptr; }}),
      argv);
}

}  // namespace perf::workloads
