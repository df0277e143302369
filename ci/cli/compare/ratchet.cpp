#include "analyzer/ratchet/ratchet.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "analyzer/ratchet/attempt.h"
#include "analyzer/samples/serving.h"
#include "analyzer/statistics/shift.h"
#include "ci/cli/commands.h"
#include "ci/cli/output/end_command.h"
#include "ci/cli/run/run.h"
#include "ci/cli/run/signals.h"
#include "collector/process/workload_runner.h"
#include "collector/randomness.h"
#include "schema/error.h"
#include "schema/text/fnv.h"
#include "schema/text/lists.h"
#include "schema/text/text_parts.h"

namespace perf {
namespace {

constexpr int kGainEvery = 5;  // acceptances

RatchetGoal goal_of(const Options& options) {
  if (options.metrics.size() > 1) {
    throw UsageError("ratchet takes one metric",
                     "--metric " + options.metrics[0] + " --metric " + options.metrics[1],
                     "pass --metric once: all others are checked not to get worse");
  }
  return {options.metrics.empty() ? kStepTime.name : options.metrics.front(),
          options.at_least.value_or(kLeastGain), options.size, options.workloads};
}

Baseline best_of(const Store& store, const std::string& name) {
  const std::vector<Baseline> pins = store.pins();
  const auto best = std::ranges::find(pins, name, &Baseline::name);
  if (best == pins.end()) {
    throw UsageError("no such baseline in the store", name,
                     "to begin: perf-compare pin " + name + " REV");
  }
  return *best;
}

/// The policy of the best's config; the goal's metric is judged in any case.
Policy policy_of(const PlannedRun& planned, const Options& options, const RatchetGoal& goal) {
  Policy policy = apply(planned.config.policy, options);
  policy.metrics.clear();
  if (std::ranges::none_of(policy.thresholds, [&](const ThresholdRule& rule) {
        return rule.workload_glob.empty() && rule.metric == goal.metric;
      })) {
    policy.thresholds.push_back({"", goal.metric, policy.threshold});
  }
  return policy;
}

/// What is measured, beside the revisions: the workloads, and files from outside the history.
std::string benchmark_of(const Plan& plan) {
  std::string text;
  for (const PlannedWorkload& planned : plan.workloads) {
    const Workload& workload = planned.workload;
    text += workload.name + '\n' + joined(words_of_run(workload), "\n") + '\n' + workload.format +
            '\n' + workload.outside + '\n';
    for (const auto& [variable, value] : workload.env) {
      text += variable + '=' + value + '\n';
    }
  }
  return hexadecimal(fnv1a_64(text));
}

/// What all workloads of a side run; empty: not known of one of them.
std::string programs_of(const Plan& plan, std::string TraceRecord::*side) {
  std::string programs;
  for (const PlannedWorkload& planned : plan.workloads) {
    if (!planned.trace_record || ((*planned.trace_record).*side).empty()) {
      return {};
    }
    programs += (programs.empty() ? "" : " ") + (*planned.trace_record).*side;
  }
  return programs;
}

/// A run of the ledger and the means to measure it.
struct RatchetWork {
  RatchetRun entry;
  Run run;
};

RatchetWork begin_work(Context& context, ProgressView& progress, const std::string& base,
                       const std::string& head) {
  const Options& options = context.options;
  PlanOptions wanted = plan_options(context);
  wanted.base = base;
  wanted.head = head;
  PlannedRun planned = make_plan(*context.repository, wanted);
  Plan& plan = planned.plan;
  plan.purpose = Purpose::ratchet;
  warn_of_missing_supervisor(plan);
  RatchetGoal goal = goal_of(options);
  goal.benchmark = benchmark_of(plan);
  const Policy policy = policy_of(planned, options, goal);
  RatchetRun entry{.name = options.name,
                   .alpha = policy.alpha,
                   .goal = goal,
                   .best = *plan.base,
                   .head = plan.head,
                   .fingerprint = plan.environment.fingerprint};
  return {std::move(entry), {context, std::move(planned), policy, &progress}};
}

/// Why a side cannot be measured, as its build said.
std::string why_not_built(const Plan& plan) {
  for (const PlannedWorkload& planned : plan.workloads) {
    if (!planned.head_failed.empty() || !planned.base_missing.empty()) {
      return !planned.head_failed.empty() ? "head: " + planned.head_failed
                                          : "the best: " + planned.base_missing;
    }
  }
  return {};
}

/// The same two programs on the same machine; where they are not known, the same commits.
bool ran_the_same(const RatchetRun& earlier, const RatchetRun& now) {
  const auto same = [](const Revision& a, const std::string& of_a, const Revision& b,
                       const std::string& of_b) {
    return of_a == of_b && (!of_a.empty() || a.oid == b.oid);
  };
  return earlier.is_attempt && earlier.goal == now.goal && earlier.fingerprint == now.fingerprint &&
         same(earlier.best, earlier.best_program, now.best, now.best_program) &&
         same(earlier.head, earlier.head_program, now.head, now.head_program);
}

bool is_final(AttemptOutcome outcome) {
  return outcome == AttemptOutcome::refused || outcome == AttemptOutcome::worse ||
         outcome == AttemptOutcome::check_failed;
}

/// The earlier attempt that answers this one, because the same program was rejected.
const RatchetRun* rejected_before(const std::vector<RatchetRun>& ledger, const RatchetRun& now) {
  const auto found = std::ranges::find_if(ledger, [&](const RatchetRun& earlier) {
    return earlier.end && is_final(earlier.end->outcome) && ran_the_same(earlier, now);
  });
  return found == ledger.end() ? nullptr : &*found;
}

/// Adds the good pairs of an earlier run, numbered from 0 in each workload: a process that was
/// killed has left none.
void add_pairs(std::vector<Invocation> earlier, std::vector<Invocation>& all) {
  using Key = std::tuple<std::string, int, int>;  // workload, pair, attempt
  std::map<Key, int> sides;
  const auto key_of = [](const Invocation& one) {
    return Key{one.workload, one.pair, one.attempt};
  };
  const auto is_sample = [](const Invocation& one) { return one.is_timed() && one.ok(); };
  for (const Invocation& one : earlier) {
    sides[key_of(one)] += is_sample(one) ? 1 : 0;
  }
  std::map<std::string, int> pairs;
  std::map<Key, int> numbers;
  for (Invocation& one : earlier) {
    if (is_sample(one) && sides[key_of(one)] == 2) {
      const auto [number, is_new] = numbers.try_emplace(key_of(one), pairs[one.workload]);
      pairs[one.workload] += is_new ? 1 : 0;
      one.pair = number->second;
      one.attempt = 1;
      one.start_order = static_cast<std::int64_t>(all.size());
      all.push_back(std::move(one));
    }
  }
}

/// Takes over the pairs of the latest attempt of this program that has no answer. It continues
/// under a new number, by the bets that the pairs had: the probability that its evidence ever
/// reaches a bound is the same from where it stands.
void take_over_pairs(const std::vector<RatchetRun>& ledger, const RatchetRun& now, Run& run) {
  const auto earlier = std::find_if(ledger.rbegin(), ledger.rend(), [&](const RatchetRun& one) {
    const bool is_open = !one.end || one.end->outcome == AttemptOutcome::stopped ||
                         one.end->outcome == AttemptOutcome::not_proven;
    return is_open && ran_the_same(one, now);
  });
  if (earlier != ledger.rend()) {
    add_pairs(run.context.store.load(earlier->run_id).invocations, run.measurements.invocations);
  }
}

/// One pair of each workload that is measured.
Demand a_pair_of_each(const Standing& standing) {
  Demand demand;
  demand.budget_left = standing.policy->budget - standing.measurements->measured;
  for (const WorkloadStanding& workload : standing.workloads) {
    if (!workload.is_same()) {
      demand.workloads.push_back({workload.index, 1, true,
                                  steps_per_invocation(workload, *standing.policy),
                                  standing.policy->warmup_steps});
    }
  }
  return demand;
}

/// Enters the run in the ledger, before its first pair. Seeds are fresh: those of the traces are
/// the same for each attempt against a best.
void enter(RatchetWork& work) {
  work.run.planned.plan.seed = new_seed();
  begin(work.run);
  work.entry.run_id = work.run.planned.plan.run_id;
  work.entry.number = work.run.context.store.begin_ratchet_run(work.entry);
}

void end(RatchetWork& work, RatchetEnd ending) {
  ending.at = utc_now();
  work.entry.end = std::move(ending);
  work.entry.end->outcome = work.run.context.store.end_ratchet_run(work.entry);
}

RatchetEnd measure_attempt(RatchetWork& work, const std::vector<RatchetRun>& ledger) {
  const RatchetRun& entry = work.entry;
  AttemptRule rule{entry.goal, attempt_level(entry.alpha, entry.number), noise_of(ledger, entry)};
  AttemptState state;
  measure(work.run, [&](const Standing& standing) -> std::optional<Demand> {
    if (rule.most_pairs == 0) {  // beside those that were taken over
      rule.most_pairs =
          kMostAttemptPairs + static_cast<int>(goal_gains(standing, entry.goal).size());
    }
    state = attempt_state(standing, rule);
    return state.is_decided || standing.ended ? std::nullopt
                                              : std::optional(a_pair_of_each(standing));
  });
  if (!state.is_decided) {
    state.end.outcome = AttemptOutcome::stopped;
    state.end.reason = is_interrupted() ? "interrupted" : "the budget is spent";
  }
  return state.end;
}

/// Measures the present best against the first one.
std::optional<RatchetRun> measure_gain(Context& context, ProgressView& progress,
                                       const std::vector<RatchetRun>& ledger) {
  const std::string best = best_of(context.store, context.options.name).oid;
  const auto first = std::ranges::find(ledger, true, &RatchetRun::is_attempt);
  if (first == ledger.end() || first->best.oid == best) {
    progress.say("no gain to measure: the best is still the first one");
    return std::nullopt;
  }
  progress.say("measuring the whole gain: " + first->best.oid.substr(0, kShortOid) + " against " +
               best.substr(0, kShortOid));
  RatchetWork work = begin_work(context, progress, first->best.oid, best);
  work.entry.is_attempt = false;
  build(work.run);
  if (const std::string why = why_not_built(work.run.planned.plan); !why.empty()) {
    throw Error("the whole gain cannot be measured", why);
  }
  enter(work);
  const double level = gain_level(work.entry.number);
  const auto pairs = static_cast<std::size_t>(gain_pairs(level));
  RatchetEnd ending;
  measure(work.run, [&](const Standing& standing) -> std::optional<Demand> {
    ending.gains = goal_gains(standing, work.entry.goal);
    const bool goes_on = std::ranges::all_of(standing.workloads, [](const WorkloadStanding& one) {
      return one.samples.fate == Fate::paired && !one.samples.given_up;
    });
    return ending.gains.size() >= pairs || standing.ended || !goes_on
               ? std::nullopt
               : std::optional(a_pair_of_each(standing));
  });
  ending.estimate = estimate_centre(ending.gains);
  if (const auto shift = estimate_shift(ending.gains, level); ending.gains.size() >= pairs) {
    ending.outcome = AttemptOutcome::measured;
    ending.interval = Interval{shift->low, shift->high};
  } else {
    ending.reason = is_interrupted() ? "interrupted" : "the budget is spent, or a side failed";
  }
  end(work, std::move(ending));
  return work.entry;
}

RatchetAnswer answer_of(const RatchetWork& work) {
  RatchetAnswer answer{.run = work.entry, .measured = work.run.measurements.measured};
  stamp(answer);
  if (work.entry.number > 0) {
    answer.level = attempt_level(work.entry.alpha, work.entry.number);
  }
  return answer;
}

/// An answer without a run.
RatchetAnswer answer_of(RatchetWork& work, AttemptOutcome outcome, const std::string& reason) {
  work.entry.end = RatchetEnd{.outcome = outcome, .at = utc_now(), .reason = reason};
  return answer_of(work);
}

RatchetAnswer repeated(const RatchetRun& earlier) {
  RatchetAnswer answer{.run = earlier, .is_repeated = true};
  stamp(answer);
  answer.level = attempt_level(earlier.alpha, earlier.number);
  return answer;
}

/// One attempt against the best of this moment.
RatchetAnswer attempt(Context& context, ProgressView& progress) {
  const Options& options = context.options;
  best_of(context.store, options.name);
  const std::vector<RatchetRun> ledger = context.store.ratchet_runs(options.name);
  RatchetWork work = begin_work(context, progress, options.name, options.revision);
  Run& run = work.run;
  const Plan& plan = run.planned.plan;
  if (plan.head.oid == plan.base->oid) {
    return answer_of(work, AttemptOutcome::same_program, "this commit is the best already");
  }
  print_warnings(plan, progress);
  build(run);
  if (const std::string why = why_not_built(plan); !why.empty()) {
    return answer_of(work, AttemptOutcome::failed, why);
  }
  trace_run(run);
  work.entry.best_program = programs_of(plan, &TraceRecord::base_program);
  work.entry.head_program = programs_of(plan, &TraceRecord::head_program);
  if (std::ranges::all_of(plan.workloads, runs_the_same)) {
    return answer_of(work, AttemptOutcome::same_program, "it runs the same program as the best");
  }
  if (const RatchetRun* earlier = rejected_before(ledger, work.entry)) {
    return repeated(*earlier);
  }
  if (is_interrupted()) {
    return answer_of(work, AttemptOutcome::stopped, "interrupted");
  }
  take_over_pairs(ledger, work.entry, run);
  enter(work);
  RatchetEnd ending;
  try {
    ending = measure_attempt(work, ledger);
  } catch (const Error& error) {
    end(work, {.outcome = AttemptOutcome::failed, .at = {}, .reason = error.what});
    throw;
  }
  if (ending.outcome == AttemptOutcome::accepted && options.dry_run) {
    ending.outcome = AttemptOutcome::proven;
  }
  end(work, std::move(ending));
  return answer_of(work);
}

int exit_code(const RatchetAnswer& answer) {
  const AttemptOutcome outcome = answer.run.end->outcome;
  return outcome == AttemptOutcome::accepted || outcome == AttemptOutcome::proven ? kFine
         : outcome == AttemptOutcome::failed                                      ? kNotMeasured
                                                                                  : kRegression;
}

int show_log(const Options& options, Context& context) {
  RatchetLog log{
      .name = options.name,
      .best = best_of(context.store, options.name),
      .runs = context.store.ratchet_runs(options.name),
  };
  stamp(log);
  return end_command(page_renderings_of(log, render_ratchet_log_json), options, kFine);
}

}  // namespace

int ratchet_command(const Options& options, Spawner& spawner) {
  if (options.revision == ".") {
    throw UsageError("ratchet needs a commit", options.revision, "commit the change first");
  }
  Context context = open_context(options, spawner);
  ProgressView progress(options, options.budget.value_or(Policy{}.budget));
  if (options.log) {
    if (options.measure_gain) {
      measure_gain(context, progress, context.store.ratchet_runs(options.name));
    }
    return show_log(options, context);
  }
  RatchetAnswer answer = attempt(context, progress);
  while (answer.run.end->outcome == AttemptOutcome::moved && !is_interrupted()) {
    progress.say("another candidate became the best meanwhile: measuring against it");
    answer = attempt(context, progress);
  }
  if (answer.run.end->outcome == AttemptOutcome::accepted) {
    const std::vector<RatchetRun> ledger = context.store.ratchet_runs(options.name);
    if (std::ranges::count_if(ledger, is_accepted) % kGainEvery == 0) {
      answer.gain = measure_gain(context, progress, ledger);
    }
  }
  return end_command(page_renderings_of(answer, render_ratchet_json), options, exit_code(answer));
}

}  // namespace perf
