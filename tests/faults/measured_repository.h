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

/// A repository whose benchmark claims its times at no cost, with a store that has a comparison, a
/// collection and a pin, and other stores beside it.
class MeasuredRepository : public ScratchRepository {
 public:
  MeasuredRepository();

  std::filesystem::path store() const { return path() / ".perf-compare" / "results.db"; }
  /// A store with one more run, for merge.
  std::filesystem::path other() const { return path() / "other.db"; }

  /// Restores everything except the build cache.
  void restore() const;
  /// Replaces the store by one of an earlier version.
  void make_store_old() const;

  /// perf-compare or, to migrate, that of program_for(); killed after a minute (137), which no test
  /// needs.
  Outcome perf_compare_in_time(const std::vector<std::string>& arguments,
                               const std::map<std::string, std::string>& environment = {}) const;

 private:
  std::filesystem::path kept_;
};

/// Opens a store, which rolls back an interrupted write; the test fails if anything is wrong with
/// it.
StoreContents contents_of_sound(const std::filesystem::path& store);

/// The fault of a report, whose name has its format; empty: it is complete.
std::string fault_in_report(const std::filesystem::path& file);

}  // namespace perf::test
