#include "collector/machine/system_calls.h"

#include <gnu/libc-version.h>
#include <sched.h>
#include <sys/utsname.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace perf {
namespace {

std::optional<std::string> hypervisor_signature() {
#if defined(__x86_64__) || defined(__i386__)
  unsigned a = 0, b = 0, c = 0, d = 0;
  constexpr unsigned kHypervisorBit = 1u << 31;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & kHypervisorBit) == 0) {
    return std::nullopt;
  }
  __cpuid(0x40000000u, a, b, c, d);
  std::array<unsigned, 3> words{b, c, d};
  std::string signature(sizeof words, '\0');
  std::memcpy(signature.data(), words.data(), sizeof words);
  signature.erase(std::find(signature.begin(), signature.end(), '\0'), signature.end());
  return signature.empty() ? std::nullopt : std::optional<std::string>(std::move(signature));
#else
  return std::nullopt;
#endif
}

std::optional<int> cores_of_affinity() {
  // The set must be as large as the kernel's own, whose size is not told: grow until it fits.
  for (int cpus = 1024; cpus <= 1024 * 1024; cpus *= 4) {
    cpu_set_t* set = CPU_ALLOC(cpus);
    const std::size_t size = CPU_ALLOC_SIZE(cpus);
    const bool fits = set != nullptr && sched_getaffinity(0, size, set) == 0;
    const int count = fits ? CPU_COUNT_S(size, set) : 0;
    CPU_FREE(set);
    if (fits) {
      return count;
    }
  }
  return std::nullopt;
}

}  // namespace

SystemCalls ask_system() {
  SystemCalls system;
  utsname names{};
  if (uname(&names) == 0) {
    system.kernel_release = names.release;
    system.architecture = names.machine;
  }
  system.libc = std::string("glibc ") + gnu_get_libc_version();
  system.cores = cores_of_affinity();
  system.hypervisor = hypervisor_signature();
  return system;
}

}  // namespace perf
