#include "collector/git/baseline.h"

#include <algorithm>

#include "collector/git/ancestry.h"
#include "collector/git/repository.h"
#include "schema/text/lists.h"
#include "schema/workload_name.h"

namespace perf {
namespace {

constexpr std::string_view kRemoteHead = "refs/remotes/origin/HEAD";

struct Branch {
  std::string name;  ///< its short name: origin/main
  std::string oid;
};

/// The default branch.
std::optional<Branch> default_branch(const Repository& repository) {
  const std::optional<std::string> remote = repository.ref_commit(std::string(kRemoteHead));
  if (remote) {
    constexpr std::string_view kRemotes = "refs/remotes/";
    const std::string target =
        repository.ref_target(std::string(kRemoteHead)).value_or(std::string(kRemoteHead));
    return Branch{target.substr(kRemotes.size()), *remote};
  }
  for (const std::string name : {"main", "master"}) {
    for (const std::string prefix : {"", "origin/"}) {  // CI clones often have no local branch
      const std::string where = prefix.empty() ? "refs/heads/" : "refs/remotes/origin/";
      if (const std::optional<std::string> oid = repository.ref_commit(where + name)) {
        return Branch{prefix + name, *oid};
      }
    }
  }
  return std::nullopt;
}

/// The default branch of the remote `upstream`, as `gh repo fork` calls the repository that origin
/// is a fork of: origin's may be old, so that commits of others would seem to be head's.
std::optional<Branch> branch_upstream(const Repository& repository, const Branch& branch) {
  const std::string name = "upstream/" + branch.name.substr(branch.name.find('/') + 1);
  const std::optional<std::string> oid = repository.ref_commit("refs/remotes/" + name);
  return oid ? std::optional(Branch{name, *oid}) : std::nullopt;
}

/// Whether head is what CI checked out, or its working tree: the event is about nothing else.
bool is_checked_out(const Repository& repository, const Revision& head) {
  const std::optional<std::string> here = repository.ref_commit("HEAD");
  return here == head.oid || (head.dirty && !head.parents.empty() && here == head.parents.front());
}

Revision named(Revision revision, const std::string& name, const std::string& rule) {
  revision.name = name;
  revision.rule = rule;
  return revision;
}

std::optional<Revision> parent_as_base(const Repository& repository, const std::string& name,
                                       const Revision& head, const std::string& why) {
  std::optional<Revision> parent = first_parent(repository, head);
  if (parent) {
    parent = named(*parent, name, "first parent of " + head.name + why);
  }
  return parent;
}

std::optional<Revision> derived_base(const Repository& repository, const std::string& name,
                                     const Revision& head, const GetVariable& variable) {
  if (head.parents.empty()) {
    return std::nullopt;
  }
  if (is_checked_out(repository, head)) {
    if (const std::optional<FoundBase> base = base_of_ci_event(repository, head, variable)) {
      return named(repository.commit(base->oid), name, base->rule);
    }
  }
  std::optional<Branch> branch = default_branch(repository);
  if (!branch) {
    return parent_as_base(repository, name, head, " (there is no origin/HEAD, main or master)");
  }
  std::optional<std::string> base = merge_base(repository, branch->oid, head.oid);
  if (const auto upstream = branch_upstream(repository, *branch); base && upstream) {
    const auto nearer = merge_base(repository, upstream->oid, head.oid);
    if (nearer && *nearer != *base && merge_base(repository, *base, *nearer) == base) {
      branch = upstream;
      base = nearer;
    }
  }
  if (!base) {
    throw UsageError("no baseline: the commits share no history",
                     head.name + " and " + branch->name,
                     "name the base: perf-compare BASE " + head.name);
  }
  if (*base == head.oid) {
    return parent_as_base(repository, name, head, ", which " + branch->name + " has");
  }
  return named(repository.commit(*base), name,
               "merge base of " + head.name + " and " + branch->name);
}

std::optional<Revision> find_pinned(const Repository& repository, const std::string& name,
                                    const std::vector<Baseline>& pins) {
  for (const Baseline& pin : pins) {
    if (pin.name != name) {
      continue;
    }
    if (!repository.has_commit(pin.oid) && !repository.is_shallow()) {
      throw Error("the commit of the pinned baseline is not in this repository",
                  name + " = " + pin.oid, "fetch it, or pin another: perf-compare pin NAME REV");
    }
    const std::string reason = pin.reason.empty() ? "" : " (" + pin.reason + ")";
    return named(repository.commit(pin.oid), name, "pinned baseline " + name + reason);
  }
  return std::nullopt;
}

std::optional<Revision> find_configured(const Repository& repository, const std::string& name,
                                        const std::map<std::string, std::string>& baselines) {
  const auto entry = baselines.find(name);
  if (entry == baselines.end()) {
    return std::nullopt;
  }
  const std::string problem = pin_name_problem(repository, name);
  if (!problem.empty()) {
    throw UsageError("invalid name of a baseline in the config", name + ": " + problem,
                     "rename it under \"baselines\" in the config");
  }
  std::optional<Revision> revision = repository.find(entry->second);
  if (!revision) {
    const UsageError unknown = unknown_name(repository, entry->second);
    throw UsageError(unknown.what, unknown.subject + ", in the config's baseline '" + name + "'",
                     unknown.hint);
  }
  return named(*std::move(revision), name, "baseline " + name + " of the config: " + entry->second);
}

std::vector<std::string> names_of(const NameSources& sources) {
  std::vector<std::string> names = mapped(sources.pins, &Baseline::name);
  for (const auto& [name, revision] : sources.baselines) {
    names.push_back(name);
  }
  return names;
}

}  // namespace

std::optional<Revision> find_named(const Repository& repository, const std::string& name,
                                   const NameSources& sources) {
  if (name == ".") {
    return snapshot(repository);
  }
  if (std::optional<Revision> pinned = find_pinned(repository, name, sources.pins)) {
    return pinned;
  }
  if (std::optional<Revision> configured = find_configured(repository, name, sources.baselines)) {
    return configured;
  }
  return repository.find(name);
}

Revision resolve_head(const Repository& repository, const std::string& name,
                      const NameSources& sources) {
  std::optional<Revision> revision = find_named(repository, name, sources);
  if (!revision) {
    throw unknown_name(repository, name, names_of(sources));
  }
  if (revision->parents.empty() || !is_checked_out(repository, *revision)) {
    return *std::move(revision);
  }
  const std::string merge = test_merge_phrase(repository, *revision, sources.variable);
  if (!merge.empty()) {
    revision->rule = revision->dirty ? revision->rule + "; HEAD is " + merge : merge;
  }
  return *std::move(revision);
}

std::optional<Revision> resolve_base(const Repository& repository, const std::string& name,
                                     const Revision& head, const NameSources& sources) {
  if (name != "baseline") {
    return resolve_head(repository, name, sources);
  }
  std::optional<Revision> revision = find_named(repository, name, sources);
  // A branch called baseline that is checked out is what is to be judged.
  const std::vector<std::string> given = names_of(sources);
  const bool is_head =
      revision && revision->oid == head.oid && std::ranges::find(given, name) == given.end();
  return revision && !is_head ? revision : derived_base(repository, name, head, sources.variable);
}

std::string pin_name_problem(const Repository& repository, const std::string& name) {
  const auto is_allowed = [](char letter) { return letter == '/' || is_name_letter(letter); };
  if (name.empty() || name.front() == '-' || name.front() == '.' ||
      name.find("..") != std::string::npos || !std::ranges::all_of(name, is_allowed)) {
    return "names are made of letters, digits and . _ / -, and begin with a letter or digit";
  }
  if (name.size() > kLongestWorkloadName) {
    return "a name may have at most " + std::to_string(kLongestWorkloadName) + " bytes";
  }
  if (name.ends_with("HEAD")) {
    return "names that end with HEAD are reserved by git";
  }
  const std::optional<Revision> revision = repository.find(name);
  return revision ? "git has a revision of this name: " + revision->rule : "";
}

}  // namespace perf
