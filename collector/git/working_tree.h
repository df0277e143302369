#pragma once

#include <string>
#include <vector>

#include "collector/git/repository.h"

namespace perf {

/// The files of the working tree that differ from HEAD, are staged, or that git neither knows nor
/// ignores; paths from the top, sorted. What a sparse checkout left out, submodules, and our own
/// .perf-compare/ do not count.
std::vector<std::string> uncommitted_files(const Repository& repository);

/// The working tree as it is, as a commit that no reference names, on top of HEAD: modified and
/// untracked files included, ignored ones and .perf-compare/ left out, deletions made, submodules
/// and nested repositories as HEAD's index has them. The user's index, files and references are not
/// touched; equal trees on one HEAD give one id. A tree without changes gives HEAD itself, not
/// dirty. The content goes through the user's own filters (LFS, line ends), as `git add` would do.
/// Throws UsageError where HEAD has no commit yet.
Revision snapshot(const Repository& repository);

}  // namespace perf
