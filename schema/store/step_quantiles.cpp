#include <algorithm>
#include <unordered_set>

#include "schema/store/internal.h"

namespace perf::store {
namespace {

/// The blocks of good invocations that have so many timed steps.
std::unordered_set<std::int64_t> blocks_with_steps(Connection& connection, std::size_t fewest,
                                                   const RecordedRows& found) {
  const auto keys =
      connection.values<std::int64_t>("SELECT key FROM block WHERE timed >= ?1", fewest);
  std::unordered_set<std::int64_t> blocks(keys.begin(), keys.end()), good;
  if (blocks.empty()) {
    return blocks;
  }
  for (const InvocationRow& invocation : found.invocations) {
    good.insert(invocation.key);
  }
  for (const BlockRow& block : found.blocks) {
    if (!good.contains(block.invocation)) {
      blocks.erase(block.key);
    }
  }
  return blocks;
}

/// Calls use(key, block) of each of these blocks whose steps are still there: the timed ones.
template <class Use>
void for_each_block(Connection& connection, std::size_t fewest, const RecordedRows& found,
                    const Use& use) {
  const std::unordered_set<std::int64_t> blocks = blocks_with_steps(connection, fewest, found);
  if (blocks.empty()) {
    return;
  }
  Block block;
  std::int64_t key = 0;
  const auto use_steps = [&] {
    if (!block.steps.empty()) {
      use(key, block);
    }
    block.steps.clear();
  };
  Statement rows = connection.query(
      "SELECT block.key, seconds FROM block CROSS JOIN step ON step.block = block.key "
      "WHERE timed >= ?1 AND warmup = 0 ORDER BY block.key, step.idx",
      fewest);
  std::int64_t of = 0;
  for (double seconds = 0; rows.next();) {
    rows.read(of, seconds);
    if (of != key) {
      use_steps();
      key = of;
    }
    if (blocks.contains(of)) {
      block.steps.push_back({0, false, seconds, {}});
    }
  }
  use_steps();
}

}  // namespace

void derive_quantiles(Connection& connection, const StepQuantiles& wanted, RecordedRows& found) {
  const auto fewest = std::ranges::min_element(
      wanted, {}, [](const auto& one) { return one.second.steps_needed(); });
  for_each_block(connection, fewest->second.steps_needed(), found,
                 [&](std::int64_t key, const Block& block) {
                   for (const auto& [metric, quantile] : wanted) {
                     if (block.steps.size() >= quantile.steps_needed()) {
                       found.values.push_back({key, metric, *quantile.of(block)});
                     }
                   }
                 });
  std::ranges::stable_sort(found.values, {}, &MetricRow::block);
}

void derive_tails(Connection& connection, RecordedRows& found) {
  const StepQuantile quantile = step_quantile(kTailMetric).value();
  for_each_block(connection, quantile.steps_needed(), found,
                 [&](std::int64_t key, const Block& block) {
                   if (block.steps.size() >= quantile.steps_needed()) {
                     found.tails[key] = static_cast<float>(*quantile.of(block) / *step_time(block));
                   }
                 });
  Statement rows = connection.query(
      "SELECT block.key, p90 / median FROM pruned_block AS p JOIN block ON block.key = p.block "
      "WHERE timed >= ?1 AND median > 0",
      quantile.steps_needed());
  std::int64_t key = 0;
  for (double tail = 0; rows.next();) {
    rows.read(key, tail);
    found.tails[key] = static_cast<float>(tail);
  }
}

}  // namespace perf::store
