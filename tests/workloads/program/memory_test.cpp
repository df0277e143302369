#include "workloads/program/memory.h"

#include <gtest/gtest.h>

#include "workloads/kernels/arena.h"
#include "workloads/program/error.h"

namespace perf::workloads {
namespace {

constexpr std::size_t kBytes = std::size_t{64} << 20;

TEST(Memory, SeesWhatIsTakenAndGivenBack) {
  const std::size_t before = resident_memory();
  ASSERT_GT(before, 0U);
  {
    const Arena arena(kBytes);
    // Counted in batches of a few pages by each thread.
    EXPECT_GT(resident_memory(), before + kBytes * 9 / 10);
  }
  EXPECT_LT(resident_memory(), before + kBytes / 2);
  EXPECT_GT(peak_resident_memory(), before + kBytes * 9 / 10);
}

TEST(Memory, RefusesWhatIsNotAvailable) {
  const std::size_t available = available_memory();
  ASSERT_GT(available, 0U);
  EXPECT_NO_THROW(require_memory(1, "a byte"));
  EXPECT_THROW(require_memory(2 * available, "too much"), Error);
}

}  // namespace
}  // namespace perf::workloads
