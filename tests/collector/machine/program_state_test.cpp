#include "collector/machine/program_state.h"

#include <gtest/gtest.h>

#include "fixture_tree.h"

namespace perf {
namespace {

using testing::FixtureTree;
using Names = std::vector<std::string>;

std::string cache(const std::string& lines) {
  return "# This is the CMakeCache file.\nCMAKE_CXX_COMPILER:FILEPATH=/usr/bin/c++\n" + lines;
}

TEST(BuildType, IsReadFromTheCMakeCache) {
  EXPECT_EQ(parse_build_type(cache("CMAKE_BUILD_TYPE:STRING=Release\n")), "Release");
  EXPECT_EQ(parse_build_type(cache("CMAKE_BUILD_TYPE:UNINITIALIZED=Debug\n")), "Debug");
  EXPECT_EQ(parse_build_type(cache("CMAKE_BUILD_TYPE:STRING=\nCMAKE_CXX_FLAGS:STRING=-g\n")),
            "none");
  EXPECT_EQ(parse_build_type(cache("CMAKE_BUILD_TYPE:STRING=\nCMAKE_CXX_FLAGS:STRING=-O3\n")),
            std::nullopt);
  EXPECT_EQ(parse_build_type(
                cache("CMAKE_BUILD_TYPE:STRING=Debug\nCMAKE_CONFIGURATION_TYPES:STRING=a;b\n")),
            std::nullopt);
  EXPECT_EQ(parse_build_type(""), std::nullopt);
  EXPECT_EQ(parse_build_type("CMAKE_BUILD_TYPE_X:STRING=Debug\n"), std::nullopt);
}

class Programs : public ::testing::Test {
 protected:
  void put_program(const std::string& file) {
    tree.put(file,
             "\x7f"
             "ELF, or so it says\n");
    std::filesystem::permissions(tree.root() / file, std::filesystem::perms::owner_all);
  }
  std::vector<ProgramState> read(const std::vector<std::string>& programs,
                                 const std::string& cwd = "") const {
    std::vector<Workload> workloads;
    for (const std::string& program : programs) {
      Workload workload;
      workload.name = "w" + std::to_string(workloads.size());
      workload.command = {program, "run"};
      workload.cwd = cwd;
      workloads.push_back(workload);
    }
    const std::string path = ":/absent:" + (tree.root() / "bin").string();
    return read_programs(workloads, {tree.root() / "cache/", tree.root() / "work"},
                         [path](const std::string& name) {
                           return name == "PATH" ? std::optional<std::string>(path) : std::nullopt;
                         });
  }
  FixtureTree tree;
};

TEST_F(Programs, AreReadOnceForAllTheirWorkloads) {
  put_program("work/build/bench");
  tree.put("work/CMakeCache.txt", "CMAKE_BUILD_TYPE:STRING=Debug\n");
  const auto programs = read({"build/bench", "build/other", "build/bench"});
  ASSERT_EQ(programs.size(), 2u);
  EXPECT_EQ(programs[0].path, "build/bench");
  EXPECT_EQ(programs[0].workloads, (Names{"w0", "w2"}));
  EXPECT_EQ(programs[0].build_type, "Debug");
  EXPECT_EQ(programs[0].problem, "");
  EXPECT_NE(programs[1].problem, "");
}

TEST_F(Programs, AreThoseOfTheFirstTreeThatHasThem) {
  put_program("work/build/bench");
  put_program("cache/build/bench");
  tree.put("work/build/CMakeCache.txt", "CMAKE_BUILD_TYPE:STRING=Debug\n");
  tree.put("cache/build/CMakeCache.txt", "CMAKE_BUILD_TYPE:STRING=Release\n");
  EXPECT_EQ(read({"./build/bench"})[0].build_type, "Release");
}

TEST_F(Programs, AreLookedUpInTheFolderOfTheWorkload) {
  put_program("work/sub/bench");
  EXPECT_EQ(read({"./bench"}, "sub")[0].path, "sub/./bench");
  EXPECT_NE(read({"./bench"}, "sub")[0].problem, "is not built here");
  EXPECT_EQ(read({"./bench"})[0].problem, "is not built here");
}

TEST_F(Programs, ACacheAboveTheTreeIsNotTheirs) {
  put_program("work/bench");
  put_program("cache/other");
  tree.put("CMakeCache.txt", "CMAKE_BUILD_TYPE:STRING=Debug\n");
  EXPECT_EQ(read({"./bench"})[0].build_type, std::nullopt);
  EXPECT_EQ(read({"./other"})[0].build_type, std::nullopt) << "a tree's name may end in a slash";
}

TEST_F(Programs, WithoutASlashAreFoundInPath) {
  put_program("bin/tool");
  tree.put("bin/no_program", "text");
  const auto programs = read({"tool", "no_program", ""});
  EXPECT_NE(programs[0].problem, programs[1].problem);
  EXPECT_EQ(programs[1].problem, "is not built here");
  EXPECT_EQ(programs[2].problem, "is not built here");
}

TEST(InPath, IsUnknownWithoutPath) {
  EXPECT_EQ(is_in_path("sh", [](const std::string&) { return std::optional<std::string>(); }),
            std::nullopt);
  const auto nowhere = [](const std::string&) { return std::optional<std::string>("/absent:"); };
  EXPECT_EQ(is_in_path("sh", nowhere), false);
}

}  // namespace
}  // namespace perf
