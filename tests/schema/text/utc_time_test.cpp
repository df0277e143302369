#include "schema/text/utc_time.h"

#include <gtest/gtest.h>

#include <limits>

namespace perf {
namespace {

constexpr std::int64_t kDay = 86400;

TEST(UtcTime, ValidatesDates) {
  EXPECT_EQ(utc_text(0), "1970-01-01T00:00:00Z");
  EXPECT_EQ(utc_text(951782399), "2000-02-28T23:59:59Z");
  EXPECT_EQ(utc_text(951782400), "2000-02-29T00:00:00Z");
  EXPECT_EQ(utc_text(-1), "1969-12-31T23:59:59Z");
  EXPECT_EQ(utc_text(4102444800), "2100-01-01T00:00:00Z");
  EXPECT_EQ(utc_text(253402300799), "9999-12-31T23:59:59Z");
  EXPECT_EQ(utc_text(-62167219200), "0000-01-01T00:00:00Z");
  EXPECT_TRUE(utc_text(253402300800).empty());
  EXPECT_TRUE(utc_text(std::numeric_limits<std::int64_t>::min()).empty());
}

TEST(UtcTime, HandlesLeapYearsAndBothSidesOfTheEpoch) {
  const auto date = [](std::int64_t seconds) { return utc_text(seconds).substr(0, 10); };
  EXPECT_EQ(date(951782400 + kDay), "2000-03-01");
  EXPECT_EQ(date(1769860800 + kDay / 2 - 1), "2026-01-31");
  EXPECT_EQ(date(-62167219201), "");
}

TEST(UtcTime, ReadsBackWhatItWrites) {
  for (const std::int64_t seconds : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{951782400},
                                     std::int64_t{-62167219200}, std::int64_t{253402300799}}) {
    EXPECT_EQ(utc_seconds(utc_text(seconds)), seconds);
  }
  for (const char* none : {"", "yesterday", "2026-02-30T00:00:00Z"}) {
    EXPECT_EQ(utc_seconds(none), std::nullopt) << none;
  }
}

}  // namespace
}  // namespace perf
