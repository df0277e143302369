#include "workloads/kernels/triad_rate.h"

#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>

namespace perf::workloads {
namespace {

TEST(TriadRate, NothingToDoIsNothing) {
  TriadRate none(0);
  none.pass();
  EXPECT_EQ(none.traffic(), 0);
  EXPECT_EQ(none.error(), 0);
}

// Sizes that threads cannot share evenly, and fewer pages than threads.
TEST(TriadRate, WritesAllOfTheResult) {
  const int threads = omp_get_max_threads();
  for (const int several : {1, 2, 3, 5}) {
    omp_set_num_threads(several);
    for (const std::size_t bytes : {std::size_t{1}, std::size_t{5000}, std::size_t{1'000'001}}) {
      TriadRate triad(bytes);
      EXPECT_GE(triad.traffic(), 3.0 * static_cast<double>(bytes));
      EXPECT_LT(triad.traffic(), 3.0 * static_cast<double>(bytes + 4096));
      EXPECT_EQ(triad.error(), 1) << "before the first pass";
      triad.pass();
      EXPECT_LE(triad.error(), kTriadTolerance) << several << " threads, " << bytes << " bytes";
    }
  }
  omp_set_num_threads(threads);
}

TEST(TriadRate, SpoiltResultIsReplaced) {
  TriadRate triad(40'000);
  triad.pass();
  triad.spoil_result();
  EXPECT_TRUE(std::isinf(triad.error()));
  triad.pass();
  EXPECT_LE(triad.error(), kTriadTolerance);
}

// One wrong value, wherever it is: at the ends, and in the middle.
TEST(TriadRate, ErrorSeesEachValue) {
  TriadRate triad(40'000);
  for (const std::size_t i :
       {std::size_t{0}, std::size_t{1}, triad.count() / 2, triad.count() - 1}) {
    for (const double wrong : {0.0, std::nan("")}) {
      triad.pass();
      EXPECT_LE(triad.error(), kTriadTolerance);
      triad.result()[i] = wrong;
      EXPECT_GT(triad.error(), 0.5) << i;
    }
    triad.pass();
    triad.result()[i] *= 1 + 1e-15;
    EXPECT_GT(triad.error(), kTriadTolerance) << i;
  }
}

}  // namespace
}  // namespace perf::workloads
