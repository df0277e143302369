#include "schema/readings.h"

#include <algorithm>

#include "schema/error.h"
#include "schema/selection.h"
#include "schema/side_stats.h"
#include "schema/text/lists.h"
#include "schema/text/text_parts.h"

namespace perf {
namespace {

const Metric kTokensPerSecond{"tokens_per_second", "1/s", Better::higher};

}  // namespace

std::vector<double> timed_steps(const Block& block) {
  std::vector<double> seconds;
  seconds.reserve(block.steps.size());
  for (const Step& step : block.steps) {
    if (!step.warmup) {
      seconds.push_back(step.seconds);
    }
  }
  return seconds;
}

std::optional<double> step_time(const Block& block) {
  if (block.pruned && block.pruned->timed > 0) {
    return block.pruned->median;
  }
  std::vector<double> seconds = timed_steps(block);
  return seconds.empty() ? std::nullopt : std::optional(median_in_place(seconds));
}

std::size_t StepQuantile::steps_needed() const {
  constexpr int kBeyond = 10, kAll = 1000;
  const int above = kAll - per_mille;
  return static_cast<std::size_t>((kBeyond * kAll + above - 1) / above);
}

std::optional<double> StepQuantile::of(const Block& block) const {
  constexpr int kMedian = 500, kP90 = 900;
  if (block.pruned && block.pruned->timed > 0) {
    return per_mille == kMedian ? std::optional(block.pruned->median)
           : per_mille == kP90  ? std::optional(block.pruned->p90)
                                : std::nullopt;
  }
  return of(timed_steps(block));
}

std::optional<double> StepQuantile::of(std::vector<double> seconds) const {
  std::ranges::sort(seconds);
  return seconds.empty() ? std::nullopt : std::optional(quantile(seconds, per_mille / 1000.0));
}

std::optional<StepQuantile> step_quantile(const std::string& metric) {
  constexpr int kLeast = 500, kMost = 999;
  const std::string prefix = kStepTime.name + ".";
  if (!metric.starts_with(prefix)) {
    return std::nullopt;
  }
  const std::string_view name = std::string_view(metric).substr(prefix.size());
  const std::string_view number = name.substr(lower(name.substr(0, 1)) == "p" ? 1 : 0);
  if (number.empty() || number[0] < '0' || number[0] > '9') {
    return std::nullopt;  // a metric of the benchmark's own
  }
  const bool has_tenth = number.size() == 4 && number[2] == '.' && number[3] != '0';
  const std::optional<int> whole = parsed<int>(number.substr(0, 2));
  const std::optional<int> tenth = has_tenth ? parsed<int>(number.substr(3)) : 0;
  const int per_mille = 10 * whole.value_or(0) + tenth.value_or(-kMost);
  if (name[0] != 'p' || (number.size() != 2 && !has_tenth) || per_mille < kLeast ||
      per_mille > kMost) {
    throw UsageError("a quantile of the steps must be p50 to p99.9", metric,
                     "write it as step_time.p99 or step_time.p99.9");
  }
  return StepQuantile{per_mille};
}

std::vector<MetricValue> process_values(const ProcessResult& process) {
  std::vector<MetricValue> values;
  if (process.instructions) {
    values.push_back({kInstructions, static_cast<double>(*process.instructions), false});
  }
  if (process.peak_rss) {
    values.push_back({kPeakRss, static_cast<double>(*process.peak_rss), false});
  }
  return values;
}

BlockReading read_block(const Block& block, std::set<std::string> taken) {
  BlockReading reading{step_time(block), {}};
  const std::optional<double>& seconds = reading.step_time;
  if (seconds) {
    taken.insert(kStepTime.name);
  }
  reading.values = mapped(block.metrics, [&](const MetricValue& value) {
    return BlockValue{value, true, taken.insert(value.metric.name).second};
  });
  if (seconds && *seconds > 0 && block.tokens_per_step &&
      taken.insert(kTokensPerSecond.name).second) {
    reading.values.push_back(
        {{kTokensPerSecond, *block.tokens_per_step / *seconds, false}, false, true});
  }
  return reading;
}

void BlockCount::add(Side side, bool paired, int pair, int attempt, bool has_several) {
  if (settled_) {
    return;
  }
  several_ = several_ || has_several;
  settled_ = paired && halves_.emplace(std::pair(pair, attempt), side).first->second != side;
}

std::string child_name(const std::string& entry, const std::string& block,
                       std::set<std::string>& taken) {
  const std::string prefix = entry + "/";
  const std::string plain = block.rfind(prefix, 0) == 0 ? block : prefix + block;
  std::string name = plain;
  for (int twin = 2; !taken.insert(name).second; ++twin) {
    name = plain + "-" + std::to_string(twin);
  }
  return name;
}

std::vector<std::string> block_names(const std::string& entry,
                                     const std::vector<std::string>& blocks, bool several) {
  if (!several) {
    return std::vector<std::string>(std::min<std::size_t>(blocks.size(), 1), entry);
  }
  std::set<std::string> taken;
  return mapped(blocks, [&](const std::string& block) { return child_name(entry, block, taken); });
}

std::vector<std::pair<std::string, const Block*>> named_blocks(const Invocation& invocation,
                                                               const std::string& entry,
                                                               bool several) {
  std::vector<std::string> own = mapped(invocation.blocks, &Block::workload);
  std::vector<std::pair<std::string, const Block*>> named;
  for (const std::string& name : block_names(entry, own, several)) {
    named.emplace_back(name, &invocation.blocks[named.size()]);
  }
  return named;
}

}  // namespace perf
