#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace perf {

/// A file, link or folder as a build left it; what changes as soon as somebody writes to it.
struct BuiltFile {
  std::uint32_t mode = 0;     ///< st_mode: type and permissions
  std::int64_t size = 0;      ///< B
  std::int64_t changed = 0;   ///< ns since the epoch: ctime, which nobody can set
  std::uint64_t number = 0;   ///< inode
  std::int64_t modified = 0;  ///< ns since the epoch: mtime

  bool is_folder() const { return S_ISDIR(mode); }
  bool is_link() const { return S_ISLNK(mode); }
  bool is_file() const { return S_ISREG(mode); }
};

/// A checkout as its build left it, by the paths below it, `.git` without what is in it. What runs
/// make later is not among them, and what they change can be told.
struct BuiltTree {
  std::int64_t began = 0;  ///< ns since the epoch, before the checkout was made
  std::map<std::string, BuiltFile> files{};
};

/// Its name, in the folder of the build.
inline constexpr const char* kBuiltFiles = "files";

/// Looks at a path itself, no link followed; nothing where there is none.
std::optional<BuiltFile> built_file_at(const std::filesystem::path& path);

/// Now, ns since the epoch.
std::int64_t nanoseconds_now();

/// All that is in a checkout now, as a text for read_built_tree.
std::string built_tree_text(const std::filesystem::path& tree, std::int64_t began);

/// Nothing of a text that was not made by built_tree_text.
std::optional<BuiltTree> read_built_tree(std::string_view text);

}  // namespace perf
