#include "collector/build/build_progress.h"

#include <gtest/gtest.h>

#include <vector>

namespace perf {
namespace {

std::vector<BuildProgress> read(const std::vector<std::string_view>& chunks) {
  std::vector<BuildProgress> told;
  BuildProgressReader reader([&](const BuildProgress& progress) { told.push_back(progress); });
  for (const std::string_view chunk : chunks) {
    reader.read(chunk);
  }
  return told;
}

TEST(BuildProgress, ReadsTheStatusOfNinjaAndMake) {
  EXPECT_EQ(read({"-- Configuring done\n[1/140] Building a.o\n[ 12%] Building b.o\n[100%] Done\n"}),
            (std::vector<BuildProgress>{{1, 140, false}, {12, 100, true}, {100, 100, true}}));
}

TEST(BuildProgress, JoinsLinesOfSeveralChunks) {
  EXPECT_EQ(read({"[2", "4/140] Building CXX object with a long, long name", ".o\n[25/1", "40"}),
            (std::vector<BuildProgress>{{24, 140, false}}));
}

TEST(BuildProgress, IgnoresOtherLines) {
  EXPECT_EQ(read({"", "\n", "[3/140]\n", "[x/y] a\n", "[5/2] a\n", "[-1/2] a\n", "[] a\n",
                  "[/] a\n", "[%] a\n", "[7] a\n", "[999999999999/2] a\n", " [1/2] a\n"}),
            std::vector<BuildProgress>{});
}

}  // namespace
}  // namespace perf
