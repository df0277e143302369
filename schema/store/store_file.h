#pragma once

#include <array>
#include <cstdint>
#include <filesystem>

namespace perf::store {

/// What the first bytes of a file say (https://sqlite.org/fileformat2.html, section 1.3).
struct FileHeader {
  bool empty = false;   ///< no byte at all
  bool sqlite = false;  ///< begins like an SQLite database
  std::uint32_t application_id = 0;
  std::uint32_t user_version = 0;
};
using HeaderBytes = std::array<unsigned char, 100>;
FileHeader read_header(const HeaderBytes& bytes);

/// The folder in a repository that stores live in; a new one gets a .gitignore that hides it.
inline constexpr char kStoreFolder[] = ".perf-compare";

/// Makes ready the place of a store and returns its path with every folder's symbolic links
/// resolved. With `create`, missing folders are made. Refuses a store that is not a regular file,
/// and one that is, or lies in a kStoreFolder that is, a symbolic link: a checked-out tree could
/// use it to have other files written. Folders above are the user's own business.
/// Throws Error.
std::filesystem::path place_of_store(const std::filesystem::path& file, bool create);

}  // namespace perf::store
