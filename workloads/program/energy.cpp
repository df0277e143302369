#include "workloads/program/energy.h"

#include <fstream>
#include <string>
#include <system_error>

namespace perf::workloads {

namespace {

namespace fs = std::filesystem;

template <class Value>
std::optional<Value> read(const fs::path& path) {
  std::ifstream file(path);
  Value value{};
  if (!(file >> value)) {
    return std::nullopt;
  }
  return value;
}

// "intel-rapl:0", not "intel-rapl:0:1" inside it. "intel-rapl-mmio:0" is a second view of a
// package.
bool is_top_zone(const std::string& name) {
  const std::string prefix = "intel-rapl:";
  return name.starts_with(prefix) && name.size() > prefix.size() &&
         name.find_first_not_of("0123456789", prefix.size()) == std::string::npos;
}

std::vector<fs::path> packages_below(const fs::path& root) {
  std::vector<fs::path> zones;
  std::error_code error;
  for (fs::directory_iterator entry(root, error), end; !error && entry != end;
       entry.increment(error)) {
    if (!is_top_zone(entry->path().filename().string())) {
      continue;
    }
    const auto name = read<std::string>(entry->path() / "name");
    if (name && name->starts_with("package")) {
      zones.push_back(entry->path());
    }
  }
  return zones;
}

}  // namespace

EnergyMeter::EnergyMeter(const fs::path& root) {
  for (const fs::path& zone : packages_below(root)) {
    const auto now = read<std::uint64_t>(zone / "energy_uj");
    const auto range = read<std::uint64_t>(zone / "max_energy_range_uj");
    if (!now || !range) {
      packages_.clear();  // a part would pass for the whole
      return;
    }
    packages_.push_back({.counter = zone / "energy_uj", .last = *now, .range = *range});
  }
}

std::optional<double> EnergyMeter::joules() {
  for (Package& package : packages_) {
    const auto now = read<std::uint64_t>(package.counter);
    if (!now) {
      packages_.clear();
      break;
    }
    const std::uint64_t wrapped = *now < package.last ? package.range : 0;
    microjoules_ += *now + wrapped - package.last;
    package.last = *now;
  }
  if (!readable()) {
    return std::nullopt;
  }
  return static_cast<double>(microjoules_) * 1e-6;
}

}  // namespace perf::workloads
