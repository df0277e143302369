// perf-compare: was it slower? The commands stand in compare.cpp, judge.cpp and pins.cpp.

#include <csignal>
#include <cstdio>
#include <exception>

#include "ci/cli/command_line.h"
#include "ci/cli/compare.h"
#include "ci/cli/exit_code.h"
#include "ci/cli/interruption.h"
#include "ci/cli/judge.h"
#include "ci/cli/output.h"
#include "ci/cli/pins.h"
#include "schema/error.h"

namespace {

int run(const perf::Options& options, perf::Spawner& spawner) {
  switch (options.command) {
    case perf::Command::print:
      perf::write_text("-", options.print);
      return perf::kFine;
    case perf::Command::compare:
      return perf::compare_command(options, spawner);
    case perf::Command::judge:
      return perf::judge_command(options);
    case perf::Command::pin:
      return perf::pin_command(options, spawner);
    case perf::Command::unpin:
      return perf::unpin_command(options, spawner);
    case perf::Command::pins:
      return perf::pins_command(options, spawner);
  }
  return perf::kAskedWrongly;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    // First of all, while the process is small: a child's peak memory includes its parent's at the
    // fork.
    perf::Spawner spawner;
    std::signal(SIGPIPE, SIG_IGN);  // who stops reading our progress does not stop the measuring
    return run(perf::parse_command_line({argv + 1, argv + argc}), spawner);
  } catch (const perf::UsageError& error) {
    perf::print_error(error);
    return perf::kAskedWrongly;
  } catch (const perf::Error& error) {
    perf::print_error(error);
    return perf::interruption() != 0 ? 128 + perf::interruption() : perf::kNotMeasured;
  } catch (const std::exception& error) {
    perf::print_error({"perf-compare failed", error.what(), "report it, with the command line"});
    return perf::kNotMeasured;
  }
}
