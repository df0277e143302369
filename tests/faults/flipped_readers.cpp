#include "tests/faults/flipped_readers.h"

#include <cmath>
#include <fstream>

#include "collector/process/temporary_folder.h"
#include "schema/config.h"
#include "schema/formats/foreign.h"
#include "schema/formats/judge_cases.h"
#include "schema/formats/report_json.h"
#include "schema/formats/series_file.h"
#include "schema/formats/steps.h"
#include "tests/fuzz/checks.h"
#include "tests/fuzz/target.h"
#include "workloads/model/checkpoint_shape.h"
#include "workloads/model/tensor_reader.h"

namespace perf::test {
namespace {

using Json = nlohmann::json;

/// A value that a reader accepted: names, then the number, to the last bit.
class Numbers {
 public:
  void add(const std::string& name, double value) { add(name, {}, value); }
  void add(const std::string& name, const std::string& metric, double value) {
    Json one = Json::array({name});
    if (!metric.empty()) {
      one.push_back(metric);
    }
    one.push_back(fuzz::exactly(value));
    list_.push_back(std::move(one));
  }
  void add_params(const Params& params, const std::string& before, const std::string& after) {
    for (const auto& [name, value] : params) {
      if (const double* real = std::get_if<double>(&value)) {
        add(before + name + after, *real);
      } else if (const std::int64_t* integer = std::get_if<std::int64_t>(&value)) {
        add(before + name + after, static_cast<double>(*integer));
      }
    }
  }
  operator Json() const { return list_; }

