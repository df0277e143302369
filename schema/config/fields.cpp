#include "schema/config/fields.h"

#include <algorithm>

#include "schema/config.h"
#include "schema/error.h"
#include "schema/text/lists.h"
#include "schema/text/nearest_name.h"
#include "schema/text/units.h"

namespace perf::config {
namespace {

/// Text with a unit, as `parse` of schema/text/units.h reads it; its UsageError given the place of
/// the value.
double read_with_unit(const JsonValue& value, std::string_view key, const char* example,
                      double (*parse)(std::string_view text, std::string_view subject)) {
  const std::string* text = std::get_if<std::string>(&value.data);
  if (text == nullptr) {
    throw JsonFault{
        value.offset,
        std::string(key) + " must be text with a unit, not " + std::string(formats::kind_of(value)),
        std::string("write it as ") + example};
  }
  try {
    return parse(*text, key);
  } catch (const UsageError& error) {
    throw JsonFault{value.offset,
                    std::string(key) + " " + formats::in_quotes(*text) + " is not understood",
                    error.hint};
  }
}

}  // namespace

const JsonObject& entry_object(const JsonValue& value, std::string_view where,
                               const std::vector<std::string_view>& known) {
  const JsonObject& object = formats::as_object(value, where);
  for (const JsonMember& member : object) {
    if (std::find(known.begin(), known.end(), member.name) == known.end()) {
      throw JsonFault{
          member.offset,
          "unknown key " + formats::in_quotes(member.name) + " in " + std::string(where),
          instead_of(member.name, known)};
    }
  }
  return object;
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
  if (!(share > 0 && share < limit)) {
    throw JsonFault{value.offset,
                    std::string(key) + " " + formats::in_quotes(formats::as_text(value, key)) +
                        " is out of range",
                    "above 0% and below " + std::to_string(static_cast<int>(limit * 100)) + "%"};
  }
  return share;
}

double read_duration(const JsonValue& value, std::string_view key) {
  const double seconds =
      read_with_unit(value, key, "a duration, such as \"90s\" or \"10m\"", parse_duration);
  if (!(seconds > 0)) {
    throw JsonFault{value.offset, std::string(key) + " must be longer than nothing"};
  }
  return seconds;
}

double read_byte_size(const JsonValue& value, std::string_view key) {
  const double bytes =
      read_with_unit(value, key, "a size, such as \"100MiB\" or \"2GB\"", parse_byte_size);
  if (!(bytes > 0)) {
    throw JsonFault{value.offset, std::string(key) + " must be more than nothing"};
  }
  return bytes;
}

std::vector<std::string> read_command(const JsonValue& value) {
  if (!std::holds_alternative<JsonArray>(value.data)) {
    throw JsonFault{
        value.offset,
        "command must be an array of arguments, not " + std::string(formats::kind_of(value)),
        R"(no shell is used unless you name one: ["program", "argument"] or ["sh", "-c", "..."])"};
  }
  std::vector<std::string> command;
  for (const JsonValue& item : formats::as_array(value, "command")) {
    command.push_back(formats::as_text(item, "an argument of command"));
  }
  if (command.empty() || command.front().empty()) {
    throw JsonFault{value.offset, "command is empty", R"(name a program: ["build/bench"])"};
  }
  return command;
}

std::string read_size(const std::string& name, std::size_t offset) {
  if (std::find(kSizes.begin(), kSizes.end(), name) == kSizes.end()) {
    throw JsonFault{offset, "unknown size " + formats::in_quotes(name),
                    instead_of(name, {kSizes.begin(), kSizes.end()})};
  }
  return name;
}

double read_threshold(const JsonValue& value, std::string_view key) {
  return read_share(value, key, kLargestThreshold);
}

Thresholds read_thresholds(const JsonValue& value, std::string_view where, const std::string& entry,
                           const std::string& nameless) {
  Thresholds thresholds;
  for (const JsonMember& member : formats::as_object(value, where)) {
    if (member.name.empty()) {
      throw JsonFault{member.offset, nameless};
    }
    const std::string named = entry + " " + formats::in_quotes(member.name);
    const JsonObject& object = entry_object(member.value, named, {"threshold"});
    thresholds.emplace_back(
        member.name, read_threshold(required_field(object, member.value.offset, "threshold", named),
                                    "threshold"));
  }
  return thresholds;
}

}  // namespace perf::config
