#pragma once

#include <filesystem>
#include <system_error>

namespace perf {

/// Copies a file over what is there, once more where a signal came first.
inline std::error_code copy_over(const std::filesystem::path& from,
                                 const std::filesystem::path& to) {
  std::error_code error;
  do {
    std::filesystem::copy_file(from, to, std::filesystem::copy_options::overwrite_existing, error);
  } while (error == std::errc::interrupted);
  return error;
}

}  // namespace perf
