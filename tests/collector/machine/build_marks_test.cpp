#include "collector/machine/build_marks.h"

#include <gtest/gtest.h>

namespace perf {
namespace {

using Names = std::vector<std::string>;

std::string table(const std::vector<std::string>& names) {
  std::string text(1, '\0');
  for (const std::string& name : names) {
    text += name + '\0';
  }
  return text;
}

TEST(Instruments, AreGivenAwayByTheirNames) {
  EXPECT_EQ(instruments_in(table({"main", "libasan.so.8"})), Names{"AddressSanitizer"});
  EXPECT_EQ(instruments_in(table({"libasan.so.8", "libubsan.so.1"})),
            (Names{"AddressSanitizer", "UndefinedBehaviorSanitizer"}));
  EXPECT_EQ(instruments_in(table({"__ubsan_handle_add_overflow"})),
            Names{"UndefinedBehaviorSanitizer"});
  EXPECT_EQ(instruments_in(table({"__asan_init", "__ubsan_handle_add_overflow"})),
            Names{"AddressSanitizer"})
      << "Clang's runtime holds both";
  EXPECT_EQ(instruments_in(table({"libtsan.so.2"})), Names{"ThreadSanitizer"});
  EXPECT_EQ(instruments_in(table({"__gcov_init"})), Names{"coverage"});
  EXPECT_EQ(instruments_in(table({"mcount@GLIBC_2.2.5"})), Names{"profiling by gprof"});
}

TEST(Instruments, AreNotSeenInOrdinaryNames) {
  EXPECT_EQ(instruments_in(table({"my__asan_init", "__asan_initialize", "mcount_of", "xlibasan.so",
                                  "__gmon_start__", "__tsan_acquire", "libc.so.6"})),
            Names{});
  EXPECT_EQ(instruments_in(""), Names{});
}

TEST(Optimization, IsWhatTheCompilerNoted) {
  const auto noted = [](const std::vector<std::string>& names) {
    return optimized_by(table(names));
  };
  const std::string prefix = "GNU C++17 12.2.0 -mtune=generic -march=x86-64 -g";
  EXPECT_EQ(noted({"int", prefix + " -O2"}), true);
  EXPECT_EQ(noted({prefix + " -O"}), true);
  EXPECT_EQ(noted({prefix + " -O3 -fno-omit-frame-pointer"}), true);
  EXPECT_EQ(noted({prefix}), false);
  EXPECT_EQ(noted({prefix + " -O0"}), false);
  EXPECT_EQ(noted({prefix + " -Og"}), false);
  EXPECT_EQ(noted({prefix + " -O2 -O0"}), false);
  EXPECT_EQ(noted({prefix, "GNU C17 12.2.0 -O2"}), std::nullopt) << "which of them is slow?";
  EXPECT_EQ(noted({"clang version 14.0.6"}), std::nullopt) << "tells no options";
  EXPECT_EQ(noted({"GNU C"}), std::nullopt);
  EXPECT_EQ(noted({}), std::nullopt);
}

}  // namespace
}  // namespace perf
