#include "schema/formats/readers.h"

#include <algorithm>
#include <optional>

#include "schema/formats/json_document.h"
#include "schema/formats/json_fields.h"
#include "schema/formats/magnitude.h"
#include "schema/formats/series_list.h"

namespace perf::formats {
namespace {

constexpr const char* kWanted = "write the file with perf stat -j -o FILE --append COMMAND";

/// "cycles" of "cpu_core/cycles/u" and of "cycles:u".
std::string_view plain_event(std::string_view event) {
  event.remove_prefix(event.find('/') + 1);  // npos + 1 is 0
  return event.substr(0, event.find_first_of("/:"));
}

Meaning counter_meaning(const std::string& event, const std::string& unit) {
  const std::string_view plain = plain_event(event);
  const std::optional<double> seconds = seconds_in(unit);
  if (seconds && plain == "duration_time") {
    return step_times(*seconds);
  }
  const bool judge = seconds || plain == "cycles" || plain == "instructions";
  return {{event, seconds ? "s" : (unit.empty() ? "1" : unit), Better::lower},
          seconds.value_or(1),
          judge};
}

void take_counter(const JsonValue& root, SeriesList& series) {
  const JsonObject& line = as_object(root, "a line");
  for (const char* part : {"interval", "cpu", "core", "die", "socket", "node", "thread"}) {
    if (find_member(line, part) != nullptr) {
      throw Fault{"the counters of one " + std::string(part) + " are not those of a run",
                  "leave out -I, -A and --per-... of perf stat"};
    }
  }
  const std::string event = text_field(line, "event"), value = text_field(line, "counter-value");
  if (event.empty() || value.starts_with('<')) {
    return;  // a metric more of the line before; not counted, not supported
  }
  const std::optional<double> number = parsed<double>(value);
  if (!number || !is_measurable(*number) || *number < 0) {
    throw Fault{"not a counter: " + in_quotes(value), kWanted};
  }
  series.add("perf stat", {}, counter_meaning(event, text_field(line, "unit")), *number);
}

}  // namespace

bool is_perf_stat(std::string_view text) {
  const std::size_t begin = text.starts_with('#') ? text.find("\n{") : 0;
  const std::string_view line = text.substr(std::min(begin, text.size()));
  return trimmed(line, "\n").starts_with('{') &&
         line.substr(0, line.find('}')).find("\"counter-value\"") != std::string_view::npos;
}

SampleSet read_perf_stat(std::string_view text, const std::string& filename) {
  SeriesList series;
  const std::size_t lines = for_each_line(text, filename, kWanted, [&](std::string_view line) {
    try {
      if (line.starts_with('{')) {
        take_counter(read_foreign_json(line), series);
      }
    } catch (const JsonFault& fault) {
      throw Fault{fault.what, kWanted};
    }
  });
  if (series.empty()) {
    throw UsageError("nothing was counted", filename + ":" + std::to_string(lines),
                     "choose events that this machine counts: perf stat -j -e duration_time,...");
  }
  SampleSet set;
  set.source = filename;
  set.series = series.take();
  return set;
}

}  // namespace perf::formats
