#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace perf {

/// A file, link or folder as a build left it, with what changes when it is written to.
struct BuiltFile {
  std::uint32_t mode = 0;     ///< st_mode: type and permissions
  std::int64_t size = 0;      ///< B
  std::int64_t changed = 0;   ///< ns since the epoch: ctime, which nobody can set
  std::uint64_t number = 0;   ///< inode
  std::int64_t modified = 0;  ///< ns since the epoch: mtime
  bool is_of_commit = false;  ///< it was there before the build

  bool is_folder() const { return S_ISDIR(mode); }
  bool is_link() const { return S_ISLNK(mode); }
  bool is_file() const { return S_ISREG(mode); }
};

/// A checkout as its build left it, by the paths below it; `.git` without its content. Shows what
/// later runs add and change.
struct BuiltTree {
  std::int64_t began = 0;  ///< ns since the epoch, before the checkout was made
  /// ns since the epoch: after the checkout was made, before its build began. Times of files are
  /// either earlier or later.
  std::int64_t checked_out = 0;
  std::map<std::string, BuiltFile> files{};
};

/// The file in the build's folder that holds built_tree_text.
inline constexpr const char* kBuiltFiles = "files";

/// The path itself, without following links; nothing where it does not exist.
std::optional<BuiltFile> built_file_at(const std::filesystem::path& path);

/// Now, ns since the epoch.
std::int64_t nanoseconds_now();

/// A checkout before its build.
struct CheckedOut {
  std::int64_t began = 0, ended = 0;  ///< ns since the epoch
  std::set<std::string> paths{};      ///< below the checkout
};

/// The checkout that a build began with.
CheckedOut checkout_of(const BuiltTree& built);

/// Waits until files that are written from now on have later times.
CheckedOut checked_out_tree(const std::filesystem::path& tree, std::int64_t began);

/// The present state of a checkout, or of one file, as a text for read_built_tree; `only`: of what
/// that has.
std::string built_tree_text(const std::filesystem::path& tree, const CheckedOut& before,
                            const BuiltTree* only = nullptr);

/// Nothing where the text is damaged or was not made by built_tree_text.
std::optional<BuiltTree> read_built_tree(std::string_view text);

}  // namespace perf
