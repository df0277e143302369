#include "schema/param.h"

#include <gtest/gtest.h>

#include <clocale>
#include <cstdlib>
#include <limits>

namespace perf {
namespace {

TEST(Param, IsWrittenAsACommandLineCarriesIt) {
  EXPECT_EQ(to_text(Param(true)), "true");
  EXPECT_EQ(to_text(Param(false)), "false");
  EXPECT_EQ(to_text(Param(std::int64_t{-12})), "-12");
  EXPECT_EQ(to_text(Param(std::string("two words"))), "two words");
  EXPECT_EQ(to_text(Param(std::string())), "");
}

TEST(Param, NumbersAreShortAndRoundTrip) {
  EXPECT_EQ(to_text(Param(0.1)), "0.1");
  EXPECT_EQ(to_text(Param(1e-4)), "1e-04");
  EXPECT_EQ(to_text(Param(std::numeric_limits<std::int64_t>::min())), "-9223372036854775808");
  for (const double value : {1.0 / 3, 5e-324, 1.7976931348623157e308, -2.2250738585072014e-308})
    EXPECT_EQ(std::strtod(to_text(Param(value)).c_str(), nullptr), value);
}

TEST(Param, DoesNotDependOnTheLocale) {
  // Where the machine has no such locale, this shows nothing and costs nothing.
  const char* before = std::setlocale(LC_NUMERIC, nullptr);
  const std::string kept = before == nullptr ? "C" : before;
  std::setlocale(LC_NUMERIC, "de_DE.UTF-8");
  EXPECT_EQ(to_text(Param(0.5)), "0.5");
  std::setlocale(LC_NUMERIC, kept.c_str());
}

}  // namespace
}  // namespace perf
