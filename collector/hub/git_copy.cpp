#include "collector/hub/git_copy.h"

#include <string_view>

#include "collector/git/libgit2.h"
#include "collector/hub/hub.h"

namespace perf {
namespace {

using BlobHandle = Handle<git_blob, git_blob_free>;
using TreeBuilderHandle = Handle<git_treebuilder, git_treebuilder_free>;
using SignatureHandle = Handle<git_signature, git_signature_free>;
using IteratorHandle = Handle<git_reference_iterator, git_reference_iterator_free>;

void check(int status, const std::string& subject) {
  check_git(status, "cannot use the copy of the hub", subject);
}

CommitHandle find_commit(git_repository* repository, const std::string& oid) {
  const git_oid id = parse_oid(oid);
  CommitHandle commit;
  check(git_commit_lookup(commit.out(), repository, &id), oid);
  return commit;
}

TreeHandle find_tree(git_repository* repository, const std::string& commit) {
  TreeHandle tree;
  check(git_commit_tree(tree.out(), find_commit(repository, commit).get()), commit);
  return tree;
}

BlobHandle find_blob(git_repository* repository, const std::string& oid) {
  const git_oid id = parse_oid(oid);
  BlobHandle blob;
  check(git_blob_lookup(blob.out(), repository, &id), oid);
  return blob;
}

void insert(git_repository* repository, const Payload& payload, git_treebuilder* builder) {
  const std::string file = payload_file(payload.name);
  git_oid blob;
  check(git_blob_create_from_buffer(&blob, repository, payload.bytes.data(), payload.bytes.size()),
        file);
  check(git_treebuilder_insert(nullptr, builder, file.c_str(), &blob, GIT_FILEMODE_BLOB), file);
}

std::string write_commit(git_repository* repository, git_treebuilder* builder, std::size_t added,
                         const std::string& author, const std::string& parent) {
  git_oid tree_id, made;
  TreeHandle tree;
  SignatureHandle signature;
  const CommitHandle before = parent.empty() ? CommitHandle() : find_commit(repository, parent);
  check(git_treebuilder_write(&tree_id, builder), author);
  check(git_tree_lookup(tree.out(), repository, &tree_id), author);
  check(git_signature_now(signature.out(), "perf-compare", author.c_str()), author);
  const git_commit* parents[] = {before.get()};
  const std::string message =
      "Add " + std::to_string(added) + (added == 1 ? " payload\n" : " payloads\n");
  check(git_commit_create(&made, repository, nullptr, signature.get(), signature.get(), nullptr,
                          message.c_str(), tree.get(), parent.empty() ? 0 : 1, parents),
        author);
  return hex(made);
}

git_repository* opened(const std::filesystem::path& folder) {
  start_libgit2();
  git_repository* repository = nullptr;
  check(git_repository_open_bare(&repository, folder.c_str()), folder.string());
  return repository;
}

}  // namespace

GitCopy::GitCopy(const std::filesystem::path& folder)
    : folder_(folder), handle_(opened(folder), git_repository_free) {}

std::map<std::string, std::string> GitCopy::tips(const std::string& begin) const {
  std::map<std::string, std::string> found;
  IteratorHandle all;
  check(git_reference_iterator_glob_new(all.out(), handle_.get(), (kHubRefs + begin + "*").c_str()),
        folder_.string());
  for (git_reference* next = nullptr; git_reference_next(&next, all.get()) == 0;) {
    const std::string name =
        std::string(git_reference_name(next)).substr(std::string_view(kHubRefs).size());
    if (const git_oid* oid = git_reference_target(next)) {
      found.emplace(name, hex(*oid));
    }
    git_reference_free(next);
  }
  return found;
}

std::map<std::string, std::string> GitCopy::files_of(const std::string& commit) const {
  const TreeHandle tree = find_tree(handle_.get(), commit);
  std::map<std::string, std::string> files;
  for (std::size_t i = 0; i < git_tree_entrycount(tree.get()); ++i) {
    const git_tree_entry* entry = git_tree_entry_byindex(tree.get(), i);
    if (git_tree_entry_type(entry) == GIT_OBJECT_BLOB) {
      files.emplace(git_tree_entry_name(entry), hex(*git_tree_entry_id(entry)));
    }
  }
  return files;
}

std::size_t GitCopy::size_of(const std::string& blob) const {
  return static_cast<std::size_t>(git_blob_rawsize(find_blob(handle_.get(), blob).get()));
}

std::string GitCopy::content_of(const std::string& blob) const {
  const BlobHandle found = find_blob(handle_.get(), blob);
  return {static_cast<const char*>(git_blob_rawcontent(found.get())),
          static_cast<std::size_t>(git_blob_rawsize(found.get()))};
}

std::string GitCopy::commit(const std::vector<const Payload*>& payloads, const std::string& author,
                            const std::string& parent) const {
  const TreeHandle tree = parent.empty() ? TreeHandle() : find_tree(handle_.get(), parent);
  TreeBuilderHandle builder;
  check(git_treebuilder_new(builder.out(), handle_.get(), tree.get()), author);
  std::size_t added = 0;
  for (const Payload* payload : payloads) {
    if (git_treebuilder_get(builder.get(), payload_file(payload->name).c_str()) == nullptr) {
      insert(handle_.get(), *payload, builder.get());
      ++added;
    }
  }
  return added == 0 ? std::string()
                    : write_commit(handle_.get(), builder.get(), added, author, parent);
}

std::string GitCopy::empty_commit(const std::string& author) const {
  TreeBuilderHandle builder;
  check(git_treebuilder_new(builder.out(), handle_.get(), nullptr), author);
  return write_commit(handle_.get(), builder.get(), 0, author, "");
}

}  // namespace perf
