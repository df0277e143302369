#include <gtest/gtest.h>

#include <string>

#include "collector/profile/profile_workload.h"

namespace perf {
namespace {

TEST(ReadSamples, AddsUpByFunctionAndFile) {
  const Profile profile = read_samples(
      "     560dd309516f hot (/home/me/bench)\n"
      "     560dd3095164 warm (/home/me/bench)\n"
      "     560dd3095170 hot (/home/me/bench)\n"
      "     7f00d3095170 hot (/usr/lib/libother.so.1)\n");
  EXPECT_EQ(profile.samples, 4);
  ASSERT_EQ(profile.functions.size(), 3u);
  EXPECT_EQ(profile.functions[0].symbol, "hot");
  EXPECT_EQ(profile.functions[0].object, "/home/me/bench");
  EXPECT_EQ(profile.functions[0].share, 0.5);
  EXPECT_EQ(profile.functions[1].symbol, "warm");
  EXPECT_EQ(profile.functions[2].object, "/usr/lib/libother.so.1");
  EXPECT_EQ(profile.problem, "");
}

TEST(ReadSamples, DemanglesNames) {
  const Profile profile = read_samples(
      "  55cd41a6e16f _ZN5model4stepEv (/b)\n"
      "  55cd41a6e170 _ZN3FooIdE3hotEdRKSt6vectorIiSaIiEE.isra.0 (/b)\n"
      "  55cd41a6e171 _Znonsense (/b)\n");
  ASSERT_EQ(profile.functions.size(), 3u);
  EXPECT_EQ(profile.functions[0].symbol, "_ZN3FooIdE3hotEdRKSt6vectorIiSaIiEE.isra.0");
  EXPECT_EQ(profile.functions[0].name,
            "Foo<double>::hot(double, std::vector<int, std::allocator<int> > const&) [.isra.0]");
  EXPECT_EQ(profile.functions[1].name, "model::step()");
  EXPECT_EQ(profile.functions[2].name, "_Znonsense");
}

TEST(ReadSamples, AcceptsSamplesWithoutNameOrFile) {
  const Profile profile = read_samples(
      "  7ffd41a6e16f [unknown] ([unknown])\n"
      "  7ffd41a6e170 __vdso_clock_gettime ([vdso])\n"
      "  7ffd41a6e171 [unknown] (//anon)\n"
      "  7ffd41a6e172 step (/tmp/a bench (v2) (deleted))\n");
  ASSERT_EQ(profile.functions.size(), 4u);
  EXPECT_EQ(profile.functions[0].object, "//anon");
  EXPECT_EQ(profile.functions[1].object, "/tmp/a bench (v2) (deleted)");
  EXPECT_EQ(profile.functions[1].symbol, "step");
  EXPECT_EQ(profile.functions[2].object, "[unknown]");
  EXPECT_EQ(profile.functions[3].object, "[vdso]");
}

TEST(ReadSamples, AcceptsNamesWithSpacesAndParentheses) {
  const Profile profile = read_samples(
      "  55cd41a6e16f std::function<void (int)>::operator()(int) const (/b)\n"
      "  55cd41a6e170 <T as core::fmt::Debug>::fmt (/b)\n");
  ASSERT_EQ(profile.functions.size(), 2u);
  EXPECT_EQ(profile.functions[0].symbol, "<T as core::fmt::Debug>::fmt");
  EXPECT_EQ(profile.functions[1].symbol, "std::function<void (int)>::operator()(int) const");
}

TEST(ReadSamples, IgnoresOtherLines) {
  const Profile profile = read_samples(
      "\n"
      "   \n"
      "# captured on: today\n"
      "Warning: 3 samples lost\n"
      "55cd41a6e16f\n"
      "55cd41a6e16f hot\n"
      "55cd41a6e16f hot (/b\n"
      "55cd41a6e16fz hot (/b)\n"
      " (/b)\n"
      "55cd41a6e16f hot (/b)");
  EXPECT_EQ(profile.samples, 1);
  ASSERT_EQ(profile.functions.size(), 1u);
  EXPECT_EQ(profile.functions[0].share, 1.0);
}

TEST(ReadSamples, ToleratesHostileNames) {
  const std::string long_name = "_Z" + std::string(100000, 'P') + "v";
  const Profile profile = read_samples("  1 " + long_name + " (/b)\n  2 \x1b[2J`@x (/b)\n");
  ASSERT_EQ(profile.functions.size(), 2u);
  EXPECT_EQ(profile.functions[0].name, "\x1b[2J`@x") << "escaping is for those who print it";
  EXPECT_EQ(profile.functions[1].name, long_name);
}

TEST(ReadSamples, IsEmptyWithoutInput) {
  EXPECT_EQ(read_samples("").samples, 0);
  EXPECT_TRUE(read_samples("").functions.empty());
}

}  // namespace
}  // namespace perf
