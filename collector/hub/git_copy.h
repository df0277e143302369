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

/// A bare repository that has a copy of a hub's references: what is read and written there before
/// it is pushed. Ids of objects are hexadecimal. Members throw Error for what is not there.
class GitCopy {
 public:
  /// Opens one that `git init --bare` has made.
  explicit GitCopy(const std::filesystem::path& folder);

  /// The commits of the references below kHubRefs that begin so, by what follows that.
  std::map<std::string, std::string> tips(const std::string& begin) const;
  /// The files of a commit, without folders, and their blobs.
  std::map<std::string, std::string> files_of(const std::string& commit) const;
  std::size_t size_of(const std::string& blob) const;
  std::string content_of(const std::string& blob) const;
  /// Writes a commit with these payloads beside what its parent has (empty: it has none); empty
  /// where all of them are there already.
  std::string commit(const std::vector<const Payload*>& payloads, const std::string& author,
                     const std::string& parent) const;

 private:
  std::filesystem::path folder_;
  std::unique_ptr<git_repository, void (*)(git_repository*)> handle_;
};

}  // namespace perf
