#pragma once

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "schema/error.h"
#include "schema/formats/foreign.h"
#include "schema/formats/json.h"
#include "schema/sample_set.h"
#include "schema/text/text_parts.h"
#include "schema/text/utf8.h"

/// What the readers of this folder share.
namespace perf::formats {

using Sessions = std::vector<ImportedSession>;

/// A reader of one foreign format: the sessions of a text, in its order; their `source` is set by
/// the caller. Throws UsageError with file:line or file:line:column for anything off the format.
/// The table of formats is foreign.cpp.
using FormatReader = Sessions(std::string_view text, const std::string& filename);

// ---- places

/// What is wrong begins so where a text is no JSON, and not where it has what we refuse.
inline constexpr std::string_view kNotJson = "not valid JSON: ";

/// A fault whose place its reader knows: the line, or the whole file.
struct Fault : JsonFault {
  explicit Fault(std::string what_happened, std::string what_to_try = {})
      : JsonFault{0, std::move(what_happened), std::move(what_to_try)} {}
};

/// Calls `take` for each line of a text, without its end. Throws UsageError with file:line for
/// every JsonFault of `take`, and for NUL bytes and invalid UTF-8, with the hint `wanted`.
template <class Take>
void for_each_line(std::string_view text, const std::string& filename, const std::string& wanted,
                   const Take& take) {
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = take_line(text);
    try {
      if (!is_utf8(line)) {
        const std::size_t nul = line.find('\0');
        throw Fault(
            nul == line.npos ? "invalid UTF-8" : "a NUL byte in column " + std::to_string(nul + 1),
            wanted);
      }
      take(line);
    } catch (const JsonFault& fault) {
      throw UsageError(fault.what, filename + ":" + std::to_string(number), fault.hint);
    }
  }
}

/// Whether a text is a NaN or an infinity, as programs in C++, Java, JavaScript and Python write
/// them: NaN, -nan(ind), 1.#QNAN, +Inf, -Infinity.
bool is_non_number(std::string_view text);

/// The whole text as a number: NaN for those; nothing for other text.
std::optional<double> foreign_number(std::string_view text);

/// The text with every such word, which some programs write bare into JSON, replaced by an empty
/// JSON text and spaces of the same length: places stay right, and number_or_nan() reads NaN there.
std::string mask_non_numbers(std::string_view text);

/// A foreign JSON text, with NaN and infinities as an empty text, and integers beyond +-2^53, which
/// cannot be read as numbers. Throws JsonFault.
JsonValue read_foreign_json(std::string_view text);

/// Reads such a text with `read(root)`. Throws UsageError with file:line:column. `wanted`: the hint
/// of faults without one.
template <typename Read>
auto read_json_document(std::string_view text, const std::string& filename, const Read& read,
                        const std::string& wanted = {}) {
  return with_places(
      text, filename, [&] { return read(read_foreign_json(text)); }, wanted);
}

/// Calls `take(root)` for each line that begins with an object; other lines, of other programs, are
/// skipped. Throws UsageError with file:line:column.
template <typename Take>
void for_each_json_line(std::string_view text, const std::string& filename,
                        const std::string& wanted, const Take& take) {
  const auto read = [&] {
    for (std::string_view rest = text; !rest.empty();) {
      const std::string_view line = trimmed(take_line(rest));
      try {
        if (line.starts_with('{')) {
          take(read_foreign_json(line));
        }
      } catch (JsonFault& fault) {
        fault.offset += static_cast<std::size_t>(line.data() - text.data());
        throw;
      }
    }
  };
  with_places(text, filename, read, wanted);
}

// ---- numbers

/// Statistics form ratios, products and squares of measured values: within these bounds none of
/// them overflows or vanishes. No quantity of a machine comes near them.
inline constexpr double kSmallestMagnitude = 1e-150;
inline constexpr double kLargestMagnitude = 1e150;
inline constexpr std::string_view kOutsideMagnitude = " is outside 1e-150 to 1e150";

/// A femtosecond, for steps averaged over many iterations, to 31 years.
inline constexpr double kShortestStep = 1e-15;
inline constexpr double kLongestStep = 1e9;

/// Zero, or a magnitude of which ratios can be formed.
inline bool is_measurable(double value) {
  const double magnitude = std::abs(value);
  return magnitude == 0 || (magnitude >= kSmallestMagnitude && magnitude <= kLargestMagnitude);
}

/// Whether a number is written as an integer beyond +-2^53: a double may hold another one.
bool is_large_integer(std::string_view written);

/// A number of which ratios can be formed. Throws JsonFault for any other.
double measurable_number(const JsonValue& value, std::string_view subject);

/// The same for times and sizes: not negative.
double measurable_amount(const JsonValue& value, std::string_view subject);

/// A measured number as it is, for keep_usable(): null, and NaN and infinities, bare or as text,
/// are NaN. Throws JsonFault for anything else.
double number_or_nan(const JsonValue& value, std::string_view subject);

