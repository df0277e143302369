#include "schema/param.h"

#include <gtest/gtest.h>

#include <clocale>
#include <cstdlib>
#include <limits>

namespace perf {
namespace {

TEST(Param, WritesTextForCommandLines) {
  EXPECT_EQ(to_text(Param(true)), "true");
  EXPECT_EQ(to_text(Param(false)), "false");
  EXPECT_EQ(to_text(Param(std::int64_t{-12})), "-12");
  EXPECT_EQ(to_text(Param(std::string("two words"))), "two words");
  EXPECT_EQ(to_text(Param(std::string())), "");
}

TEST(Param, WritesShortNumbersThatRoundTrip) {
  EXPECT_EQ(to_text(Param(0.1)), "0.1");
  EXPECT_EQ(to_text(Param(1e-4)), "1e-04");
  EXPECT_EQ(to_text(Param(std::numeric_limits<std::int64_t>::min())), "-9223372036854775808");
  for (const double value : {1.0 / 3, 5e-324, 1.7976931348623157e308, -2.2250738585072014e-308}) {
    EXPECT_EQ(std::strtod(to_text(Param(value)).c_str(), nullptr), value);
  }
}

TEST(Param, DoesNotDependOnTheLocale) {
  // Where the machine has no such locale, this shows nothing and costs nothing.
  const char* before = std::setlocale(LC_NUMERIC, nullptr);
  const std::string kept = before == nullptr ? "C" : before;
  std::setlocale(LC_NUMERIC, "de_DE.UTF-8");
  EXPECT_EQ(to_text(Param(0.5)), "0.5");
  std::setlocale(LC_NUMERIC, kept.c_str());
}

TEST(Param, ReadsTextAsInJson) {
  EXPECT_EQ(param_from_text("true"), Param{true});
  EXPECT_EQ(param_from_text("false"), Param{false});
  EXPECT_EQ(param_from_text("4"), Param{std::int64_t{4}});
  EXPECT_EQ(param_from_text("-7"), Param{std::int64_t{-7}});
  EXPECT_EQ(param_from_text("0"), Param{std::int64_t{0}});
  EXPECT_EQ(param_from_text("0.5"), Param{0.5});
  EXPECT_EQ(param_from_text("1e3"), Param{1000.0});
  EXPECT_EQ(param_from_text("99999999999999999999"), Param{1e20});
  for (const std::string text : {"", "-", "eigen", "True", "01", "+1", ".5", "1.", "0x10", "nan",
                                 "inf", "-inf", "1e999", "4 ", " 4", "1,2"}) {
    EXPECT_EQ(param_from_text(text), Param{text}) << text;
  }
}

TEST(Param, TextRoundTrips) {
  for (const std::string text : {"true", "-12", "0.1", "openblas", "1e+20"}) {
    EXPECT_EQ(to_text(param_from_text(text)), text);
  }
}

TEST(Param, ComparesValuesByTheirText) {
  EXPECT_TRUE(same_value(Param{std::int64_t{4}}, Param{4.0}));
  EXPECT_TRUE(same_value(Param{std::string("4")}, Param{std::int64_t{4}}));
  EXPECT_TRUE(same_value(Param{true}, Param{std::string("true")}));
  EXPECT_FALSE(same_value(Param{std::int64_t{4}}, Param{std::int64_t{5}}));
  EXPECT_FALSE(same_value(Param{std::string("a")}, Param{std::string("b")}));
}

}  // namespace
}  // namespace perf
