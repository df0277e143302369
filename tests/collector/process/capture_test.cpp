#include "collector/process/capture.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "collector/process/temporary_folder.h"
#include "processes.h"
#include "schema/error.h"
#include "schema/files/content.h"

namespace perf {
namespace {

using testing::early_spawner;
using testing::program;
using testing::shell;

std::int64_t own_peak() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss * 1024;
}

TEST(Capture, KeepsTheBeginOfStdoutAndTheEndOfStderr) {
  ProcessRequest request = shell("seq 1 200000; seq 1 200000 >&2");
  request.stdout_limit = 6;
  request.stderr_limit = 14;
  const ProcessResult result = early_spawner().run(request);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.stdout_text, "1\n2\n3\n");
  EXPECT_EQ(result.stderr_text, "199999\n200000\n");
}

TEST(Capture, KeepsAllWhereItFits) {
  const ProcessResult result = early_spawner().run(shell("printf out; printf err >&2"));
  EXPECT_EQ(result.stdout_text, "out");
  EXPECT_EQ(result.stderr_text, "err");
}

TEST(Capture, KeepsNothingWithALimitOfZero) {
  ProcessRequest request = shell("echo out; echo err >&2");
  request.stdout_limit = request.stderr_limit = 0;
  const ProcessResult result = early_spawner().run(request);
  EXPECT_EQ(result.stdout_text + result.stderr_text, "");
}

TEST(Capture, LimitsMemoryForAHundredMegabytes) {
  const std::int64_t before = own_peak();
  const ProcessResult result = early_spawner().run(
      shell("head -c 100000000 /dev/zero | tr '\\0' x; head -c 100000000 /dev/zero >&2"));
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.stdout_text, std::string(64 * 1024, 'x'));
  EXPECT_EQ(result.stderr_text.size(), 3u * 64 * 1024);  // each NUL became U+FFFD
  EXPECT_LT(own_peak() - before, 16 << 20);
}

TEST(Capture, ReplacesInvalidText) {
  const ProcessResult result = early_spawner().run(program({"printf", "a\\000b\\377c\\303"}));
  EXPECT_EQ(result.stdout_text, "a\uFFFDb\uFFFDc\uFFFD");
}

TEST(Capture, GoesOnAfterClosedPipes) {
  const ProcessResult result =
      early_spawner().run(shell("echo before; exec >&- 2>&-; sleep 0.2; exit 9"));
  EXPECT_EQ(result.exit_code, 9);
  EXPECT_EQ(result.stdout_text, "before\n");
}

TEST(Capture, AppendsBothStreamsToTheLog) {
  const TemporaryFolder folder;
  ProcessRequest request = shell("echo out; echo err >&2");
  request.log = folder.path() / "build.log";
  request.stdout_limit = 1;
  early_spawner().run(request);
  request.command = {"echo", "again"};
  early_spawner().run(request);
  const std::string log = content_of(request.log);
  EXPECT_EQ(log.size(), std::string("out\nerr\nagain\n").size());
  EXPECT_NE(log.find("out\n"), std::string::npos);
  EXPECT_NE(log.find("err\n"), std::string::npos);
  EXPECT_EQ(log.substr(log.size() - 6), "again\n");
}

TEST(Capture, RefusesALogThatIsALink) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "precious") << "precious";
  std::filesystem::create_symlink("precious", folder.path() / "log");
  ProcessRequest request = shell("echo overwritten");
  request.log = folder.path() / "log";
  EXPECT_THROW(early_spawner().run(request), Error);
  EXPECT_EQ(content_of(folder.path() / "precious"), "precious");
  request.log = folder.path() / "absent/log";
  EXPECT_THROW(early_spawner().run(request), Error);
}

TEST(Capture, EndsTheLogAtItsLimit) {
  const TemporaryFolder folder;
  OutputLog log(folder.path() / "log");
  const std::string chunk(1 << 20, 'x');
  for (std::size_t i = 0; i < kLogLimit / chunk.size() + 3; ++i) {
    log.append(chunk.data(), chunk.size());
  }
  const auto size = std::filesystem::file_size(folder.path() / "log");
  EXPECT_GT(size, kLogLimit);
  EXPECT_LT(size, kLogLimit + 100);
}

}  // namespace
}  // namespace perf
