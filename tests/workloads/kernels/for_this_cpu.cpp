// Linked into each binary of tests of kernels: skips them all where the CPU lacks what the kernels
// are compiled for.
#include <gtest/gtest.h>

#include <string>

#include "workloads/kernels/instruction_set.h"

namespace perf::workloads {
namespace {

class ForThisCpu : public testing::Environment {
  void SetUp() override {
    if (const std::string missing = missing_instructions(); !missing.empty()) {
      GTEST_SKIP() << "this CPU lacks " << missing;
    }
  }
};

[[maybe_unused]] const testing::Environment* const kForThisCpu =
    testing::AddGlobalTestEnvironment(new ForThisCpu);

}  // namespace
}  // namespace perf::workloads
