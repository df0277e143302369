// perf-compare: was it slower? Each command stands in the file of its name.

#include <csignal>
#include <cstdio>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "ci/cli/commands.h"
#include "ci/cli/exit_code.h"
#include "ci/cli/file_size_limit.h"
#include "ci/cli/git_bisect.h"
#include "ci/cli/interruption.h"
#include "ci/cli/options/command_line.h"
#include "ci/cli/options/misspelling.h"
#include "ci/cli/output.h"
#include "schema/error.h"

namespace {

int run(const perf::Options& options, perf::Spawner& spawner) {
  switch (options.command) {
    case perf::Command::print:
      perf::write_text("-", options.print);
      return perf::kFine;
    case perf::Command::init:
      return perf::init_command(options, spawner);
    case perf::Command::compare:
      return perf::compare_command(options, spawner);
    case perf::Command::bisect:
      return perf::bisect_command(options, spawner);
    case perf::Command::calibrate:
      return perf::calibrate_command(options, spawner);
    case perf::Command::selftest:
      return perf::selftest_command(options, spawner);
    case perf::Command::doctor:
      return perf::doctor_command(options, spawner);
    case perf::Command::profile:
      return perf::profile_command(options, spawner);
    case perf::Command::collect:
      return perf::collect_command(options, spawner);
    case perf::Command::trend:
      return perf::trend_command(options, spawner);
    case perf::Command::judge:
      return perf::judge_command(options, spawner);
    case perf::Command::detect:
      return perf::detect_command(options, spawner);
    case perf::Command::pin:
      return perf::pin_command(options, spawner);
    case perf::Command::unpin:
      return perf::unpin_command(options, spawner);
    case perf::Command::pins:
      return perf::pins_command(options, spawner);
    case perf::Command::import_files:
      return perf::import_command(options, spawner);
    case perf::Command::merge:
      return perf::merge_command(options, spawner);
    case perf::Command::export_store:
      return perf::export_command(options, spawner);
    case perf::Command::prune:
      return perf::prune_command(options, spawner);
    case perf::Command::report:
      return perf::report_command(options, spawner);
    case perf::Command::list:
      return perf::list_command(options, spawner);
    case perf::Command::show:
      return perf::show_command(options, spawner);
  }
  return perf::kAskedWrongly;
}

/// The exit code of a command that failed, in the words of `git bisect run` where it asks; without
/// options the command line itself did not read.
int failed(int code, const std::vector<std::string>& arguments,
           const std::optional<perf::Options>& options) {
  if (!perf::asks_for_git_bisect(arguments)) {
    return code;
  }
  return options ? perf::git_bisect_code(code) : perf::kBisectStop;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  std::optional<perf::Options> options;
  try {
    // First of all, while the process is small: a child's peak memory includes its parent's at the
    // fork.
    perf::Spawner spawner;
    spawner.adopt_orphans();
    std::signal(SIGPIPE, SIG_IGN);  // who stops reading our progress does not stop the measuring
    perf::outlive_file_size_limit();
    options = perf::parse_command_line(arguments);
    return run(*options, spawner);
  } catch (const perf::UsageError& error) {
    perf::print_error(options ? perf::with_likely_command(error, *options) : error);
    return failed(perf::kAskedWrongly, arguments, options);
  } catch (const perf::Error& error) {
    perf::print_error(error);
    const int signal = perf::interruption();
    return failed(signal != 0 ? 128 + signal : perf::kNotMeasured, arguments, options);
  } catch (const std::exception& error) {
    perf::print_error({"perf-compare failed", error.what(), "report it, with the command line"});
    return failed(perf::kNotMeasured, arguments, options);
  }
}
