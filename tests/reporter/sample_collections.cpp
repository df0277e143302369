#include "tests/reporter/samples.h"

namespace perf::samples {
namespace {

Revision revision(char digit, const std::string& subject) {
  Revision made;
  made.oid = std::string(40, digit);
  made.subject = subject;
  made.author = "Somebody";
  made.committed_at = 1700000000;
  made.name = made.oid.substr(0, 12);
  made.rule = "in v1..HEAD";
  return made;
}

CollectedWorkload measured(const std::string& name, double step_time) {
  CollectedWorkload workload;
  workload.workload = name;
  workload.params = {{"layers", std::int64_t{4}}};
  workload.status = CollectedStatus::measured;
  workload.step_time = CollectedValue{step_time, step_time * 0.99, step_time * 1.015};
  workload.peak_rss = CollectedValue{104857600, 104857600, 105906176};
  workload.invocations = 5;
  return workload;
}

CollectedWorkload failed(const std::string& name) {
  CollectedWorkload workload;
  workload.workload = name;
  workload.status = CollectedStatus::failed;
  workload.failure = "head failed: exit code 1 (no such file: model.bin)";
  return workload;
}

CollectedCommit commit(char digit, const std::string& subject, CollectedStatus status) {
  CollectedCommit made;
  made.revision = revision(digit, subject);
  made.status = status;
  if (status == CollectedStatus::measured || status == CollectedStatus::failed) {
    made.run_id = std::string(32, digit);
  }
  return made;
}

Collection begin() {
  Collection collection;
  collection.asked = "HEAD";
  collection.generated_at = "2026-01-31T02:00:00Z";
  collection.tool_version = "1.2.0";
  collection.fingerprint = "0123456789abcdef";
  collection.size = "ci";
  collection.wanted = 5;
  collection.measured = 6.25;
  return collection;
}

}  // namespace

Collection collected_night() {
  Collection collection = begin();
  collection.commits = {commit('a', "Compute more waves", CollectedStatus::measured)};
  collection.commits[0].workloads = {measured("training/mlp_stack", 0.0125), failed("parser")};
  return collection;
}

Collection collected_anchored() {
  Collection collection = begin();
  collection.anchor = revision('b', "Release 1.2");
  collection.anchor->name = "release";
  collection.commits = {commit('a', "Compute more waves", CollectedStatus::measured)};
  CollectedWorkload paired = measured("training/mlp_stack", 0.0125);
  paired.pairs = 5;
  paired.change = 0.0421;
  CollectedWorkload many = measured("inference/generate", 0.5);
  many.pairs = 12;
  many.change = -0.002;
  many.interval = Interval{-0.011, 0.008};
  CollectedWorkload alone = measured("quantization/int8", 0.004);
  alone.failure = "base failed: exit code 2";
  collection.commits[0].workloads = {paired, many, alone};
  return collection;
}

Collection unbuilt_night() {
  Collection collection = begin();
  collection.measured = 0;
  collection.commits = {commit('a', "Break the build", CollectedStatus::failed)};
  collection.commits[0].failure = "its build failed: exit code 1 (see /cache/build.log)";
  collection.commits[0].workloads = {failed("training/mlp_stack"), failed("parser")};
  return collection;
}

Collection collected_range() {
  Collection collection = begin();
  collection.asked = "v1..HEAD";
  collection.is_range = true;
  collection.budget_spent = true;
  collection.commits = {commit('1', "Add a parser", CollectedStatus::skipped),
                        commit('2', "Compute more waves", CollectedStatus::measured),
                        commit('3', "Break the build", CollectedStatus::failed),
                        commit('4', "Lose a model", CollectedStatus::measured),
                        commit('5', "Mend the build", CollectedStatus::left)};
  collection.commits[1].workloads = {measured("training/mlp_stack", 0.0125),
                                     measured("parser", 0.001)};
  collection.commits[1].measured = 3;
  collection.commits[3].measured = 3.25;
  collection.commits[2].failure = "its build failed: exit code 1 (see /cache/build.log)";
  collection.commits[2].workloads = {failed("training/mlp_stack"), failed("parser")};
  collection.commits[3].workloads = {measured("training/mlp_stack", 0.0126), failed("parser")};
  collection.go_on = "perf-compare collect v1..HEAD --missing --size ci --budget 10s";
  return collection;
}

Collection poisoned_collection(const std::string& text) {
  Collection collection = collected_range();
  collection.anchor = revision('b', text);
  collection.anchor->name = collection.anchor->rule = collection.anchor->author = text;
  collection.asked = collection.generated_at = collection.tool_version = text;
  collection.fingerprint = collection.size = collection.go_on = text;
  for (CollectedCommit& one : collection.commits) {
    one.revision.subject = one.revision.name = one.failure = one.run_id = text;
    for (CollectedWorkload& workload : one.workloads) {
      workload.workload = workload.failure = text;
      workload.params = {{text, text}};
    }
  }
  return collection;
}

}  // namespace perf::samples
