#include "reporter/civil_date.h"

#include <gtest/gtest.h>

#include <tuple>

namespace perf::reporter {
namespace {

constexpr std::int64_t kDay = 86400;

std::tuple<int, int, int> date(std::int64_t seconds) {
  const Date found = civil_date(seconds).value_or(Date{-1, -1, -1});
  return {found.year, found.month, found.day};
}

TEST(CivilDate, KnowsLeapYearsAndBothSidesOfTheEpoch) {
  EXPECT_EQ(date(0), std::tuple(1970, 1, 1));
  EXPECT_EQ(date(-1), std::tuple(1969, 12, 31));
  EXPECT_EQ(date(951782400), std::tuple(2000, 2, 29));
  EXPECT_EQ(date(951782400 + kDay), std::tuple(2000, 3, 1));
  EXPECT_EQ(date(1769860800 + kDay / 2 - 1), std::tuple(2026, 1, 31));
}

TEST(CivilDate, EndsWithTheYearsOfFourDigits) {
  EXPECT_EQ(date(-62167219200), std::tuple(0, 1, 1));
  EXPECT_EQ(date(253402300799), std::tuple(9999, 12, 31));
  EXPECT_FALSE(civil_date(-62167219201));
  EXPECT_FALSE(civil_date(253402300800));
}

}  // namespace
}  // namespace perf::reporter
