// perf-compare: parses the command line and runs a command (ci/cli/commands.h).

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "ci/cli/options/command_tree.h"
#include "ci/cli/options/options.h"
#include "ci/cli/output/end_command.h"
#include "ci/cli/output/output.h"
#include "ci/cli/run/signals.h"
#include "collector/postgres/address.h"
#include "schema/error.h"

namespace {

int run(const perf::Options& options, perf::Spawner& spawner) {
  if (options.command.empty()) {
    perf::write_text("-", options.print);
    return perf::kFine;
  }
  perf::check_outputs(options);
  if (!options.pool.empty()) {
    setenv("PERF_COMPARE_POOL", options.pool.c_str(), 1);  // read with the facts of this machine
  }
  return perf::command_named(options.command)->run(options, spawner);
}

/// The exit code of a failed command, translated for `git bisect run`. Without options, the command
/// line is invalid.
int failed(int code, const std::vector<std::string>& arguments,
           const std::optional<perf::Options>& options) {
  if (std::ranges::find(arguments, "--git-bisect") == arguments.end()) {
    return code;
  }
  return options ? perf::git_bisect_code(code) : perf::kBisectStop;
}

/// The arguments of a process are visible to all users.
void hide_passwords(const std::vector<std::string>& arguments, char** argv) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (const std::size_t at = arguments[i].find("postgres"); at != std::string::npos) {
      std::ranges::copy(perf::postgres::masked(arguments[i].substr(at)), argv[i + 1] + at);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  hide_passwords(arguments, argv);
  std::optional<perf::Options> options;
  try {
    // First, while the process is small: a child's peak memory includes its parent's at the fork.
    perf::Spawner spawner;
    spawner.adopt_orphans();
    std::signal(SIGPIPE, SIG_IGN);  // a closed progress pipe does not stop a measurement
    perf::outlive_file_size_limit();
    options = perf::parse_command_line(arguments);
    return run(*options, spawner);
  } catch (const perf::UsageError& error) {
    perf::print_error(options ? perf::with_likely_command(error, *options) : error);
    return failed(perf::kUsageError, arguments, options);
  } catch (const perf::Error& error) {
    perf::print_error(error);
    return failed(perf::unless_interrupted(perf::kNotMeasured), arguments, options);
  } catch (const std::exception& error) {
    perf::print_error(
        {"perf-compare failed", error.what(), "report this bug, with the command line"});
    return failed(perf::kNotMeasured, arguments, options);
  }
}
