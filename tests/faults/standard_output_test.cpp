// A result on standard output is complete, or the exit code reports the failure.

#include <gtest/gtest.h>
#include <unistd.h>

#include "schema/files/content.h"
#include "tests/contains.h"
#include "tests/faults/effort.h"
#include "tests/faults/measured_repository.h"
#include "tests/words.h"

namespace perf::test {
namespace {

/// Every command that prints a result, or what it did.
std::vector<Words> commands_that_print() {
  return words_of_parts(
      "--version; --help; --completion bash; --man; HEAD~1 HEAD --budget 1ms; "
      "HEAD~1 HEAD --budget 1ms --json -; judge HEAD~2 HEAD~1; collect HEAD --pairs 1; report; "
      "report --html -; trend; trend --openmetrics -; list; show; show HEAD~1; pins; pins --log; "
      "pin release HEAD; unpin shipped; merge other.db; export new.db; prune; init --dry-run; "
      "init --config new.json; doctor; detect series.txt; judge cases.json");
}

class StandardOutput : public testing::Test {
 protected:
  StandardOutput() {
    repository_.write("series.txt", "line 1 2 1 2 1 2 1 2\n");
    repository_.write("cases.json", R"({"cases": {"one": {"threshold": 0.1,
        "base": [[1], [1]], "head": [[1], [1]]}}})");
  }

  Outcome run_into(const std::string& redirection, const Words& arguments) const {
    repository_.restore();
    return run(with_more({"sh", "-c", "exec \"$0\" \"$@\" " + redirection,
                          PERF_BINARY_DIR "/bin/perf-compare"},
                         arguments),
               repository_.path());
  }

  MeasuredRepository repository_;
};

TEST_F(StandardOutput, FailsWhereItCannotBeWritten) {
  const std::vector<Words> all = commands_that_print();
  for (std::size_t i = 0; i < all.size(); i += static_cast<std::size_t>(tries(3, 1))) {
    const Words& arguments = all[i];
    for (const char* redirection : {">/dev/full", ">&-"}) {
      const Outcome outcome = run_into(redirection, arguments);
      EXPECT_EQ(outcome.exit_code, 3) << arguments[0] << redirection << outcome.err;
      EXPECT_TRUE(contains_all(outcome.err, {"standard output: ", "\nhint: "}));
    }
    EXPECT_EQ(run_into("", arguments).exit_code, 0) << arguments[0];
  }
}

TEST_F(StandardOutput, MayBeClosedByItsReader) {
  const Outcome outcome =
      run({"sh", "-c", "{ \"$0\" list; echo $? >&2; } | true", PERF_BINARY_DIR "/bin/perf-compare"},
          repository_.path());
  EXPECT_EQ(outcome.err, "0\n");
}

/// A lost terminal report is an error even if another output was requested.
TEST_F(StandardOutput, WorksWithStandardErrorClosed) {
  for (const char* redirection : {"2>&-", "2>/dev/full", "<&- 2>&-"}) {
    EXPECT_EQ(run_into(redirection, {"HEAD~1", "HEAD", "--budget", "1ms"}).exit_code, 0);
  }
}

/// /dev/stdout is a link to what may be an ordinary file, which keeps what stood in it. Root could
/// replace that link: so this is nobody.
TEST_F(StandardOutput, IsNotReplacedWhereItIsNamed) {
  repository_.restore();
  repository_.write("out.json", "before\n");
  namespace fs = std::filesystem;
  fs::permissions(repository_.path() / "out.json", fs::perms::others_write, fs::perm_options::add);
  fs::permissions(repository_.path().parent_path(), fs::perms::others_exec, fs::perm_options::add);
  const std::string nobody =
      geteuid() == 0 ? "setpriv --reuid 65534 --regid 65534 --clear-groups " : "";
  const Outcome outcome =
      run({"sh", "-c", "exec " + nobody + "\"$0\" judge cases.json --json /dev/stdout >> out.json",
           PERF_BINARY_DIR "/bin/perf-compare"},
          repository_.path());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::string text = content_of(repository_.path() / "out.json");
  EXPECT_EQ(text.rfind("before\n", 0), 0u) << text;
  EXPECT_TRUE(contains(text, "\"cases\""));
}

}  // namespace
}  // namespace perf::test