 private:
  Json list_ = Json::array();
};

Numbers read_steps(const std::string& text) {
  Numbers numbers;
  const std::vector<Block> blocks = formats::read_steps(text);
  for (const Block& block : blocks) {
    numbers.add_params(block.params, "param ", "");
    if (block.tokens_per_step) {
      numbers.add("tokens", *block.tokens_per_step);
    }
    for (const Step& step : block.steps) {
      numbers.add("index", static_cast<double>(step.index));
      numbers.add("seconds", step.seconds);
      if (step.rss) {
        numbers.add("rss", static_cast<double>(*step.rss));
      }
      for (const auto& [name, seconds] : step.phases) {
        numbers.add("phase " + name, seconds);
      }
    }
  }
  for (const Block& block : blocks) {
    for (const MetricValue& reported : block.metrics) {
      numbers.add("metric " + reported.metric.name, reported.value);
    }
    for (const Check& check : block.checks) {
      if (check.error) {
        numbers.add("error of " + check.name, *check.error);
      }
      if (check.tolerance) {
        numbers.add("tolerance of " + check.name, *check.tolerance);
      }
    }
  }
  return numbers;
}

/// Fields that are not in the text have defaults: only fields of the text are compared.
Numbers read_configured(const std::string& text) {
  const Config config = read_config(text, "perf-compare.json");
  const Config nothing;
  Numbers numbers;
  if (config.build && config.build->timeout != BuildCommand().timeout) {
    numbers.add("build", config.build->timeout);
  }
  for (const ConfiguredWorkload& entry : config.workloads) {
    const std::string of = " of " + entry.workload.name;
    if (entry.workload.timeout != Workload().timeout) {
      numbers.add("timeout" + of, entry.workload.timeout);
    }
    numbers.add_params(entry.workload.params, "", of);
    for (const auto& [metric, threshold] : entry.metric_thresholds) {
      numbers.add("threshold" + of + " " + metric, threshold);
    }
  }
  const Policy& policy = config.policy;
  if (policy.threshold != nothing.policy.threshold) {
    numbers.add("threshold", policy.threshold);
  }
  if (policy.alpha != nothing.policy.alpha) {
    numbers.add("alpha", policy.alpha);
  }
  if (policy.budget != nothing.policy.budget) {
    numbers.add("budget", policy.budget);
  }
  for (const ThresholdRule& rule : policy.thresholds) {
    if (rule.workload_glob.empty() != rule.metric.empty())  // policy's own, not a workload's
    {
      numbers.add("rule " + rule.workload_glob + rule.metric, rule.threshold);
    }
  }
  for (const Target& target : config.targets) {
    if (target.at_least) {
      numbers.add("at_least of " + target.name, *target.at_least);
    }
    if (target.at_most) {
      numbers.add("at_most of " + target.name, *target.at_most);
    }
  }
  return numbers;
}

Numbers read_cases(const std::string& text) {
  Numbers numbers;
  for (const JudgeCase& read : formats::read_judge_cases(text, "f")) {
    if (read.threshold) {
      numbers.add("threshold of " + read.name, *read.threshold);
    }
    for (const auto& [side, invocations] :
         {std::pair("base of ", &read.base), std::pair("head of ", &read.head)}) {
      for (const std::vector<double>& invocation : *invocations) {
        for (const double value : invocation) {
          numbers.add(side + read.name, value);
        }
      }
    }
  }
  return numbers;
}

Numbers read_series(const std::string& text) {
  Numbers numbers;
  for (const NamedSeries& series : formats::read_series_file(text, "f")) {
    for (const double value : series.values) {
      if (!std::isnan(value)) {
        numbers.add(series.name, value);
      }
    }
  }
  return numbers;
}

Numbers read_report(const std::string& text) {
  Numbers numbers;
  const formats::ReportFile report = formats::read_report_json(text, "f");
  for (const SampleSeries& series : report.sessions.front().series) {
    const SideStats& stats = *series.summary;
    for (const auto& [name, value] :
         {std::pair("median", stats.median), std::pair("p90", stats.p90),
          std::pair("mean", stats.mean), std::pair("stddev", stats.stddev),
          std::pair("min", stats.min), std::pair("max", stats.max), std::pair("cov", stats.cov),
          std::pair("invocations", double(stats.invocations)),
          std::pair("steps", double(stats.steps))}) {
      numbers.add(name + (" of " + series.name) + " " + series.metric.name, value);
    }
  }
  return numbers;
}

std::function<Numbers(const std::string&)> read_imported(const std::string& format) {
  return [format](const std::string& text) {
    // Rates of criterion follow from two numbers and are not in the text.
    const bool derives_rates =
        format == "criterion" && text.find_first_not_of(" \t\r\n") == text.find('{');
    Numbers numbers;
    for (const ImportedSession& session : formats::read_foreign(format, text, "f")) {
      for (const SampleSeries& series : session.samples.series) {
        // asv's parameters are part of the name.
        const std::size_t end = format == "asv" ? series.name.find('(') : std::string::npos;
        if (!derives_rates || series.metric.better == Better::lower) {
          for (const double value : series.values) {
            numbers.add(series.name.substr(0, end), series.metric.name, value);
          }
        }
      }
    }
    return numbers;
  };
}

Numbers read_tensors(const std::string& text) {
  static const TemporaryFolder folder;
  const std::string path = folder.path() / "flipped.safetensors";
  std::ofstream(path, std::ios::binary) << text;
  Numbers numbers;
  const workloads::TensorReader file(path);
  for (const workloads::MappedTensor& tensor : file.tensors()) {
    const std::string& type = tensor.entry.type;
    if (type != "F32" && type != "BF16" && type != "F16") {
      continue;
    }
    std::vector<float> values(tensor.bytes / (type == "F32" ? 4 : 2));
    file.read(tensor, 0, values.size(), values.data());
    for (const float value : values) {
      numbers.add(tensor.entry.name, static_cast<double>(value));
    }
  }
  return numbers;
}

Numbers read_checkpoint_config(const std::string& text) {
  static const TemporaryFolder folder;
  const std::string path = folder.path() / "flipped.config.json";
  std::ofstream(path, std::ios::binary) << text;
  const workloads::ModelShape shape = workloads::shape_of_config(path);
  Numbers numbers;
  const auto add = [&](const char* name, auto value) {
    numbers.add(name, static_cast<double>(value));
  };
  add("layers", shape.layers);
  add("hidden", shape.hidden);
  add("heads", shape.heads);
  add("kv_heads", shape.kv_heads);
  add("head_size", shape.head_size);
  add("intermediate", shape.intermediate);
  add("vocabulary", shape.vocabulary);
  add("tied", shape.is_tied);
  add("bias", shape.has_qkv_bias);
  add("epsilon", shape.norm_epsilon);
  add("theta", shape.rope_theta);
  add("factor", shape.rope_scaling.factor);
  add("low", shape.rope_scaling.low_frequency);
  add("high", shape.rope_scaling.high_frequency);
  add("positions", shape.rope_scaling.original_positions);
  return numbers;
}

/// The seeds of a fuzz target whose first byte is this; all of them, whole, where it picks nothing.
std::vector<std::string> seeds_of(const fuzz::FuzzTarget& target, int first = -1) {
  std::vector<std::string> seeds;
  for (const std::string& seed : target.seeds()) {
    if (first < 0) {
      seeds.push_back(seed);
    } else if (seed.front() == static_cast<char>(first)) {
      seeds.push_back(seed.substr(1));
    }
  }
  return seeds;
}

}  // namespace

std::vector<Flipped> flipped_kinds() {
  std::vector<Flipped> kinds{
      {"config", "perf-compare.json:", seeds_of(fuzz::config_target()), read_configured},
      {"steps", "line ", seeds_of(fuzz::steps_target()), read_steps},
      {"judge", "f:", seeds_of(fuzz::samples_target(), 0), read_cases},
      {"series", "f:", seeds_of(fuzz::samples_target(), 1), read_series},
      {"report", "f:", seeds_of(fuzz::samples_target(), 2), read_report},
      {"safetensors", "", seeds_of(fuzz::safetensors_target(), 1), read_tensors},
      {"checkpoint-config", "", seeds_of(fuzz::safetensors_target(), 2), read_checkpoint_config}};
  const std::vector<std::string_view>& imports = formats::foreign_formats();
  for (std::size_t i = 0; i < imports.size(); ++i) {
    const std::string format(imports[i]);
    if (format != "steps" && format != "github-action-benchmark")  // fuzz_imports has that one
    {
      kinds.push_back({format, "f:", seeds_of(fuzz::imports_target(), static_cast<int>(i)),
                       read_imported(format)});
    }
  }
  return kinds;
}

}  // namespace perf::test
