#include <algorithm>

#include "schema/formats/foreign.h"
#include "schema/formats/reading.h"
#include "schema/selection.h"
#include "schema/workload_name.h"

namespace perf::formats {
namespace {

constexpr std::size_t kLongestName = 200;  ///< bytes, as in the protocol

/// Bytes of facts that go with every block: what a text says once costs as often as it has blocks.
constexpr std::size_t kMostFacts = 4096;

/// The values of a series, or the one that its statistics stand for.
std::vector<double> values_of(const SampleSeries& series) {
  if (series.values.empty() && series.summary) {
    return {series.summary->median};
  }
  return series.values;
}

bool is_step(double seconds) {
  return seconds >= kShortestStep && seconds <= kLongestStep;
}

/// One benchmark: all series of one name and parameters.
struct Benchmark {
  std::string name;
  Params params;
  std::vector<const SampleSeries*> series;
};

std::vector<Benchmark> benchmarks_of(const SampleSet& samples) {
  std::map<std::pair<std::string, Params>, std::size_t> at;
  std::vector<Benchmark> benchmarks;
  for (const SampleSeries& series : samples.series) {
    // Workloads are told apart by name alone.
    const Params params = samples.of_workloads ? Params{} : series.params;
    const auto [found, is_first] = at.try_emplace({series.name, params}, benchmarks.size());
    if (is_first) {
      benchmarks.push_back({series.name, series.params, {}});
    }
    benchmarks[found->second].series.push_back(&series);
  }
  return benchmarks;
}

class BlockBuilder {
 public:
  explicit BlockBuilder(const std::map<std::string, std::string>& facts) {
    std::size_t bytes = 0;
    for (const auto& [name, value] : facts) {
      const std::size_t size = name.size() + value.size();
      if (bytes + size <= kMostFacts) {
        bytes += size;
        facts_.emplace(name, value);
      }
    }
    if (facts_.size() < facts.size()) {
      found_.warnings.push_back(
          {WarningKind::facts_passed_over, {{"facts", facts.size() - facts_.size()}}});
    }
  }

  void add(const Benchmark& benchmark) {
    Block block;
    block.workload = name_of(benchmark.name);
    block.params = benchmark.params;
    block.facts = facts_;
    for (const SampleSeries* series : benchmark.series) {
      if (series->metric != kStepTime) {
        add_metric(*series, block);
        continue;
      }
      for (const double seconds : values_of(*series)) {
        if (!is_step(seconds)) {
          found_.failures.emplace(block.workload, "a time of " + to_text(Param(seconds)) +
                                                      " s: steps must lie between 1e-15 and 1e9 s");
          return;
        }
        Step step;
        step.index = static_cast<std::int64_t>(block.steps.size());
        step.seconds = seconds;
        block.steps.push_back(step);
      }
    }
    if (block.steps.empty() && block.metrics.empty()) {
      found_.failures.emplace(block.workload, "it has no value");
    } else {
      found_.blocks.push_back(std::move(block));
    }
  }

  void add_failure(const std::string& name, const std::string& reason) {
    found_.failures.emplace(name_of(name), reason);
  }

  ForeignBlocks take() {
    if (!renamed_.figures.empty()) {
      found_.warnings.push_back(std::move(renamed_));
    }
    return std::move(found_);
  }

 private:
  std::string name_of(const std::string& benchmark) {
    std::string name = names_.of(benchmark);
    if (name != benchmark && renamed_.figures["benchmarks"]++ == 0) {
      renamed_.about = {{"benchmark", in_quotes(benchmark)}, {"workload", name}};
    }
    return name;
  }

  void add_metric(const SampleSeries& series, Block& block) {
    const std::string& name = series.metric.name;
    if (name.empty() || name.size() > kLongestName) {
      warn(WarningKind::metric_name_length, series);
    } else if (series.metric.unit.size() > kLongestName) {
      warn(WarningKind::metric_unit_length, series);
    } else if (is_measured_here(name)) {
      warn(WarningKind::metric_measured_here, series);
    } else if (std::vector<double> values = values_of(series); !values.empty()) {
      const double value = median_in_place(values);
      if (series.judge && value < 0) {
        warn(WarningKind::negative_metric, series);
      }
      block.metrics.push_back({series.metric, value, series.judge && value >= 0});
    }
  }

  void warn(WarningKind kind, const SampleSeries& series) {
    found_.warnings.push_back(
        {kind,
         {},
         {{"metric", in_quotes(series.metric.name)}, {"benchmark", in_quotes(series.name)}}});
  }

  ForeignBlocks found_;
  std::map<std::string, std::string> facts_;
  WorkloadNames names_;
  Warning renamed_{WarningKind::renamed};
};

}  // namespace

std::size_t benchmarks_in(const SampleSet& samples) {
  return benchmarks_of(samples).size();
}

ForeignBlocks blocks_of(const SampleSet& samples) {
  BlockBuilder builder(samples.environment.machine);
  for (const Benchmark& benchmark : benchmarks_of(samples)) {
    builder.add(benchmark);
  }
  for (const auto& [name, reason] : samples.failures) {
    builder.add_failure(name, reason);
  }
  return builder.take();
}

ForeignBlocks blocks_of(const ImportedSession& session) {
  if (session.blocks.empty()) {
    return blocks_of(session.samples);
  }
  return {session.blocks, {}, {}};
}

}  // namespace perf::formats
