#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/ci/claimed_benchmark.h"
#include "tests/ci/scratch_repository.h"

namespace perf::test {

/// Three commits whose benchmark claims 100, 130 and 101 ms.
struct ClaimedHistory : ScratchRepository {
  explicit ClaimedHistory(const std::string& config = kClaimedConfig,
                          const std::string& bench = kClaimedBenchmark) {
    write("bench", bench, true);
    write("perf-compare.json", config);
    for (const char* work : {"100", "130", "101"}) {
      write("work", work);
      commit(std::string("Take ") + work + " ms");
    }
  }
};

/// The comparison of a metric in a report's JSON; a failure and null where there is none.
inline nlohmann::json row(const nlohmann::json& report, const std::string& workload,
                          const std::string& metric = "step_time") {
  for (const nlohmann::json& comparison : report.at("comparisons")) {
    if (comparison.at("workload") == workload && comparison.at("metric") == metric) {
      return comparison;
    }
  }
  ADD_FAILURE() << "no row " << workload << " " << metric << " in " << report.dump(1);
  return {};
}

}  // namespace perf::test
