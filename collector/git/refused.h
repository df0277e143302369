#pragma once

#include <string>

#include "collector/process/process.h"
#include "schema/error.h"

namespace perf {

// Repositories that are not opened, each with the command that makes one of them that is. The
// commands are lines for a POSIX shell, with full paths.

/// A bare repository, with no working tree to stand in: `git_dir` is its folder.
UsageError refuse_bare(const std::string& git_dir);

/// One with SHA-256 object ids, which libgit2 cannot read: the command makes a copy with SHA-1 ids
/// beside it and checks out what is checked out here.
Error refuse_sha256(const std::string& path, const RunProcess& run);

/// One whose references are in a format of their own (reftable).
Error refuse_ref_storage(const std::string& path, const std::string& format);

}  // namespace perf
