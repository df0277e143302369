#include <algorithm>

#include "schema/config/fields.h"
#include "schema/formats/foreign.h"
#include "schema/text/nearest_name.h"
#include "schema/workload_name.h"

namespace perf::config {
namespace {

std::vector<std::string_view> known_formats() {
  std::vector<std::string_view> formats = formats::foreign_formats();
  formats.push_back(kProcessFormat);
  return formats;
}

std::string read_workload_name(const JsonValue& value) {
  const std::string& name = formats::as_text(value, "name");
  if (const std::string fault = fault_in_workload_name(name); !fault.empty()) {
    throw JsonFault{value.offset, "the workload name " + formats::in_quotes(name) + " " + fault,
                    "a name such as parser or micro/matmul-128"};
  }
  return name;
}

std::string read_format(const JsonValue& value) {
  const std::string& format = formats::as_text(value, "format");
  const std::vector<std::string_view> known = known_formats();
  if (std::find(known.begin(), known.end(), format) == known.end()) {
    throw JsonFault{value.offset, "unknown format " + formats::in_quotes(format),
                    instead_of(format, known)};
  }
  return format;
}

std::map<std::string, std::optional<Params>> read_sizes(const JsonValue& value) {
  std::map<std::string, std::optional<Params>> sizes;
  for (const JsonMember& member : formats::as_object(value, "sizes")) {
    const std::string size = read_size(member.name, member.offset);
    const bool* wanted = std::get_if<bool>(&member.value.data);
    if (wanted != nullptr && *wanted) {
      throw JsonFault{
          member.value.offset,
          "size " + formats::in_quotes(size) + " must be false or an object of parameters",
          "every size is run unless it says false: leave this one out, or write {}"};
    }
    if (wanted != nullptr) {
      sizes[size] = std::nullopt;
    } else {
      sizes[size] = read_options(member.value, "the parameters of size " + size);
    }
  }
  return sizes;
}

std::map<std::string, double> read_metrics(const JsonValue& value) {
  const auto thresholds = read_thresholds(value, "metrics", "metric", "a metric without a name");
  return {thresholds.begin(), thresholds.end()};
}

double read_seconds(const JsonValue& value) {
  constexpr double kMost = 1e9;
  const double seconds = formats::as_number(value, "seconds");
  if (!(seconds > 0 && seconds <= kMost)) {
    throw JsonFault{value.offset, "seconds must be more than 0 and at most 10^9",
                    "what measuring the workload takes, beside the others: 12.5"};
  }
  return seconds;
}

ConfiguredWorkload read_workload(const JsonValue& value) {
  const std::string where = "a workload";
  const JsonObject& object = entry_object(
      value, where,
      {"name", "command", "format", "params", "sizes", "timeout", "metrics", "inputs", "seconds"});
  ConfiguredWorkload entry;
  entry.workload.name = read_workload_name(required_field(object, value.offset, "name", where));
  entry.workload.command = read_command(required_field(
      object, value.offset, "command", "workload " + formats::in_quotes(entry.workload.name)));
  take(object, "format", entry.workload.format, read_format);
  take(object, "params", entry.workload.params, read_options);
  take(object, "sizes", entry.sizes, read_sizes);
  take(object, "timeout", entry.workload.timeout, read_duration);
  take(object, "metrics", entry.metric_thresholds, read_metrics);
  take(object, "inputs", entry.workload.inputs, read_globs);
  take(object, "seconds", entry.workload.seconds, read_seconds);
  return entry;
}

/// Workloads of their own whose names look like children of this one.
std::vector<std::string> names_below(const std::string& name,
                                     const std::vector<ConfiguredWorkload>& workloads) {
  std::vector<std::string> below;
  for (const ConfiguredWorkload& other : workloads) {
    if (other.workload.name.rfind(name + "/", 0) == 0) {
      below.push_back(other.workload.name);
    }
  }
  return below;
}

}  // namespace

// A name becomes an option: nothing in it may look like another one.
Params read_options(const JsonValue& value, std::string_view where) {
  Params params = formats::read_params(value, where);
  for (const JsonMember& member : formats::as_object(value, where)) {
    const bool has_slash = member.name.find('/') != std::string::npos;
    if (has_slash || !fault_in_workload_name(member.name).empty()) {
      throw JsonFault{
          member.offset,
          "the parameter name " + formats::in_quotes(member.name) + " is no option's name",
          "letters, digits and . _ -, as in --hidden-size"};
    }
  }
  return params;
}

std::vector<ConfiguredWorkload> read_workloads(const JsonValue& value) {
  std::vector<ConfiguredWorkload> workloads;
  std::map<std::string, std::size_t> seen;
  for (const JsonValue& item : formats::as_array(value, "workloads")) {
    workloads.push_back(read_workload(item));
    const std::string& name = workloads.back().workload.name;
    if (!seen.emplace(name, workloads.size()).second) {
      throw JsonFault{item.offset, "a second workload " + formats::in_quotes(name),
                      "results are kept by name: give each its own"};
    }
  }
  return workloads;
}

std::vector<ThresholdRule> rules_of(const std::vector<ConfiguredWorkload>& workloads) {
  std::vector<const ConfiguredWorkload*> by_length;
  by_length.reserve(workloads.size());
  for (const ConfiguredWorkload& entry : workloads) {
    by_length.push_back(&entry);
  }
  // Later rules win: `a/b` is nearer to `a/b/c` than `a` is, and a workload's own rule nearest.
  std::stable_sort(by_length.begin(), by_length.end(), [](const auto* a, const auto* b) {
    return a->workload.name.size() < b->workload.name.size();
  });
  std::vector<ThresholdRule> rules;
  for (const ConfiguredWorkload* entry : by_length) {
    const std::string& name = entry->workload.name;
    const std::vector<std::string> others = names_below(name, workloads);
    for (const auto& [metric, threshold] : entry->metric_thresholds) {
      rules.push_back({name + "/*", metric, threshold, others});
    }
  }
  for (const ConfiguredWorkload* entry : by_length) {
    for (const auto& [metric, threshold] : entry->metric_thresholds) {
      rules.push_back({entry->workload.name, metric, threshold});
    }
  }
  return rules;
}

}  // namespace perf::config
