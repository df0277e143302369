#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace perf::fuzz {

/// A function that takes any bytes, and seeds. `run` throws Broken (checks.h) if a check is
/// violated.
struct FuzzTarget {
  std::string name;
  void (*run)(std::string_view input);
  std::vector<std::string> (*seeds)();
};

/// perf-compare.json.
FuzzTarget config_target();
/// The output of a workload in PERF_COMPARE_OUT.
FuzzTarget steps_target();
/// Files of other tools; the first byte picks the format.
FuzzTarget imports_target();
/// Files for judge, detect and comparisons of reports; the first byte picks which.
FuzzTarget samples_target();
/// Checkpoints: safetensors files, their config.json and index; the first byte picks which.
FuzzTarget safetensors_target();
/// Revisions and other words of a command line; the first byte picks which.
FuzzTarget revisions_target();

/// All of them.
inline std::vector<FuzzTarget> all_targets() {
  return {config_target(),  steps_target(),       imports_target(),
          samples_target(), safetensors_target(), revisions_target()};
}

}  // namespace perf::fuzz
