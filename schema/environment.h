#pragma once

#include <map>
#include <string>

namespace perf {

/// What explains a timing apart from the code. Values that could not be read are absent, never 0.
struct Environment {
  /// Hash of `machine`: timings under different fingerprints are not comparable.
  std::string fingerprint;
  /// The machine and image facts that the fingerprint covers: cpu_model, microcode, cores_allowed,
  /// memory_gib, hypervisor, kernel (major.minor), distribution, libc, container_image, compiler;
  /// and device, device_memory_gib, device_mig, device_ecc, device_power_limit, device_driver.
  std::map<std::string, std::string> machine;
  /// Recorded and shown, but no part of the fingerprint: governor, boost, smt, thp, numa, aslr,
  /// ci_provider, load_average, memory_available, ...
  std::map<std::string, std::string> facts;
};

}  // namespace perf
