#include "schema/config/fields.h"
#include "schema/text/lists.h"
#include "schema/text/nearest_name.h"

namespace perf::config {
namespace {

/// A number in the metric's base unit, or text with a unit where the metric's name tells that it
/// is a time or a size. A ratio has no unit.
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
                  is_ratio ? "a bound on a ratio has no unit: 2.0 means twice"
                           : "metric " + formats::in_quotes(target.metric) +
                                 " has no units to write: a bare number, in the metric's own unit"};
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
  throw JsonFault{
      value.offset,
      std::string(key) + " " + formats::in_quotes(name) + " is no workload of this config",
      instead_of(name, known)};
}

std::map<std::string, std::string> read_facts(const JsonValue& value, std::string_view key) {
  std::map<std::string, std::string> facts;
  for (const JsonMember& member : formats::as_object(value, key)) {
    facts[member.name] = read_text(member.value, std::string(key) + "." + member.name);
  }
  if (facts.empty() || facts.contains("")) {
    throw JsonFault{value.offset, std::string(key) + " names no fact",
                    "a fact that the workload reports, such as {\"isa\": \"avx512\"}"};
  }
  return facts;
}

Target read_target(const JsonValue& value, const std::vector<ConfiguredWorkload>& workloads) {
  const std::string where = "a target";
  const JsonObject& object = entry_object(value, where,
                                          {"name", "metric", "of", "of_set", "over", "over_set",
                                           "at_least", "at_most", "size", "when"});
  Target target;
  target.name = read_text(required_field(object, value.offset, "name", where), "name");
  const std::string named = "target " + formats::in_quotes(target.name);
  target.of = read_measured(required_field(object, value.offset, "of", named), "of", workloads);
  take(object, "metric", target.metric, read_text);
  take(object, "over", target.over, [&](const JsonValue& over, std::string_view key) {
    return read_measured(over, key, workloads);
  });
  take(object, "of_set", target.of_set, read_options);
  take(object, "over_set", target.over_set, read_options);
  take(object, "when", target.when, read_facts);
  if (find_value(object, "over_set") != nullptr && target.over.empty()) {
    target.over = target.of;  // one workload in two settings
  }
  const auto bound = [&](const JsonValue& given, std::string_view key) {
    return read_bound(given, key, target);
  };
  take(object, "at_least", target.at_least, bound);
  take(object, "at_most", target.at_most, bound);
  if (target.at_least.has_value() == target.at_most.has_value()) {
    throw JsonFault{value.offset, named + " needs one of \"at_least\" and \"at_most\""};
  }
  take(object, "size", target.size, [](const JsonValue& size) {
    return read_size(formats::as_text(size, "size"), size.offset);
  });
  return target;
}

}  // namespace

std::vector<Target> read_targets(const JsonValue& value,
                                 const std::vector<ConfiguredWorkload>& workloads) {
  return mapped(formats::as_array(value, "targets"),
                [&](const JsonValue& item) { return read_target(item, workloads); });
}

}  // namespace perf::config
