#include "collector/build/build_excerpt.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/collector/git/scratch.h"

namespace perf {
namespace {

using Lines = std::vector<std::string>;

TEST(BuildExcerpt, BeginsAtTheFirstErrorOfACompiler) {
  EXPECT_EQ(build_excerpt("[ 50%] Building CXX object error.cpp.o\n"
                          "g++ -Werror -c sums.cpp\n"
                          "sums.cpp:4:1: error: 'BREAK' does not name a type\n"
                          "    4 | BREAK\n"
                          "      | ^~~~~\n"
                          "\n"
                          "gmake[3]: *** [sums.cpp.o] Error 1\n"
                          "gmake: *** [Makefile:137: sums_bench] Error 2\n"),
            (Lines{"sums.cpp:4:1: error: 'BREAK' does not name a type", "4 | BREAK",
                   "gmake[3]: *** [sums.cpp.o] Error 1",
                   "gmake: *** [Makefile:137: sums_bench] Error 2"}));
}

TEST(BuildExcerpt, HasTheErrorOrTheEndAsMainLine) {
  EXPECT_EQ(main_line({"a.cpp:1: error: b", "make: *** [a.o] Error 1"}), "a.cpp:1: error: b");
  EXPECT_EQ(main_line({"CMake Error at CMakeLists.txt:3 (find_package):", "No Findx.cmake", "y"}),
            "CMake Error at CMakeLists.txt:3 (find_package): No Findx.cmake");
  EXPECT_EQ(main_line({"compiling", "out of luck"}), "out of luck");
  EXPECT_EQ(main_line({}), "");
}

TEST(BuildExcerpt, KnowsTheErrorsOfOtherTools) {
  for (const std::string first :
       {"CMake Error at CMakeLists.txt:3 (find_package):", "error[E0425]: cannot find value `x`",
        "SyntaxError: invalid syntax", "a.o: in function `main': undefined reference to `f'",
        "/usr/bin/ld: cannot find -lnothing: No such file or directory",
        "make: *** No rule to make target 'x'.  Stop."}) {
    const Lines lines = build_excerpt("before\n" + first + "\nafter\n");
    ASSERT_EQ(lines.size(), 2U) << first;
    EXPECT_EQ(lines.at(0).substr(0, 8), first.substr(0, 8));
    EXPECT_EQ(lines.at(1), "after");
  }
}

TEST(BuildExcerpt, IsLimited) {
  std::string output;
  for (int i = 0; i < 1000; ++i) {
    output += "a.cpp:" + std::to_string(i) + ": error: " + std::string(1000, 'x') + "\n";
  }
  const Lines lines = build_excerpt(output);
  ASSERT_EQ(lines.size(), kErrorLines);
  EXPECT_EQ(lines.front().substr(0, 16), "a.cpp:0: error: ");
  EXPECT_LE(lines.front().size(), 200U);
}

TEST(BuildExcerpt, IsTheEndWithoutAnError) {
  std::string output;
  for (int i = 0; i < 100; ++i) {
    output += "line " + std::to_string(i) + "\n\n";
  }
  const Lines lines = build_excerpt(output + "no newline at the end");
  ASSERT_EQ(lines.size(), kTailLines);
  EXPECT_EQ(lines.front(), "line 81");
  EXPECT_EQ(lines.back(), "no newline at the end");
  EXPECT_EQ(build_excerpt(""), Lines{});
  EXPECT_EQ(build_excerpt("\n \n"), Lines{});
}

TEST(BuildExcerpt, RemovesColoursAndControls) {
  EXPECT_EQ(
      build_excerpt("\x1b[01m\x1b[Ka.c:1:\x1b[m\x1b[K \x1b[01;31m\x1b[Kerror: \x1b[m\x1b[Kno\r\n"
                    "\x1b]0;title\x07 \xff tail\x1b["),
      (Lines{"a.c:1: error: no", "]0;title \xEF\xBF\xBD tail"}));
}

TEST(BuildExcerpt, FindsTheFirstErrorAndTheEndOfALongLog) {
  const test::Scratch scratch;
  const std::filesystem::path log = scratch.beside("build.log");
  const std::string filler(9 << 20, '\n');
  std::ofstream(log) << "a.cpp:1: error: first\n" << filler << "a.cpp:2: error: last\n";
  EXPECT_EQ(excerpt_of_log(log).at(0), "a.cpp:1: error: first");
  std::ofstream(log) << "begun\n" << filler << "a.cpp:2: error: last\n";
  EXPECT_EQ(excerpt_of_log(log), Lines{"a.cpp:2: error: last"});
  EXPECT_EQ(excerpt_of_log(scratch.beside("absent")), Lines{});
}

}  // namespace
}  // namespace perf
