#include <gtest/gtest.h>

#include "reporter/text/wording.h"

namespace perf::reporter {
namespace {

constexpr std::int64_t kDay = 86400;

TEST(DateOf, KnowsLeapYearsAndBothSidesOfTheEpoch) {
  EXPECT_EQ(date_of(0), "1970-01-01");
  EXPECT_EQ(date_of(-1), "1969-12-31");
  EXPECT_EQ(date_of(951782400), "2000-02-29");
  EXPECT_EQ(date_of(951782400 + kDay), "2000-03-01");
  EXPECT_EQ(date_of(1769860800 + kDay / 2 - 1), "2026-01-31");
}

TEST(DateOf, IsEmptyBeyondYear9999) {
  EXPECT_EQ(date_of(-62167219200), "0000-01-01");
  EXPECT_EQ(date_of(253402300799), "9999-12-31");
  EXPECT_EQ(date_of(-62167219201), "");
  EXPECT_EQ(date_of(253402300800), "");
}

}  // namespace
}  // namespace perf::reporter
