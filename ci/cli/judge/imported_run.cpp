#include <fmt/core.h>

#include <cstdint>
#include <map>
#include <string_view>
#include <utility>

#include "ci/cli/judge/judge.h"
#include "schema/formats/foreign.h"
#include "schema/text/fnv.h"
#include "schema/workload_name.h"

namespace perf {
namespace {

/// FNV-1a's own, and one that differs from it in every second bit, for another 64 bits.
constexpr std::uint64_t kBases[] = {0xCBF29CE484222325u, 0xCBF29CE484222325u ^ 0x5555555555555555u};

/// Contents that identify a session: texts, each with its length, and exact numbers.
void add(std::string_view text, std::string& contents) {
  contents += fmt::format("{}:{}", text.size(), text);
}
void add(double number, std::string& contents) {
  add(fmt::format("{:a}", number), contents);
}

using Failures = std::map<BenchmarkId, std::string>;

std::string digest_of(const ImportedSession& session, const ImportAs& as,
                      const std::vector<Block>& blocks, const Failures& failures) {
  std::string contents;
  for (const std::string& text : {as.format, as.entry, as.size, as.revision.oid,
                                  as.environment.fingerprint, session.measured_at}) {
    add(text, contents);
  }
  for (const Block& block : blocks) {
    add(block.workload, contents);
    for (const auto& [name, value] : block.params) {
      add(name, contents);
      add(to_text(value), contents);
    }
    for (const Step& step : block.steps) {
      add(step.seconds, contents);
    }
    for (const MetricValue& value : block.metrics) {
      add(value.metric.name, contents);
      add(value.metric.unit, contents);
      add(value.value, contents);
    }
  }
  for (const auto& [benchmark, why] : blocks.empty() ? failures : Failures{}) {
    add(benchmark.name, contents);
    add(why, contents);
  }
  return fmt::format("{:016x}{:016x}", fnv1a_64(contents, kBases[0]),
                     fnv1a_64(contents, kBases[1]));
}

Invocation invocation_of(const std::string& workload, std::vector<Block> blocks,
                         const ImportedRun& run) {
  Invocation invocation;
  invocation.workload = workload;
  invocation.oid = run.plan.head.oid;
  invocation.paired = false;
  invocation.start_order = static_cast<std::int64_t>(run.invocations.size());
  for (const Block& block : blocks) {
    for (const Step& step : block.steps) {
      invocation.process.wall += step.seconds;
    }
  }
  invocation.took = invocation.process.wall;
  invocation.blocks = std::move(blocks);
  return invocation;
}

/// Of a command of another tool only the name is known.
Workload workload_of(const std::string& name, const Params& params, const ImportAs& as) {
  Workload workload;
  workload.name = name;
  workload.format = as.format;
  workload.params = params;
  return workload;
}

/// What lost its benchmarks: a package of Go, a test case, else the whole run.
std::string name_of(const LostBenchmarks& lost, const ImportAs& as) {
  const auto package = lost.params.find("pkg");
  return workload_name(package != lost.params.end() ? to_text(package->second)
                       : lost.within.empty()        ? as.format
                                             : lost.within.substr(0, lost.within.size() - 1));
}

/// Why benchmarks have no values; of those that were lost all that is known is where.
Failures failures_of(const ImportedSession& session, const ImportAs& as, bool has_values) {
  SampleSet named = session.samples;
  formats::name_as_imported(named);
  Failures all = std::move(named.failures);
  for (const LostBenchmarks& lost : named.lost) {
    const bool is_of_all = lost.params.empty() && lost.within.empty();
    if (!lost.why.starts_with(formats::kNoEnd) && !(is_of_all && (has_values || !all.empty()))) {
      all.insert({{name_of(lost, as)}, std::string(formats::kDidNotFinish) + lost.why});
    }
  }
  return all;
}

void add_failed(const BenchmarkId& benchmark, const std::string& why, const ImportAs& as,
                ImportedRun& run) {
  run.plan.workloads.push_back({workload_of(benchmark.name, benchmark.params, as), {}, {}});
  run.invocations.push_back(invocation_of(benchmark.name, {}, run));
  run.invocations.back().failure = why;
}

}  // namespace

ImportedRun imported_run(const ImportedSession& session, const ImportAs& as) {
  formats::ForeignBlocks found = formats::blocks_of(session);
  const Failures failures = failures_of(session, as, !found.blocks.empty());
  ImportedRun run;
  run.benchmarks = found.blocks.size();
  run.digest = digest_of(session, as, found.blocks, failures);
  run.plan.run_id = run.digest;
  run.plan.purpose = Purpose::collect;
  run.plan.head = as.revision;
  run.plan.environment = as.environment;
  run.plan.size = as.size;
  run.plan.warnings = session.samples.warnings;
  run.plan.warnings.insert(run.plan.warnings.end(), found.warnings.begin(), found.warnings.end());
  for (const auto& [name, reason] : found.failures) {
    run.plan.warnings.push_back({WarningKind::no_value, {}, {{"workload", name}, {"why", reason}}});
  }
  if (!as.entry.empty() && !found.blocks.empty()) {
    run.plan.workloads.push_back({workload_of(as.entry, {}, as), {}, {}});
    run.invocations.push_back(invocation_of(as.entry, std::move(found.blocks), run));
    return run;
  }
  if (!as.entry.empty() && !failures.empty()) {
    add_failed({as.entry}, failures.begin()->second, as, run);
    return run;
  }
  for (Block& block : found.blocks) {
    const std::string name = block.workload;
    run.plan.workloads.push_back({workload_of(name, block.params, as), {}, {}});
    run.invocations.push_back(invocation_of(name, {std::move(block)}, run));
  }
  for (const auto& [benchmark, why] : failures) {
    add_failed(benchmark, why, as, run);
  }
  return run;
}

}  // namespace perf
