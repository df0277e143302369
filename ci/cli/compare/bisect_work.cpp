#include "ci/cli/compare/bisect_work.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "analyzer/rule/early_looks.h"
#include "analyzer/rule/look_schedule.h"
#include "ci/cli/compare/command_run.h"
#include "ci/cli/output/reproduce.h"
#include "ci/cli/run/signals.h"
#include "collector/git/ancestry.h"
#include "schema/error.h"
#include "schema/revision.h"
#include "schema/text/glob.h"
#include "schema/text/lists.h"
#include "schema/text/shell_words.h"
#include "schema/text/text_parts.h"
#include "schema/text/wording.h"

namespace perf {
namespace {

std::string metric_of(const Options& options) {
  if (options.metrics.size() > 1) {
    throw UsageError("bisect takes one metric",
                     "--metric " + options.metrics[0] + " --metric " + options.metrics[1],
                     "pass --metric once");
  }
  return options.metrics.empty() ? kStepTime.name : options.metrics.front();
}

void require_one_workload(const Plan& plan, const Options& options) {
  if (plan.workloads.size() == 1) {
    return;
  }
  std::string names = joined(
      plan.workloads, ", ", [](const PlannedWorkload& workload) { return workload.workload.name; });
  Options again = options;
  again.workloads = {plan.workloads.front().workload.name};
  throw UsageError("bisect takes one workload", names,
                   "perf-compare bisect " + shell_word(options.base) + " " +
                       shell_word(options.head) + " --size " + options.size +
                       deciding_options(again));
}

/// The benchmark that -w names, if it does not name a workload.
std::string benchmark_of(const Options& options, const Plan& plan) {
  const auto names_no_workload = [&](const std::string& glob) {
    return !glob_match(glob, plan.workloads.front().workload.name);
  };
  const auto found = std::ranges::find_if(options.workloads, names_no_workload);
  return found == options.workloads.end() ? std::string() : *found;
}

/// Whether git knows the commits of the line as BAD, BAD~1, ...: pins, baselines of the config and
/// `.` are not git's names, or may mean something else to git.
bool git_counts_from(const Repository& repository, const std::vector<Revision>& line,
                     const Revision& bad) {
  if (bad.dirty || bad.name.empty()) {
    return false;
  }
  try {
    const auto first = repository.find(bad.name + "~" + std::to_string(line.size() - 1));
    return first && first->oid == line.front().oid;
  } catch (const Error&) {
    return false;
  }
}

/// Names that git understands: BAD~3, or the short oid.
void name_commits(const Repository& repository, std::vector<Revision>& line, const Revision& bad) {
  const bool counted = git_counts_from(repository, line, bad);
  for (std::size_t i = 0; i < line.size(); ++i) {
    const std::size_t back = line.size() - 1 - i;
    line[i].name =
        counted ? bad.name + "~" + std::to_string(back) : line[i].oid.substr(0, kShortOid);
    line[i].rule.clear();
  }
  line.back() = bad;
}

/// The rule by which GOOD and BAD are compared: one comparison, as an ordinary report has it. What
/// a pair takes is known after the first ones.
Rule rule_of_ends(const BisectWork& work) {
  const BisectSamples& bad = at_bad(work);
  const bool may_be_dear = bad.differences.empty() || bad.is_dear;
  const Looks looks =
      may_be_dear ? looks_of_dear(work.policy, 1, false) : ordinary_looks(work.policy, 1);
  if (looks.pairs.empty()) {
    require_reachable_look(work.policy, 1);
  }
  Rule rule;
  rule.bounds = bounds_for(work.threshold, work.policy);
  rule.most_looks = work.policy.looks;
  rule.take(looks);
  rule.early.one_order = bad.one_order;
  return rule;
}

BisectionKey key_of(const BisectWork& work) {
  const Plan& plan = work.ends.plan;
  BisectionKey key{plan.base->oid,
                   plan.head.oid,
                   plan.workloads.front().workload,
                   work.policy.metrics.front(),
                   plan.size,
                   plan.environment.fingerprint,
                   work.context.options.seed};
  if (!work.benchmark.empty()) {
    key.workload.name = work.benchmark;
  }
  return key;
}

BisectVisit new_visit(const BisectWork& work, std::size_t commit) {
  BisectVisit visit{
      {{work.context, planned_between(work, -1, static_cast<int>(commit)), work.policy}}};
  visit.run.planned.plan.purpose = Purpose::bisect;
  return visit;
}

/// The benchmark to search in at every commit: that of -w, else the one that GOOD and BAD share.
std::string followed(const BisectWork& work) {
  return work.benchmark.empty() ? at_bad(work).workload : work.benchmark;
}

void read_samples(const BisectWork& work, BisectVisit& visit) {
  // The commit is not the reason why measuring stopped.
  visit.run.measurements.interrupted = visit.run.measurements.budget_spent = false;
  if (visit.same_as) {
    visit.samples = {};
    return;
  }
  visit.samples =
      bisect_samples(visit.run.planned.plan, visit.run.measurements, work.policy, followed(work));
}

/// Continues an earlier run.
void take_over(const BisectionRun& run, BisectVisit& visit) {
  visit.run.planned.plan.run_id = run.run_id;
  visit.run.measurements = visit.run.context.store.load(run.run_id);
  visit.begun = visit.taken_over = true;
}

/// Takes over what earlier runs measured; returns the number of pairs. Of the runs of one commit,
/// the one with most pairs counts: a continued run has all pairs of the run that it continues.
std::size_t take_over_visits(BisectWork& work) {
  for (const BisectionRun& run : work.stored.runs) {
    const auto at = std::ranges::find(work.line, run.head, &Revision::oid);
    const auto commit = static_cast<std::size_t>(at - work.line.begin());
    if (run.last || at == work.line.end()) {
      continue;
    }
    BisectVisit visit = new_visit(work, commit);
    visit.run.planned.plan.workloads.front().head_failed = run.head_failed;
    take_over(run, visit);
    recall_trace(work, commit, visit);
    read_samples(work, visit);
    const auto known = work.visits.find(commit);
    if (known != work.visits.end() &&
        known->second.samples.differences.size() > visit.samples.differences.size()) {
      continue;
    }
    work.visits.erase(commit);
    work.visits.emplace(commit, std::move(visit));
  }
  std::size_t pairs = 0;
  for (const auto& [commit, visit] : work.visits) {
    pairs += visit.samples.differences.size();
  }
  return pairs;
}

BisectEvidence evidence_of(const BisectWork& work) {
  BisectEvidence evidence;
  evidence.commits.resize(work.line.size());
  for (const auto& [commit, visit] : work.visits) {
    evidence.commits[commit] = {visit.samples.differences, !visit.skipped().empty(), visit.same_as};
  }
  for (BisectCommit& commit : evidence.commits) {
    // The commit that stands for this one may itself be stood for by now.
    while (commit.same_as && standing_for(evidence, *commit.same_as) != *commit.same_as) {
      commit.same_as = standing_for(evidence, *commit.same_as);
    }
  }
  evidence.current = work.current;
  evidence.resolution = std::log1p(at_bad(work).resolution);
  return evidence;
}

/// What the visit of a commit still needs: pairs, as long as it is the one to measure.
std::optional<Demand> demand_of(BisectWork& work, std::size_t commit, BisectVisit& visit,
                                const Measurements& now) {
  if (visit.same_as) {
    return std::nullopt;
  }
  work.current = commit;
  work.budget_spent = work.budget_spent || now.budget_spent;
  visit.samples = bisect_samples(visit.run.planned.plan, now, work.policy, followed(work));
  const BisectStanding standing = standing_of(work);
  if (now.interrupted || work.stopped() || !visit.samples.base_failed.empty() ||
      !visit.skipped().empty() || standing.commit != commit) {
    return std::nullopt;
  }
  WorkloadDemand pairs;
  pairs.count = standing.pairs;
  pairs.steps = work.visits.count(work.bad()) > 0 ? work.visits.at(work.bad()).samples.steps
                                                  : visit.samples.steps;
  pairs.warmup = work.policy.warmup_steps;
  Demand demand;
  demand.workloads = {pairs};
  demand.budget_left = work.budget_left();
  return demand;
}

void add_to_bisection(BisectWork& work, const Run& run, bool last) {
  work.context.store.add_to_bisection(work.stored.id, run.planned.plan.run_id, last);
}

void require_good(const std::string& failure, const std::string& kind) {
  if (!failure.empty()) {
    throw Error("GOOD cannot be measured", failure, "choose another " + kind + " as GOOD");
  }
}

void require_ends(const BisectWork& work, std::size_t commit, const BisectVisit& visit) {
  const std::string kind = kind_of_line(work);
  require_good(visit.samples.base_failed, kind);
  if (commit == work.bad() && !visit.skipped().empty()) {
    throw Error("BAD cannot be measured", visit.skipped(), "choose another " + kind + " as BAD");
  }
}

/// The run of the last comparison, continued or new.
BisectVisit last_run(BisectWork& work, const BisectStanding& standing, bool& reported) {
  const Revision& before = revision_at(work, standing.search->last_good);
  const Revision& after = revision_at(work, standing.search->first_bad);
  BisectVisit last{
      {{work.context, planned_between(work, standing.search->last_good, standing.search->first_bad),
        work.policy}}};
  last.run.policy.threshold = last_threshold(standing.ends);
  last.run.policy.threshold_override = true;
  for (const BisectionRun& run : work.stored.runs) {
    if (run.last && !reported && run.base == before.oid && run.head == after.oid) {
      take_over(run, last);
      reported = run.reported;
      if (reported) {
        last.run.planned.plan.workloads.front().trace_record =
            work.context.store.load_plan(run.run_id).workloads.front().trace_record;
      }
    }
  }
  return last;
}

/// The result for the followed series. A verdict of failed, incomparable, missing or new means that
/// one side has no values.
LastComparison last_comparison(Report report, const std::string& benchmark) {
  LastComparison last;
  bool failed = false;
  for (const Comparison& row : report.comparisons) {
    if (!row.judged || !is_followed(row.workload, benchmark)) {
      continue;
    }
    last.compared |= row.verdict != Verdict::incomparable && row.verdict != Verdict::missing &&
                     row.verdict != Verdict::fresh;
    failed |= row.verdict == Verdict::failed;
    last.regressed |= row.verdict == Verdict::regressed;
  }
  last.compared &= !failed;
  last.report = std::move(report);
  return last;
}

/// The options that measure and judge the neighbours again.
Options last_options(const BisectWork& work, double threshold) {
  Options options = work.context.options;
  options.workloads = {work.ends.plan.workloads.front().workload.name};
  options.metrics = work.policy.metrics;
  options.threshold = threshold;
  return options;
}

}  // namespace

std::string BisectVisit::skipped() const {
  const std::string not_built = on_one_line(run.planned.plan.workloads.front().head_failed);
  return not_built.empty() ? samples.head_failed : not_built;
}

double BisectWork::budget_left() const {
  double left = policy.budget - last_measured;
  for (const auto& [commit, visit] : visits) {
    left -= visit.run.measurements.measured;
  }
  return left;
}

bool BisectWork::stopped() const {
  return budget_spent || budget_left() <= 0 || is_interrupted();
}

const BisectSamples& at_bad(const BisectWork& work) {
  static const BisectSamples kNone{};
  const auto bad = work.visits.find(work.bad());
  return bad == work.visits.end() ? kNone : bad->second.samples;
}

const Revision& revision_at(const BisectWork& work, int position) {
  return position < 0 ? *work.ends.plan.base : work.line[static_cast<std::size_t>(position)];
}

PlannedRun planned_between(const BisectWork& work, int before, int after) {
  const Revision &base = revision_at(work, before), &head = revision_at(work, after);
  if (work.items.empty()) {
    return plan_between(*work.context.repository, work.ends, base, head);
  }
  PlannedRun planned = plan_between(work.ends, base, head);
  PlannedWorkload& only = planned.plan.workloads.front();
  only.at_base = side_at(work, before).workload;
  only.workload = side_at(work, after).workload;
  return planned;
}

std::string kind_of_line(const BisectWork& work) {
  return work.items.empty() ? "commit" : "item";
}

BisectWork begin_bisect(Context& context, ProgressView& progress) {
  const Options& options = context.options;
  PlanOptions wanted = plan_options(context);
  wanted.names_benchmarks = true;
  BisectWork work{context, make_plan(*context.repository, wanted), {progress}};
  Plan& plan = work.ends.plan;
  require_one_workload(plan, options);
  warn_of_missing_supervisor(plan);
  warn_of_other_benchmark(context, work.ends);
  print_warnings(plan, progress);
  work.line = bisect_line(*context.repository, *plan.base, plan.head);
  name_commits(*context.repository, work.line, plan.head);
  work.policy = apply(work.ends.config.policy, options);
  open_bisection(work, progress);
  return work;
}

void open_bisection(BisectWork& work, ProgressView& progress) {
  const Options& options = work.context.options;
  Plan& plan = work.ends.plan;
  work.benchmark = benchmark_of(options, plan);
  work.policy.metrics = {metric_of(options)};
  work.threshold = options.threshold.value_or(kSmallestStep);
  require_any_look(work.policy, 1);

  work.stored = work.context.store.open_bisection(key_of(work), plan.run_id, plan.seed);
  plan.seed = work.tracer.seed = work.stored.seed;
  if (const std::size_t pairs = take_over_visits(work); pairs > 0) {
    progress.say("continuing: " + std::to_string(pairs) + " pairs at " +
                 counted(work.visits.size(), kind_of_line(work)));
  }
}

BisectStanding standing_of(const BisectWork& work) {
  return bisect_standing(evidence_of(work), rule_of_ends(work));
}

void visit(BisectWork& work, std::size_t commit, ProgressView& progress) {
  auto found = work.visits.find(commit);
  if (found == work.visits.end()) {
    found = work.visits.emplace(commit, new_visit(work, commit)).first;
  }
  BisectVisit& visit = found->second;
  Run& run = visit.run;
  run.planned.plan.workloads.front().head_failed.clear();  // it may build now
  ProgressView pairs(stderr, ProgressView::style_of_many(work.context.options), work.policy.budget);
  run.progress = &pairs;
  VisitSteps steps;
  steps.trace = [&] {
    if (!work.items.empty()) {
      run.checkouts = folders_of(work.items.front(), side_at(work, static_cast<int>(commit)));
      return trace_item(work, commit, visit);
    }
    const Checkout& good = run.checkouts.base;
    require_good(failed(good) ? "it " + failure_line(good) : "", "commit");
    trace_visit(work, commit, visit);
  };
  steps.begun = [&] { add_to_bisection(work, run, false); };
  steps.wanted = [&](const Standing& at) {
    return demand_of(work, commit, visit, *at.measurements);
  };
  const bool visited = perf::visit(visit, progress, steps);
  run.checkouts = {};  // for other runs
  if (visited) {
    work.budget_spent = work.budget_spent || run.measurements.budget_spent;
    read_samples(work, visit);
    require_ends(work, commit, visit);
  }
}

std::optional<LastComparison> compare_neighbours(BisectWork& work, const BisectStanding& standing,
                                                 ProgressView& progress) {
  bool reported = false;
  BisectVisit last = last_run(work, standing, reported);
  Run& run = last.run;
  if (!reported) {
    run.policy.budget = work.budget_left();
    run.progress = &progress;
    run.rebuilds = true;  // nothing but the commit may differ between them
    VisitSteps steps;
    steps.trace = [&] {
      if (!work.items.empty()) {
        run.checkouts = folders_of(side_at(work, standing.search->last_good),
                                   side_at(work, standing.search->first_bad));
      }
      trace_neighbours(work, *standing.search, run);
    };
    steps.begun = [&] { add_to_bisection(work, run, true); };
    if (work.stopped() || !perf::visit(last, progress, steps)) {
      return std::nullopt;
    }
  }
  const std::optional<TraceRecord>& traced = run.planned.plan.workloads.front().trace_record;
  const bool is_same = traced && traced->difference == TraceRecord::kPairsDiffer;
  work.last_measured = run.measurements.measured;
  work.budget_spent = work.budget_spent || run.measurements.budget_spent;
  // A finished comparison is not cut short by a smaller budget.
  run.policy.budget = std::max(work.policy.budget, reported ? run.measurements.measured + 1 : 0);
  Report report = report_of(run);
  report.reproduce =
      work.items.empty()
          ? reproduce_commands(run.planned.plan, last_options(work, run.policy.threshold))
          : std::vector{reproduce_items(work, run.planned.plan, run.policy.threshold)};
  LastComparison comparison = last_comparison(std::move(report), followed(work));
  comparison.same_program = is_same;
  comparison.ended = reported || !work.stopped();
  if (!reported && comparison.ended && comparison.compared) {
    store_report(run, comparison.report);  // else the next command repeats or continues it
  }
  return comparison;
}

}  // namespace perf
