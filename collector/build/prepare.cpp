#include <cstdlib>
#include <set>
#include <utility>

#include "collector/build/build_cache.h"
#include "collector/build/entry.h"
#include "schema/files/content.h"
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

constexpr std::int64_t kHour = 3'600'000'000'000;  // ns

/// When a build began of which nobody knows what it read outside; nothing for others.
std::optional<std::int64_t> untraced_since(const Checkout& checkout) {
  const Entry entry{checkout.directory.parent_path()};
  const std::optional<BuiltTree> built =
      checkout.failure.empty() && !is_of_trace(content_of(entry.inputs()))
          ? read_built_tree(content_of(entry.files()))
          : std::nullopt;
  return built ? std::optional(built->began) : std::nullopt;
}

/// Whether two builds may have read different files outside: an upgrade lies between them.
bool may_differ_outside(const Checkouts& checkouts) {
  const auto base = untraced_since(checkouts.base), head = untraced_since(checkouts.head);
  return base && head && std::abs(*base - *head) > kHour;
}

Checkouts build_both(const BuildRequest& base, const BuildRequest& head, const Plan& plan,
                     const Repository& repository, const std::filesystem::path& folder,
                     const BuildTools& tools) {
  Checkouts checkouts;
  const std::string base_key = build_key(base), head_key = build_key(head);
  const auto build_base = [&] {
    checkouts.base = build_revision(repository, called("base", *plan.base), base, folder, tools);
  };
  // In the order of the keys, so that two runs that swap base and head cannot deadlock.
  if (base_key < head_key) {
    build_base();
  }
  checkouts.head = build_revision(repository, called("head", plan.head), head, folder, tools);
  if (base_key == head_key) {
    checkouts.base = checkouts.head;
  } else if (base_key > head_key) {
    build_base();
  }
  return checkouts;
}

}  // namespace

Checkouts prepare(const PlannedRun& run, const Repository& repository,
                  const std::filesystem::path& folder, const BuildTools& tools) {
  const Plan& plan = run.plan;
  const auto request_of = [&](const Revision& revision, const std::optional<BuildCommand>& build) {
    return BuildRequest{revision.oid,    build,       plan.environment.fingerprint,
                        run.layout_seed, run.outside, run.counts};
  };
  const BuildRequest head = request_of(plan.head, run.head_build);
  Checkouts checkouts;
  if (!plan.base) {
    checkouts.head = build_revision(repository, called("", plan.head), head, folder, tools);
    checkouts.base.failure = "there is no base";
    prune(run, repository, folder, tools);
    return checkouts;
  }
  const BuildRequest base = request_of(*plan.base, run.base_build);
  checkouts = build_both(base, head, plan, repository, folder, tools);
  if (run.base_build && run.head_build && run.layout_seed == 0 && may_differ_outside(checkouts)) {
    std::set<std::string> recent;
    for (const auto& [side, request] :
         {std::pair{&checkouts.base, &base}, {&checkouts.head, &head}}) {
      if (nanoseconds_now() - *untraced_since(*side) < kHour) {
        recent.insert(build_key(*request));
      }
    }
    checkouts = {};  // they are locked again
    BuildTools again = tools;
    again.rebuilt = &recent;
    again.rebuilds = true;
    checkouts = build_both(base, head, plan, repository, folder, again);
    if (tools.rebuilt != nullptr) {
      tools.rebuilt->merge(recent);
    }
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
