#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "schema/formats/json.h"

/// What stands around results: text of other programs, and the prefixes of a log.
namespace perf::formats {

/// A JSON object or list that begins a line of a text.
struct JsonPart {
  std::size_t begin = 0, end = 0;  ///< npos: it does not end
  JsonValue root;
  std::optional<JsonFault> fault{};  ///< why it ends, but is no JSON; its place is in the text
};

/// Takes each in turn, those within others left out, until `take` returns false; the root of one
/// that is no JSON is null. In time proportional to the text: one of which hardly anything is JSON
/// is not searched to its end.
void for_each_json(std::string_view text, const std::function<bool(JsonPart)>& take);

/// Takes each object of a text, alone or in a list, in one document or in JSON Lines; lines of
/// other text are skipped. Throws UsageError with file:line:column, also for what is cut short and
/// where there is none.
void for_each_record(std::string_view text, const std::string& filename, const std::string& wanted,
                     const std::function<void(const JsonValue&)>& take);

/// A text with blanks in place of all but that part, so that places stay right.
std::string alone(const JsonPart& part, std::string_view text);

/// How many lines of other text there are.
std::size_t count_lines_beside(const JsonPart& part, std::string_view text);

/// A text without the prefix of a log, and its first one.
struct LogPrefix {
  std::string prefix;
  std::string text;
};

/// What stands before all results of Go and cargo alike, but for its numbers: "#15 22.66 ",
/// "2026-05-02T10:11:00.1234567Z ", "[job] ". Nothing where results begin their lines.
std::optional<LogPrefix> log_prefix_of(std::string_view text);

/// What a text of no known format is like, and what to pass instead; both may be empty.
struct Resemblance {
  std::string what, remedy;
  std::optional<std::size_t> at{};  ///< where it shows
};
Resemblance resemblance_of(std::string_view text);

/// No log has longer ones; results further on are not searched.
inline constexpr std::size_t kLongestPrefix = 300;  ///< bytes

/// Where in a line a result begins; npos: the line has none.
std::size_t place_of_go_result(std::string_view line);
std::size_t place_of_bencher_result(std::string_view line);

}  // namespace perf::formats
