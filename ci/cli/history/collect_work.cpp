#include <algorithm>

#include "ci/cli/history/history.h"
#include "ci/cli/output/reproduce.h"
#include "ci/cli/run/plan_digest.h"
#include "ci/cli/run/signals.h"
#include "collector/git/ancestry.h"
#include "collector/git/baseline.h"
#include "schema/error.h"
#include "schema/revision.h"
#include "schema/text/lists.h"
#include "schema/text/shell_words.h"

namespace perf {
namespace {

constexpr double kNoBudget = 366 * 86400.0;  ///< s

/// The two ends of "A..B"; nothing for the name of one revision. An empty end means HEAD.
struct Ends {
  std::string from, to;
};

std::optional<Ends> ends_of(const std::string& asked) {
  const std::size_t dots = asked.find("..");
  if (dots == std::string::npos) {
    return std::nullopt;
  }
  const Ends ends{asked.substr(0, dots), asked.substr(dots + 2)};
  if (ends.to.find("..") != std::string::npos || ends.to.starts_with('.')) {
    throw UsageError("invalid range", asked, "write A..B, as in v1.0..HEAD");
  }
  return Ends{ends.from.empty() ? "HEAD" : ends.from, ends.to.empty() ? "HEAD" : ends.to};
}

void require_commit(const std::string& name) {
  if (name == ".") {
    throw UsageError("the working tree is not a commit", name,
                     "to compare it: perf-compare HEAD .");
  }
}

void require_range_for_every(const Options& options, bool is_range) {
  if (!is_range && options.every > 1) {
    throw UsageError("--every needs a range of commits", "--every " + std::to_string(options.every),
                     "perf-compare collect A.." + shell_word(options.revision) + " --every " +
                         std::to_string(options.every));
  }
}

/// Every Nth commit of a line, counted from its end.
std::vector<Revision> every(const std::vector<Revision>& line, int step) {
  std::vector<Revision> chosen;
  for (std::size_t back = 0; back < line.size(); back += static_cast<std::size_t>(step)) {
    chosen.push_back(line[line.size() - 1 - back]);
  }
  std::ranges::reverse(chosen);
  return chosen;
}

/// The requested commits, oldest first.
std::vector<Revision> line_of(const Context& context, const std::optional<Ends>& ends,
                              const Revision& last, const NameSources& sources) {
  if (!ends) {
    return {last};
  }
  const std::optional<Revision> first =
      resolve_base(*context.repository, ends->from, last, sources);
  if (!first) {
    throw UsageError("the root commit has no baseline", ends->from + ".." + ends->to,
                     "pass the commit before the range");
  }
  std::vector<Revision> line = range(*context.repository, first->oid + ".." + last.oid);
  for (Revision& revision : line) {
    revision.name = revision.oid.substr(0, kShortOid);
    revision.rule = "in " + context.options.revision;
  }
  return every(line, context.options.every);
}

std::optional<Revision> anchor_of(const Context& context, const Revision& last,
                                  const NameSources& sources) {
  const std::string& name = context.options.anchor;
  if (name.empty()) {
    return std::nullopt;
  }
  require_commit(name);
  std::optional<Revision> anchor = resolve_base(*context.repository, name, last, sources);
  if (!anchor) {
    throw UsageError("there is no such anchor", "--anchor " + name,
                     "perf-compare pin " + name + " REV");
  }
  return anchor;
}

/// Whether what the store has of a workload is this one's.
bool is_of(const Workload& a, const std::string& name, const Params& params,
           const std::string& outside) {
  return a.name == name && a.outside == outside &&
         std::equal(a.params.begin(), a.params.end(), params.begin(), params.end(),
                    [](const auto& one, const auto& other) {
                      return one.first == other.first && same_value(one.second, other.second);
                    });
}

/// What the store has of the commits, with `anchor` (empty: alone), by commit and workload.
std::vector<std::vector<CollectedBefore>> collected_before(const CollectWork& work,
                                                           const std::string& anchor) {
  const Plan& plan = work.end.plan;
  std::vector<std::vector<CollectedBefore>> before(
      work.line.size(), std::vector<CollectedBefore>(plan.workloads.size()));
  if (!work.context.options.missing) {
    return before;
  }
  const std::vector<std::string> oids = mapped(work.line, &Revision::oid);
  for (const MeasuredAt& measured :
       work.context.store.measured_at(oids, plan.size, plan.environment.fingerprint, anchor)) {
    const auto commit = std::ranges::find(oids, measured.oid);
    for (std::size_t i = 0; i < plan.workloads.size() && commit != oids.end(); ++i) {
      if (is_of(plan.workloads[i].workload, measured.workload.name, measured.workload.params,
                measured.workload.outside)) {
        before[static_cast<std::size_t>(commit - oids.begin())][i] = {measured.invocations,
                                                                      measured.failures};
      }
    }
  }
  return before;
}

/// The programs of the commits that the store knows, by commit and workload.
std::vector<std::vector<std::string>> programs_before(const CollectWork& work) {
  const Plan& plan = work.end.plan;
  std::vector<std::vector<std::string>> programs(work.line.size(),
                                                 std::vector<std::string>(plan.workloads.size()));
  const std::vector<std::string> oids = mapped(work.line, &Revision::oid);
  for (const ProgramAt& seen : work.context.store.programs_at(oids, plan.size)) {
    const auto commit = std::ranges::find(oids, seen.oid) - oids.begin();
    for (std::size_t i = 0; i < plan.workloads.size(); ++i) {
      if (seen.fingerprint == plan.environment.fingerprint &&
          is_of(plan.workloads[i].workload, seen.workload, seen.params, seen.outside)) {
        programs[static_cast<std::size_t>(commit)][i] = seen.program;
      }
    }
  }
  return programs;
}

/// The command that measures the rest.
std::string command_to_go_on(const Context& context, const Plan& plan) {
  const Options& options = context.options;
  return "perf-compare collect " + shell_word(options.revision) + " --missing" +
         (options.programs ? " --programs" : "") +
         (options.every > 1 ? " --every " + std::to_string(options.every) : "") + " --size " +
         plan.size + deciding_options(options);
}

void begin_record(CollectWork& work) {
  const Options& options = work.context.options;
  Collection& collection = work.collection;
  collection.asked = options.revision;
  collection.anchor = work.anchor;
  collection.fingerprint = work.end.plan.environment.fingerprint;
  collection.size = work.end.plan.size;
  for (const Revision& revision : work.line) {
    collection.commits.push_back({revision, CollectedStatus::skipped});
  }
  for (const CollectVisit& visit : work.visits) {
    collection.commits[visit.commit].status = CollectedStatus::left;
  }
}

}  // namespace

void CollectWork::tell_commit(std::size_t visit, ProgressView& progress, const char* what) const {
  const Revision& revision = line[visits[visit].commit];
  progress.say(what + std::to_string(visit + 1) + " of " + std::to_string(visits.size()) + " (" +
               revision.oid.substr(0, kShortOid) + " " + revision.subject + ")");
}

double CollectWork::budget_left() const {
  return policy.budget - collection.measured;
}

bool CollectWork::stopped() const {
  return collection.budget_spent || budget_left() <= 0 || is_interrupted();
}

CollectWork begin_collect(Context& context, ProgressView& progress) {
  const Options& options = context.options;
  const std::optional<Ends> ends = ends_of(options.revision);
  require_commit(ends ? ends->from : options.revision);
  require_commit(ends ? ends->to : options.revision);
  require_range_for_every(options, ends.has_value());
  PlanOptions wanted = plan_options(context);
  wanted.head_only = true;
  wanted.head = ends ? ends->to : options.revision;
  CollectWork work{context, make_plan(*context.repository, wanted), {progress}};
  work.policy = apply(work.end.config.policy, options);
  take_shard(work.end, work.policy, options);
  warn_of_missing_supervisor(work.end.plan);
  warn_of_other_benchmark(context, work.end);
  print_warnings(work.end.plan, progress);
  const NameSources sources{wanted.pins, work.end.config.baselines, wanted.variable};
  work.line = line_of(context, ends, work.end.plan.head, sources);
  work.anchor = anchor_of(context, work.end.plan.head, sources);
  work.policy.min_pairs = work.policy.max_pairs = 0;  // there are no looks
  if (ends && !options.budget) {
    work.policy.budget = kNoBudget;
  }
  work.collection.wanted = options.pairs ? options.pairs->second : kCollectedProcesses;
  work.collection.is_range = ends.has_value();
  work.visits = collect_visits(collected_before(work, work.anchor ? work.anchor->oid : ""),
                               work.collection.wanted);
  work.alone_before = collected_before(work, "");
  if (options.programs && options.missing) {
    work.programs_before = programs_before(work);
  }
  begin_record(work);
  work.collection.go_on = command_to_go_on(context, work.end.plan);
  return work;
}

}  // namespace perf
