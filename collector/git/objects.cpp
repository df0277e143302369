// Commits, files and snapshots of a Repository.

#include <sstream>

#include "collector/git/git_command.h"
#include "collector/git/libgit2.h"
#include "collector/git/repository.h"
#include "collector/process/captured_text.h"
#include "schema/revision.h"

namespace perf {
namespace {

constexpr git_object_size_t kFileLimit = 64u << 20;  // B

/// The parents in the commit itself: libgit2 1.7 and newer report none at the end of a shallow
/// clone, which would look like a root commit.
std::vector<std::string> recorded_parents(const git_commit* commit) {
  constexpr std::string_view kField = "parent ";
  std::vector<std::string> parents;
  std::istringstream header(git_commit_raw_header(commit));
  for (std::string line; std::getline(header, line);) {
    if (line.starts_with(kField)) {
      parents.push_back(line.substr(kField.size()));
    }
  }
  return parents;
}

/// Throws Error where the commit is missing.
CommitHandle find_commit(const Repository& repository, git_repository* handle,
                         const std::string& oid) {
  const git_oid id = parse_oid(oid);
  CommitHandle commit;
  const int status = git_commit_lookup(commit.out(), handle, &id);
  if (status == GIT_ENOTFOUND && repository.is_shallow()) {
    throw repository.history_is_cut(oid);
  }
  check_git(status, "no such commit", oid);
  return commit;
}

}  // namespace

Revision Repository::commit(const std::string& oid) const {
  const CommitHandle commit = find_commit(*this, handle_.get(), oid);
  Revision revision;
  revision.oid = hex(*git_commit_id(commit.get()));
  revision.parents = recorded_parents(commit.get());
  revision.committed_at = git_commit_time(commit.get());
  if (const git_signature* author = git_commit_author(commit.get())) {
    revision.author = to_one_line(author->name);
  }
  if (const char* subject = git_commit_summary(commit.get())) {
    revision.subject = to_one_line(subject, 512);
  }
  return revision;
}

bool Repository::has_commit(const std::string& oid) const {
  if (!is_full_oid(oid)) {
    return false;
  }
  const git_oid id = parse_oid(oid);
  CommitHandle commit;
  return git_commit_lookup(commit.out(), handle_.get(), &id) == 0;
}

std::optional<std::string> Repository::read_file(const std::string& oid,
                                                 const std::string& path) const {
  const std::string subject = short_oid(oid) + ":" + path;
  const CommitHandle commit = find_commit(*this, handle_.get(), oid);
  TreeHandle tree;
  int read = git_commit_tree(tree.out(), commit.get());
  if (read == GIT_ENOTFOUND) {  // a clone without trees: git fetches them
    git_output(run_, {{"ls-tree", oid, "--", path}, workdir()}, "cannot read " + subject);
    read = git_commit_tree(tree.out(), commit.get());
  }
  check_git(read, "cannot read the commit", subject);
  EntryHandle entry;
  const int found = git_tree_entry_bypath(entry.out(), tree.get(), path.c_str());
  if (found == GIT_ENOTFOUND) {
    return std::nullopt;
  }
  check_git(found, "cannot read the file", subject);
  const git_filemode_t mode = git_tree_entry_filemode(entry.get());
  if (mode != GIT_FILEMODE_BLOB && mode != GIT_FILEMODE_BLOB_EXECUTABLE) {
    throw UsageError("not a regular file", subject);
  }
  Handle<git_blob, git_blob_free> blob;
  const int status = git_blob_lookup(blob.out(), handle_.get(), git_tree_entry_id(entry.get()));
  if (status == GIT_ENOTFOUND) {  // a partial clone: git fetches what is missing
    return git_output(run_, {{"cat-file", "blob", hex(*git_tree_entry_id(entry.get()))}, workdir()},
                      "cannot read " + subject);
  }
  check_git(status, "cannot read the file", subject);
  if (git_blob_rawsize(blob.get()) > kFileLimit) {
    throw Error("the file is too large", subject);
  }
  return std::string(static_cast<const char*>(git_blob_rawcontent(blob.get())),
                     static_cast<std::size_t>(git_blob_rawsize(blob.get())));
}

bool Repository::has_path(const std::string& oid, const std::string& path) const {
  TreeHandle tree;
  EntryHandle entry;
  return git_commit_tree(tree.out(), find_commit(*this, handle_.get(), oid).get()) == 0 &&
         git_tree_entry_bypath(entry.out(), tree.get(), path.c_str()) == 0;
}

std::string Repository::tree_of(const std::string& oid) const {
  return hex(*git_commit_tree_id(find_commit(*this, handle_.get(), oid).get()));
}

std::string Repository::write_snapshot(const std::string& tree, const std::string& parent) const {
  const CommitHandle commit = find_commit(*this, handle_.get(), parent);
  const git_oid tree_id = parse_oid(tree);
  TreeHandle tree_handle;
  check_git(git_tree_lookup(tree_handle.out(), handle_.get(), &tree_id), "cannot read the tree",
            tree);
  const git_signature* signature = git_commit_committer(commit.get());
  const git_commit* const parents[] = {commit.get()};
  git_oid snapshot{};
  check_git(git_commit_create(&snapshot, handle_.get(), nullptr, signature, signature, nullptr,
                              "Working tree with uncommitted changes\n", tree_handle.get(), 1,
                              const_cast<const git_commit**>(parents)),
            "cannot write the snapshot of the working tree", workdir().string());
  return hex(snapshot);
}

}  // namespace perf
