#pragma once

#include <map>
#include <string>
#include <vector>

#include "tests/ci/same_program/plant.h"
#include "tests/ci/scratch_repository.h"

namespace perf::test {

/// What a report says of a workload, in the row of its time.
struct Row {
  std::string basis{};    ///< empty where nothing was compared
  std::string because{};  ///< "measured_because"
  std::string verdict{};
};

/// By workload; empty where the output is no report.
std::map<std::string, Row> rows_of(const Outcome& outcome);

/// A repository with many plants, compared at once.
class Field : public ScratchRepository {
 public:
  explicit Field(const std::vector<Plant>& plants);

  /// Those that this machine can have, each with a workload "changed/NAME" and, unless it is
  /// doubtful, "kept/NAME".
  const std::vector<Plant>& plants() const { return plants_; }
  /// Runs sh(1) in the repository; fails the test if that fails.
  void run_script(const std::string& text);

 private:
  void grow(const std::string& kind, std::string Plant::* text, std::string& script) const;
  bool can_be(const Plant& plant);

  std::vector<Plant> plants_;
};

/// Whether a process may be traced on this machine; tests of what is the same are skipped elsewhere.
bool can_trace();

}  // namespace perf::test
