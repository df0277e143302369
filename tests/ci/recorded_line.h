#pragma once

#include <cstddef>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "schema/plan.h"
#include "schema/store/store.h"
#include "tests/ci/scratch_repository.h"

namespace perf::test {

/// A repository of many commits in no time, and a store filled by hand: nothing is measured.
struct RecordedLine : ScratchRepository {
  /// `count` commits, a day apart, whose benchmark claims `work` ms from commit `from` on, else
  /// 100.
  RecordedLine(std::size_t count, std::size_t from, const std::string& work);

  /// Records an invocation of a workload a commit, for commits [begin, end): step times
  /// of `level` s with normal noise of 1 %, and constant memory; one run a commit, years
  /// ago, under `machine`. `change`: changes what was measured of a commit.
  void record(
      std::size_t begin, std::size_t end, const std::function<double(std::size_t)>& level,
      const std::string& machine = "machine1", const std::string& workload = "claimed",
      const std::function<void(std::size_t, Block&)>& change = [](std::size_t, Block&) {});

  Outcome trend(const std::vector<std::string>& more = {}) const;

  std::vector<std::string> oids;

 private:
  std::mt19937 random_{20260131};
};

}  // namespace perf::test
