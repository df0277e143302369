#include "workloads/kernels/matvec.h"

#include <gtest/gtest.h>

#include "tests/workloads/random_values.h"
#include "workloads/kernels/agreement.h"

namespace perf::workloads {
namespace {

TEST(Matvec, MatchesReferenceWithAnyRemainder) {
  for (const std::size_t rows : {1U, 3U, 4U, 66U, 131U}) {
    for (const std::size_t columns : {1U, 17U, 256U}) {
      const std::vector<float> w = random_values(rows * columns, 1), x = random_values(columns, 2);
      for (const float beta : {0.0F, 1.0F}) {
        std::vector<float> y = random_values(rows, 3), want = y;
        matvec(w.data(), x.data(), beta, y.data(), rows, columns);
        matvec_reference(w.data(), x.data(), beta, want.data(), rows, columns);
        EXPECT_LT(largest_relative_error(y.data(), want.data(), rows), 2e-6) << rows;
      }
    }
  }
}

}  // namespace
}  // namespace perf::workloads
