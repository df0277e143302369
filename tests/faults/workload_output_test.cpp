// Workloads and builds that crash, or write garbage or too much, are recorded as failed with the
// reason; memory and disk use stay small.

#include <csignal>

#include "tests/contains.h"
#include "tests/faults/effort.h"
#include "tests/faults/failing_workloads.h"
#include "tests/sanitized.h"

namespace perf::test {
namespace {

namespace fs = std::filesystem;

/// Bytes of a large output: 10 GB in full.
std::string flood(const std::string& quick = "80000000") {
  return tries(0, 1) == 0 ? quick : "10000000000";
}

/// Checked after each: the kernel keeps the maximum of all children.
void expect_small(const std::string& what) {
  if (kSanitized) {
    return;  // the sanitizer's own memory is in the way
  }
  EXPECT_LT(peak_memory_of_children(), kMemoryLimit) << what;
  figure("memory, " + what, std::to_string(peak_memory_of_children() >> 20) + " MiB at most");
}

FailingWorkload writes(const std::string& name, const std::string& script,
                       const std::string& reason, const std::string& format = "steps") {
  return {name, by_shell(script), reason, format};
}

TEST(WorkloadOutput, ReportsEverySignal) {
  std::vector<FailingWorkload> workloads;
  for (int signal = 1; signal <= 64; signal += tries(3, 1)) {
    const bool harmless = signal == SIGCHLD || signal == SIGCONT || signal == SIGURG ||
                          signal == SIGWINCH || (signal >= SIGSTOP && signal <= SIGTTOU);
    if (!harmless) {
      const std::string number = std::to_string(signal);
      workloads.push_back(
          writes("signal-" + number, "kill -" + number + " $$", "killed by signal " + number));
    }
  }
  collect_failing(workloads);
  figure("signals", std::to_string(workloads.size()) + ", twice each");
}

TEST(WorkloadOutput, ReportsEveryExitStatus) {
  std::vector<FailingWorkload> workloads;
  for (int code = 1; code <= 255; code += tries(32, 1)) {
    const std::string number = std::to_string(code);
    workloads.push_back(writes("exit-" + number, "echo why >&2; exit " + number,
                               "exit status " + number + "; last line of stderr: why"));
  }
  collect_failing(workloads);
  figure("exit statuses", std::to_string(workloads.size()) + ", twice each");
}

TEST(WorkloadOutput, FailsWithoutMemory) {
  collect_failing({
      // Out of its own memory limit.
      writes("limited", "ulimit -v 40000; exec awk 'BEGIN { s = \"x\"; for (;;) s = s s }'",
             "exit status 2; last line of stderr: "),
      writes("killed", "kill -KILL $$", "killed by signal 9 (SIGKILL)"),
  });
}

TEST(WorkloadOutput, FailsWhereItIsInvalid) {
  const std::string out = R"( > "$PERF_COMPARE_OUT")",
                    off = "its output is not in the format steps: ";
  const std::string begin = R"(echo '{"type":"begin","protocol":1}';)";
  const std::string end = R"(echo '{"type":"end"}';)";
  const std::string step = R"(echo '{"type":"step","seconds":1}';)";
  const std::string many = "it wrote more than 1,000,000 values to ";
  const std::string google = "its output is not in the format google-benchmark: standard output:";
  const auto block = [&](const std::string& middle) {
    return "{ " + begin + middle + end + " }" + out;
  };
  const std::vector<FailingWorkload> workloads{
      writes("nothing", "true", "PERF_COMPARE_OUT was not written"),
      writes("empty", ":" + out, off + "line 1: no begin line"),
      writes("half-line", "{ " + begin + "printf '{\"type\":\"st'; }" + out, off + "line 2: "),
      writes("no-end", "{ " + begin + step + " }" + out, off + "line 1: the block has no end line"),
      writes("end-twice", block(step + end), off + "line 4: end outside a begin...end block"),
      writes("nul", block("printf '\\000\\n';"), off + "line 2: "),
      writes("bad-utf-8", block(R"(printf '{"type":"\377"}\n';)"), off + "line 2: "),
      writes("escapes", block(R"(printf '\033[2J\033]0;x\007\n';)"), off + "line 2: "),
      writes("index", block(R"(echo '{"type":"step","index":9e99,"seconds":1}';)"),
             off + "line 2: "),
      writes("blanks", "head -c 4000000 /dev/zero | tr '\\0' ' '" + out, off + "line 1: "),
      writes("lines", "yes | head -n 1100000" + out, many + "PERF_COMPARE_OUT"),
      writes("steps", block("yes '{\"type\":\"step\",\"seconds\":1}' | head -n 1000000;"),
             many + "PERF_COMPARE_OUT"),
      writes("facts",
             block("yes '{\"type\":\"environment\",\"a\":\"b\",\"a\":\"c\"}' | head -n 9;"),
             off + "line 2: "),
      writes("google-blanks", "head -c 4000000 /dev/zero | tr '\\0' ' '", google,
             "google-benchmark"),
      writes("google-nul", "head -c 4000000 /dev/zero", google + " it is", "google-benchmark"),
      writes("google-deep", "head -c 200000 /dev/zero | tr '\\0' '['", google, "google-benchmark"),
      writes("google-wide", "printf '['; yes 1, | head -n 120000 | tr -d '\\n'; printf '1]'",
             google, "google-benchmark"),
      writes("google-wider", "yes '[],' | head -n 600000 | tr -d '\\n'", many + "standard output",
             "google-benchmark"),
      writes("google-text", "printf '\"'; head -c 4000000 /dev/zero | tr '\\0' x; printf '\"'",
             google, "google-benchmark"),
      writes("go-many",
             "yes 'BenchmarkA 1 1 ns/op' | awk '{ print $1 NR, $2, $3, $4 } NR == 100000 { exit }' "
             "| tr -d '\\n'",
             "its output is not in the format go: ", "go"),
      writes("go-packages",
             "printf 'pkg: %01000d\\n' 1; seq 300000 | sed 's/.*/BenchmarkX& 1 5 ns\\/op/'",
             "its output is not in the format go: standard output:", "go"),
      writes("google-counters",
             "printf '{\"benchmarks\":[{\"name\":\"%0100000d\",\"real_time\":1,"
             "\"time_unit\":\"ns\"' 1; seq 50000 | sed 's/.*/,\"c&\":1/'; echo '}]}'",
             "its output is not in the format google-benchmark: standard output",
             "google-benchmark"),
      writes("blocks",
             "seq 30000 | sed 's/.*/{\"type\":\"begin\",\"protocol\":1,\"workload\":\"w&\"}\\n"
             "{\"type\":\"step\",\"seconds\":1}\\n{\"type\":\"end\"}/'" +
                 out,
             off + "line 30001: more than 10,000 blocks"),
  };
  collect_failing(workloads);
  figure("rubbish", std::to_string(workloads.size()) + " kinds of output");
  expect_small("rubbish");
}

TEST(WorkloadOutput, FailsWhereItIsTooLarge) {
  const std::string zeros = "head -c " + flood() + " /dev/zero";
  const std::string letters = zeros + " | tr '\\0' x";
  const std::string large = "it wrote more than 64 MiB to ";
  const std::string none = "PERF_COMPARE_OUT was not written";
  const std::vector<FailingWorkload> workloads{
      writes("stdout", zeros, none),
      writes("stdout-line", letters, none),
      writes("stdout-lines", "yes | head -c " + flood(), none),
      writes("stderr", zeros + " >&2; exit 3", "exit status 3; last line of stderr: "),
      writes("stderr-line", "{ " + letters + "; } >&2; exit 3",
             "exit status 3; last line of stderr: xxx"),
      writes("out", zeros + " > $PERF_COMPARE_OUT", large + "PERF_COMPARE_OUT"),
      writes("out-hang", zeros + " > $PERF_COMPARE_OUT; exec sleep 200",
             large + "PERF_COMPARE_OUT and was killed"),
      writes("out-line", "{ " + letters + "; } > $PERF_COMPARE_OUT", large + "PERF_COMPARE_OUT"),
      writes("google", zeros, large + "standard output", "google-benchmark"),
      writes("google-out", zeros + " > {out}", large + "{out}", "google-benchmark"),
      writes("hyperfine-out", letters + " > {out}", large + "{out}", "hyperfine"),
      writes("go", "yes 'BenchmarkA 1 1 ns/op' | head -c " + flood(), large + "standard output",
             "go"),
      writes("process", zeros, "", "process"),
      writes("process-out", zeros + " > $PERF_COMPARE_OUT; exec sleep 200",
             large + "PERF_COMPARE_OUT and was killed", "process"),
  };
  collect_failing(workloads);
  figure("floods", std::to_string(workloads.size()) + " kinds of output of " + flood() + " B");
  expect_small("floods of " + flood() + " B");
}

TEST(WorkloadOutput, OfABuildIsLimited) {
  ScratchRepository repository;
  const std::string zeros = "head -c " + flood("80000000") + " /dev/zero | tr '\\\\0' ";
  const auto build = [&](const std::string& script, const std::string& timeout) {
    repository.write("perf-compare.json",
                     R"({"build": {"command": ["sh", "-c", ")" + script + R"("], "timeout": ")" +
                         timeout + R"("}, "workloads": [{"name": "w", "command": ["true"]}]})");
    repository.commit("Build otherwise");
    return repository.perf_compare({"collect", "HEAD", "--pairs", "1"});
  };
  const Outcome line = build(zeros + "x; exit 7", "10m");
  EXPECT_EQ(line.exit_code, 3) << line.err;
  EXPECT_TRUE(contains(line.err, "does not build (exit status 7)"));
  const Outcome lines =
      build(zeros + "'\\\\n' >&2; echo error: it is broken; kill -SEGV $$", "10m");
  EXPECT_TRUE(contains(lines.err, "does not build (killed by signal 11)"));
  const Outcome hangs = build("trap '' TERM; setsid sleep 300 & setsid sleep 300", "1s");
  EXPECT_TRUE(contains(hangs.err, "timed out after 1 s"));
  std::uintmax_t largest = 0;
  for (const auto& entry : fs::recursive_directory_iterator(repository.cache())) {
    largest = std::max(largest, entry.is_regular_file() ? entry.file_size() : 0);
  }
  EXPECT_GT(largest, 1u << 26);
  EXPECT_LT(largest, (1u << 26) + 1000);
  expect_small("builds that print " + flood("80000000") + " B");
}

}  // namespace
}  // namespace perf::test
