#pragma once

#include <optional>
#include <string>

#include "collector/environment_variable.h"
#include "collector/git/repository.h"

namespace perf {

/// A commit, and in words why it.
struct FoundBase {
  std::string oid;
  std::string rule;
};

/// The base that the CI event behind `head` names, by the variables of GitHub Actions (and Forgejo,
/// Gitea), GitLab, Jenkins and, for the target branch alone, Azure, Bitbucket and Buildkite:
/// - a pull request's test merge: its first parent;
/// - any other pull request: the merge base with its target branch, or what the event file says;
/// - a push: the commit before it, if that is an ancestor.
/// nullopt where there is no event, and where what it names is not in the repository. Values are
/// taken as data: ids must be hexadecimal, branches are looked up as references. Throws Error where
/// a shallow clone does not have the base.
std::optional<FoundBase> base_of_ci_event(const Repository& repository, const Revision& head,
                                          const GetVariable& variable);

/// Which commit is which where `head` is what CI checked out of a pull request: the merge that it
/// made to test it, "the test merge of the pull request's 3f2a9c01d2e4 into main". Empty for any
/// other commit.
std::string test_merge_phrase(const Repository& repository, const Revision& head,
                              const GetVariable& variable);

}  // namespace perf
