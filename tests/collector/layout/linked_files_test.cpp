#include <gtest/gtest.h>

#include <string>

#include "collector/layout/hot_code.h"
#include "tests/collector/git/scratch.h"

namespace perf {
namespace {

namespace fs = std::filesystem;

/// The first 18 bytes of an ELF file of this type, little-endian.
std::string elf(char type) {
  return std::string(
             "\x7f"
             "ELF\2\1\1") +
         std::string(9, '\0') + type + '\0';
}

TEST(LinkedFiles, AreProgramsAndSharedObjects) {
  test::Scratch scratch;
  const fs::path checkout = scratch.beside("checkout");
  fs::create_directories(checkout / "out" / "lib");
  fs::create_directories(checkout / ".git");
  test::write_file(checkout / "fixed", elf(2));
  test::write_file(checkout / "out" / "bench", elf(3));
  test::write_file(checkout / "out" / "lib" / "plugin.mod", elf(3));
  test::write_file(checkout / "out" / "bench.o", elf(1));
  test::write_file(checkout / "script", "#!/bin/sh\necho no program\n");
  test::write_file(checkout / "short", elf(3).substr(0, 10));
  test::write_file(checkout / ".git" / "blob", elf(3));
  fs::create_symlink("out/bench", checkout / "link");
  fs::create_symlink(".", checkout / "loop");
  EXPECT_EQ(linked_files(checkout),
            (std::set<fs::path>{"fixed", "out/bench", "out/lib/plugin.mod"}));
  EXPECT_EQ(linked_files(checkout / "absent"), std::set<fs::path>());
  EXPECT_TRUE(is_elf(checkout / "out" / "bench.o"));
  EXPECT_FALSE(is_elf(checkout / "script"));
  EXPECT_FALSE(is_elf(checkout / "out"));
}

}  // namespace
}  // namespace perf
