#include <gtest/gtest.h>

#include "analyzer/trend/internal.h"

namespace perf {
namespace {

TEST(ChangedFacts, CompareTheMajorityOfEachSide) {
  const Facts old{{"blas_core", "Haswell"}, {"threads", "2"}, {"load", "0.1"}};
  const Facts odd{{"blas_core", "Zen"}, {"threads", "2"}, {"load", "0.2"}};
  const Facts now{{"blas_core", "SkylakeX"}, {"threads", "2"}, {"load", "0.3"}, {"flags", "-O3"}};
  const Facts later{{"blas_core", "SkylakeX"}, {"threads", "2"}, {"load", "0.4"}, {"flags", "-O3"}};
  EXPECT_EQ(changed_facts({&old, &odd, &old}, {&now, &later}),
            (std::vector<std::string>{"blas_core: Haswell -> SkylakeX", "flags: not said -> -O3"}));
}

TEST(ChangedFacts, IgnoreFactsThatChangeInEveryRun) {
  const Facts a{{"load", "1"}}, b{{"load", "2"}}, c{{"load", "3"}}, d{{"load", "4"}};
  EXPECT_TRUE(changed_facts({&a, &b}, {&c, &d}).empty());
  EXPECT_TRUE(changed_facts({}, {&a}).empty());
  EXPECT_TRUE(changed_facts({&a}, {}).empty());
}

}  // namespace
}  // namespace perf
