#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collector/git/repository.h"

namespace perf {

/// The files of a repository, as far as init looks at them.
struct SourceTree {
  std::vector<std::string> files;  ///< plain ones: paths from the top, sorted; nothing of others
  bool cut = false;                ///< there are more files than are looked at
  /// The text of one of them; nullopt where it cannot be opened or is larger than any source.
  /// Throws Error where the disk fails.
  std::function<std::optional<std::string>(const std::string& path)> read;
};

/// More files than this are not looked at, nor larger ones.
inline constexpr std::size_t kMostFiles = 50'000;
inline constexpr std::size_t kLargestFile = 1 << 20;

/// The files that git tracks, or would if they were added. Links are not followed, on the way
/// neither; nothing of the repository is run.
SourceTree read_source_tree(const Repository& repository);

/// Whether a path leads into a folder of other people's sources (third_party, node_modules, ...) or
/// of files that only look like sources (testdata).
bool is_foreign_source(std::string_view path);

/// "bench" of "bench/CMakeLists.txt"; empty at the top.
std::string folder_of(const std::string& path);
/// "CMakeLists.txt" of "bench/CMakeLists.txt".
std::string filename_of(const std::string& path);
/// The files of this name, those nearest to the top first.
std::vector<std::string> files_named(const SourceTree& tree, std::string_view name);
bool ends_with(std::string_view text, std::string_view end);

}  // namespace perf
