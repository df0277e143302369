#include "ci/cli/report_output.h"

#include "ci/cli/exit_code.h"
#include "ci/cli/git_bisect.h"
#include "ci/cli/interruption.h"
#include "reporter/render.h"

namespace perf {
namespace {

/// What the command is going to exit with, as far as the report decides it.
int code_of(const Report& report, const Options& options) {
  if (interruption() != 0) {
    return 128 + interruption();
  }
  return options.git_bisect ? git_bisect_code(report) : exit_code(report, options.strict);
}

}  // namespace

std::vector<Error> write_outputs(const Report& report, const MeasuredBehind& measured,
                                 const Options& options) {
  std::vector<MeasuredWorkload> behind;
  if (measured && (!options.html.empty() || !options.plots.empty())) {
    behind = measured();
  }
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
                       [&] { return render_github_outputs(report, code_of(report, options)); }};
  return write_outputs(renderings, options);
}

}  // namespace perf
