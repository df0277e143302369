#pragma once

#include <string>
#include <vector>

#include "collector/git/repository.h"

namespace perf {

/// The files of git's in the working tree that differ from HEAD or are staged; paths from the top,
/// sorted. What a sparse checkout left out, submodules, and our own .perf-compare/ do not count;
/// nor do files that git was never told of, although snapshot() takes them: alone they are mostly
/// reports, logs and builds, and whatever uses a new source file is itself changed.
std::vector<std::string> uncommitted_files(const Repository& repository);

/// The working tree as it is, as a commit that no reference names, on top of HEAD: modified and
/// untracked files included, ignored ones and .perf-compare/ left out, deletions made, submodules
/// and nested repositories as HEAD's index has them. The user's index, files and references are not
/// touched; equal trees on one HEAD give one id. A tree without changes gives HEAD itself, not
/// dirty. The content goes through the filters that the user has for all repositories (LFS, line
/// ends), as `git add` would do; see own_filters.h. Throws UsageError where HEAD has no commit yet.
Revision snapshot(const Repository& repository);

}  // namespace perf
