#pragma once

#include <filesystem>

#include "schema/files/hold.h"
#include "schema/store/connection.h"

namespace perf::store {

/// A private copy of a store that a stranger may have written, of our version and with our schema
/// to the letter, in a folder of its own beside `own`. The file itself is only read. Refused are a
/// symbolic link, `own` itself (UsageError), what is no store of ours, a newer version, a schema
/// with anything more or less, and damage: broken pages, rows that break the rules of their tables,
/// references that lead nowhere. Throws Error with the file as its subject.
class ForeignCopy {
 public:
  ForeignCopy(const std::filesystem::path& file, const Connection& own);
  ~ForeignCopy();
  ForeignCopy(const ForeignCopy&) = delete;
  ForeignCopy& operator=(const ForeignCopy&) = delete;

  /// The copy.
  std::filesystem::path path() const { return folder_ / "copy.db"; }

 private:
  void make_folder(const std::filesystem::path& beside);

  std::filesystem::path folder_;
  Hold hold_{};
};

}  // namespace perf::store
