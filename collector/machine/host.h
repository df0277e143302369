#pragma once

#include <filesystem>
#include <string>

namespace perf {

/// The random id of this host, 32 hexadecimal digits: it tells runners apart and names none. Kept
/// in the file `host` of a folder, where whoever comes first makes it, whole or not at all; where
/// it cannot be kept, a fresh one. A file that holds no id is replaced. Throws Error where the
/// kernel gives no random numbers.
std::string host_id(const std::filesystem::path& folder);

}  // namespace perf
