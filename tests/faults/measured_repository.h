#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tests/ci/scratch_repository.h"

namespace perf::test {

/// What a store holds, as text, so that a difference can be read.
struct StoreContents {
  std::map<std::string, std::string> runs;  ///< by id: everything of each
  std::vector<std::string> pins;
};

/// A repository whose benchmark costs nothing and claims its times, with a store in which a
/// comparison, a collection and a pin are acknowledged, and other stores beside it.
class MeasuredRepository : public ScratchRepository {
 public:
  MeasuredRepository();

  std::filesystem::path store() const { return path() / ".perf-compare" / "results.db"; }
  /// A store with one more run, for merge.
  std::filesystem::path other() const { return path() / "other.db"; }

  /// Everything as it was when it was made, but for the cache of builds.
  void restore() const;
  /// Lays a store of an earlier version in the store's place.
  void make_store_old() const;

  /// perf-compare or, to migrate, that of program_for(); killed after a minute (137 then), which no
  /// test of it takes.
  Outcome perf_compare_in_time(const std::vector<std::string>& arguments,
                               const std::map<std::string, std::string>& environment = {}) const;

 private:
  std::filesystem::path kept_;
};

/// Opens a store, which undoes what a dead writer left half done; adds a failure to the test for
/// whatever is wrong with it.
StoreContents contents_of_sound(const std::filesystem::path& store);

/// Whether a report is whole, by its format, which its name tells; empty: it is, else what is
/// wrong.
std::string fault_in_report(const std::filesystem::path& file);

}  // namespace perf::test
