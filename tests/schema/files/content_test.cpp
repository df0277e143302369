#include "schema/files/content.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "schema/error.h"

namespace perf {
namespace {

class ContentTest : public ::testing::Test {
 protected:
  ContentTest() { std::filesystem::create_directory(folder_); }
  ~ContentTest() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path file_of(const char* name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }

  std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) / ("content_test-" + std::to_string(getpid()));
};

TEST_F(ContentTest, IsReadUpToALimit) {
  const Descriptor file = open_file(file_of("a", std::string(100000, 'x')), O_RDONLY | O_CLOEXEC);
  std::string text = "already";
  EXPECT_EQ(read_up_to(file.number(), 70000, text), 0);
  EXPECT_EQ(text.size(), 70000u);
  EXPECT_EQ(read_up_to(file.number(), 1 << 20, text), 0);
  EXPECT_EQ(text.size(), 100007u);
  EXPECT_EQ(read_up_to(-1, 1 << 20, text), EBADF);
}

TEST_F(ContentTest, ComparesTwoFiles) {
  const auto one = file_of("one", "abc"), same = file_of("same", "abc"),
             other = file_of("other", "abd");
  EXPECT_TRUE(has_same_bytes(one, same));
  EXPECT_FALSE(has_same_bytes(one, other));
  EXPECT_FALSE(has_same_bytes(one, file_of("longer", "abcd")));
  EXPECT_FALSE(has_same_bytes(one, folder_ / "none"));
  EXPECT_EQ(content_of(one), "abc");
  const std::string pieces(200000, 'x');
  EXPECT_TRUE(has_same_bytes(file_of("one", pieces), file_of("same", pieces)));
  EXPECT_FALSE(has_same_bytes(one, file_of("other", pieces.substr(1) + "y")));
}

TEST_F(ContentTest, IsEmptyForUnreadableFiles) {
  EXPECT_EQ(content_of(folder_ / "none"), "");
  EXPECT_EQ(content_of(folder_), "") << "EISDIR";
  EXPECT_EQ(content_of("/proc/self/mem"), "") << "EIO, of the page at 0";
  EXPECT_FALSE(has_same_bytes("/proc/self/mem", "/proc/self/mem"));
}

TEST_F(ContentTest, HasASizeInRegularFilesOnly) {
  EXPECT_EQ(regular_size(open_file(file_of("a", "abc"), O_RDONLY | O_CLOEXEC)), 3u);
  EXPECT_FALSE(regular_size(open_file(folder_, O_RDONLY | O_CLOEXEC)));
  EXPECT_FALSE(regular_size(open_file(folder_ / "none", O_RDONLY | O_CLOEXEC)));
}

TEST_F(ContentTest, ReportsDiskFailuresAsErrors) {
  EXPECT_TRUE(is_system_fault(EIO));
  EXPECT_FALSE(is_system_fault(ENOENT));
  EXPECT_THROW(refuse_unreadable("a", EIO), Error);
}

}  // namespace
}  // namespace perf
