#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "collector/git/repository.h"
#include "collector/this_process.h"
#include "schema/revision.h"

namespace perf {

/// The names that BASE and HEAD can have beside git revisions.
struct NameSources {
  std::vector<Baseline> pins;                    ///< of the store; they take precedence
  std::map<std::string, std::string> baselines;  ///< of the config: name -> git revision
  GetVariable variable;                          ///< the environment, for the CI event
};

/// Resolves a name, in this order: `.` (the working tree), a pin of the store, a baseline of the
/// config, a git revision. `name` is the given one, `rule` describes how it was resolved. nullopt
/// for an unknown name. Throws UsageError where a baseline of the config has the name of a
/// reference or does not resolve; Error where the pinned commit is missing.
std::optional<Revision> find_named(const Repository& repository, const std::string& name,
                                   const NameSources& sources);

/// As find_named, but throws UsageError with the nearest name for an unknown one. For the test
/// merge of a pull request that CI checked out, `rule` names the merged commit and branch.
Revision resolve_head(const Repository& repository, const std::string& name,
                      const NameSources& sources);

/// As resolve_head; `baseline`, unless something has that name, means the base of the CI event if
/// head is what CI checked out; else the merge base of head with the default branch (origin/HEAD,
/// else main, else master); where that is head itself or there is no such branch, head's first
/// parent. nullopt where head is a root commit: everything is new.
std::optional<Revision> resolve_base(const Repository& repository, const std::string& name,
                                     const Revision& head, const NameSources& sources);

/// Why a name is invalid for a baseline ("it is a branch"); empty when it is valid.
std::string pin_name_problem(const Repository& repository, const std::string& name);

/// A commit and how it was found.
struct FoundBase {
  std::string oid;
  std::string rule;
};

/// The base that the CI event behind `head` names, by the variables of GitHub Actions (and Forgejo,
/// Gitea), GitLab, Jenkins and, for the target branch alone, Azure, Bitbucket and Buildkite:
/// - a pull request's test merge: its first parent;
/// - any other pull request: the merge base with its target branch, or the base in the event file;
/// - a push: the commit before it, if that is an ancestor.
/// nullopt without an event, and where its commits are not in the repository. Values are untrusted:
/// ids must be hexadecimal, branches are looked up as references. Throws Error where a shallow
/// clone does not have the base.
std::optional<FoundBase> base_of_ci_event(const Repository& repository, const Revision& head,
                                          const GetVariable& variable);

/// Describes `head` where CI checked out the test merge of a pull request: "the test merge of the
/// pull request's 3f2a9c01d2e4 into main". Empty for any other commit.
std::string test_merge_phrase(const Repository& repository, const Revision& head,
                              const GetVariable& variable);

}  // namespace perf
