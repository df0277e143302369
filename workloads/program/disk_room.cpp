#include "workloads/program/disk_room.h"

#include <fmt/format.h>

#include <filesystem>
#include <stdexcept>

#include "workloads/program/table.h"

namespace perf::workloads {

void require_disk_room(const std::string& file, std::uint64_t bytes) {
  const std::filesystem::path folder = std::filesystem::absolute(file).parent_path();
  std::error_code unknown;
  const std::filesystem::space_info space = std::filesystem::space(folder, unknown);
  if (unknown)  // no such folder, above all: opening the file will say so
    return;
  if (space.available < bytes)
    throw std::runtime_error(fmt::format("no room for {}: it takes {}, and {} has {} left", file,
                                         scaled(static_cast<double>(bytes), "B"), folder.string(),
                                         scaled(static_cast<double>(space.available), "B")));
}

}  // namespace perf::workloads
