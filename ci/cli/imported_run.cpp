#include "ci/cli/imported_run.h"

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <utility>

#include "schema/fnv.h"
#include "schema/formats/foreign.h"

namespace perf {
namespace {

/// FNV-1a's own, and one that differs from it in every second bit, for another 64 bits.
constexpr std::uint64_t kBases[] = {0xCBF29CE484222325u, 0xCBF29CE484222325u ^ 0x5555555555555555u};

/// Two hashes of texts and numbers, each with its length or exact.
class Digest {
 public:
  void add(std::string_view text) {
    const std::string length = std::to_string(text.size()) + ":";
    for (std::uint64_t& hash : hashes_) {
      hash = fnv1a_64(text, fnv1a_64(length, hash));
    }
  }
  void add(double number) {
    char text[40];
    std::snprintf(text, sizeof text, "%a", number);
    add(std::string_view(text));
  }
  std::string text() const {
    char text[33];
    std::snprintf(text, sizeof text, "%016" PRIx64 "%016" PRIx64, hashes_[0], hashes_[1]);
    return text;
  }

 private:
  std::uint64_t hashes_[2] = {kBases[0], kBases[1]};
};

void add_block(const Block& block, Digest& digest) {
  digest.add(block.workload);
  for (const auto& [name, value] : block.params) {
    digest.add(name);
    digest.add(to_text(value));
  }
  for (const Step& step : block.steps) {
    digest.add(step.seconds);
  }
  for (const MetricValue& value : block.metrics) {
    digest.add(value.metric.name);
    digest.add(value.metric.unit);
    digest.add(value.value);
  }
}

std::string digest_of(const ImportedSession& session, const ImportAs& as,
                      const std::vector<Block>& blocks) {
  Digest digest;
  for (const std::string_view text :
       {std::string_view(as.format), std::string_view(as.entry), std::string_view(as.size),
        std::string_view(as.revision.oid), std::string_view(as.environment.fingerprint),
        std::string_view(session.measured_at)}) {
    digest.add(text);
  }
  for (const Block& block : blocks) {
    add_block(block, digest);
  }
  return digest.text();
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

/// What can be said of a command that somebody else ran: nothing but its name.
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
    run.plan.warnings.push_back(name + " has no value: " + reason);
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
  return run;
}

}  // namespace perf
