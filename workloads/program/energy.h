#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace perf::workloads {

/// Joules that the processor packages took, from the counters the kernel shows under
/// /sys/class/powercap (RAPL: Intel's name; AMD's appear under it, too). They count for the whole
/// machine, so other processes' work is in it. Many systems show none, or only to root: that is
/// "unknown", never 0.
class EnergyMeter {
 public:
  /// Looks for intel-rapl:N below `root` and starts counting. Only whole packages are taken: the
  /// zones inside (intel-rapl:N:M, cores and memory) would be counted twice, and so would the
  /// platform's zone ("psys") beside them. If any package cannot be read, none is.
  explicit EnergyMeter(const std::filesystem::path& root = "/sys/class/powercap");

  bool readable() const { return !packages_.empty(); }

  /// Since the meter was made; none where there is nothing to read, or it stopped being readable.
  /// The counters wrap around (at 65 to 262 kJ: minutes of a loaded server); one wrap between two
  /// calls is seen, so call it at least that often.
  std::optional<double> joules();

 private:
  struct Package {
    std::filesystem::path counter;
    std::uint64_t last = 0, range = 0;  ///< microjoules; the counter wraps after `range`
  };

  std::vector<Package> packages_;
  std::uint64_t microjoules_ = 0;
};

}  // namespace perf::workloads
