#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "schema/invocation.h"
#include "tests/ci/scratch_repository.h"

namespace perf::test {

/// A repository that is built and measured quickly: a build copies a file, and the benchmark claims
/// the time in it. Commit i claims 100 + i ms.
class BriefRepository : public ScratchRepository {
 public:
  explicit BriefRepository(int commits);

  const std::string& oid(int commit) const { return oids_.at(static_cast<std::size_t>(commit)); }
  std::filesystem::path store() const { return path() / ".perf-compare" / "results.db"; }
  /// The folder for temporary files of perf-compare (TMPDIR).
  std::filesystem::path temporary() const { return path().parent_path() / "temporary"; }

  /// A marker on the command line of every build and workload.
  const std::string& marker() const { return marker_; }
  /// The time claimed by every build that was begun, in ms.
  std::vector<std::string> builds() const;
  /// Makes builds wait until let_builds_go().
  void hold_builds() const;
  void let_builds_go() const;

  /// The test fails unless the invocation is complete and of this commit's benchmark.
  void expect_whole(const Invocation& invocation, int commit) const;

 private:
  std::string marker_;
  std::vector<std::string> oids_;
};

}  // namespace perf::test
