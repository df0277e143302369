#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "analyzer/samples/samples.h"
#include "schema/readings.h"

namespace perf {
namespace {

using Key = Observations::key_type;  // workload, metric

class SeriesBuilder {
 public:
  SeriesBuilder(const WorkloadSamples& samples, const Policy& policy)
      : samples_(samples), policy_(policy) {}

  std::vector<MetricSamples> build() {
    add_side(samples_.head, &MetricSamples::head);
    add_side(samples_.base, &MetricSamples::base);
    if (samples_.fate == Fate::same) {
      add_side(samples_.traced_head, &MetricSamples::head);
      add_side(samples_.traced_base, &MetricSamples::base);
    } else {
      add_only_traced(samples_.traced_head, &MetricSamples::only_traced_head);
      add_only_traced(samples_.traced_base, &MetricSamples::only_traced_base);
    }
    for (const GoodPair& pair : samples_.pairs) {
      add_pair(pair);
    }
    std::vector<MetricSamples> result;
    for (auto& [key, series] : series_) {
      series.judged = is_judged(key);
      result.push_back(std::move(series));
    }
    return result;
  }

 private:
  const Observations& observations(const Invocation* invocation) {
    const auto [found, is_new] = read_.try_emplace(invocation);
    if (is_new) {
      found->second = observations_of(*invocation, samples_, policy_);
    }
    return found->second;
  }

  // Head comes first: where the sides disagree, head's definition counts.
  void add_side(const std::vector<const Invocation*>& invocations,
                std::vector<Sample> MetricSamples::*side) {
    for (const Invocation* invocation : invocations) {
      for (const auto& [key, seen] : observations(invocation)) {
        const auto [found, is_first] = series_.try_emplace(key);
        MetricSamples& series = found->second;
        if (is_first) {
          series.workload = key.first;
          series.metric = seen.metric;
          series.of_steps = seen.of_steps;
          series.params = samples_.planned->workload.params;
          series.base_params = samples_.planned->base_params;
        }
        if (seen.too_few && (!series.too_few || seen.too_few->steps < series.too_few->steps)) {
          series.too_few = seen.too_few;
        }
        series.unlike |= !(series.metric == seen.metric) || series.of_steps != seen.of_steps;
        if (seen.sample.block && !seen.sample.block->params.empty()) {
          // One set of parameters for all, or, where two settings are compared, one a side.
          const bool has_own = side == &MetricSamples::base && series.base_params;
          Params& taken = has_own ? *series.base_params : series.params;
          if (has_own ? series.base.empty() : is_first) {
            taken = seen.sample.block->params;
          }
          series.params_differ |= seen.sample.block->params != taken;
        }
        (series.*side).push_back(seen.sample);
        requested_by_any_[key] |= seen.judge;
      }
    }
  }

  // Of what is measured as well the checks count, and nothing else.
  void add_only_traced(const std::vector<const Invocation*>& invocations,
                       std::vector<const Block*> MetricSamples::*side) {
    for (const Invocation* invocation : invocations) {
      for (const auto& [key, seen] : observations(invocation)) {
        const auto found = series_.find(key);
        if (found != series_.end() && seen.sample.block) {
          (found->second.*side).push_back(seen.sample.block);
        }
      }
    }
  }

  void add_pair(const GoodPair& pair) {
    const bool is_first = &pair == samples_.pairs.data();
    const Observations &base = observations(pair.base), &head = observations(pair.head);
    for (const auto& [key, at_base] : base) {
      series_.at(key).one_sided += head.contains(key) ? 0 : 1;
    }
    for (const auto& [key, at_head] : head) {
      const auto at_base = base.find(key);
      if (at_base == base.end()) {
        ++series_.at(key).one_sided;
        continue;
      }
      MetricSamples& series = series_.at(key);
      series.pairs.push_back({at_base->second.sample, at_head.sample, pair.place});
      series.in_first_pair |= is_first;
      if (is_first) {
        requested_in_first_pair_[key] = at_base->second.judge || at_head.judge;
      }
    }
  }

  // What is judged must not depend on values seen after m was frozen.
  bool is_judged(const Key& key) const {
    if (!policy_.metrics.empty()) {
      return is_shown(policy_, key.second);
    }
    if (key.second == kStepTime.name || key.second == kPeakRss.name ||
        names_metric(policy_, key.first, key.second)) {
      return true;
    }
    const auto asked = requested_in_first_pair_.find(key);
    return asked != requested_in_first_pair_.end() ? asked->second : requested_by_any_.at(key);
  }

