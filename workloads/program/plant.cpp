#include "workloads/program/plant.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cstring>

#include "workloads/program/error.h"
#include "workloads/program/memory.h"

namespace perf::workloads {

std::vector<Parameter> plant_parameters() {
  constexpr double kMostSlowdown = 100;
  constexpr std::int64_t kMostBytes = std::int64_t{1} << 50;
  return {
      real("plant-slowdown", 0, 0, kMostSlowdown,
           "share of its own time that every step spins (0.15: 15 % slower)"),
      integer("plant-allocation", {0, 0, 0}, 0, kMostBytes,
              "bytes of memory held through the run for nothing"),
  };
}

Planted planted(const Settings& settings) {
  return {.slowdown = settings.real("plant-slowdown"),
          .allocation = static_cast<std::size_t>(settings.integer("plant-allocation"))};
}

void describe_plants(const Planted& plants, perf_compare::StepEmitter& out) {
  out.environment("plants", "slowdown,allocation");
  std::string done;
  if (plants.slowdown > 0) {
    done = fmt::format("slowdown {}", plants.slowdown);
  }
  if (plants.allocation > 0) {
    done += fmt::format("{}allocation {}", done.empty() ? "" : ", ", plants.allocation);
  }
  if (!done.empty()) {
    out.environment("planted", done);
  }
}

PlantedMemory::PlantedMemory(std::size_t bytes) : bytes_(bytes) {
  if (bytes == 0) {
    return;
  }
  require_memory(bytes, "--plant-allocation");
  memory_ = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory_ == MAP_FAILED) {
    memory_ = nullptr;
    throw Error("not enough memory", "--plant-allocation", "a smaller number of bytes");
  }
  std::memset(memory_, 1, bytes);
}

PlantedMemory::~PlantedMemory() {
  if (memory_ != nullptr) {
    munmap(memory_, bytes_);
  }
}

}  // namespace perf::workloads
