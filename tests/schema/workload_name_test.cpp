#include "schema/workload_name.h"

#include <gtest/gtest.h>

namespace perf {
namespace {

TEST(WorkloadName, MayHaveComponents) {
  for (const char* name : {"parser", "training/mlp_stack", "a/b/c", "x.y-z_1", "A", "_x", "9",
                           "a.b/c-d", "name-", "name."}) {
    EXPECT_EQ(fault_in_workload_name(name), "") << name;
  }
}

TEST(WorkloadName, RefusesPathsAndOptions) {
  for (const char* name :
       {"",      "/",   "/etc", "a/",   "a//b", "..",  "a/../b", "a..b", ".hidden",  "a/.b", "-rf",
        "a/-rf", "a b", "a\nb", "a\\b", "a*",   "a;b", "$(x)",   "a%2f", "\xc3\xa4", "a:b"}) {
    EXPECT_NE(fault_in_workload_name(name), "") << name;
  }
  EXPECT_NE(fault_in_workload_name(std::string_view("a\0b", 3)), "");
}

TEST(WorkloadName, HasALimit) {
  EXPECT_EQ(fault_in_workload_name(std::string(kLongestWorkloadName, 'a')), "");
  EXPECT_NE(fault_in_workload_name(std::string(kLongestWorkloadName + 1, 'a')), "");
}

}  // namespace
}  // namespace perf
