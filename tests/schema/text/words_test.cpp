#include "schema/text/words.h"

#include <gtest/gtest.h>

#include <set>

#include "schema/alert.h"
#include "schema/bisection.h"
#include "schema/collection.h"
#include "schema/diagnosis.h"
#include "schema/invocation.h"
#include "schema/metric.h"
#include "schema/plan.h"
#include "schema/selftest.h"
#include "schema/trend.h"
#include "schema/verdict.h"
#include "schema/warning.h"

namespace perf {
namespace {

template <class Enum>
class Words : public testing::Test {};

using Enumerations = testing::Types<AlertKind, AlertNews, AlertState, Better, BisectionAnswer,
                                    CollectedStatus, GateState, PlantKind, PlantWay, Purpose,
                                    SelftestOutcome, Severity, Side, Verdict, WarningKind>;
TYPED_TEST_SUITE(Words, Enumerations);

TYPED_TEST(Words, LeadBackToTheirValues) {
  std::set<std::string_view> words;
  for (std::size_t i = 0; i < kWords<TypeParam>.size(); ++i) {
    const auto value = static_cast<TypeParam>(i);
    EXPECT_NE(to_string(value), "");
    EXPECT_TRUE(words.insert(to_string(value)).second) << to_string(value) << " stands twice";
    EXPECT_EQ(named<TypeParam>(to_string(value)), value);
  }
}

TYPED_TEST(Words, OfOthersLeadNowhere) {
  EXPECT_EQ(named<TypeParam>(""), std::nullopt);
  EXPECT_EQ(named<TypeParam>("no word of any"), std::nullopt);
}

TEST(WordsOfVerdicts, MatchTheContract) {
  EXPECT_EQ(to_string(Verdict::regressed), "regressed");
  EXPECT_EQ(to_string(Verdict::fresh), "new");
  EXPECT_EQ(named<Verdict>("unchanged"), Verdict::unchanged);
  EXPECT_EQ(named<Verdict>("fresh"), std::nullopt);
}

}  // namespace
}  // namespace perf
