#include "tests/reporter/samples.h"

namespace perf::samples {
namespace {

Revision commit(char digit, const std::string& subject) {
  Revision revision;
  revision.oid = std::string(40, digit);
  revision.author = "Ada";
  revision.subject = subject;
  revision.name = "HEAD~" + std::string(1, digit);
  revision.committed_at = 1769860800;  // 2026-01-31
  return revision;
}

}  // namespace

Bisection found_commit() {
  Bisection bisection;
  bisection.id = "0123456789abcdef0123456789abcdef";
  bisection.generated_at = "2026-01-31T12:00:00Z";
  bisection.tool_version = "0.1.0";
  bisection.good = commit('0', "Release 1.2");
  bisection.bad = commit('9', "Tidy up");
  bisection.commits = 64;
  bisection.workload = "training/mlp_stack";
  bisection.params = {{"layers", std::int64_t{4}}};
  bisection.metric = kStepTime;
  bisection.size = "ci";
  bisection.seed = 7;
  bisection.threshold = 0.01;
  bisection.answer = BisectionAnswer::found;
  bisection.end_pairs = 11;
  bisection.end_change = 0.05;
  bisection.end_interval = Interval{0.046, 0.054};
  bisection.last_good = commit('3', "Add a test");
  bisection.first_bad = commit('4', "Compute more");
  bisection.probability = 0.9995;
  bisection.certain = true;
  bisection.visited = {
      {commit('3', "Add a test"), 2, 0.001, Interval{-0.01, 0.012}, 0.0004},
      {commit('4', "Compute more"), 3, 0.051, Interval{0.04, 0.06}, 0.9995},
      {commit('9', "Tidy up"), 11, 0.05, Interval{0.045, 0.055}, 1},
  };
  bisection.skipped = {{commit('6', "Break the build"), "the build `make` ended with status 2"}};
  bisection.pairs = 16;
  bisection.measured = 12.5;
  bisection.comparison = regressed();
  bisection.reproduce = {"perf-compare bisect 000000000000 999999999999 --size ci --seed 7"};
  return bisection;
}

Bisection found_among_three() {
  Bisection bisection = found_commit();
  bisection.candidates = {commit('5', "Half of it"), commit('6', "Break the build")};
  bisection.certain = false;
  bisection.probability = 0.8;
  return bisection;
}

Bisection unconfirmed_commit() {
  Bisection bisection = found_commit();
  bisection.answer = BisectionAnswer::unconfirmed;
  bisection.comparison = unchanged();
  return bisection;
}

Bisection uncompared_commit() {
  Bisection bisection = unconfirmed_commit();
  bisection.answer = BisectionAnswer::unmeasured;
  bisection.comparison = build_failed();
  return bisection;
}

Bisection nothing_to_find() {
  Bisection bisection = found_commit();
  bisection.answer = BisectionAnswer::not_worse;
  bisection.last_good.reset();
  bisection.first_bad.reset();
  bisection.visited.resize(1);
  bisection.visited.front().interval.reset();
  bisection.skipped.clear();
  bisection.comparison.reset();
  bisection.end_change = 0.001;
  bisection.end_interval = Interval{-0.004, 0.005};
  return bisection;
}

Bisection stopped_bisection() {
  Bisection bisection = found_commit();
  bisection.answer = BisectionAnswer::unfinished;
  bisection.interrupted = true;
  bisection.probability = 0.3;
  bisection.certain = false;
  bisection.comparison.reset();
  return bisection;
}

Bisection poisoned_bisection(const std::string& text) {
  Bisection bisection = found_among_three();
  for (Revision* revision :
       {&bisection.good, &bisection.bad, &*bisection.last_good, &*bisection.first_bad}) {
    revision->subject = revision->author = revision->name = revision->rule = text;
  }
  for (VisitedCommit& visited : bisection.visited) {
    visited.revision.subject = visited.revision.oid = text;
  }
  for (SkippedCommit& skipped : bisection.skipped) {
    skipped.revision.subject = skipped.reason = text;
  }
  for (Revision& candidate : bisection.candidates) {
    candidate.subject = candidate.author = text;
  }
  bisection.workload = bisection.metric.name = bisection.size = bisection.id = text;
  bisection.params[text] = text;
  bisection.reproduce = {text};
  return bisection;
}

}  // namespace perf::samples
