#include "ci/cli/git_bisect.h"

#include <algorithm>

#include "analyzer/rows/check_results.h"
#include "ci/cli/exit_code.h"
#include "collector/build/config_source.h"
#include "schema/error.h"

namespace perf {
namespace {

bool is_good(const Comparison& comparison) {
  return comparison.verdict == Verdict::unchanged || comparison.verdict == Verdict::improved;
}

/// What only one side has speaks neither for nor against a commit.
bool is_one_sided(const Comparison& comparison) {
  return comparison.verdict == Verdict::missing || comparison.verdict == Verdict::fresh;
}

constexpr int kSignalled = 128;  // and above: ended by a signal

}  // namespace

int git_bisect_code(const Report& report) {
  std::size_t judged = 0, good = 0;
  for (const Comparison& comparison : report.comparisons) {
    if (!comparison.judged || is_one_sided(comparison)) {
      continue;
    }
    if (comparison.verdict == Verdict::regressed) {
      return kBisectBad;
    }
    ++judged;
    good += is_good(comparison) ? 1 : 0;
  }
  return judged > 0 && good == judged && !has_new_check_failure(report) ? kBisectGood : kBisectSkip;
}

int git_bisect_code(int code) {
  return code >= kSignalled ? code : static_cast<int>(kBisectSkip);
}

bool asks_for_git_bisect(const std::vector<std::string>& arguments) {
  return std::ranges::find(arguments, "--git-bisect") != arguments.end();
}

void require_config_of_commit(const Repository& repository, const Options& options) {
  if (!options.config.empty()) {
    return;
  }
  try {
    if (!config_of_working_tree(repository)) {
      throw no_config(repository);
    }
  } catch (const UsageError& error) {
    throw Error(error.what, error.subject, "name one outside the repository: --config FILE");
  }
}

}  // namespace perf
