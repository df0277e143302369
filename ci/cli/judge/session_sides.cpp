#include <string>
#include <utility>
#include <vector>

#include "ci/cli/judge/judge.h"
#include "collector/machine/environment.h"
#include "collector/process/captured_text.h"
#include "reporter/text/sentences.h"
#include "schema/formats/foreign.h"

namespace perf {

std::vector<SampleSet> side_of_files(const std::vector<std::string>& paths, bool beside_stored,
                                     const Options& options, ProgressView& view,
                                     std::vector<Warning>& warnings) {
  std::vector<SampleSet> sessions;
  for (const std::string& path : paths) {
    for (ImportedSession& session : read_sessions(path)) {
      SampleSet& one = session.samples;
      one.measured_at = session.measured_at;
      for (const Warning& warning : one.warnings) {
        const bool is_of_folder = warning.kind == WarningKind::files_passed_over;
        view.say("warning: " + (is_of_folder ? "" : one.source + ": ") +
                 reporter::sentence(warning));
      }
      if (!options.environment.empty() && !one.of_workloads) {  // as for `import`; facts must agree
        one.environment.fingerprint = fingerprint_of({{"name", to_one_line(options.environment)}});
      }
      if (beside_stored && !one.of_workloads) {
        formats::name_as_imported(one);
      }
      sessions.push_back(std::move(one));
    }
  }
  leave_out_repeated(sessions, warnings);
  return sessions;
}

}  // namespace perf
