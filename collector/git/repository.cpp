#include "collector/git/repository.h"

#include <algorithm>
#include <string_view>

#include "collector/git/libgit2.h"
#include "collector/process/captured_text.h"
#include "schema/text/nearest_name.h"

namespace perf {
namespace {

/// Whether a failed lookup means that the name is unknown, and not that git failed.
bool is_no_name(int status) {
  const git_error* error = git_error_last();
  return status == GIT_ENOTFOUND || status == GIT_EINVALIDSPEC ||
         (status < 0 && error != nullptr && error->klass == GIT_ERROR_INVALID);
}

/// A reference's name for people: "branch main".
std::string describe(const git_reference* reference) {
  const std::string name = git_reference_shorthand(reference);
  if (git_reference_is_tag(reference) != 0) {
    return "tag " + name;
  }
  return (git_reference_is_remote(reference) != 0 ? "remote branch " : "branch ") + name;
}

std::string rule_for(git_repository* repository, const std::string& expression,
                     const git_reference* reference) {
  if (expression == "HEAD" || expression == "@") {
    ReferenceHandle head;
    const bool attached = git_repository_head(head.out(), repository) == 0 &&
                          git_reference_is_branch(head.get()) != 0;
    return attached ? "HEAD, on " + describe(head.get()) : "HEAD, detached";
  }
  if (is_full_oid(expression)) {
    return "commit id";
  }
  return reference != nullptr ? describe(reference) : "git revision " + expression;
}

/// The remote branch REMOTE/NAME where only the remote has it; else the nearest name.
std::string likely_name(const std::string& name, const std::vector<std::string>& candidates) {
  const auto is_remote = [&](std::string_view candidate) {
    const std::size_t slash = candidate.find('/');
    return slash != std::string_view::npos && candidate.substr(slash + 1) == name;
  };
  const auto found = std::ranges::find_if(candidates, is_remote);
  return found != candidates.end()
             ? *found
             : std::string(nearest_name(name, {candidates.begin(), candidates.end()}));
}

}  // namespace

bool Repository::is_shallow() const {
  return git_repository_is_shallow(handle_.get()) == 1;
}

std::optional<Revision> Repository::find(const std::string& expression) const {
  constexpr std::size_t kNameLimit = 4096;  // B; longer than any reference's file name
  if (expression.size() > kNameLimit) {
    return std::nullopt;
  }
  ObjectHandle object, commit;
  ReferenceHandle reference;
  const int status =
      git_revparse_ext(object.out(), reference.out(), handle_.get(), expression.c_str());
  if (status == GIT_EAMBIGUOUS) {
    throw UsageError("ambiguous name", expression, "write more digits of the commit's id");
  }
  if (status < 0 && git_repository_head_unborn(handle_.get()) == 1) {
    throw UsageError("the repository has no commit yet", workdir().string(), "commit first");
  }
  if (is_no_name(status)) {
    const std::size_t step = expression.find_first_of("^~");
    const bool goes_back = step != 0 && step != std::string::npos;
    if (is_shallow() &&
        (is_full_oid(expression) || (goes_back && find(expression.substr(0, step)).has_value()))) {
      throw history_is_cut(expression);
    }
    return std::nullopt;
  }
  check_git(status, "git cannot resolve the name", expression);
  if (git_object_peel(commit.out(), object.get(), GIT_OBJECT_COMMIT) != 0) {
    throw UsageError("the name does not resolve to a commit", expression);
  }
  Revision revision = this->commit(hex(*git_object_id(commit.get())));
  revision.name = expression;
  revision.rule = rule_for(handle_.get(), expression, reference.get());
  return revision;
}

std::optional<std::string> Repository::ref_commit(const std::string& full_name) const {
  ReferenceHandle reference;
  ObjectHandle commit;
  if (git_reference_lookup(reference.out(), handle_.get(), full_name.c_str()) != 0 ||
      git_reference_peel(commit.out(), reference.get(), GIT_OBJECT_COMMIT) != 0) {
    return std::nullopt;
  }
  return hex(*git_object_id(commit.get()));
}

std::optional<std::string> Repository::ref_target(const std::string& full_name) const {
  ReferenceHandle reference;
  const int found = git_reference_lookup(reference.out(), handle_.get(), full_name.c_str());
  const char* target = found == 0 ? git_reference_symbolic_target(reference.get()) : nullptr;
  return target != nullptr ? std::optional<std::string>(target) : std::nullopt;
}

std::vector<std::string> Repository::ref_names() const {
  Handle<git_reference_iterator, git_reference_iterator_free> iterator;
  check_git(git_reference_iterator_new(iterator.out(), handle_.get()), "cannot list the references",
            workdir().string());
  std::vector<std::string> names;
  for (ReferenceHandle reference; git_reference_next(reference.out(), iterator.get()) == 0;
       reference = {}) {
    names.emplace_back(git_reference_shorthand(reference.get()));
  }
  std::ranges::sort(names);
  return names;
}

UsageError unknown_name(const Repository& repository, const std::string& name,
                        const std::vector<std::string>& others) {
  constexpr std::size_t kLongName = 256;  // B; longer names are not typing errors
  std::vector<std::string> candidates = repository.ref_names();
  candidates.insert(candidates.end(), others.begin(), others.end());
  candidates.emplace_back("HEAD");
  candidates.emplace_back("baseline");
  const std::string likely = name.size() > kLongName ? "" : likely_name(name, candidates);
  std::string hint = likely.empty() ? "" : "did you mean '" + likely + "'? ";
  const std::string fetch = "`" + repository.fetch_command(Fetch::names) + "`";
  hint += repository.is_shallow()
              ? "this clone is shallow: " + fetch + " fetches the whole history and all names (" +
                    "`fetch-depth: 0` in actions/checkout)"
              : "`git branch -a` and `git tag` list the names; " + fetch + " fetches new ones";
  const std::string shown = to_one_line(name);
  return UsageError("no such revision", shown.empty() ? "an empty name" : shown, hint);
}

Revision resolve(const Repository& repository, const std::string& expression) {
  if (std::optional<Revision> revision = repository.find(expression)) {
    return *std::move(revision);
  }
  throw unknown_name(repository, expression);
}

}  // namespace perf
