#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "collector/git/repository.h"
#include "collector/this_process.h"
#include "schema/revision.h"

namespace perf {

/// What the names BASE and HEAD can mean beside git revisions.
struct NameSources {
  std::vector<Baseline> pins;                    ///< of the store; they win
  std::map<std::string, std::string> baselines;  ///< of the config: name -> git revision
  GetVariable variable;                          ///< the environment, for the CI event
};

/// Leads a name to its commit, in this order: `.` (the working tree), a pin of the store, a
/// baseline of the config, a git revision. `name` is what was asked, `rule` says in words what gave
/// the commit. nullopt where nothing has that name. Throws UsageError where the config's baseline
/// bears the name of a reference or leads nowhere; Error where the pinned commit is not there.
std::optional<Revision> find_named(const Repository& repository, const std::string& name,
                                   const NameSources& sources);

/// As find_named; where nothing has the name, throws UsageError with the nearest one. Of a pull
/// request's test merge that CI checked out, `rule` says what was merged into what.
Revision resolve_head(const Repository& repository, const std::string& name,
                      const NameSources& sources);

/// As resolve_head, and `baseline`, where nothing has that name, means the base that head is to be
/// measured against: that of the CI event if head is what CI checked out; else the merge base of
/// head with the default branch (origin/HEAD, else main, else master); where that is head itself,
/// or there is no such branch, head's first parent. nullopt where head is a root commit: everything
/// is new.
std::optional<Revision> resolve_base(const Repository& repository, const std::string& name,
                                     const Revision& head, const NameSources& sources);

/// Why a baseline may not have this name ("it is a branch"); empty when it may.
std::string pin_name_problem(const Repository& repository, const std::string& name);

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
