#include "schema/formats/judge_cases.h"

#include <array>

#include "schema/formats/reading.h"
#include "schema/text/lists.h"
#include "schema/text/nearest_name.h"
#include "schema/text/units.h"

namespace perf::formats {
namespace {

/// Relative. From 1 on, a number is more probably meant as a percentage; the text "200%" is not.
constexpr double kLargestThreshold = 10, kLargestNumber = 1;

constexpr const char* kForm =
    R"(expected {"cases": {"NAME": {"threshold": "2%", "base": [[s, ...], ...], "head": [[s, ...], ...]}}}: a list of values for each process)";

constexpr std::array<std::string_view, 3> kKnown{"threshold", "base", "head"};
/// Keys that begin so are for people.
constexpr std::array<std::string_view, 4> kNotes{"_", "comment", "note", "description"};

using Samples = std::vector<std::vector<double>>;

std::vector<double> read_invocation(const JsonValue& value, const std::string& subject) {
  if (as_array(value, subject).empty()) {
    throw JsonFault{value.offset, subject + " has no values"};
  }
  return mapped(as_array(value, subject), [&](const JsonValue& item) {
    return measurable_amount(item, "a value of " + subject);
  });
}

Samples read_side(const JsonMember& entry, std::string_view side) {
  const std::string name = "case " + in_quotes(entry.name);
  const std::string of_case = std::string(side) + " of " + name;
  const JsonValue* values = find_value(as_object(entry.value, name), side);
  if (values == nullptr) {
    throw JsonFault{entry.offset, name + " has no " + in_quotes(side)};
  }
  Samples samples;
  for (const JsonValue& item : as_array(*values, of_case)) {
    samples.push_back(read_invocation(
        item, "invocation " + std::to_string(samples.size()) + " (from 0) of " + of_case));
  }
  return samples;
}

std::optional<double> read_threshold(const JsonMember& entry) {
  const JsonValue* given = optional_field(as_object(entry.value, "a case"), "threshold");
  if (given == nullptr) {
    return std::nullopt;
  }
  const std::string subject = "the threshold of case " + in_quotes(entry.name);
  const std::string* text = std::get_if<std::string>(&given->data);
  double threshold = 0;
  try {
    threshold = text != nullptr ? parse_percentage(*text, subject) : as_number(*given, subject);
  } catch (const UsageError& error) {
    throw JsonFault{given->offset, subject + ": " + error.what, error.hint};
  }
  if (!(threshold > 0 && threshold < (text != nullptr ? kLargestThreshold : kLargestNumber))) {
    throw JsonFault{given->offset,
                    subject + (text != nullptr ? " must be above 0 % and below 1000 %"
                                               : " must be above 0 and below 1"),
                    "write 0.02 or \"2%\" for 2 %"};
  }
  return threshold;
}

/// Otherwise a misspelt threshold would mean the default.
void refuse_unknown_keys(const JsonMember& entry) {
  for (const JsonMember& member : as_object(entry.value, "case " + in_quotes(entry.name))) {
    const bool is_note = std::any_of(kNotes.begin(), kNotes.end(), [&](std::string_view begin) {
      return member.name.rfind(begin, 0) == 0;
    });
    if (is_note || std::find(kKnown.begin(), kKnown.end(), member.name) != kKnown.end()) {
      continue;
    }
    const std::string hint = instead_of(member.name, {kKnown.begin(), kKnown.end()});
    throw JsonFault{member.offset,
                    "unknown key " + in_quotes(member.name) + " in case " + in_quotes(entry.name),
                    hint + (hint.rfind("known: ", 0) == 0 ? "; notes begin with _" : "")};
  }
}

JudgeCase read_case(const JsonMember& entry) {
  refuse_unknown_keys(entry);
  JudgeCase read;
  read.name = entry.name;
  read.base = read_side(entry, "base");
  read.head = read_side(entry, "head");
  read.threshold = read_threshold(entry);
  if (read.base.size() != read.head.size()) {
    throw JsonFault{entry.offset,
                    "case " + in_quotes(entry.name) + " has " + std::to_string(read.base.size()) +
                        " invocations of base and " + std::to_string(read.head.size()) + " of head",
                    "give both sides the same number: they are paired by position"};
  }
  return read;
}

}  // namespace

std::vector<JudgeCase> read_judge_cases(std::string_view text, const std::string& filename) {
  return with_places(
      text, filename,
      [&] {
        const JsonValue root = read_json(text);
        const JsonValue* entries = find_value(as_object(root, "the file"), "cases");
        if (entries == nullptr) {
          throw JsonFault{root.offset, "no \"cases\""};
        }
        return mapped(as_object(*entries, "\"cases\""),
                      [](const JsonMember& entry) { return read_case(entry); });
      },
      kForm);
}

}  // namespace perf::formats
