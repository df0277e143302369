#include <algorithm>
#include <utility>

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

/// One benchmark: all series of one name and parameters.
struct Benchmark {
  BenchmarkId id;
  std::vector<const SampleSeries*> series;
};

std::vector<Benchmark> series_by_benchmark(const SampleSet& samples) {
  std::map<BenchmarkId, std::size_t> at;
  std::vector<Benchmark> benchmarks;
  for (const SampleSeries& series : samples.series) {
    // Workloads are told apart by name alone.
    const BenchmarkId id{series.name, samples.of_workloads ? Params{} : series.params};
    const auto [found, is_first] = at.try_emplace(id, benchmarks.size());
    if (is_first) {
      benchmarks.push_back({id, {}});
    }
    benchmarks[found->second].series.push_back(&series);
  }
  return benchmarks;
}

/// All that a file says of a benchmark's identity. Names that have their parameters in them do so
/// by themselves; a Go benchmark always has its package, and one of cargo its program.
std::string full_name(const BenchmarkId& id, bool shares_name) {
  for (const auto& [param, value] : id.params) {
    const bool is_of_go = param == "pkg" && id.name.starts_with("Benchmark");
    if (is_of_go || (param == "bench" && to_text(value).ends_with(".rs"))) {
      return to_text(value) + "/" + id.name;
    }
  }
  std::string name = id.name;
  for (const auto& [param, value] : shares_name ? id.params : Params{}) {
    name += " " + param + "=" + to_text(value);
  }
  return name;
}

/// What the workload of a benchmark is called. Another file may have a benchmark whose name has the
/// replaced characters.
struct ForeignName {
  std::string workload;
  std::string of_file{};  ///< where characters were replaced, and no digest says so
};

/// Names of workloads, none twice, whatever the order of the benchmarks.
std::map<BenchmarkId, ForeignName> workload_names(const std::set<BenchmarkId>& ids) {
  std::map<std::string, int> of_name, of_workload;
  for (const BenchmarkId& id : ids) {
    ++of_name[id.name];
  }
  std::map<BenchmarkId, ForeignName> names;
  for (const BenchmarkId& id : ids) {
    names[id].of_file = full_name(id, of_name[id.name] > 1);
    ++of_workload[workload_name(names[id].of_file)];
  }
  for (auto& [id, name] : names) {
    const std::string plain = workload_name(name.of_file);
    const bool has_digest = of_workload[plain] > 1 && plain != name.of_file;
    name.workload = workload_name(name.of_file, has_digest);
    if (has_digest || name.of_file.size() > kLongestWorkloadName || plain == name.of_file) {
      name.of_file.clear();
    }
  }
  return names;
}

class BlockBuilder {
 public:
  BlockBuilder(const std::map<std::string, std::string>& facts,
               std::map<BenchmarkId, ForeignName> names, bool is_imported)
      : is_imported_(is_imported), names_(std::move(names)) {
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
    block.workload = name_of(benchmark.id);
    block.params = benchmark.series.front()->params;
    std::erase_if(block.params, [this](const auto& param) {
      return !is_imported_ && is_setting(param.first);  // pairs are of one workload
    });
    block.facts = facts_;
    if (const std::string& name = names_.at(benchmark.id).of_file; is_imported_ && !name.empty()) {
      block.params[kForeignName] = name;
    }
    for (const SampleSeries* series : benchmark.series) {
      if (!series->version.empty()) {
        block.params[kForeignVersion] = series->version;  // edited ones begin a new series
      }
      if (series->metric != kStepTime) {
        add_metric(*series, block);
        continue;
      }
      for (const double seconds : values_of(*series)) {
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

  void add_failure(const BenchmarkId& benchmark, const std::string& reason) {
    found_.failures.emplace(name_of(benchmark), reason);
  }

  ForeignBlocks take() {
    if (!renamed_.figures.empty()) {
      found_.warnings.push_back(std::move(renamed_));
    }
    return std::move(found_);
  }

 private:
  const std::string& name_of(const BenchmarkId& benchmark) {
    const std::string& name = names_.at(benchmark).workload;
    if (!name.ends_with(benchmark.name) && renamed_.figures["benchmarks"]++ == 0) {
      renamed_.about = {{"benchmark", in_quotes(benchmark.name)}, {"workload", name}};
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
      const bool may_judge = value >= 0 || is_imported_;  // a history has differences
      if (series.judge && !may_judge) {
        warn(WarningKind::negative_metric, series);
      }
      block.metrics.push_back({series.metric, value, series.judge && may_judge});
    }
  }

  void warn(WarningKind kind, const SampleSeries& series) {
    found_.warnings.push_back(
        {kind,
         {},
         {{"metric", in_quotes(series.metric.name)}, {"benchmark", in_quotes(series.name)}}});
  }

  const bool is_imported_;
  ForeignBlocks found_;
  std::map<std::string, std::string> facts_;
  std::map<BenchmarkId, ForeignName> names_;
  Warning renamed_{WarningKind::renamed};
};

ForeignBlocks blocks_of(const SampleSet& samples, bool is_imported) {
  const std::vector<Benchmark> benchmarks = series_by_benchmark(samples);
  std::set<BenchmarkId> ids;
  for (const Benchmark& benchmark : benchmarks) {
    ids.insert(benchmark.id);
  }
  for (const auto& [benchmark, reason] : samples.failures) {
    ids.insert(benchmark);
  }
  BlockBuilder builder(samples.environment.machine, workload_names(ids), is_imported);
  for (const Benchmark& benchmark : benchmarks) {
    builder.add(benchmark);
  }
  for (const auto& [benchmark, reason] : samples.failures) {
    builder.add_failure(benchmark, reason);
  }
  return builder.take();
}

}  // namespace

void name_as_imported(SampleSet& samples) {
  const std::map<BenchmarkId, ForeignName> names = workload_names(benchmarks_of(samples));
  rename_benchmarks(samples, [&names](BenchmarkId benchmark) {
    const auto found = names.find(benchmark);
    if (found != names.end()) {
      benchmark.name = found->second.workload;
      if (!found->second.of_file.empty()) {
        benchmark.params[kForeignName] = found->second.of_file;
      }
    }
    return benchmark;
  });
}

std::size_t benchmarks_in(const SampleSet& samples) {
  return series_by_benchmark(samples).size();
}

ForeignBlocks blocks_of(const SampleSet& samples) {
  return blocks_of(samples, false);
}

ForeignBlocks blocks_of(const ImportedSession& session) {
  if (session.blocks.empty()) {
    return blocks_of(session.samples, true);
  }
  return {session.blocks, {}, {}};
}

}  // namespace perf::formats
