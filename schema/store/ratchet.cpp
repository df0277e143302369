#include "schema/ratchet.h"

#include <string>

#include "schema/error.h"
#include "schema/store/internal.h"

namespace perf::store {
namespace {

constexpr const char* kAttempt = "attempt";
constexpr const char* kGain = "gain";

RatchetEnd read_end(Statement& row) {
  RatchetEnd end;
  std::string outcome, gains, guarded;
  std::optional<double> low, high;
  row.read_on(outcome, end.at, end.reason, end.estimate, low, high, end.evidence, gains, guarded);
  end.outcome = named<AttemptOutcome>(outcome).value_or(AttemptOutcome::failed);
  if (low && high) {
    end.interval = Interval{*low, *high};
  }
  end.gains = value_of<std::vector<double>>(gains);
  end.guarded = value_of<std::vector<GuardedSeries>>(guarded);
  return end;
}

void read_run(Statement& row, RatchetRun& run) {
  std::string role, goal;
  bool is_ended = false;
  row.read(run.run_id, run.started_at, run.name, role, run.number, run.alpha, goal,
           run.best_program, run.head_program, run.fingerprint, run.best.oid, run.best.name,
           run.best.subject, run.head.oid, run.head.name, run.head.subject, is_ended);
  run.is_attempt = role == kAttempt;
  run.goal = value_of<RatchetGoal>(goal);
  if (is_ended) {
    run.end = read_end(row);
  }
}

}  // namespace
}  // namespace perf::store

namespace perf {

std::vector<RatchetRun> Store::ratchet_runs(const std::string& name) const {
  return connection_->records<RatchetRun>(
      "SELECT run.id, run.started_at, r.name, r.role, r.number, r.alpha, r.goal, r.best_program, "
      "r.head_program, environment.fingerprint, base.oid, run.base_name, base.subject, head.oid, "
      "run.head_name, head.subject, e.run IS NOT NULL, e.outcome, e.at, e.reason, e.estimate, "
      "e.low, e.high, e.evidence, e.gains, e.guarded FROM ratchet_run AS r "
      "JOIN run ON run.key = r.run JOIN environment ON environment.key = run.environment "
      "JOIN revision AS base ON base.key = run.base JOIN revision AS head ON head.key = run.head "
      "LEFT JOIN ratchet_end AS e ON e.run = r.run WHERE r.name = ?1 ORDER BY r.run",
      store::read_run, name);
}

int Store::begin_ratchet_run(const RatchetRun& run) {
  store::WriteTransaction transaction(*connection_);
  const std::string role = run.is_attempt ? store::kAttempt : store::kGain;
  // Merged ledgers may have one number twice: no later one may.
  const auto number = static_cast<int>(
      1 + connection_->count("SELECT max(count(*), ifnull(max(number), 0)) FROM ratchet_run WHERE "
                             "name = ?1 AND role = ?2",
                             run.name, role));
  connection_->add_row(
      "ratchet_run (run, name, role, number, alpha, goal, best_program, head_program)",
      store::find_run(*connection_, run.run_id), run.name, role, number, run.alpha,
      store::text_of(run.goal), run.best_program, run.head_program);
  transaction.commit();
  return number;
}

AttemptOutcome Store::end_ratchet_run(const RatchetRun& run) {
  store::WriteTransaction transaction(*connection_);
  const RatchetEnd& end = run.end.value();
  AttemptOutcome outcome = end.outcome;
  if (outcome == AttemptOutcome::accepted) {
    const bool is_best = connection_->count("SELECT 1 FROM baseline WHERE name = ?1 AND oid = ?2",
                                            run.name, run.best.oid) > 0;
    if (is_best) {
      connection_->add_row("pin_event (action, name, oid, reason, at)", "pin", run.name,
                           run.head.oid, "ratchet: attempt " + std::to_string(run.number), end.at);
    } else {
      outcome = AttemptOutcome::moved;
    }
  }
  std::optional<double> low, high;
  if (end.interval) {
    low = end.interval->low;
    high = end.interval->high;
  }
  connection_->add_row(
      "ratchet_end (run, outcome, at, reason, estimate, low, high, evidence, gains, guarded)",
      store::find_run(*connection_, run.run_id), to_string(outcome), end.at, end.reason,
      end.estimate, low, high, end.evidence, store::text_of(end.gains),
      store::text_of(end.guarded));
  transaction.commit();
  return outcome;
}

}  // namespace perf
