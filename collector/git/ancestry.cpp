#include "collector/git/ancestry.h"

#include <algorithm>
#include <sstream>
#include <unordered_set>

#include "collector/git/git_command.h"
#include "collector/git/resolve.h"
#include "schema/first_line.h"
#include "schema/short_oid.h"

namespace perf {
namespace {

/// git merge-base answers 0, or 1 for "none"; anything else is an error of its own.
std::optional<std::string> git_merge_base(const Repository& repository, const std::string& a,
                                          const std::string& b) {
  const GitRequest request{{"merge-base", a, b}, repository.workdir()};
  const ProcessResult result = run_git(repository.process(), request);
  if (result.exit_code == 1) {
    return std::nullopt;
  }
  if (result.exit_code != 0) {
    throw Error("cannot find a merge base", a + " and " + b);
  }
  return first_line(result.stdout_text);
}

std::unordered_set<std::string> difference(const Repository& repository, const std::string& from,
                                           const std::string& to) {
  std::unordered_set<std::string> commits;
  if (!repository.is_shallow()) {
    for (std::string& oid : repository.full_difference(from, to)) {
      commits.insert(std::move(oid));
    }
    return commits;
  }
  std::istringstream lines(git_output(repository.process(),
                                      {{"rev-list", to, "^" + from}, repository.workdir()},
                                      "cannot walk the history"));
  for (std::string oid; std::getline(lines, oid);) {
    commits.insert(oid);
  }
  return commits;
}

}  // namespace

std::optional<std::string> merge_base(const Repository& repository, const std::string& a,
                                      const std::string& b) {
  if (!repository.is_shallow()) {
    return repository.full_merge_base(a, b);
  }
  std::optional<std::string> base = git_merge_base(repository, a, b);
  if (!base) {
    throw repository.history_is_cut("the merge base of " + short_oid(a) + " and " + short_oid(b));
  }
  return base;
}

bool is_ancestor(const Repository& repository, const std::string& ancestor,
                 const std::string& commit) {
  if (!repository.has_commit(ancestor) || !repository.has_commit(commit)) {
    return false;
  }
  const std::optional<std::string> base = repository.is_shallow()
                                              ? git_merge_base(repository, ancestor, commit)
                                              : repository.full_merge_base(ancestor, commit);
  return base == ancestor;
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
  std::reverse(line.commits.begin(), line.commits.end());
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
  const Revision from = end(expression.substr(0, dots));
  Revision next = end(expression.substr(dots + 2));
  const std::unordered_set<std::string> wanted = difference(repository, from.oid, next.oid);
  std::vector<Revision> commits;
  while (wanted.count(next.oid) != 0) {
    commits.push_back(next);
    commits.back().name = next.oid;
    commits.back().rule = "in " + expression;
    const std::optional<Revision> parent = first_parent(repository, next);
    if (!parent) {
      break;
    }
    next = *parent;
  }
  std::reverse(commits.begin(), commits.end());
  return commits;
}

}  // namespace perf
