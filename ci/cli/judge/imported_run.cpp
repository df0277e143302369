#include <fmt/core.h>

#include <cstdint>
#include <string_view>
#include <utility>

#include "ci/cli/judge/judge.h"
#include "schema/formats/foreign.h"
#include "schema/text/fnv.h"

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

std::string digest_of(const ImportedSession& session, const ImportAs& as,
                      const std::vector<Block>& blocks) {
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

}  // namespace

ImportedRun imported_run(const ImportedSession& session, const ImportAs& as) {
  formats::ForeignBlocks found = formats::blocks_of(session);
  ImportedRun run;
  run.benchmarks = found.blocks.size();
  run.digest = digest_of(session, as, found.blocks);
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
  for (Block& block : found.blocks) {
    const std::string name = block.workload;
    run.plan.workloads.push_back({workload_of(name, block.params, as), {}, {}});
    run.invocations.push_back(invocation_of(name, {std::move(block)}, run));
  }
  SampleSet named = session.samples;
  formats::name_as_imported(named);
  for (const auto& [benchmark, why] : named.failures) {
    run.plan.workloads.push_back({workload_of(benchmark.name, benchmark.params, as), {}, {}});
    run.invocations.push_back(invocation_of(benchmark.name, {}, run));
    run.invocations.back().failure = why;
  }
  return run;
}

}  // namespace perf
