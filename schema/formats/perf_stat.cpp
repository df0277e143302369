#include "schema/formats/reading.h"

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

void take_counter(const JsonObject& line, SeriesList& series) {
  for (const std::string part : {"interval", "cpu", "core", "die", "socket", "node", "thread"}) {
    if (find_member(line, part) != nullptr) {
      throw Fault("counters of one " + part + ", not of a whole run",
                  "leave out -I, -A and --per-... of perf stat");
    }
  }
  const std::string event = text_field(line, "event"), value = text_field(line, "counter-value");
  if (event.empty() || value.starts_with('<')) {
    return;  // a further metric of the line before; not counted, not supported
  }
  const std::optional<double> number = parsed<double>(value);
  if (!number || !is_measurable(*number) || *number < 0) {
    throw Fault("invalid counter value " + in_quotes(value));
  }
  series.add("perf stat", {}, counter_meaning(event, text_field(line, "unit")), *number);
}

}  // namespace

/// Reads `perf stat -j`, JSON Lines of a counter each (perf 6.1): a counter's values in order, one
/// a run that was appended (`-o FILE --append`), all of the one benchmark `perf stat`.
/// `duration_time` becomes step_time; other events keep their names, times in seconds, lower is
/// better. Judged are times, cycles and instructions. With `-r` a line holds the mean of the runs,
/// one value. Counters without a count are skipped.
///
/// Counters of less than a run (-I, -A, --per-...) are refused.
Sessions read_perf_stat(std::string_view text, const std::string& filename) {
  SeriesList series;
  for_each_json_line(text, filename, kWanted, [&](const JsonValue& root) {
    take_counter(as_object(root, "a line"), series);
  });
  return with_places(text, filename, [&] {
    return one_session(series.take(
        0, "choose events that this machine counts: perf stat -j -e duration_time,..."));
  });
}

}  // namespace perf::formats
