#include "schema/formats/series_list.h"

#include <algorithm>
#include <array>

namespace perf::formats {
namespace {

struct Unit {
  std::string_view name;
  double size;
};

constexpr std::array<Unit, 20> kTimes{{{"ns", 1e-9},
                                       {"nsec", 1e-9},
                                       {"nanoseconds", 1e-9},
                                       {"us", 1e-6},
                                       {"\xC2\xB5s", 1e-6},  // the micro sign
                                       {"\xCE\xBCs", 1e-6},  // the Greek letter mu
                                       {"usec", 1e-6},
                                       {"microseconds", 1e-6},
                                       {"ms", 1e-3},
                                       {"msec", 1e-3},
                                       {"milliseconds", 1e-3},
                                       {"s", 1},
                                       {"S", 1},
                                       {"sec", 1},
                                       {"secs", 1},
                                       {"second", 1},
                                       {"seconds", 1},
                                       {"Seconds", 1},
                                       {"min", 60},
                                       {"minutes", 60}}};

constexpr std::array<Unit, 12> kSizes{{{"B", 1},
                                       {"byte", 1},
                                       {"bytes", 1},
                                       {"Bytes", 1},
                                       {"kB", 1e3},
                                       {"KB", 1e3},
                                       {"MB", 1e6},
                                       {"Megabytes", 1e6},
                                       {"GB", 1e9},
                                       {"KiB", 1024},
                                       {"MiB", 1048576},
                                       {"GiB", 1073741824}}};

template <std::size_t size>
std::optional<double> size_of(std::string_view name, const std::array<Unit, size>& units) {
  const auto found =
      std::find_if(units.begin(), units.end(), [&](const Unit& unit) { return unit.name == name; });
  return found == units.end() ? std::nullopt : std::optional<double>(found->size);
}

}  // namespace

std::optional<double> seconds_in(std::string_view unit) {
  return size_of(unit, kTimes);
}

std::optional<Meaning> go_memory(std::string_view unit) {
  if (unit == "B/op") {
    return Meaning{{"bytes_per_op", "B", Better::lower}, 1, true};
  }
  return unit == "allocs/op"
             ? std::optional<Meaning>({{"allocs_per_op", "1", Better::lower}, 1, true, true})
             : std::nullopt;
}

std::optional<double> bytes_in(std::string_view unit) {
  return size_of(unit, kSizes);
}

}  // namespace perf::formats
