#include "schema/config/fields.h"

#include <algorithm>

#include "schema/error.h"
#include "schema/readings.h"
#include "schema/text/lists.h"
#include "schema/text/nearest_name.h"
#include "schema/text/units.h"
#include "schema/workload_name.h"

namespace perf::config {
namespace {

constexpr double kLargestThreshold = 10;

/// Text with a unit, as `parse` of schema/text/units.h reads it, above 0.
double read_with_unit(const JsonValue& value, std::string_view key, const char* example,
                      double (*parse)(std::string_view text, std::string_view subject)) {
  const std::string* text = std::get_if<std::string>(&value.data);
  if (text == nullptr) {
    throw JsonFault{
        value.offset,
        std::string(key) + " must be text with a unit, not " + std::string(formats::kind_of(value)),
        std::string("write it as ") + example};
  }
  double number = 0;
  try {
    number = parse(*text, key);
  } catch (const UsageError& error) {
    throw JsonFault{value.offset, std::string(key) + ": " + error.what, error.hint};
  }
  if (!(number > 0)) {
    throw JsonFault{value.offset, std::string(key) + " must be above 0, got " + in_quotes(*text)};
  }
  return number;
}

}  // namespace

void Keys::end_of_list() {
  for (const JsonMember& member : object_) {
    if (std::ranges::find(known_, member.name) == known_.end()) {
      throw JsonFault{member.offset, "unknown key " + in_quotes(member.name) + " in " + where,
                      instead_of(member.name, known_)};
    }
  }
  is_reading_ = true;
}

const std::string& read_text(const JsonValue& value, std::string_view key) {
  const std::string& text = formats::as_text(value, key);
  if (text.empty()) {
    throw JsonFault{value.offset, std::string(key) + " is empty"};
  }
  return text;
}

std::vector<std::string> read_globs(const JsonValue& value, std::string_view key) {
  return mapped(formats::as_array(value, key), [&](const JsonValue& item) {
    return read_text(item, "one of \"" + std::string(key) + '"');
  });
}

double read_share(const JsonValue& value, std::string_view key, double limit) {
  const double share =
      read_with_unit(value, key, "a percentage, such as \"10%\"", parse_percentage);
  if (share >= limit) {
    throw JsonFault{value.offset, std::string(key) + " must be below " + percentage_text(limit) +
                                      ", got " + in_quotes(formats::as_text(value, key))};
  }
  return share;
}

double read_duration(const JsonValue& value, std::string_view key) {
  return read_with_unit(value, key, "a duration, such as \"90s\" or \"10m\"", parse_duration);
}

double read_byte_size(const JsonValue& value, std::string_view key) {
  return read_with_unit(value, key, "a size, such as \"100MiB\" or \"2GB\"", parse_byte_size);
}

std::vector<std::string> read_command(const JsonValue& value, std::string_view key) {
  if (!std::holds_alternative<JsonArray>(value.data)) {
    throw JsonFault{value.offset,
                    std::string(key) + " must be an array of arguments, not " +
                        std::string(formats::kind_of(value)),
                    R"(write ["program", "argument"], or name a shell: ["sh", "-c", "..."])"};
  }
  std::vector<std::string> command =
      mapped(formats::as_array(value, key), [&key](const JsonValue& item) {
        return formats::as_text(item, "an argument of " + std::string(key));
      });
  if (command.empty() || command.front().empty()) {
    throw JsonFault{value.offset, std::string(key) + " is empty",
                    R"(name a program: ["build/bench"])"};
  }
  return command;
}

std::string read_size(const std::string& name, std::size_t offset) {
  if (std::ranges::find(kSizes, name) == kSizes.end()) {
    throw JsonFault{offset, "unknown size " + in_quotes(name),
                    instead_of(name, {kSizes.begin(), kSizes.end()})};
  }
  return name;
}

double read_threshold(const JsonValue& value, std::string_view key) {
  return read_share(value, key, kLargestThreshold);
}

Thresholds read_metric_thresholds(const JsonValue& value, std::string_view key) {
  for (const JsonMember& member : formats::as_object(value, key)) {
    try {
      step_quantile(member.name);
    } catch (const UsageError& error) {
      throw JsonFault{member.offset, error.what + ", got " + in_quotes(error.subject), error.hint};
    }
  }
  return read_thresholds(value, key);
}

Thresholds read_thresholds(const JsonValue& value, std::string_view key) {
  Thresholds thresholds;
  for (const JsonMember& member : formats::as_object(value, key)) {
    if (member.name.empty()) {
      throw JsonFault{member.offset, "empty name in " + std::string(key)};
    }
    auto& [name, threshold] = thresholds.emplace_back(member.name, 0);
    read_keys(member.value, std::string(key) + " " + in_quotes(name),
              [&](Keys& keys) { keys.required("threshold", threshold, read_threshold); });
  }
  return thresholds;
}

// A name becomes an option: it must not look like another one.
Params read_options(const JsonValue& value, std::string_view key) {
  for (const JsonMember& member : formats::as_object(value, key)) {
    const bool has_slash = member.name.find('/') != std::string::npos;
    if (has_slash || !fault_in_workload_name(member.name).empty()) {
      throw JsonFault{member.offset, "invalid parameter name " + in_quotes(member.name),
                      "use letters, digits and . _ -, as in --hidden-size"};
    }
  }
  return formats::read_params(value, key);
}

}  // namespace perf::config
