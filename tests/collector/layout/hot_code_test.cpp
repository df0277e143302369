#include "collector/layout/hot_code.h"

#include <gtest/gtest.h>

#include "tests/collector/git/scratch.h"

namespace perf {
namespace {

namespace fs = std::filesystem;
using test::run_process;

/// Two checkouts side by side, and a C compiler.
struct HotCodeTest : ::testing::Test {
  test::Scratch scratch;
  fs::path base = scratch.beside("base"), head = scratch.beside("head");
  bool has_tools = true;

  static std::string program(const std::string& before, const std::string& operation) {
    return "volatile double total;\n" + before +
           "__attribute__((noinline)) double work(int n) {\n"
           "  double sum = 0;\n"
           "  for (int i = 0; i < n; ++i) sum = sum * 1.25 " +
           operation +
           " total;\n"
           "  return sum;\n}\n"
           "int main(int count, char** words) { return words[0] == 0 ? 0 : work(count) > 1e9; }\n";
  }
  void compile(const fs::path& checkout, const std::string& source) {
    test::write_file(checkout / "bench.c", source);
    ProcessRequest request;
    request.command = {"gcc", "-O2", "-o", "bench", "bench.c"};
    request.directory = checkout;
    const ProcessResult result = run_process()(request);
    ProcessRequest objdump;
    objdump.command = {"objdump", "--version"};
    has_tools = has_tools && result.exit_code == 0 && run_process()(objdump).exit_code == 0;
  }
  void SetUp() override {
    fs::create_directories(base);
    fs::create_directories(head);
  }
  HotCode compare(const HotPlaces& places) {
    return compare_hot_code(run_process(), places, base, head);
  }
};

constexpr const char* kMoves =
    "__attribute__((noinline)) int another(int n) { return n * 77 + 3; }\n"
    "int (*keep)(int) = another;\n";

TEST_F(HotCodeTest, IsTheSameWhereAnotherFunctionMovedIt) {
  compile(base, program("", "+"));
  compile(head, program(kMoves, "+"));
  if (!has_tools) {
    GTEST_SKIP() << "no gcc or no objdump";
  }
  const HotCode hot = compare({{"bench", {"work"}}});
  EXPECT_EQ(hot.same, HotCode::Same::identical) << hot.reason;
  EXPECT_TRUE(is_moved(run_process(), {{"bench", {"work"}}}, base, head));
  EXPECT_FALSE(is_moved(run_process(), {{"bench", {"work"}}}, base, base));

  const HotCode all = compare({{"bench", {}}});
  EXPECT_EQ(all.same, HotCode::Same::different);
  EXPECT_EQ(all.reason, "another is at head only");
}

TEST_F(HotCodeTest, IsNotTheSameWhereItsCodeChanged) {
  compile(base, program("", "+"));
  compile(head, program("", "-"));
  if (!has_tools) {
    GTEST_SKIP() << "no gcc or no objdump";
  }
  const HotCode hot = compare({{"bench", {"work"}}});
  EXPECT_EQ(hot.same, HotCode::Same::different);
  EXPECT_EQ(hot.reason, "the code of work is not the same");
}

TEST_F(HotCodeTest, IsNotTheSameWhereAConstantChanged) {
  std::string source = program("", "+");
  compile(base, source);
  compile(head, source.replace(source.find("1.25"), 4, "1.75"));
  if (!has_tools) {
    GTEST_SKIP() << "no gcc or no objdump";
  }
  EXPECT_EQ(compare({{"bench", {"work"}}}).reason, "the code of work is not the same");
}

TEST_F(HotCodeTest, IdenticalFilesAreNoMatterOfLayout) {
  compile(base, program("", "+"));
  if (!has_tools) {
    GTEST_SKIP() << "no gcc or no objdump";
  }
  fs::copy_file(base / "bench", head / "bench");
  const HotCode hot = compare({{"bench", {}}});
  EXPECT_EQ(hot.same, HotCode::Same::different);
  EXPECT_EQ(hot.reason, "the programs are the same to the byte");
}

TEST_F(HotCodeTest, SaysWhenThereIsNoTelling) {
  EXPECT_EQ(compare({}).same, HotCode::Same::unknown);
  EXPECT_NE(compare({}).reason, "");
  test::write_file(base / "bench", "#!/bin/sh\necho 1\n");
  test::write_file(head / "bench", "#!/bin/sh\necho 2\n");
  const HotCode script = compare({{"bench", {}}});
  EXPECT_EQ(script.same, HotCode::Same::unknown);
  EXPECT_EQ(script.reason, "cannot disassemble bench: it is not an ELF file");
  EXPECT_EQ(compare({{"absent", {}}}).same, HotCode::Same::unknown);
  EXPECT_FALSE(is_moved(run_process(), {{"bench", {}}}, base, head));
}

TEST_F(HotCodeTest, HotPlacesLieInTheCheckout) {
  Profile profile;
  const std::string root = fs::canonical(base).string();
  profile.functions = {{"hot", "hot", root + "/build/bench", 0.5},
                       {"blas", "blas", "/usr/lib/libblas.so", 0.3},
                       {"aside", "aside", root + "-other/bench", 0.1},
                       {"warm", "warm", root + "/build/bench", 0.05},
                       {"cold", "cold", root + "/build/bench", 0.04},
                       {"[unknown]", "[unknown]", "[unknown]", 0.06}};
  const HotPlaces places = hot_places(profile, base);
  EXPECT_EQ(places, (HotPlaces{{"build/bench", {"hot", "warm"}}}));
  EXPECT_DOUBLE_EQ(share_of(places, profile, base), 0.55);
  EXPECT_EQ(share_of(places, profile, head), 0);
}

TEST_F(HotCodeTest, KnowsTheOwnProgram) {
  compile(base, program("", "+"));
  if (!has_tools) {
    GTEST_SKIP() << "no gcc or no objdump";
  }
  test::write_file(base / "script", "#!/bin/sh\n");
  fs::create_symlink("/bin/sh", base / "outside");
  fs::create_directory(base / "sub");
  const auto own = [&](const std::string& command, const std::string& cwd = "") {
    Workload workload;
    workload.command = {command};
    workload.cwd = cwd;
    return own_program(workload, base);
  };
  EXPECT_EQ(own("../bench", "sub"), "bench");
  EXPECT_EQ(own("./bench", "sub"), std::nullopt);
  EXPECT_EQ(own("./bench"), "bench");
  EXPECT_EQ(own("bench"), std::nullopt) << "looked up in PATH";
  EXPECT_EQ(own("./script"), std::nullopt);
  EXPECT_EQ(own("./outside"), std::nullopt);
  EXPECT_EQ(own("./absent"), std::nullopt);
  EXPECT_EQ(own("/bin/sh"), std::nullopt);
}

}  // namespace
}  // namespace perf
