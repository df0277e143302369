#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "schema/payload.h"

struct git_repository;

namespace perf {

/// The references of hubs; WRITER/MONTH follows.
inline constexpr const char* kHubRefs = "refs/perf-compare/runs/";
/// The reference whose commit id is the id of the hub.
inline constexpr const char* kHubId = "refs/perf-compare/id";

/// A bare repository with a copy of a hub's references, to read from and to prepare pushes in. Ids
/// of objects are hexadecimal. Members throw Error for missing objects.
class GitCopy {
 public:
  /// Opens a repository made by `git init --bare`.
  explicit GitCopy(const std::filesystem::path& folder);

  /// The commits of the references below kHubRefs that begin so, by their names below it.
  std::map<std::string, std::string> tips(const std::string& begin) const;
  /// The files of a commit, without folders, and their blobs.
  std::map<std::string, std::string> files_of(const std::string& commit) const;
  std::size_t size_of(const std::string& blob) const;
  std::string content_of(const std::string& blob) const;
  /// Writes a commit that adds these payloads to its parent (empty: a root commit); returns an
  /// empty text where the parent has all of them.
  std::string commit(const std::vector<const Payload*>& payloads, const std::string& author,
                     const std::string& parent) const;

  /// Writes a commit without files and parents.
  std::string empty_commit(const std::string& author) const;

 private:
  std::filesystem::path folder_;
  std::unique_ptr<git_repository, void (*)(git_repository*)> handle_;
};

}  // namespace perf
