#include "collector/process/whole_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "collector/process/temporary_folder.h"
#include "schema/files/content.h"

namespace perf {
namespace {

namespace fs = std::filesystem;

TEST(WholeFile, IsCreatedAndReplaced) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "file", fresh = folder.path() / "fresh";
  for (const std::string& text : {std::string("one"), std::string(1 << 20, 'x'), std::string()}) {
    EXPECT_FALSE(write_whole_file(file, fresh, text, 0600));
    EXPECT_EQ(content_of(file), text);
    EXPECT_FALSE(fs::exists(fresh));
  }
  EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST(WholeFile, ChangesNothingWhereTheRenameFails) {
  const TemporaryFolder folder;
  const fs::path taken = folder.path() / "taken", fresh = folder.path() / "fresh";
  fs::create_directory(taken);
  EXPECT_EQ(write_whole_file(taken, fresh, "text", 0600), std::errc::is_a_directory);
  EXPECT_TRUE(fs::is_directory(taken));
  EXPECT_FALSE(fs::exists(fresh));
  EXPECT_EQ(write_whole_file(taken, folder.path() / "none" / "fresh", "text", 0600),
            std::errc::no_such_file_or_directory);
}

TEST(WholeFile, IsNotWrittenThroughALink) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "file", fresh = folder.path() / "fresh";
  fs::create_symlink(folder.path() / "elsewhere", fresh);
  EXPECT_EQ(write_whole_file(file, fresh, "text", 0600), std::errc::too_many_symbolic_link_levels);
  EXPECT_FALSE(fs::exists(folder.path() / "elsewhere"));
}

// Whether somebody else holds it is asked only of a file that could be made.
TEST(WholeFile, ReportsWhyItCannotBeCreated) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "file", fresh = folder.path() / "fresh";
  fs::permissions(folder.path(), fs::perms::owner_read | fs::perms::owner_exec |
                                     fs::perms::others_read | fs::perms::others_exec);
  const bool is_root = geteuid() == 0;
  ASSERT_TRUE(!is_root || seteuid(65534) == 0);
  const std::error_code why = write_whole_file(file, fresh, "text", 0600);
  ASSERT_TRUE(!is_root || seteuid(0) == 0);
  fs::permissions(folder.path(), fs::perms::owner_all);
  EXPECT_EQ(why, std::errc::permission_denied);
}

TEST(WholeFile, ReportsAFullDisk) {
  const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
  ASSERT_GE(full, 0);
  EXPECT_EQ(write_all(full, "text"), std::errc::no_space_on_device);
  EXPECT_FALSE(write_all(full, ""));
  close(full);
}

}  // namespace
}  // namespace perf
