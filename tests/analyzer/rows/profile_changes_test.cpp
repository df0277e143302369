#include "analyzer/rows/profile_changes.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace perf {
namespace {

Profile profile(std::int64_t samples, std::vector<HotFunction> functions) {
  Profile made;
  made.samples = samples;
  made.functions = std::move(functions);
  return made;
}

HotFunction function(const std::string& symbol, double share,
                     const std::string& object = "/a/build/bench") {
  return {symbol, symbol + "()", object, share};
}

TEST(ProfileChanges, NameTheFunctionWhoseShareMoved) {
  const Profile base =
      profile(1000, {function("hot", 0.5), function("warm", 0.3), function("calm", 0.2)});
  const Profile head =
      profile(1000, {function("hot", 0.7, "/b/build/bench"), function("warm", 0.12, "/b/x/bench"),
                     function("calm", 0.18, "/b/build/bench")});
  const std::vector<FunctionChange> changes = profile_changes(base, head);
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_EQ(changes[0].symbol, "hot");
  EXPECT_EQ(changes[0].name, "hot()");
  EXPECT_EQ(changes[0].object, "bench") << "checkouts lie in different folders";
  EXPECT_EQ(changes[0].base_share, 0.5);
  EXPECT_EQ(changes[0].head_share, 0.7);
  EXPECT_FALSE(changes[0].base_seconds);
}

TEST(ProfileChanges, SortBySecondsFirst) {
  // hot takes 0.75 s in place of 0.5 s; the others as long as before, so that their shares shrink.
  const Profile base = profile(2000, {function("hot", 0.4), function("warm", 0.6)});
  const Profile head = profile(2000, {function("hot", 0.625), function("warm", 0.375)});
  const std::vector<FunctionChange> changes = profile_changes(head, base, 1.6, 1.0);
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_EQ(changes[0].symbol, "hot");
  EXPECT_DOUBLE_EQ(*changes[0].base_seconds, 1.0);
  EXPECT_DOUBLE_EQ(*changes[0].head_seconds, 0.4);
  EXPECT_EQ(changes[1].symbol, "warm");
  EXPECT_NEAR(*changes[1].base_seconds, *changes[1].head_seconds, 1e-12);
}

TEST(ProfileChanges, FindAddedAndRemovedFunctions) {
  const Profile base = profile(500, {function("old", 1.0)});
  const Profile head = profile(500, {function("new", 1.0)});
  const std::vector<FunctionChange> changes = profile_changes(base, head);
  ASSERT_EQ(changes.size(), 2u);
  for (const FunctionChange& change : changes) {
    EXPECT_EQ(change.head_share, change.symbol == "new" ? 1.0 : 0.0);
    EXPECT_EQ(change.base_share, change.symbol == "old" ? 1.0 : 0.0);
  }
}

TEST(ProfileChanges, IgnoreTheNoiseOfSampling) {
  // sd of the difference: sqrt(2 * .25 / 100) = 7 %; three of them are 21 %.
  const auto moved = [](double to) {
    return profile_changes(profile(100, {function("hot", 0.5)}),
                           profile(100, {function("hot", to)}))
        .size();
  };
  EXPECT_EQ(moved(0.70), 0u);
  EXPECT_EQ(moved(0.72), 1u);
}

TEST(ProfileChanges, IgnoreSmallChanges) {
  const auto moved = [](double to) {
    return profile_changes(profile(10000000, {function("hot", 0.5)}),
                           profile(10000000, {function("hot", to)}))
        .size();
  };
  EXPECT_EQ(moved(0.509), 0u);
  EXPECT_EQ(moved(0.511), 1u);
}

TEST(ProfileChanges, SeparateFunctionsOfDifferentFiles) {
  const Profile base = profile(1000, {function("f", 0.9), function("f", 0.1, "/lib/libx.so")});
  const Profile head = profile(1000, {function("f", 0.1), function("f", 0.9, "/lib/libx.so")});
  EXPECT_EQ(profile_changes(base, head).size(), 2u);
}

TEST(ProfileChanges, AreNoneWithoutSamples) {
  const Profile some = profile(1000, {function("hot", 1.0)});
  EXPECT_TRUE(profile_changes(some, profile(0, {})).empty());
  EXPECT_TRUE(profile_changes(profile(0, {}), some).empty());
}

TEST(ProfileChanges, FalseAlarmsAreRare) {
  // 3 sigma two-sided: 0.27 % by the normal law; at most 1 % here, over 2000 draws of a fixed seed.
  std::mt19937_64 random(17);
  std::binomial_distribution<std::int64_t> hits(600, 0.3);
  int alarms = 0;
  for (int i = 0; i < 2000; ++i) {
    const auto draw = [&] {
      return profile(600, {function("hot", static_cast<double>(hits(random)) / 600)});
    };
    const Profile base = draw(), head = draw();
    alarms += profile_changes(base, head).empty() ? 0 : 1;
  }
  EXPECT_LE(alarms, 20);
}

}  // namespace
}  // namespace perf