/// The same of a number that may stand as text: other text is NaN.
double written_number(const JsonValue& value, std::string_view subject);

/// All of a list, which may be absent or null.
std::vector<double> numbers_or_nan(const JsonObject& object, std::string_view name,
                                   std::string_view subject);

/// Leaves out what is no value, and says so, for `judge`, `compare` and `import` alike: NaN and
/// infinities, times outside of kShortestStep to kLongestStep, such as 0, and other magnitudes of
/// which no ratio can be formed. A benchmark of which no time is left failed.
void keep_usable(SampleSet& set);

/// Whether it is a number, even one that no double holds.
bool is_number(const JsonValue& value);

// ---- fields

/// An object, and what messages call it: "a result".
class Entry {
 public:
  Entry(const JsonValue& value, std::string_view subject)
      : object(as_object(value, subject)), offset(value.offset), subject_(subject) {}

  // Required fields; all throw JsonFault.
  const JsonValue& at(std::string_view name, const std::string& hint = {}) const {
    return required_field(object, offset, name, subject_, hint);
  }
  const std::string& text(std::string_view name) const {
    return as_text(at(name), in_quotes(name));
  }
  const JsonArray& list(std::string_view name) const { return as_array(at(name), in_quotes(name)); }

  /// nullptr where it is absent or null.
  const JsonValue* find(std::string_view name) const { return optional_field(object, name); }

  const JsonObject& object;
  const std::size_t offset;

 private:
  std::string_view subject_;
};

/// Whether that name is there and true.
bool is_true(const JsonObject& object, std::string_view name);

/// A text, number or truth value, as text.
std::optional<std::string> fact_text(const JsonValue& value);

/// Adds the member of that name as fact `key`, where it has a text that is not empty.
void add_fact(const JsonObject& object, std::string_view name, const std::string& key,
              std::map<std::string, std::string>& facts);

/// The same of several, under their own names.
void add_facts(const JsonObject& object, std::initializer_list<std::string_view> names,
               std::map<std::string, std::string>& facts);

/// The fact of that name, or nothing.
std::string fact_of(const SampleSet& set, const std::string& key);

/// Sets the fingerprint of an environment that has the fact which tells machines apart.
void fingerprint_by(const std::string& fact, Environment& environment);

// ---- series

/// A text as the value of a parameter that is repeated in every series: a long one is cut, and ends
/// in its digest.
std::string setting_text(const std::string& text);

/// A line that gives a name or a package once may stand for any number of series, so the size of a
/// text does not bound what they take.
inline constexpr std::size_t kMostSeries = 100'000;
inline constexpr std::size_t kMostNameBytes = std::size_t{8} << 20;  ///< with their parameters

inline constexpr const char* kTooManySeries =
    "more than 100,000 series, or 8 MiB of their names and parameters";

[[noreturn]] void refuse_many_series();

/// What the numbers of a file are.
struct Meaning {
  Metric metric;
  double factor = 1;  ///< of the file's unit in the metric's
  bool judge = false;
  bool exact = false;  ///< what repeats exactly
};

/// Times of steps in units of so many seconds.
inline Meaning step_times(double seconds = 1) {
  return {kStepTime, seconds, true};
}

/// The benchmarks of a file while it is read: series are found by benchmark, parameters and metric.
class SeriesList {
 public:
  SampleSet set;       ///< as far as it is read
  std::string remedy;  ///< against statistics in place of values

  /// Throws JsonFault.
  SampleSeries& of(const std::string& name, const Params& params, const Meaning& meaning);
  /// Adds a number as the file has it. Throws JsonFault.
  void add(const std::string& name, const Params& params, const Meaning& meaning, double number) {
    of(name, params, meaning).values.push_back(number * meaning.factor);
  }
  /// The same of all of them, in order.
  void add_all(const std::string& name, const Params& params, const Meaning& meaning,
               const std::vector<double>& numbers);
  /// The same of what is positive wherever it was measured: programs write 0 or -1 where it was
  /// not. Throws JsonFault.
  void add_positive(const std::string& name, const Params& params, const Meaning& meaning,
                    double number);
  /// Says that values of a benchmark do not count, once for each metric and reason.
  void leave_out(const std::string& name, const Metric& metric, std::size_t values,
                 const std::string& why);
  /// Notes a benchmark that its program left out.
  void skip(const std::string& name, const std::string& why);
  /// Adds the times of a benchmark in seconds, or where there are none a statistic: "median", else
  /// "mean"; it failed where there is neither. Throws JsonFault.
  void add_times(const std::string& name, const Params& params, const std::vector<double>& times,
                 const Entry& statistics);
  /// Says that a benchmark has that one in place of values.
  void count_statistic(const std::string& statistic) { ++statistics_[statistic]; }
  /// Of benchmarks that begin twice nobody knows which is which: take() leaves them out.
  void begin(const std::string& name, const Params& params = {});
  void refuse(const std::string& name, const Params& params = {}) {
    ambiguous_.insert({name, params});
  }
  /// All that was read; a warning where that is nothing.
  SampleSet take();
  /// The same, but throws JsonFault where it is nothing.
  SampleSet take(std::size_t offset, const std::string& hint = {});

