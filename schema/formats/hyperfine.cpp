#include <optional>
#include <set>
#include <utility>

#include "schema/formats/json_document.h"
#include "schema/formats/json_fields.h"
#include "schema/formats/readers.h"
#include "schema/formats/series_list.h"
#include "schema/text/wording.h"

namespace perf::formats {
namespace {

const Meaning kMemoryUsage{{"memory_usage", "B", Better::lower}, 1, true};
const Meaning kUserTime{{"user_time", "s", Better::lower}};
const Meaning kSystemTime{{"system_time", "s", Better::lower}};

/// Why runs of a command do not count; nothing where all exited with 0.
std::optional<std::string> failure_of(const JsonObject& result) {
  const JsonValue* codes = optional_field(result, "exit_codes");
  if (codes == nullptr) {
    return std::nullopt;
  }
  const JsonArray& runs = as_array(*codes, "\"exit_codes\"");
  std::size_t failed = 0;
  std::string first;
  for (const JsonValue& code : runs) {
    if (!code.is_null() && as_integer(code, "an exit code") == 0) {
      continue;
    }
    if (failed++ == 0) {
      first = code.is_null() ? "was ended by a signal"
                             : "exited with " + std::to_string(as_integer(code, "an exit code"));
    }
  }
  if (failed == 0) {
    return std::nullopt;
  }
  return std::to_string(failed) + " of " + counted(runs.size(), "run") +
         " failed: the first that did " + first;
}

class HyperfineReader {
 public:
  void take(const JsonValue& entry) {
    const JsonObject& result = as_object(entry, "a result");
    const JsonValue& name = required_field(result, entry.offset, "command", "a result");
    const std::string& command = as_text(name, "\"command\"");
    if (command.empty()) {
      throw JsonFault{name.offset, "a command that is empty"};
    }
    Params params;
    if (const JsonValue* given = optional_field(result, "parameters")) {
      params = read_params(*given, "\"parameters\"");
    }
    if (!seen_.insert({command, params}).second) {
      throw JsonFault{name.offset, "the command " + in_quotes(command) + " stands twice",
                      "tell the two apart: hyperfine -n NAME"};
    }
    if (const std::optional<std::string> failure = failure_of(result)) {
      set_.failures.emplace(command, *failure);
    } else {
      take_values(result, entry.offset, command, params);
    }
  }

  SampleSet finish(const JsonValue& results) {
    if (seen_.empty()) {
      throw JsonFault{results.offset, "no result of any command"};
    }
    set_.series = series_.take();
    return std::move(set_);
  }

 private:
  void take_values(const JsonObject& result, std::size_t offset, const std::string& command,
                   const Params& params) {
    SampleSeries& time = series_.of(command, params, step_times());
    time.values = measurable_amounts(result, "times", "a time");
    if (time.values.empty()) {
      time.values.push_back(
          measurable_amount(required_field(result, offset, "median", "a result"), "\"median\""));
    }
    for (const double bytes : measurable_amounts(result, "memory_usage_byte", "a memory usage")) {
      series_.add(command, params, kMemoryUsage, bytes);
    }
    for (const auto& [name, meaning] :
         {std::pair("user", kUserTime), std::pair("system", kSystemTime)}) {
      if (const JsonValue* mean = optional_field(result, name)) {
        series_.add(command, params, meaning, measurable_amount(*mean, name));
      }
    }
  }

  SampleSet set_;
  SeriesList series_;
  std::set<std::pair<std::string, Params>> seen_;
};

}  // namespace

SampleSet read_hyperfine(std::string_view text, const std::string& filename) {
  return read_json_document(text, filename, [&](const JsonValue& root) {
    const JsonValue& results =
        required_field(as_object(root, "the file"), root.offset, "results", "the file",
                       "write the file with hyperfine --export-json FILE");
    HyperfineReader reader;
    for (const JsonValue& entry : as_array(results, "\"results\"")) {
      reader.take(entry);
    }
    SampleSet set = reader.finish(results);
    set.source = filename;
    return set;
  });
}

}  // namespace perf::formats
