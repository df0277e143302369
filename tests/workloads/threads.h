#pragma once

#include <gtest/gtest.h>
#include <omp.h>

namespace perf::workloads {

/// Runs `compute` on 1, 2, 3 and 5 threads and expects the same bits each time.
template <class Compute>
void expect_same_on_any_threads(Compute compute) {
  const int threads_before = omp_get_max_threads();
  omp_set_num_threads(1);
  const auto alone = compute();
  for (const int threads : {2, 3, 5}) {
    omp_set_num_threads(threads);
    EXPECT_EQ(compute(), alone) << threads << " threads";
  }
  omp_set_num_threads(threads_before);
}

}  // namespace perf::workloads
