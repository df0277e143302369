#include "ci/cli/end_command.h"

#include <cstddef>

#include "ci/cli/exit_code.h"
#include "ci/cli/output.h"
#include "ci/cli/signals.h"
#include "reporter/render.h"

namespace perf {
namespace {

/// What the command is going to exit with, as far as the report decides it.
int code_of_report(const Report& report, const Options& options) {
  if (is_interrupted()) {
    return 128 + interruption();
  }
  return options.git_bisect ? git_bisect_code(report) : exit_code(report, options.strict);
}

}  // namespace

int end_command(const std::vector<Error>& unwritten, int code) {
  for (const Error& error : unwritten) {
    print_error(error);
  }
  if (is_interrupted()) {
    return 128 + interruption();
  }
  return unwritten.empty() || code == kRegression ? code : static_cast<int>(kNotMeasured);
}

int end_command(const Renderings& renderings, const Options& options, int code) {
  return end_command(write_outputs(renderings, options), code);
}

int end_command(const Report& report, const MeasuredBehind& measured, const Options& options) {
  std::vector<MeasuredWorkload> behind;
  if (measured && (!options.html.empty() || !options.plots.empty())) {
    behind = measured();
  }
  const int code = code_of_report(report, options);
  Renderings renderings;
  renderings.terminal = [&](bool color) { return render_terminal(report, color); };
  renderings.json = [&] { return render_json(report); };
  renderings.markdown = [&] { return render_markdown(report); };
  renderings.html = [&] { return render_html(report, behind); };
  renderings.junit = [&] { return render_junit(report); };
  renderings.openmetrics = [&] { return render_openmetrics(report); };
  renderings.plots = [&] { return plots(report, behind); };
  renderings.github = {[&](std::size_t limit) { return render_github_summary(report, limit); },
                       [&] { return render_github_annotations(report); },
                       [&] { return render_github_outputs(report, code); }};
  const int ended = end_command(renderings, options, code);
  return options.git_bisect && !is_interrupted() ? code : ended;
}

int end_command(const Collection& collection, const Options& options) {
  return end_command(page_renderings_of(collection, render_collection_json), options,
                     exit_code(collection));
}

}  // namespace perf
