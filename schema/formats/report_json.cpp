#include "schema/formats/report_json.h"

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <set>
#include <utility>

#include "schema/error.h"
#include "schema/formats/json_param.h"
#include "schema/formats/json_reader.h"
#include "schema/formats/magnitude.h"
#include "schema/formats/text_position.h"

namespace perf::formats {
namespace {

constexpr std::string_view kSchema = "perf-compare/report/1";
constexpr JsonLimits kLimits{.large_integers = true};  // seeds have 64 bits

const JsonValue& member_of(const JsonObject& object, std::string_view name, std::size_t offset,
                           std::string_view subject) {
  const JsonMember* member = find_member(object, name);
  if (member == nullptr) {
    throw JsonFault{offset, std::string(subject) + " has no " + in_quotes(name)};
  }
  return member->value;
}

/// A text that may be left out, or null.
std::string optional_text(const JsonObject& object, std::string_view name) {
  const JsonMember* member = find_member(object, name);
  return member == nullptr || member->value.is_null() ? std::string()
                                                      : as_text(member->value, in_quotes(name));
}

std::map<std::string, std::string> read_texts(const JsonObject& environment,
                                              std::string_view name) {
  std::map<std::string, std::string> texts;
  const JsonMember* member = find_member(environment, name);
  if (member == nullptr) {
    return texts;
  }
  for (const JsonMember& one : as_object(member->value, in_quotes(name))) {
    texts[one.name] = as_text(one.value, in_quotes(one.name));
  }
  return texts;
}

/// "2026-01-31T12:00:00Z" as seconds since the epoch; 0 for anything else, since it is for people.
std::int64_t seconds_of(const std::string& time) {
  int year = 0;
  unsigned month = 0, day = 0, hour = 0, minute = 0, second = 0;
  const int read = std::sscanf(time.c_str(), "%4d-%2u-%2uT%2u:%2u:%2uZ", &year, &month, &day, &hour,
                               &minute, &second);
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(month),
                                         std::chrono::day(day)};
  if (read != 6 || !date.ok()) {
    return 0;
  }
  const std::chrono::seconds midnight = std::chrono::sys_days(date).time_since_epoch();
  return midnight.count() + std::int64_t{hour} * 3600 + std::int64_t{minute} * 60 + second;
}

Revision read_revision(const JsonValue& value) {
  const JsonObject& object = as_object(value, "\"head\"");
  Revision revision;
  revision.oid = as_text(member_of(object, "oid", value.offset, "head"), "\"oid\"");
  revision.name = optional_text(object, "name");
  revision.rule = optional_text(object, "rule");
  revision.author = optional_text(object, "author");
  revision.subject = optional_text(object, "subject");
  revision.committed_at = seconds_of(optional_text(object, "committed_at"));
  if (const JsonMember* parents = find_member(object, "parents")) {
    for (const JsonValue& parent : as_array(parents->value, "\"parents\"")) {
      revision.parents.push_back(as_text(parent, "a parent"));
    }
  }
  const JsonMember* dirty = find_member(object, "dirty");
  revision.dirty = dirty != nullptr && as_bool(dirty->value, "\"dirty\"");
  return revision;
}

SideStats read_stats(const JsonValue& value) {
  const JsonObject& object = as_object(value, "a side");
  const auto number = [&](std::string_view name) {
    const JsonMember* member = find_member(object, name);
    if (member == nullptr || member->value.is_null()) {
      return 0.0;  // as of 0/0
    }
    const double read = as_number(member->value, in_quotes(name));
    if (!is_measurable(read)) {
      throw JsonFault{member->value.offset, in_quotes(name) + " is of no measurable magnitude"};
    }
    return read;
  };
  const auto count = [&](std::string_view name) {
    const double read = number(name);
    if (read < 0 || read > std::numeric_limits<int>::max() || std::trunc(read) != read) {
      throw JsonFault{find_member(object, name)->value.offset, in_quotes(name) + " is no count"};
    }
    return static_cast<int>(read);
  };
  member_of(object, "median", value.offset, "a side");
  return {number("median"), number("p90"), number("mean"),       number("stddev"), number("min"),
          number("max"),    number("cov"), count("invocations"), count("steps")};
}

/// Why head failed, as the row's warning has it.
std::string reason_of(const JsonObject& row) {
  constexpr std::string_view kSaid = "head failed: ";
  const JsonMember* details = find_member(row, "warning_details");
  if (details == nullptr) {
    return "its report does not say why";
  }
  for (const JsonValue& detail : as_array(details->value, "\"warning_details\"")) {
    const JsonObject& warning = as_object(detail, "a warning");
    if (optional_text(warning, "kind") == "failed") {
      const std::string text = optional_text(warning, "text");
      return text.rfind(kSaid, 0) == 0 ? text.substr(kSaid.size()) : text;
    }
  }
  return "its report does not say why";
}

/// One row: what head measured, or that it failed.
void add_row(const JsonValue& value, SampleSet& set) {
  const JsonObject& row = as_object(value, "a comparison");
  const auto text = [&](std::string_view name) {
    return as_text(member_of(row, name, value.offset, "a comparison"), in_quotes(name));
  };
  SampleSeries series;
  series.name = text("workload");
  series.metric.name = text("metric");
  series.metric.unit = text("unit");
  const std::string better = text("better");
  if (better != "lower" && better != "higher") {
    throw JsonFault{value.offset, "\"better\" must be lower or higher, not " + in_quotes(better)};
  }
  series.metric.better = better == "lower" ? Better::lower : Better::higher;
  if (const JsonMember* params = find_member(row, "params")) {
    series.params = read_params(params->value, "\"params\"");
  }
  const JsonMember* judged = find_member(row, "judged");
  series.judge = judged != nullptr && as_bool(judged->value, "\"judged\"");
  if (optional_text(row, "verdict") == "failed") {
    set.failures.emplace(series.name, reason_of(row));
  }
  const JsonMember* head = find_member(row, "head");
  if (head == nullptr || head->value.is_null()) {
    return;
  }
  series.summary = read_stats(head->value);
  set.series.push_back(std::move(series));
}

void refuse_rows_twice(const JsonArray& rows, const SampleSet& set) {
  std::set<std::pair<std::string, std::string>> seen;
  for (const SampleSeries& series : set.series) {
    if (!seen.insert({series.name, series.metric.name}).second) {
      throw JsonFault{rows.front().offset, "two rows of workload " + in_quotes(series.name) +
                                               " and metric " + in_quotes(series.metric.name)};
    }
  }
}

/// What a workload measured before it failed is of no use.
void leave_out_failed(SampleSet& set) {
  std::erase_if(set.series,
                [&set](const SampleSeries& series) { return set.failures.count(series.name) > 0; });
}

ReportFile read_document(std::string_view text) {
  const JsonValue root = read_json(text, kLimits);
  const JsonObject& document = as_object(root, "the file");
  const JsonValue& schema = member_of(document, "schema", root.offset, "the file");
  if (as_text(schema, "\"schema\"") != kSchema) {
    throw JsonFault{schema.offset, "not a report of this version",
                    "expected \"schema\": \"" + std::string(kSchema) + "\", as --json writes it"};
  }
  ReportFile file;
  file.samples.of_workloads = true;
  file.head = read_revision(member_of(document, "head", root.offset, "the report"));
  file.size = optional_text(document, "size");
  const JsonValue& environment = member_of(document, "environment", root.offset, "the report");
  const JsonObject& facts = as_object(environment, "\"environment\"");
  file.samples.environment.fingerprint = optional_text(facts, "fingerprint");
  file.samples.environment.machine = read_texts(facts, "machine");
  file.samples.environment.facts = read_texts(facts, "facts");
  const JsonArray& rows =
      as_array(member_of(document, "comparisons", root.offset, "the report"), "\"comparisons\"");
  for (const JsonValue& row : rows) {
    add_row(row, file.samples);
  }
  refuse_rows_twice(rows, file.samples);
  leave_out_failed(file.samples);
  return file;
}

}  // namespace

ReportFile read_report_json(std::string_view text, const std::string& filename) {
  try {
    ReportFile file = read_document(text);
    file.samples.source = filename;
    return file;
  } catch (const JsonFault& fault) {
    throw UsageError(fault.what, place_of(text, fault.offset, filename), fault.hint);
  }
}

}  // namespace perf::formats
