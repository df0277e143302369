#include "workloads/program/table.h"

#include <gtest/gtest.h>

namespace perf::workloads {
namespace {

TEST(Table, ScalesUnitsForPeople) {
  EXPECT_EQ(scaled(0.01234, "s"), "12.3 ms");
  EXPECT_EQ(scaled(123.4, "s"), "123 s");
  EXPECT_EQ(scaled(4.2e-6, "s"), "4.20 us");
  EXPECT_EQ(scaled(0, "s"), "0 us");
  EXPECT_EQ(scaled(5.0e11, "flop/s"), "500 GFLOP/s");
  EXPECT_EQ(scaled(41.5e9, "B/s"), "41.5 GB/s");
  EXPECT_EQ(scaled(3.0 * 1024 * 1024, "B"), "3.00 MiB");
  EXPECT_EQ(scaled(12345.6, "1/s"), "12346 /s");
  EXPECT_EQ(scaled(43.4, "dB"), "43.4 dB");
}

TEST(Table, ShowsFailedChecks) {
  perf_compare::StepEmitter out(perf_compare::Wanted{1, 0, 1}, "family/name", {{"layers", 2}});
  out.next_step();
  out.phase("forward");
  out.stop_step();
  out.check("right", 0, 1);
  out.check("wrong", 2, 1);
  const std::string table = run_table(out);
  for (const char* part : {"family/name", "layers 2", "forward", "passed", "FAILED"})
    EXPECT_NE(table.find(part), std::string::npos) << part;
}

}  // namespace
}  // namespace perf::workloads
