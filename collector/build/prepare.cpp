#include "collector/build/build_cache.h"
#include "schema/revision.h"
#include "schema/text/wording.h"

namespace perf {
namespace {

/// "head main (3f2a9c01d2e4)"; for a commit named by its id, the id only once.
std::string called(const std::string& side, const Revision& revision) {
  const std::string name = side.empty() ? revision.name : side + " " + revision.name;
  return revision.oid.rfind(revision.name, 0) == 0 ? name
                                                   : name + " (" + short_oid(revision.oid) + ")";
}

void prune(const PlannedRun& run, const Repository& repository, const std::filesystem::path& folder,
           const BuildTools& tools) {
  const std::size_t keep = run.config.keep_builds;
  const std::size_t removed = prune_builds(folder, repository.common_dir(), keep);
  if (removed > 0 && tools.report && tools.reports_cached) {
    tools.report("removed " + counted(removed, "build") + " of this clone, least recently used: " +
                 std::to_string(keep) + " are kept (\"keep_builds\" in the config)");
  }
}

}  // namespace

Checkouts prepare(const PlannedRun& run, const Repository& repository,
                  const std::filesystem::path& folder, const BuildTools& tools) {
  const Plan& plan = run.plan;
  const std::string& machine = plan.environment.fingerprint;
  Checkouts checkouts;
  const BuildRequest head{plan.head.oid,   run.head_build, machine,
                          run.layout_seed, run.outside,    run.counts};
  const auto build_head = [&] {
    checkouts.head =
        build_revision(repository, called(plan.base ? "head" : "", plan.head), head, folder, tools);
  };
  if (!plan.base) {
    build_head();
    checkouts.base.failure = "there is no base";
    prune(run, repository, folder, tools);
    return checkouts;
  }
  const BuildRequest base{plan.base->oid,  run.base_build, machine,
                          run.layout_seed, run.outside,    run.counts};
  const std::string base_key = build_key(base), head_key = build_key(head);
  const auto build_base = [&] {
    checkouts.base = build_revision(repository, called("base", *plan.base), base, folder, tools);
  };
  // In the order of the keys, so that two runs that swap base and head cannot deadlock.
  if (base_key < head_key) {
    build_base();
  }
  build_head();
  if (base_key == head_key) {
    checkouts.base = checkouts.head;
  } else if (base_key > head_key) {
    build_base();
  }
  prune(run, repository, folder, tools);
  return checkouts;
}

void apply_failures(const Checkouts& checkouts, Plan& plan) {
  for (Warning& warning : warnings_of(checkouts)) {
    plan.warnings.push_back(std::move(warning));
  }
  if (failed(checkouts.head)) {
    for (PlannedWorkload& workload : plan.workloads) {
      workload.head_failed = failure_lines(plan.base ? "head" : "", checkouts.head);
    }
  }
  if (plan.base && failed(checkouts.base)) {
    for (PlannedWorkload& workload : plan.workloads) {
      workload.base_missing = failure_lines("base", checkouts.base);
    }
    plan.warnings.push_back(
        {failed(checkouts.head) ? WarningKind::neither_built : WarningKind::base_not_built,
         {},
         {{"revision", called("base", *plan.base)}, {"why", checkouts.base.failure}}});
  }
}

}  // namespace perf
