#include "collector/git/repository.h"

#include <algorithm>

#include "collector/git/libgit2.h"

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
  check_git(status, "git cannot follow the name", expression);
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

}  // namespace perf
