#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "collector/plant/planting_runner.h"
#include "collector/process/spawner.h"
#include "collector/process/temporary_folder.h"
#include "schema/error.h"

namespace perf {
namespace {

constexpr const char* kPath = "/usr/local/bin:/usr/bin:/bin";

Spawner spawner;  // before anything is allocated, as the tool does

std::string obstacle(const std::string& program, const std::filesystem::path& directory = "/") {
  return preload_obstacle({program}, directory, kPath);
}

void write_program(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file) << text;
  chmod(file.c_str(), 0755);
}

TEST(PreloadObstacle, IsEmptyForDynamicProgramsAndScripts) {
  const TemporaryFolder folder;
  write_program(folder.path() / "script", "#!/bin/sh -e\nexit 0\n");
  write_program(folder.path() / "by_env", "#! /usr/bin/env python3\n");
  write_program(folder.path() / "by_script", "#!./script\n");
  EXPECT_EQ(obstacle("sh"), "");
  EXPECT_EQ(obstacle("/bin/sh"), "");
  EXPECT_EQ(obstacle("./script", folder.path()), "");
  EXPECT_EQ(obstacle("./by_env", folder.path()), "");
  EXPECT_EQ(obstacle("./by_script", folder.path()), "");
}

TEST(PreloadObstacle, NamesAStaticProgram) {
  const std::string reason =
      "static_program is linked statically: nothing can be preloaded into it";
  EXPECT_EQ(obstacle(STATIC_PROGRAM), reason);
  const TemporaryFolder folder;
  write_program(folder.path() / "script", "#!" STATIC_PROGRAM " argument\n");
  EXPECT_EQ(obstacle("./script", folder.path()), reason);
  const auto in = std::filesystem::path(STATIC_PROGRAM).parent_path().string();
  EXPECT_EQ(preload_obstacle({"static_program"}, "/", "relative:" + in), reason);
}

TEST(PreloadObstacle, NamesAProgramOfAnotherWordSizeOrUser) {
  const TemporaryFolder folder;
  const std::string other(1, sizeof(void*) == 8 ? '\1' : '\2');
  write_program(folder.path() / "small",
                "\x7f"
                "ELF" +
                    other + std::string(60, '\0'));
  EXPECT_NE(obstacle("./small", folder.path()).find("another word size"), std::string::npos);
  write_program(folder.path() / "setuid", "#!/bin/sh\n");
  chmod((folder.path() / "setuid").c_str(), 04755);
  EXPECT_NE(obstacle("./setuid", folder.path()).find("runs as another user"), std::string::npos);
}

TEST(PreloadObstacle, IsEmptyWhereUnknown) {
  const TemporaryFolder folder;
  write_program(folder.path() / "circle", "#!./circle\n");
  write_program(folder.path() / "empty", "");
  write_program(folder.path() / "bare", "#!");
  write_program(folder.path() / "text", "not a program");
  write_program(folder.path() / "cut",
                "\x7f"
                "ELF\2");
  for (const char* name : {"./circle", "./empty", "./bare", "./text", "./absent", "absent", ""}) {
    EXPECT_EQ(obstacle(name, folder.path()), "") << name;
  }
  EXPECT_NE(obstacle("./cut", folder.path()), "") << "a header cut short names no loader";
  EXPECT_EQ(preload_obstacle({}, "/", kPath), "");
}

TEST(PlantLibrary, MustBeBesideTheProgram) {
  // This test lies in BUILD/tests, and BUILD/lib is beside it as it is beside BUILD/bin.
  EXPECT_EQ(plant_library(), std::filesystem::path(PLANT_LIBRARY));
}

std::int64_t peak_of(std::vector<std::string> command, const std::string& bytes) {
  ProcessRequest request;
  request.command = std::move(command);
  request.directory = "/";
  request.timeout = 60;
  request.environment = {{"LD_PRELOAD", PLANT_LIBRARY}, {"PERF_COMPARE_PLANT_ALLOCATION", bytes}};
  const ProcessResult result = spawner.run(request);
  EXPECT_EQ(result.exit_code, 0) << result.stderr_text;
  return result.peak_rss.value_or(0);
}

TEST(PlantLibrary, AllocatesTheGivenMemory) {
  constexpr std::int64_t kBytes = 40'000'000;
  for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
           {"/bin/true"}, {"/bin/sh", "-c", "/bin/true; :"}, {"/usr/bin/env", "true"}}) {
    const std::int64_t without = peak_of(command, "0");
    const std::int64_t with = peak_of(command, "40000000");
    EXPECT_NEAR(static_cast<double>(with - without), kBytes, 0.02 * kBytes) << command.front();
  }
}

TEST(PlantLibrary, DoesNothingElse) {
  EXPECT_LT(peak_of({"/bin/true"}, ""), 16 << 20);
  EXPECT_LT(peak_of({"/bin/true"}, "many"), 16 << 20);
  EXPECT_LT(peak_of({"/bin/true"}, "18446744073709551615"), 16 << 20) << "more than there is";
}

}  // namespace
}  // namespace perf
