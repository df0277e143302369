#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace perf::fuzz {

/// What a fuzzer feeds: a function that takes any bytes, and inputs to begin with. `run` returns
/// when everything that must hold of the input holds, and throws Broken (checks.h) when not.
struct FuzzTarget {
  std::string name;
  void (*run)(std::string_view input);
  std::vector<std::string> (*seeds)();
};

/// perf-compare.json.
FuzzTarget config_target();
/// What a workload writes to PERF_COMPARE_OUT.
FuzzTarget steps_target();
/// Files of other tools; the first byte picks the format.
FuzzTarget imports_target();
/// What judge, detect and comparisons of report files read; the first byte picks which.
FuzzTarget samples_target();
/// Checkpoints: safetensors files, their config.json and index; the first byte picks which.
FuzzTarget safetensors_target();
/// What people write for a revision, and other words of a command line; the first byte picks which.
FuzzTarget revisions_target();

/// All of them.
inline std::vector<FuzzTarget> all_targets() {
  return {config_target(),  steps_target(),       imports_target(),
          samples_target(), safetensors_target(), revisions_target()};
}

}  // namespace perf::fuzz
