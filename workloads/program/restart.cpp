#include "workloads/program/restart.h"

#include <cblas.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <system_error>

#include "workloads/kernels/instruction_set.h"
#include "workloads/program/error.h"

namespace perf::workloads {

namespace {
constexpr const char* kRestarted = "PERF_WORKLOADS_RESTARTED";  // guards against an endless loop
constexpr const char* kOnednnIsa = "DNNL_MAX_CPU_ISA";          // as oneDNN 2.6 reads it
}  // namespace

namespace {

// The library's capitals vary ("SapphireRapids", "Sapphirerapids"); its environment variable takes
// any.
bool is_one_of(std::initializer_list<std::string_view> cores, std::string_view core) {
  std::string lower(core);
  for (char& letter : lower) {
    if (letter >= 'A' && letter <= 'Z') {
      letter = static_cast<char>(letter - 'A' + 'a');
    }
  }
  return std::find(cores.begin(), cores.end(), lower) != cores.end();
}

// OpenBLAS 0.3.21 takes processors that it does not know for ones of 2004 (Prescott).
bool is_avx2_core(std::string_view core) {
  return is_one_of({"haswell", "zen", "excavator"}, core);
}

}  // namespace

bool is_avx512_core(std::string_view core) {
  return is_one_of({"skylakex", "cooperlake", "sapphirerapids"}, core);
}

Restart better_start(const ProcessFacts& facts) {
  const char* chosen = facts.variable(kChosenIsa);
  const std::string isa = chosen != nullptr ? chosen : facts.cpu_has_avx512 ? "avx512" : "avx2";
  if (isa != "avx2" && isa != "avx512") {
    throw Error("no such instruction set", isa, std::string(kChosenIsa) + "=avx2 or avx512");
  }
  if (isa == "avx512" && !facts.cpu_has_avx512) {
    throw Error("this CPU lacks the chosen instruction set", std::string(kChosenIsa) + "=" + isa,
                std::string(kChosenIsa) + "=avx2, or without it");
  }
  Restart result{isa, {}};
  const bool is_wide = is_avx512_core(facts.blas_core);
  const bool blas_fits =
      isa == "avx512" ? is_wide : is_avx2_core(facts.blas_core) || (is_wide && chosen == nullptr);
  if (facts.is_x86 && !blas_fits &&
      (chosen != nullptr || facts.variable("OPENBLAS_CORETYPE") == nullptr)) {
    result.variables["OPENBLAS_CORETYPE"] = isa == "avx512" ? "SkylakeX" : "Haswell";
  }
  if (const char* own = facts.variable(kOnednnIsa); chosen != nullptr) {
    const std::string_view wanted = isa == "avx2" ? "AVX2" : "ALL";
    if (own == nullptr ? isa == "avx2" : own != wanted) {
      result.variables[kOnednnIsa] = wanted;
    }
  }
  if (facts.variable("GOMP_SPINCOUNT") == nullptr && facts.variable("OMP_WAIT_POLICY") == nullptr) {
    result.variables["GOMP_SPINCOUNT"] = kSpinCount;
  }
  return result;
}

namespace {

// The path, and not the link itself, which under valgrind leads to valgrind.
std::filesystem::path this_program() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error);
}

// perf-workloads or perf-workloads-avx512 beside this program. Where it is not there: this one, if
// nobody asked for the other.
std::filesystem::path program_for(const std::string& isa, const std::filesystem::path& self) {
  static constexpr std::string_view kEnding = "-avx512";  // as in workloads/CMakeLists.txt
  if (isa == instruction_set()) {
    return self;
  }
  std::string other = self.string();
  if (isa == "avx512") {
    other += kEnding;
  } else if (other.ends_with(kEnding)) {
    other.resize(other.size() - kEnding.size());
  }
  const bool is_for_one_cpu = other == self;  // PERF_WORKLOADS_FOR_THIS_CPU of CMake
  if (!is_for_one_cpu && std::filesystem::exists(other)) {
    return other;
  }
  if (std::getenv(kChosenIsa) != nullptr) {
    throw Error("no program for the chosen instruction set", std::string(kChosenIsa) + "=" + isa,
                (is_for_one_cpu ? "a build without PERF_WORKLOADS_FOR_THIS_CPU"
                                : "installing " + other + " beside it") +
                    ", or without " + kChosenIsa);
  }
  return self;
}

}  // namespace

void restart_as(const Restart& restart, char** argv) {
  if (std::getenv(kRestarted) != nullptr) {
    return;
  }
  const std::filesystem::path self = this_program(), program = program_for(restart.isa, self);
  if (program == self && restart.variables.empty()) {
    return;
  }
  setenv(kRestarted, "1", 1);
  for (const auto& [name, value] : restart.variables) {
    setenv(name.c_str(), value.c_str(), 1);
  }
  execv(program.c_str(), argv);
}

void restart_in_better_environment(char** argv) {
  restart_as(better_start({.blas_core = openblas_get_corename(),
                           .cpu_has_avx512 = cpu_has_avx512(),
                           .is_x86 = *instruction_set() != '\0',
                           .variable = std::getenv}),
             argv);
}

}  // namespace perf::workloads
