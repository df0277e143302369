#include "ci/cli/pins.h"

#include <fmt/core.h>

#include <cstdlib>

#include "ci/cli/clock.h"
#include "ci/cli/output.h"
#include "ci/cli/store_path.h"
#include "collector/git/baseline.h"
#include "collector/git/resolve.h"
#include "collector/process/spawner.h"
#include "reporter/escape/terminal.h"
#include "schema/error.h"
#include "schema/store/store.h"

namespace perf {

int pin_command(const Options& options, Spawner& spawner) {
  const Repository repository = Repository::open(options.repo, make_run_process(spawner));
  if (const std::string problem = pin_name_problem(repository, options.name); !problem.empty())
    throw UsageError("the name cannot be pinned", options.name + ": " + problem,
                     "choose another name");
  const Revision revision = resolve(repository, options.revision);
  Store store(store_path(options, repository));
  store.pin({options.name, revision.oid, options.reason, utc_now()});
  write_text("-", fmt::format("pinned {} at {} {}\n", options.name, revision.oid,
                              reporter::terminal_text(revision.subject)));
  return 0;
}

int unpin_command(const Options& options, Spawner& spawner) {
  const Repository repository = Repository::open(options.repo, make_run_process(spawner));
  Store store(store_path(options, repository));
  if (!store.unpin(options.name, utc_now(), options.reason))
    throw UsageError("there is no such baseline", options.name, "perf-compare pins lists them");
  write_text("-", fmt::format("unpinned {}\n", options.name));
  return 0;
}

int pins_command(const Options& options, Spawner& spawner) {
  const Repository repository = Repository::open(options.repo, make_run_process(spawner));
  for (const Baseline& baseline : Store(store_path(options, repository)).pins())
    write_text("-", fmt::format("{}  {}  {}  {}\n", baseline.name, baseline.oid, baseline.pinned_at,
                                reporter::terminal_text(baseline.reason)));
  return 0;
}

}  // namespace perf
