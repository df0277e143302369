#include <cstdint>

#include "ci/cli/commands.h"
#include "ci/cli/end_command.h"
#include "ci/cli/find_run.h"
#include "reporter/render.h"

namespace perf {

int list_command(const Options& options, Spawner& spawner) {
  const std::filesystem::path file = store_to_look_into(options, spawner);
  const Store store(file);
  RunList list;
  list.store = file.string();
  list.workloads = options.workloads;
  list.all = store.count_runs();
  const auto limit = static_cast<std::int64_t>(options.limit);
  list.runs = store.list_runs(limit + 1, options.workloads);
  list.more = static_cast<std::int64_t>(list.runs.size()) > limit;
  if (list.more) {
    list.runs.pop_back();
  }
  return end_command(renderings_of(list, render_run_list_json), options, kFine);
}

}  // namespace perf
