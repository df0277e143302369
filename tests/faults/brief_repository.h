#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "schema/invocation.h"
#include "tests/ci/scratch_repository.h"

namespace perf::test {

/// A repository that is built and measured in a moment: a build copies a file, and the benchmark
/// claims the time that it states. Commit i claims 100 + i ms.
class BriefRepository : public ScratchRepository {
 public:
  explicit BriefRepository(int commits);

  const std::string& oid(int commit) const { return oids_.at(static_cast<std::size_t>(commit)); }
  std::filesystem::path store() const { return path() / ".perf-compare" / "results.db"; }
  /// Where perf-compare makes its temporary folders, given as TMPDIR.
  std::filesystem::path temporary() const { return path().parent_path() / "temporary"; }

  /// On the command line of every build and workload.
  const std::string& marker() const { return marker_; }
  /// A line for every build that was begun: what it claims, in ms.
  std::vector<std::string> builds() const;
  /// Builds begin, and then wait until they may go on.
  void hold_builds() const;
  void let_builds_go() const;

  /// Adds a failure to the test for an invocation that is not what the commit's benchmark says,
  /// all of it.
  void expect_whole(const Invocation& invocation, int commit) const;

 private:
  std::string marker_;
  std::vector<std::string> oids_;
};

}  // namespace perf::test