 private:
  std::size_t bytes_ = 0;
  std::map<std::tuple<std::string, Params, std::string>, std::size_t> at_;
  std::set<BenchmarkId> seen_, ambiguous_;
  std::map<std::pair<std::string, std::string>, std::size_t> left_out_;  // -> its warning
  std::map<std::string, double> statistics_;  // how many of them count as a value
};

Sessions one_session(SampleSet samples, const std::string& commit = {},
                     const std::string& measured_at = {});

/// Seconds in one of a unit of time, as benchmarks write it: ns, us (µs), ms, s, sec, seconds and
/// the like. Nothing for any other unit.
std::optional<double> seconds_in(std::string_view unit);

/// Bytes in one of a unit of size: B, bytes, KB, kB, MB, GB (powers of 1000), KiB, MiB, GiB.
std::optional<double> bytes_in(std::string_view unit);

/// B/op and allocs/op, as Go and its tools write them.
std::optional<Meaning> go_memory(std::string_view unit);

// ---- parts of single formats

/// Whether a text has a line of `go test`: a result, a benchmark's name, a failure.
bool is_go_text(std::string_view text);

/// Whether a text has a line of a benchmark that cargo ran, or cargo's error; and the reader of it,
/// which is criterion's.
bool is_bencher_text(std::string_view text);
FormatReader read_bencher_text;

/// Notes where cargo ended with an error: benchmarks are lost. Lines of JSON are skipped.
void note_end_of_cargo(std::string_view text, SampleSet& set);

/// What criterion measures for an iteration: a time, or the metric `value` in another unit. It
/// calls more of any unit a regression, so that is judged.
inline Meaning per_iteration(const std::string& unit) {
  const std::optional<double> seconds = seconds_in(unit);
  return seconds ? step_times(*seconds) : Meaning{{"value", unit, Better::lower}, 1, true};
}

/// What a result of github-action-benchmark is, by the tool and the unit beside it.
struct ActionMeaning : Meaning {
  bool inverse_is_time = false;  ///< 1 / the rate is the mean time of an iteration
};
ActionMeaning action_meaning_of(std::string_view tool, std::string_view unit);

/// asv's type of a benchmark, which says what its numbers are.
enum class AsvType { time, memory, peak_memory, track };

/// By the first word of the last part of its name: "suite.Sort.time_sort" is `time`.
AsvType asv_type_of(std::string_view name);

/// A benchmark in benchmarks.json.
struct AsvBenchmark {
  AsvType type = AsvType::track;
  std::string unit;
  std::vector<std::string> param_names;
};

/// Reads results/benchmarks.json; malformed entries are skipped. Throws JsonFault where the text is
/// not an object.
std::map<std::string, AsvBenchmark> read_asv_benchmarks(const JsonValue& root);

/// All combinations of parameters, the last one fastest, as asv orders its results; one without
/// parameters where there are none. Throws JsonFault for anything but lists of texts, and for more
/// than `most` combinations.
std::vector<std::vector<std::string>> asv_combinations(const JsonValue* params, std::size_t most);

/// "sort(10, 'a')", as asv prints it.
std::string asv_display_name(const std::string& name, const std::vector<std::string>& values);

/// The values by their names, or by param1, param2, ... where those are not known.
Params asv_params(const std::vector<std::string>& values, const std::vector<std::string>& names);

// One line of the protocol each, read into the records; unknown fields are skipped. An optional
// field that is null counts as absent. All throw JsonFault (docs/protocol.md).

/// `begin`: version, name, parameters, tokens per step.
Block read_begin(const JsonObject& line, std::size_t offset);
/// `environment`: its texts, numbers and truth values, as text, added to `facts`.
void read_facts(const JsonObject& line, std::map<std::string, std::string>& facts);
/// `step`: without an index it is `next_index`; one below it is out of order.
Step read_step(const JsonObject& line, std::size_t offset, std::int64_t next_index);
/// `metric`.
MetricValue read_metric(const JsonObject& line, std::size_t offset);
/// `check`.
Check read_check(const JsonObject& line, std::size_t offset);

/// The fields of a line.
struct SeparatedFields {
  std::vector<std::string> fields{};
  std::string between{};  ///< what parts each two: `,` or `;`, a blank, a tab; `\n`: several tabs
  bool name_is_quoted = false;  ///< the first of them
};

/// Fields are separated by commas, blanks or both, or by `;` alone; one may be in double quotes,
/// with "" for a quote in it.
SeparatedFields separated_fields(std::string_view line, char separator = ',');

}  // namespace perf::formats
