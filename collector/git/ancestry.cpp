#include "collector/git/ancestry.h"

#include <algorithm>

#include "collector/git/git_command.h"
#include "collector/git/repository.h"
#include "schema/revision.h"
#include "schema/text/text_parts.h"

namespace perf {
namespace {

/// git merge-base exits with 0, or 1 for "none"; anything else is an error.
std::optional<std::string> git_merge_base(const Repository& repository, const std::string& a,
                                          const std::string& b) {
  const GitRequest request{{"merge-base", a, b}, repository.workdir()};
  const ProcessResult result = run_git(repository.process(), request);
  if (result.exit_code == 1) {
    return std::nullopt;
  }
  if (result.exit_code != 0) {
    throw Error("cannot find a merge base", a + " and " + b,
                "fetch the whole history: git fetch --unshallow");
  }
  return first_line(result.stdout_text);
}

std::string both(const Revision& good, const Revision& bad) {
  return good.name + " (" + short_oid(good.oid) + ") and " + bad.name + " (" + short_oid(bad.oid) +
         ")";
}

[[noreturn]] void refuse(const Repository& repository, const Revision& good, const Revision& bad) {
  const std::optional<std::string> base = merge_base(repository, good.oid, bad.oid);
  if (!base) {
    throw UsageError("GOOD and BAD share no history", both(good, bad), "name two related commits");
  }
  if (*base == bad.oid) {
    throw UsageError("GOOD comes after BAD", both(good, bad), "swap them");
  }
  throw UsageError("GOOD is not an ancestor of BAD", both(good, bad),
                   "use their merge base as GOOD: " + short_oid(*base));
}

}  // namespace

std::optional<std::string> merge_base(const Repository& repository, const std::string& a,
                                      const std::string& b) {
  std::optional<std::string> base = git_merge_base(repository, a, b);
  if (!base && repository.is_shallow()) {
    throw repository.history_is_cut("the merge base of " + short_oid(a) + " and " + short_oid(b));
  }
  return base;
}

bool is_ancestor(const Repository& repository, const std::string& ancestor,
                 const std::string& commit) {
  return repository.has_commit(ancestor) && repository.has_commit(commit) &&
         git_merge_base(repository, ancestor, commit) == ancestor;
}

std::optional<Revision> first_parent(const Repository& repository, const Revision& revision) {
  if (revision.parents.empty()) {
    return std::nullopt;
  }
  return repository.commit(revision.parents.front());
}

FirstParentLine first_parent_line(const Repository& repository, const Revision& head) {
  const bool shallow = repository.is_shallow();
  FirstParentLine line;
  line.commits.push_back(head);
  while (!line.commits.back().parents.empty()) {
    const std::string parent = line.commits.back().parents.front();
    if (shallow && !repository.has_commit(parent)) {
      line.cut = true;
      break;
    }
    line.commits.push_back(repository.commit(parent));
  }
  std::ranges::reverse(line.commits);
  return line;
}

std::vector<Revision> range(const Repository& repository, const std::string& expression) {
  const std::size_t dots = expression.find("..");
  if (dots == std::string::npos || expression.find("...", dots) == dots) {
    throw UsageError("not a range of revisions", expression, "write A..B, as in v1.0..HEAD");
  }
  const auto end = [&](const std::string& name) {
    return resolve(repository, name.empty() ? "HEAD" : name);
  };
  const Revision from = end(expression.substr(0, dots)), to = end(expression.substr(dots + 2));
  std::vector<Revision> commits;
  for (const std::string& oid :
       git_lines(repository.process(),
                 {{"rev-list", "--first-parent", "--reverse", to.oid, "^" + from.oid},
                  repository.workdir()},
                 "cannot walk the history")) {
    Revision& commit = commits.emplace_back(repository.commit(oid));
    commit.name = oid;
    commit.rule = "in " + expression;
  }
  if (!commits.empty()) {
    first_parent(repository, commits.front());  // throws where a shallow clone ends there
  }
  return commits;
}

std::vector<Revision> bisect_line(const Repository& repository, const Revision& good,
                                  const Revision& bad) {
  if (good.oid == bad.oid) {
    throw UsageError("GOOD and BAD are the same commit", both(good, bad), "name two commits");
  }
  if (!is_ancestor(repository, good.oid, bad.oid)) {
    refuse(repository, good, bad);
  }
  std::vector<Revision> line = range(repository, good.oid + ".." + bad.oid);
  const std::vector<std::string>& parents = line.front().parents;
  if (parents.empty() || parents.front() != good.oid) {
    // GOOD was merged into the line: the commits between are not on it.
    throw UsageError("GOOD is not on the first-parent line of BAD", both(good, bad),
                     parents.empty() ? "name a commit that `git log --first-parent` shows"
                                     : "use the commit of the line before the merge as GOOD: " +
                                           short_oid(parents.front()));
  }
  return line;
}

}  // namespace perf
