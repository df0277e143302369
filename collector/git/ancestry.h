#pragma once

#include <optional>
#include <string>
#include <vector>

#include "collector/git/repository.h"
#include "schema/revision.h"

namespace perf {

/// The best common ancestor of two commits (full ids); nullopt where they share none. Uses the git
/// command, which unlike libgit2 knows where the history of a shallow clone ends; throws Error with
/// the command to fetch more where the answer lies beyond that.
std::optional<std::string> merge_base(const Repository& repository, const std::string& a,
                                      const std::string& b);

/// Whether `ancestor` is `commit` or reachable from it; false where a shallow clone ends before.
bool is_ancestor(const Repository& repository, const std::string& ancestor,
                 const std::string& commit);

/// The first parent; nullopt at a root. Throws Error where a shallow clone does not have it.
std::optional<Revision> first_parent(const Repository& repository, const Revision& revision);

/// A commit and its first parents back to the root, oldest first.
struct FirstParentLine {
  std::vector<Revision> commits;
  bool cut = false;  ///< a shallow clone ends it; else it begins at a root
};

/// The first-parent line that ends at `head`, as far as the clone has it.
FirstParentLine first_parent_line(const Repository& repository, const Revision& head);

/// The commits of a range "A..B", oldest first: those on B's first-parent line that are not
/// reachable from A. An empty end means HEAD. Throws UsageError for an invalid range or unknown
/// revisions, Error where a shallow clone ends inside it.
std::vector<Revision> range(const Repository& repository, const std::string& expression);

/// The commits of BAD's first-parent line after GOOD, oldest first; the last one is BAD. Throws
/// UsageError, with a commit to use instead, where GOOD is not on that line; Error where a shallow
/// clone ends inside it.
std::vector<Revision> bisect_line(const Repository& repository, const Revision& good,
                                  const Revision& bad);

}  // namespace perf
