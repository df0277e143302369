#include "workloads/program/instruction_set.h"

#include <unistd.h>

#include <climits>
#include <cstring>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

// Runs before it is known what the CPU can do, and is compiled for more: characters only, nothing
// that a compiler would turn into vector instructions.
namespace perf::workloads {

const char* instruction_set() {
#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512VL__)
  return "x86-64-v4";
#elif defined(__AVX2__) && defined(__FMA__)
  return "x86-64-v3";
#elif defined(__SSE4_2__)
  return "x86-64-v2";
#elif defined(__x86_64__)
  return "x86-64";
#else
  return "";
#endif
}

const char* missing_instructions() {
#if defined(__AVX512F__)
  if (!__builtin_cpu_supports("avx512f")) {
    return "AVX-512";
  }
#endif
#if defined(__AVXVNNI__)
  // Leaf 7, subleaf 1, bit 4 of EAX (Intel's manual, volume 2, CPUID); clang 14 has no name for it.
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (__get_cpuid_count(7, 1, &eax, &ebx, &ecx, &edx) == 0 || (eax >> 4 & 1) == 0) {
    return "AVX-VNNI";
  }
#endif
#if defined(__AVX2__)
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) {
    return "AVX2 with FMA";
  }
#endif
  return "";
}

void go_on_with_fewer_instructions(char** argv) {
  static constexpr char kEnding[] = "-x86-64-v3";  // as in workloads/CMakeLists.txt
  static char path[PATH_MAX + sizeof kEnding];
  const ssize_t length = readlink("/proc/self/exe", path, PATH_MAX);
  if (length < 0) {
    return;
  }
  std::memcpy(path + length, kEnding, sizeof kEnding);
  execv(path, argv);
}

}  // namespace perf::workloads
