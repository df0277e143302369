#include "workloads/program/disk_room.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <filesystem>
#include <map>
#include <stdexcept>

#include "workloads/program/error.h"
#include "workloads/program/table.h"

namespace perf::workloads {

namespace {

std::filesystem::path folder_of(const std::string& file) {
  return std::filesystem::absolute(file).parent_path();
}

std::string scaled_bytes(std::uint64_t bytes) {
  return scaled(static_cast<double>(bytes), "B");
}

}  // namespace

void require_disk_room(const std::string& file, std::uint64_t bytes) {
  const std::filesystem::path folder = folder_of(file);
  std::error_code unknown;
  const std::filesystem::space_info space = std::filesystem::space(folder, unknown);
  if (unknown)  // no such folder, above all: opening the file will say so
  {
    return;
  }
  if (space.available < bytes) {
    throw std::runtime_error(fmt::format("no room for {}: it takes {}, and {} has {} left", file,
                                         scaled_bytes(bytes), folder.string(),
                                         scaled_bytes(space.available)));
  }
}

void require_disk_room(const std::vector<PlannedFile>& files, const std::string& hint) {
  struct Need {
    std::filesystem::path folder;
    std::string files;
    std::uint64_t bytes = 0;
  };
  std::map<dev_t, Need> needs;  // by disk
  for (const PlannedFile& file : files) {
    const std::filesystem::path folder = folder_of(file.path);
    struct stat status = {};
    if (stat(folder.c_str(), &status) != 0) {
      continue;
    }
    Need& need = needs[status.st_dev];
    need.folder = folder;
    need.files += (need.files.empty() ? "" : " and ") + file.path;
    need.bytes += file.bytes;
  }
  for (const auto& [disk, need] : needs) {
    std::error_code unknown;
    const std::filesystem::space_info space = std::filesystem::space(need.folder, unknown);
    if (!unknown && space.available < need.bytes) {
      throw Error("no room on the disk",
                  fmt::format("{}: {} would be written, {} has {} left", need.files,
                              scaled_bytes(need.bytes), need.folder.string(),
                              scaled_bytes(space.available)),
                  hint);
    }
  }
}

}  // namespace perf::workloads