  const WorkloadSamples& samples_;
  const Policy& policy_;
  std::map<const Invocation*, Observations> read_;  ///< each once
  std::map<Key, MetricSamples> series_;
  std::map<Key, bool> requested_by_any_, requested_in_first_pair_;
};

}  // namespace

Observations observations_of(const Invocation& invocation, const WorkloadSamples& samples,
                             const Policy& policy) {
  const std::string& entry = entry_name(*samples.planned);
  Observations seen;
  const auto add = [&seen](const std::string& name, const MetricValue& value, const Block* block,
                           bool of_steps) {
    seen.emplace(std::pair(name, value.metric.name),
                 Observation{value.metric, {value.value, block}, of_steps, value.judge});
  };
  std::set<std::string> taken;
  for (const MetricValue& value : process_values(invocation.process)) {
    // Where they are counted apart, that count is the metric: see add_counted_row.
    if (!policy.count || !(value.metric == kInstructions)) {
      add(entry, value, nullptr, false);
      taken.insert(value.metric.name);
    }
  }
  for (const auto& [name, block] : named_blocks(invocation, entry, samples.several_blocks)) {
    const BlockReading reading =
        read_block(*block, samples.several_blocks ? std::set<std::string>() : taken);
    if (reading.step_time) {
      add(name, {kStepTime, *reading.step_time, false}, block, true);
    }
    for (const auto& [metric, quantile] : step_quantiles(policy, name)) {
      if (const std::optional<double> value = quantile.of(*block)) {
        const Metric of_steps{metric, kStepTime.unit, kStepTime.better};
        add(name, {of_steps, *value, true}, block, false);
        const std::size_t steps = block->pruned ? static_cast<std::size_t>(block->pruned->timed)
                                                : timed_steps(*block).size();
        if (steps < quantile.steps_needed() && !invocation.traced) {
          seen.at({name, metric}).too_few = {steps, quantile.steps_needed(), invocation.side};
        }
      }
    }
    for (const BlockValue& one : reading.values) {
      const bool is_whole = is_of_invocation(one.value.metric);
      if (one.counts) {
        add(is_whole ? entry : name, one.value, is_whole ? nullptr : block, false);
      }
    }
  }
  return seen;
}

bool has_steps(const MetricSamples& series, const std::vector<Sample>& samples) {
  return series.of_steps && std::ranges::none_of(samples, [](const Sample& sample) {
           return sample.block != nullptr && sample.block->pruned.has_value();
         });
}

std::vector<double> values_of(const MetricSamples& series, const std::vector<Sample>& samples) {
  std::vector<double> values;
  const bool of_steps = has_steps(series, samples);
  for (const Sample& sample : samples) {
    if (of_steps) {
      const std::vector<double> steps = timed_steps(*sample.block);
      values.insert(values.end(), steps.begin(), steps.end());
    } else {
      values.push_back(sample.value);
    }
  }
  return values;
}

std::vector<double> values_of(const Invocation& invocation, const Metric& metric) {
  std::vector<double> values;
  for (const Block& block : invocation.blocks) {
    for (const MetricValue& value : block.metrics) {
      if (value.metric == metric) {
        values.push_back(value.value);
      }
    }
  }
  return values;
}

bool is_shown(const Policy& policy, const std::string& metric) {
  return policy.metrics.empty() ||
         std::ranges::find(policy.metrics, metric) != policy.metrics.end();
}

Warning TooFewSteps::warning(const std::string& metric) const {
  return {WarningKind::too_few_steps,
          {{"steps", steps}, {"needed", needed}},
          {{"metric", metric}, {"side", std::string(to_string(side))}}};
}

std::map<std::string, StepQuantile> step_quantiles(const Policy& policy,
                                                   const std::string& workload) {
  std::map<std::string, StepQuantile> quantiles;
  const auto add = [&quantiles](const std::string& metric) {
    if (const auto quantile = step_quantile(metric)) {
      quantiles.emplace(metric, *quantile);
    }
  };
  std::ranges::for_each(policy.metrics, add);
  for (const ThresholdRule& rule : policy.thresholds) {
    if (is_shown(policy, rule.metric) && names_metric(policy, workload, rule.metric)) {
      add(rule.metric);
    }
  }
  return quantiles;
}

int steps_for_quantiles(const Policy& policy, const std::string& workload) {
  std::size_t needed = 0;
  for (const auto& [metric, quantile] : step_quantiles(policy, workload)) {
    needed = std::max(needed, quantile.steps_needed());
  }
  return static_cast<int>(needed);
}

std::vector<MetricSamples> series_of(const WorkloadSamples& samples, const Policy& policy) {
  return SeriesBuilder(samples, policy).build();
}

}  // namespace perf
