#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "collector/git/repository.h"

namespace perf {

/// What a checkout that does not build may lack (submodules, files of git-lfs), and how to have it;
/// empty where it lacks nothing. Both throw Error where git cannot list its files.
std::string remedy_of_tree(const Repository& repository, const std::string& oid,
                           const std::filesystem::path& tree);

/// What a checkout that does build lacks of its files, each with the line for a shell that brings
/// them: "holds LFS pointers in place of files (model.bin); try: git lfs ...".
std::vector<std::string> warnings_of_tree(const Repository& repository, const std::string& oid,
                                          const std::filesystem::path& tree);

}  // namespace perf
