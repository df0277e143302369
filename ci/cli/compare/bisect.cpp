#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "analyzer/statistics/centre_and_spread.h"
#include "analyzer/statistics/shift.h"
#include "ci/cli/commands.h"
#include "ci/cli/compare/bisect_work.h"
#include "ci/cli/compare/command_run.h"
#include "ci/cli/output/end_command.h"
#include "ci/cli/output/reproduce.h"
#include "ci/cli/run/clock.h"
#include "ci/cli/run/signals.h"
#include "collector/process/temporary_folder.h"
#include "reporter/render.h"
#include "reporter/text/quantity.h"
#include "reporter/text/wording.h"
#include "schema/revision.h"
#include "schema/text/wording.h"

namespace perf {
namespace {

/// Differences are positive where a commit is worse; changes are positive where the value grew.
Shift growth(const Shift& worsening, const Metric& metric) {
  return metric.better == Better::lower
             ? worsening
             : Shift{-worsening.estimate, -worsening.high, -worsening.low};
}

/// The metric and its workload, as they were measured.
void add_series(const BisectWork& work, Bisection& bisection) {
  const BisectSamples& seen = at_bad(work);
  const std::string& entry = work.ends.plan.workloads.front().workload.name;
  bisection.workload = seen.metric              ? seen.workload
                       : work.benchmark.empty() ? entry
                                                : work.benchmark;
  bisection.metric = seen.metric.value_or(Metric{work.policy.metrics.front(), "", Better::lower});
}

/// Prints "step 4 of about 9: 3f2a... Subject". The number of commits left would rise and fall,
/// because a pair only moves the odds.
void tell_step(const BisectWork& work, const BisectStanding& standing, ProgressView& progress) {
  const std::size_t commit = *standing.commit;
  if (!standing.search) {
    return progress.say(fmt::format("GOOD against BAD, {} apart: starting with {} pairs",
                                    counted(work.line.size(), kind_of_line(work)), standing.pairs));
  }
  const int expected = static_cast<int>(std::ceil(std::log2(work.line.size())));
  const int taken = static_cast<int>(work.visits.size()) - 1;
  const Revision& revision = work.line[commit];
  progress.say(fmt::format("step {} of about {}: {}{}", taken + 1, std::max(expected, taken + 1),
                           reporter::short_name(revision),
                           is_command(revision) ? "" : " " + revision.subject));
}

/// Prints the result of a visit: "  7 pairs, +4.8 %".
void tell_visit(const BisectWork& work, std::size_t commit, ProgressView& progress) {
  const BisectVisit& visit = work.visits.at(commit);
  if (!visit.skipped().empty()) {
    return progress.say("  skipped: " + visit.skipped());
  }
  if (visit.same_as) {
    const bool is_bad = *visit.same_as == static_cast<int>(work.bad());
    return progress.say("  same program as " +
                        (*visit.same_as < 0 ? "GOOD"
                         : is_bad           ? "BAD"
                                  : reporter::short_name(revision_at(work, *visit.same_as))));
  }
  const std::optional<Shift> level = level_of({visit.samples.differences, false}, 0);
  if (!level || !visit.samples.metric) {
    return;
  }
  const std::size_t pairs = visit.samples.differences.size();
  const std::optional<double> change =
      relative_change(growth(*level, *visit.samples.metric).estimate);
  progress.say("  " + counted(pairs, "pair") +
               (change ? ", " + reporter::change_text(*change) : ""));
}

BisectStanding search(BisectWork& work, ProgressView& progress) {
  BisectStanding standing = standing_of(work);
  while (standing.commit && !work.stopped()) {
    const std::size_t commit = *standing.commit;
    tell_step(work, standing, progress);
    visit(work, commit, progress);
    tell_visit(work, commit, progress);
    standing = standing_of(work);
  }
  return standing;
}

/// Whether the neighbours of the step differ by the ordinary rule.
BisectionAnswer answer_of(const LastComparison& comparison) {
  if (comparison.regressed) {
    return comparison.same_program ? BisectionAnswer::same_program : BisectionAnswer::found;
  }
  if (!comparison.ended) {
    return BisectionAnswer::unfinished;
  }
  if (comparison.same_program) {
    return BisectionAnswer::same_program;
  }
  return comparison.compared ? BisectionAnswer::unconfirmed : BisectionAnswer::unmeasured;
}

BisectionAnswer answer_of(const BisectStanding& standing,
                          const std::optional<LastComparison>& comparison) {
  switch (standing.ends.answer) {
    case BisectEnds::Answer::worse:
      return comparison ? answer_of(*comparison) : BisectionAnswer::unfinished;
    case BisectEnds::Answer::not_worse:
      return BisectionAnswer::not_worse;
    case BisectEnds::Answer::undecided:
      return BisectionAnswer::undecided;
    case BisectEnds::Answer::same:
      return BisectionAnswer::same_program;
    case BisectEnds::Answer::open:
      break;
  }
  return BisectionAnswer::unfinished;
}

/// A commit that runs the program of another one.
VisitedCommit visited_by_program(const BisectWork& work, const BisectStanding& standing,
                                 std::size_t commit, const BisectVisit& visit) {
  VisitedCommit visited{work.line[commit], 0, {}, {}, 0};
  visited.same_as = revision_at(work, *visit.same_as).oid;
  const bool is_bad = *visit.same_as == static_cast<int>(work.bad());
  if (is_bad) {
    visited.probability = 1;
  } else if (*visit.same_as >= 0 && standing.search) {
    visited.probability = standing.search->bad[commit];
  }
  return visited;
}

void add_visits(const BisectWork& work, const BisectStanding& standing, Bisection& bisection) {
  const double noise = standing.search ? standing.search->noise : standing.ends.noise;
  for (const auto& [commit, visit] : work.visits) {
    const std::string skipped = visit.skipped();
    if (!skipped.empty()) {
      bisection.skipped.push_back({work.line[commit], skipped});
      continue;
    }
    if (visit.same_as) {
      bisection.visited.push_back(visited_by_program(work, standing, commit, visit));
      continue;
    }
    const int pairs = static_cast<int>(visit.samples.differences.size());
    bisection.pairs += pairs;
    const auto level = level_of({visit.samples.differences, false}, noise);
    if (!level) {
      continue;
    }
    const Shift grown = growth(*level, bisection.metric);
    VisitedCommit visited{work.line[commit], pairs, relative_change(grown.estimate), {}, 0};
    if (standing.search) {
      visited.interval = relative_interval(grown);
      visited.probability = standing.search->bad[commit];
    }
    bisection.visited.push_back(std::move(visited));
  }
}

void add_answer(const BisectWork& work, const BisectStanding& standing, Bisection& bisection) {
  bisection.end_pairs = standing.ends.pairs;
  if (standing.ends.shift) {
    const Shift grown = growth(*standing.ends.shift, bisection.metric);
    bisection.end_change = relative_change(grown.estimate);
    bisection.end_interval = relative_interval(grown);
  }
  if (!standing.search) {
    return;
  }
  bisection.last_good = revision_at(work, standing.search->last_good);
  bisection.first_bad = revision_at(work, standing.search->first_bad);
  bisection.probability = standing.search->probability;
  bisection.certain = standing.search->certain;
  for (int i = standing.search->last_good + 1; i < standing.search->first_bad; ++i) {
    bisection.candidates.push_back(revision_at(work, i));
  }
}

Bisection bisection_of(const BisectWork& work, const BisectStanding& standing,
                       std::optional<LastComparison> comparison) {
  const Plan& plan = work.ends.plan;
  Bisection bisection;
  bisection.id = work.stored.id;
  stamp(bisection);
  bisection.good = *plan.base;
  bisection.bad = plan.head;
  bisection.commits = static_cast<int>(work.line.size());
  add_series(work, bisection);
  bisection.params = plan.workloads.front().workload.params;
  bisection.size = plan.size;
  bisection.seed = work.stored.seed;
  bisection.threshold = std::max(work.threshold, at_bad(work).resolution);
  bisection.answer = answer_of(standing, comparison);
  if (comparison) {
    bisection.comparison = std::move(comparison->report);
  }
  add_visits(work, standing, bisection);
  add_answer(work, standing, bisection);
  bisection.measured = work.policy.budget - work.budget_left();
  bisection.interrupted = is_interrupted();
  bisection.budget_spent = bisection.answer == BisectionAnswer::unfinished &&
                           (work.budget_spent || work.budget_left() <= 0);
  bisection.is_kept = work.items.empty() || !work.context.options.db.empty();
  bisection.reproduce = work.items.empty()
                            ? reproduce_commands(plan, work.context.options, "bisect ")
                            : std::vector{reproduce_list(work)};
  return bisection;
}

int exit_code(BisectionAnswer answer) {
  if (answer == BisectionAnswer::unmeasured || answer == BisectionAnswer::unfinished) {
    return kNotMeasured;
  }
  return answer == BisectionAnswer::found ? kRegression : kUndecided;
}

}  // namespace

int bisect_command(const Options& options, Spawner& spawner) {
  const bool has_list = !options.list.empty();
  const std::vector<BisectItem> items = has_list ? items_of(options) : std::vector<BisectItem>();
  std::optional<TemporaryFolder> folder;
  if (has_list) {
    folder.emplace();
  }
  Context context =
      has_list ? open_commands(options, spawner, folder->path()) : open_context(options, spawner);
  ProgressView progress(options, options.budget.value_or(Policy{}.budget));
  BisectWork work =
      has_list ? begin_bisect_of_items(context, items, progress) : begin_bisect(context, progress);
  const BisectStanding standing = search(work, progress);
  std::optional<LastComparison> comparison;
  if (standing.search && standing.search->found) {
    comparison = compare_neighbours(work, standing, progress);
  }
  const Bisection bisection = bisection_of(work, standing, std::move(comparison));
  return end_command(page_renderings_of(bisection, render_bisection_json), options,
                     exit_code(bisection.answer));
}

}  // namespace perf
