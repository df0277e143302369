#include "workloads/kernels/instruction_set.h"

// Runs before it is known what the CPU can do, and is compiled for more: characters only, nothing
// that a compiler would turn into vector instructions.
namespace perf::workloads {

const char* instruction_set() {
#if defined(__AVX512VNNI__)
  return "avx512";
#elif defined(__AVX2__) && defined(__FMA__)
  return "avx2";
#else
  return "";
#endif
}

const char* compiler() {
  return PERF_WORKLOADS_COMPILER;
}

const char* compiler_flags() {
  return PERF_WORKLOADS_FLAGS;
}

bool cpu_has_avx512() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512vnni");
#else
  return false;
#endif
}

const char* missing_instructions() {
#if defined(__AVX512VNNI__)
  if (!cpu_has_avx512()) {
    return "AVX-512 with VNNI";
  }
#endif
#if defined(__AVX2__)
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") ||
      !__builtin_cpu_supports("bmi2")) {
    return "AVX2 with FMA";
  }
#endif
  return "";
}

}  // namespace perf::workloads
