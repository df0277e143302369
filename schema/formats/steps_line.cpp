#include "schema/formats/reading.h"
#include "schema/workload_name.h"

namespace perf::formats {
namespace {

constexpr std::int64_t kProtocolVersion = 1;
/// Bytes of a unit, and of the name of a metric, phase, check or fact, which are rows and columns
/// of reports.
constexpr std::size_t kLongestStepName = 200;

void check_length(std::string_view text, std::size_t offset, std::string_view subject) {
  if (text.size() > kLongestStepName) {
    throw JsonFault{offset, std::string(subject) + " is longer than " +
                                std::to_string(kLongestStepName) + " bytes"};
  }
}

void check_name(std::string_view name, std::size_t offset, std::string_view subject) {
  if (name.empty()) {
    throw JsonFault{offset, std::string(subject) + " is empty"};
  }
  check_length(name, offset, subject);
}

std::string read_name(const JsonObject& line, std::size_t offset) {
  const JsonValue& value = required_field(line, offset, "name");
  const std::string& name = as_text(value, "name");
  check_name(name, value.offset, "name");
  return name;
}

/// A finite number of which ratios can be formed.
double read_quantity(const JsonValue& value, std::string_view subject) {
  if (value.is_null()) {
    throw JsonFault{value.offset,
                    std::string(subject) + " is null: the program measured NaN or an infinity"};
  }
  return measurable_number(value, subject);
}

double read_seconds(const JsonObject& line, std::size_t offset) {
  const JsonValue& value = required_field(line, offset, "seconds");
  const double seconds = read_quantity(value, "seconds");
  if (seconds <= 0) {
    throw JsonFault{value.offset, "seconds must be above 0"};
  }
  if (seconds < kShortestStep || seconds > kLongestStep) {
    throw JsonFault{value.offset, "seconds must lie between 1e-15 and 1e9"};
  }
  return seconds;
}

std::vector<std::pair<std::string, double>> read_phases(const JsonValue& value,
                                                        std::string_view name) {
  std::vector<std::pair<std::string, double>> phases;
  for (const JsonMember& member : as_object(value, name)) {
    check_name(member.name, member.offset, "the name of a phase");
    const std::string subject = "phase " + in_quotes(member.name);
    const double seconds = read_quantity(member.value, subject);
    if (seconds < 0 || seconds > kLongestStep) {
      throw JsonFault{member.value.offset, subject + " must lie between 0 and 1e9 seconds"};
    }
    phases.emplace_back(member.name, seconds);
  }
  return phases;
}

}  // namespace

Block read_begin(const JsonObject& line, std::size_t offset) {
  const JsonValue& version = required_field(line, offset, "protocol");
  if (const std::int64_t given = as_integer(version, "protocol"); given != kProtocolVersion) {
    throw JsonFault{version.offset, "unknown protocol version " + std::to_string(given),
                    "this version of perf-compare reads protocol 1"};
  }
  Block block;
  if (const JsonValue* name = optional_field(line, "workload")) {
    block.workload = as_text(*name, "workload");
    if (const std::string fault = fault_in_workload_name(block.workload); !fault.empty()) {
      throw JsonFault{name->offset, "the workload name " + in_quotes(block.workload) + " " + fault};
    }
  }
  take_optional(line, "params", block.params, read_params);
  if (const JsonValue* tokens = optional_field(line, "tokens_per_step")) {
    block.tokens_per_step = read_quantity(*tokens, "tokens_per_step");
    if (*block.tokens_per_step <= 0) {
      throw JsonFault{tokens->offset, "tokens_per_step must be above 0"};
    }
  }
  return block;
}

void read_facts(const JsonObject& line, std::map<std::string, std::string>& facts) {
  for (const JsonMember& member : line) {
    if (member.name == "type") {
      continue;
    }
    check_name(member.name, member.offset, "the name of a fact");
    // Arrays and objects are of a newer protocol.
    if (std::optional<std::string> text = fact_text(member.value)) {
      facts[member.name] = std::move(*text);
    }
  }
}

Step read_step(const JsonObject& line, std::size_t offset, std::int64_t next_index) {
  Step step;
  step.index = next_index;
  if (const JsonValue* index = optional_field(line, "index")) {
    step.index = as_integer(*index, "index");
    if (step.index < next_index) {
      throw JsonFault{index->offset, "step index " + std::to_string(step.index) +
                                         " is out of order: expected at least " +
                                         std::to_string(next_index)};
    }
  }
  take_optional(line, "warmup", step.warmup, as_bool);
  step.seconds = read_seconds(line, offset);
  if (const JsonValue* rss = optional_field(line, "rss")) {
    const std::int64_t bytes = as_integer(*rss, "rss");
    if (bytes < 0) {
      throw JsonFault{rss->offset, "rss must not be negative"};
    }
    // 0 is how programs report an unknown value.
    if (bytes > 0) {
      step.rss = bytes;
    }
  }
  take_optional(line, "phases", step.phases, read_phases);
  return step;
}

MetricValue read_metric(const JsonObject& line, std::size_t offset) {
  MetricValue reported;
  reported.metric.name = read_name(line, offset);
  if (const JsonValue* unit = optional_field(line, "unit")) {
    reported.metric.unit = as_text(*unit, "unit");
    check_length(reported.metric.unit, unit->offset, "unit");
  }
  const JsonValue& better = required_field(line, offset, "better");
  const std::string& direction = as_text(better, "better");
  if (direction != "lower" && direction != "higher") {
    throw JsonFault{better.offset,
                    "better must be \"lower\" or \"higher\", not " + in_quotes(direction)};
  }
  reported.metric.better = direction == "lower" ? Better::lower : Better::higher;
  const JsonValue& value = required_field(line, offset, "value");
  reported.value = read_quantity(value, "value");
  take_optional(line, "judge", reported.judge, as_bool);
  if (reported.judge && reported.value < 0) {
    throw JsonFault{value.offset,
                    "a judged metric must not be negative: it has no relative change"};
  }
  if (is_measured_here(reported.metric.name)) {
    throw JsonFault{offset,
                    reported.metric.name + " is measured by perf-compare itself: use another name"};
  }
  return reported;
}

Check read_check(const JsonObject& line, std::size_t offset) {
  Check check;
  check.name = read_name(line, offset);
  check.passed = as_bool(required_field(line, offset, "passed"), "passed");
  take_optional(line, "error", check.error, as_number);
  take_optional(line, "tolerance", check.tolerance, as_number);
  return check;
}

}  // namespace perf::formats
