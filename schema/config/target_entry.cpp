#include "schema/config/fields.h"
#include "schema/text/lists.h"
#include "schema/text/nearest_name.h"

namespace perf::config {
namespace {

/// A number in the metric's base unit, or text with a unit where the metric, by its name, is a time
/// or a size. A ratio has no unit.
double read_bound(const JsonValue& value, std::string_view key, const Target& target) {
  const bool is_ratio = !target.over.empty();
  const bool is_time = !is_ratio && target.metric.ends_with("_time");
  const bool is_size =
      !is_ratio && (target.metric.ends_with("_rss") || target.metric.ends_with("_bytes"));
  if (!std::holds_alternative<std::string>(value.data)) {
    return formats::as_number(
        value, std::string(key) + (is_time   ? " (a number, or a duration such as \"2m\")"
                                   : is_size ? " (a number, or a size such as \"100MiB\")"
                                             : ""));
  }
  if (is_time) {
    return read_duration(value, key);
  }
  if (is_size) {
    return read_byte_size(value, key);
  }
  throw JsonFault{value.offset, std::string(key) + " must be a number, not text",
                  is_ratio ? "write a ratio without a unit: 2.0 means twice"
                           : "write a number in the unit of metric " + in_quotes(target.metric)};
}

/// The name of a workload of this config, or of a child (`entry/child`) of one.
std::string read_measured(const JsonValue& value, std::string_view key,
                          const std::vector<ConfiguredWorkload>& workloads) {
  const std::string& name = read_text(value, key);
  std::vector<std::string_view> known;
  for (const ConfiguredWorkload& entry : workloads) {
    const std::string& workload = entry.workload.name;
    if (name == workload || name.rfind(workload + "/", 0) == 0) {
      return name;
    }
    known.push_back(workload);
  }
  throw JsonFault{value.offset, "unknown workload " + in_quotes(name) + " in " + std::string(key),
                  instead_of(name, known)};
}

std::map<std::string, std::string> read_facts(const JsonValue& value, std::string_view key) {
  std::map<std::string, std::string> facts;
  for (const JsonMember& member : formats::as_object(value, key)) {
    facts[member.name] = read_text(member.value, std::string(key) + "." + member.name);
  }
  if (facts.empty() || facts.contains("")) {
    throw JsonFault{value.offset, std::string(key) + " must name a fact",
                    "name one that the workload reports, such as {\"isa\": \"avx512\"}"};
  }
  return facts;
}

Target read_target(const JsonValue& value, const std::vector<ConfiguredWorkload>& workloads) {
  Target target;
  const auto measured = [&](const JsonValue& name, std::string_view key) {
    return read_measured(name, key, workloads);
  };
  const auto bound = [&](const JsonValue& given, std::string_view key) {
    return read_bound(given, key, target);
  };
  std::string named;
  read_keys(value, "a target", [&](Keys& keys) {
    keys.required("name", target.name, read_text);
    keys.where = named = "target " + in_quotes(target.name);
    keys.required("of", target.of, measured);
    keys("metric", target.metric, read_text);
    keys("over", target.over, measured);
    keys("of_set", target.of_set, read_options);
    keys("over_set", target.over_set, read_options);
    keys("when", target.when, read_facts);
    if (keys.has("over_set") && target.over.empty()) {
      target.over = target.of;  // one workload in two settings
    }
    keys("at_least", target.at_least, bound);
    keys("at_most", target.at_most, bound);
    keys("size", target.size, [](const JsonValue& size, std::string_view key) {
      return read_size(formats::as_text(size, key), size.offset);
    });
  });
  if (target.at_least.has_value() == target.at_most.has_value()) {
    throw JsonFault{value.offset, named + " needs either \"at_least\" or \"at_most\""};
  }
  return target;
}

}  // namespace

std::vector<Target> read_targets(const JsonValue& value,
                                 const std::vector<ConfiguredWorkload>& workloads) {
  return mapped(formats::as_array(value, "targets"),
                [&](const JsonValue& item) { return read_target(item, workloads); });
}

}  // namespace perf::config
