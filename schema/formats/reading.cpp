#include "schema/formats/reading.h"

#include <array>

#include "schema/workload_name.h"

namespace perf::formats {
namespace {

constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

bool has_sign(std::string_view word) {
  return word.starts_with('-') || word.starts_with('+');
}

/// The length of such a word at the beginning of a text; 0: another word. The C runtimes of Windows
/// write nan(ind) and nan(snan), old ones 1.#QNAN, 1.#IND00, 1.#INF and, rounded, 1.#J.
std::size_t length_of_non_number(std::string_view text) {
  constexpr std::string_view kOldMark = "1.#", kDigits = "0123456789";
  const std::size_t sign = has_sign(text) ? 1 : 0;
  const bool is_old = text.substr(sign).starts_with(kOldMark);
  const std::size_t begin = sign + (is_old ? kOldMark.size() : 0);
  std::size_t end = std::min(text.find_first_not_of(kLetters, begin), text.size());
  if (is_old) {
    return end > begin ? std::min(text.find_first_not_of(kDigits, end), text.size()) : 0;
  }
  const std::string_view word = text.substr(begin, end - begin);
  const bool is_nan = word == "NaN" || word == "nan" || word == "NAN";
  for (const std::string_view kind : {"(ind)", "(snan)"}) {
    end += is_nan && text.substr(end).starts_with(kind) ? kind.size() : 0;
  }
  return is_nan || word == "Infinity" || word == "inf" || word == "Inf" || word == "INF" ? end : 0;
}

/// The length of such a word at `at` of a JSON text; 0 for another word, and for a key.
std::size_t non_number_at(std::string_view text, std::size_t at) {
  constexpr std::string_view kFirst = "+-NnIi1";
  const bool within = at > 0 && (text[at - 1] == '_' || is_name_letter(text[at - 1]));
  if (within || kFirst.find(text[at]) == kFirst.npos) {
    return 0;
  }
  const std::size_t length = length_of_non_number(text.substr(at));
  const std::size_t next = text.find_first_not_of(" \t\r\n", at + length);
  return next != std::string_view::npos && text[next] == ':' ? 0 : length;
}

/// Why a number is no value of that metric; empty where it is one.
std::string fault_in_value(const Metric& metric, double value) {
  if (!std::isfinite(value)) {
    return "not a finite number: null, NaN or infinity";
  }
  if (metric.name != kStepTime.name) {
    return is_measurable(value) ? "" : to_text(Param(value)) + std::string(kOutsideMagnitude);
  }
  if (value == 0) {
    return "0 is not a valid time: the compiler may have removed the work";
  }
  return value >= kShortestStep && value <= kLongestStep
             ? ""
             : to_text(Param(value)) +
                   " s is not a valid time: it must lie between 1e-15 and 1e9 s";
}

/// Names of a unit between blanks, and its size in the base unit.
struct Unit {
  std::string_view names;
  double size;
};

constexpr std::array<Unit, 5> kTimes{{{" ns nsec nanoseconds ", 1e-9},
                                      // with the micro sign, and with the Greek letter mu
                                      {" us \xC2\xB5s \xCE\xBCs usec microseconds ", 1e-6},
                                      {" ms msec milliseconds ", 1e-3},
                                      {" s S sec secs second seconds Seconds ", 1},
                                      {" min minutes ", 60}}};

constexpr std::array<Unit, 7> kByteSizes{{{" B byte bytes Bytes ", 1},
                                          {" kB KB ", 1e3},
                                          {" MB Megabytes ", 1e6},
                                          {" GB ", 1e9},
                                          {" KiB ", 0x1p10},
                                          {" MiB ", 0x1p20},
                                          {" GiB ", 0x1p30}}};

template <std::size_t size>
std::optional<double> size_of(std::string_view name, const std::array<Unit, size>& units) {
  const std::string word = " " + std::string(name) + " ";
  const auto found = std::ranges::find_if(units, [&](const Unit& unit) {
    return !name.empty() && unit.names.find(word) != std::string_view::npos;
  });
  const bool is_known = found != units.end() && name.find(' ') == std::string_view::npos;
  return is_known ? std::optional(found->size) : std::nullopt;
}

}  // namespace

bool is_non_number(std::string_view text) {
  return !text.empty() && length_of_non_number(text) == text.size();
}

std::optional<double> foreign_number(std::string_view text) {
  return is_non_number(text) ? std::nan("") : parsed<double>(text);
}

std::string mask_non_numbers(std::string_view text) {
  std::string masked(text);
  bool quoted = false;
  for (std::size_t at = 0; at < masked.size(); ++at) {
    if (quoted && masked[at] == '\\') {
      ++at;
    } else if (masked[at] == '"') {
      quoted = !quoted;
    } else if (!quoted) {
      const std::size_t length = non_number_at(text, at);
      if (length > 0) {
        masked.replace(at, length, "\"\"" + std::string(length - 2, ' '));
        at += length - 1;
      }
    }
  }
  return masked;
}

JsonValue read_foreign_json(std::string_view text) {
  return read_json(mask_non_numbers(text), JsonLimits{.large_integers = true});
}

bool is_large_integer(std::string_view written) {
  constexpr std::string_view kLargestExact = "9007199254740992";
  written.remove_prefix(std::min(written.find_first_not_of("+-"), written.size()));
  written.remove_prefix(std::min(written.find_first_not_of('0'), written.size()));
  return written.find_first_not_of("0123456789") == std::string_view::npos &&
         (written.size() > kLargestExact.size() ||
          (written.size() == kLargestExact.size() && written > kLargestExact));
}

bool is_true(const JsonObject& object, std::string_view name) {
  const bool* truth = field_as<bool>(object, name);
  return truth != nullptr && *truth;
}

std::optional<std::string> fact_text(const JsonValue& value) {
  const std::optional<Param> param = param_of(value);
  return param ? std::optional<std::string>(to_text(*param)) : std::nullopt;
}

void add_fact(const JsonObject& object, std::string_view name, const std::string& key,
              std::map<std::string, std::string>& facts) {
  const JsonValue* value = find_value(object, name);
  const std::string text = value == nullptr ? "" : fact_text(*value).value_or("");
  if (!text.empty()) {
    facts[key] = text;
  }
}

void add_facts(const JsonObject& object, std::initializer_list<std::string_view> names,
               std::map<std::string, std::string>& facts) {
  for (const std::string_view name : names) {
    add_fact(object, name, std::string(name), facts);
  }
}

double measurable_number(const JsonValue& value, std::string_view subject) {
  const double number = as_number(value, subject);
  if (!is_measurable(number)) {
    throw JsonFault{value.offset, std::string(subject) + std::string(kOutsideMagnitude)};
  }
  return number;
}

double measurable_amount(const JsonValue& value, std::string_view subject) {
  const double amount = measurable_number(value, subject);
  if (amount < 0) {
    throw JsonFault{value.offset, std::string(subject) + " is negative"};
  }
  return amount;
}

double number_or_nan(const JsonValue& value, std::string_view subject) {
  const std::string* text = std::get_if<std::string>(&value.data);
  const bool is_none = text != nullptr && (text->empty() || is_non_number(*text));
  return value.is_null() || is_none ? std::nan("") : as_number(value, subject);
}

double written_number(const JsonValue& value, std::string_view subject) {
  const std::string* text = std::get_if<std::string>(&value.data);
  return text == nullptr ? number_or_nan(value, subject)
                         : parsed<double>(*text).value_or(std::nan(""));
}

std::vector<double> numbers_or_nan(const JsonObject& object, std::string_view name,
                                   std::string_view subject) {
  std::vector<double> numbers;
  if (const JsonValue* list = optional_field(object, name)) {
    for (const JsonValue& one : as_array(*list, in_quotes(name))) {
      numbers.push_back(number_or_nan(one, subject));
    }
  }
  return numbers;
}

void keep_usable(SampleSet& set) {
  std::map<BenchmarkId, std::string> without_time, emptied;         // -> why
  std::map<std::pair<WarningKind, std::string>, Warning> warnings;  // of values by metric, or why
  for (SampleSeries& series : set.series) {
    std::string why;
    const auto is_fault = [&](double value) {
      const std::string fault = fault_in_value(series.metric, value);
      why = why.empty() ? fault : why;
      return !fault.empty();
    };
    std::size_t left_out = std::erase_if(series.values, is_fault);
    if (series.summary && is_fault(series.summary->median)) {
      series.summary.reset();
      left_out = std::max<std::size_t>(left_out, 1);
    }
    if (left_out == 0) {
      continue;
    }
    const bool is_time = series.metric.name == kStepTime.name;
    const std::map<std::string, std::string> about{{"benchmark", in_quotes(series.name)},
                                                   {"metric", in_quotes(series.metric.name)},
                                                   {"why", why}};
    if (series.values.empty() && !series.summary) {
      (is_time ? without_time : emptied).insert({{series.name, series.params}, why});
    }
    if (is_time && series.values.empty()) {
      continue;
    }
    const auto kind = is_time ? WarningKind::repetitions_left_out : WarningKind::values_left_out;
    const auto [found, is_first] =
        warnings.try_emplace({kind, is_time ? why : series.metric.name}, Warning{kind, {}, about});
    if (!is_time) {
      found->second.figures["values"] += static_cast<double>(left_out);
    } else if (!is_first) {
      ++found->second.figures["more"];
    }
  }
  std::erase_if(set.series, [&](const SampleSeries& series) {
    return (series.values.empty() && !series.summary) ||
           without_time.contains({series.name, series.params});
  });
  for (const SampleSeries& series : set.series) {
    emptied.erase({series.name, series.params});
  }
  set.failures.merge(without_time);
  set.failures.merge(emptied);
  for (auto& [of, warning] : warnings) {
    set.warnings.push_back(std::move(warning));
  }
}

bool is_number(const JsonValue& value) {
  return std::holds_alternative<double>(value.data) ||
         std::holds_alternative<std::int64_t>(value.data) ||
         std::holds_alternative<LargeInteger>(value.data);
}

std::string fact_of(const SampleSet& set, const std::string& key) {
  return value_or_empty(set.environment.facts, key);
}

std::string facts_text(const std::map<std::string, std::string>& facts) {
  std::string text;
  for (const auto& [name, value] : facts) {
    text.append(name).append("=").append(value).append("\n");
  }
  return text;
}

void fingerprint_by(const std::string& fact, Environment& environment) {
  if (environment.machine.contains(fact)) {
    environment.fingerprint = facts_text(environment.machine);
  }
}

std::string setting_text(const std::string& text) {
  return text.size() > kLongestWorkloadName ? workload_name(text) : text;
}

void refuse_many_series() {
  throw Fault(kTooManySeries, "split the benchmarks into several files");
}

SampleSeries& SeriesList::of(const std::string& name, const Params& params,
                             const Meaning& meaning) {
  const auto [found, is_first] =
      at_.try_emplace({name, params, meaning.metric.name}, set.series.size());
  if (is_first) {
    SampleSeries& series =
        set.series.emplace_back(SampleSeries{name, params, meaning.metric, meaning.judge, {}});
    series.exact = meaning.exact;
    bytes_ += name.size() + meaning.metric.name.size();
    for (const auto& [key, value] : params) {
      bytes_ += key.size() + to_text(value).size();
    }
    if (bytes_ > kMostNameBytes || set.series.size() > kMostSeries) {
      refuse_many_series();
    }
  }
  return set.series[found->second];
}

void SeriesList::add_all(const std::string& name, const Params& params, const Meaning& meaning,
                         const std::vector<double>& numbers) {
  for (const double number : numbers) {
    add(name, params, meaning, number);
  }
}

void SeriesList::add_positive(const std::string& name, const Params& params, const Meaning& meaning,
                              double number) {
  if (number <= 0) {
    leave_out(name, meaning.metric, 1, "0 or less is not measured");
  } else {
    add(name, params, meaning, number);
  }
}

void SeriesList::leave_out(const std::string& name, const Metric& metric, std::size_t values,
                           const std::string& why) {
  const auto [found, is_first] = left_out_.try_emplace({metric.name, why}, set.warnings.size());
  if (is_first) {
    set.warnings.push_back(
        {WarningKind::values_left_out,
         {},
         {{"metric", in_quotes(metric.name)}, {"benchmark", in_quotes(name)}, {"why", why}}});
  }
  set.warnings[found->second].figures["values"] += static_cast<double>(values);
}

void SeriesList::skip(const std::string& name, const std::string& why) {
  set.skipped.insert({{name}, why});
  set.warnings.push_back({WarningKind::benchmark_skipped,
                          {},
                          {{"benchmark", in_quotes(name)}, {"why", in_quotes(why)}}});
}

void SeriesList::add_times(const std::string& name, const Params& params,
                           const std::vector<double>& times, const Entry& statistics) {
  add_all(name, params, step_times(), times);
  if (!times.empty()) {
    return;
  }
  for (const std::string statistic : {"median", "mean"}) {
    if (const JsonValue* value = statistics.find(statistic)) {
      add(name, params, step_times(), number_or_nan(*value, in_quotes(statistic)));
      count_statistic(statistic);
      return;
    }
  }
  set.failures.insert({{name, params}, "it has no time"});
}

void SeriesList::begin(const std::string& name, const Params& params) {
  if (!seen_.insert({name, params}).second) {
    refuse(name, params);
  }
}

SampleSet SeriesList::take() {
  for (const BenchmarkId& benchmark : ambiguous_) {
    set.failures.erase(benchmark);
    set.skipped.insert({benchmark, std::string(kAmbiguousName)});
  }
  if (!ambiguous_.empty()) {
    Warning& warning = set.warnings.emplace_back(Warning{
        WarningKind::ambiguous_name, {}, {{"benchmark", in_quotes(ambiguous_.begin()->name)}}});
    if (ambiguous_.size() > 1) {
      warning.figures["more"] = static_cast<double>(ambiguous_.size() - 1);
    }
  }
  std::erase_if(set.series, [&](const SampleSeries& series) {
    return ambiguous_.contains({series.name, series.params});
  });
  for (const auto& [statistic, benchmarks] : statistics_) {
    Warning warning{
        WarningKind::no_rounds, {{"benchmarks", benchmarks}}, {{"statistic", statistic}}};
    if (!remedy.empty()) {
      warning.about["remedy"] = remedy;
    }
    set.warnings.push_back(std::move(warning));
  }
  if (set.series.empty() && set.failures.empty() && set.warnings.empty()) {
    set.warnings.push_back({WarningKind::no_benchmark});
  }
  return std::move(set);
}

SampleSet SeriesList::take(std::size_t offset, const std::string& hint) {
  if (set.series.empty() && set.failures.empty() && set.warnings.empty()) {
    throw JsonFault{offset, "no benchmark result", hint};
  }
  return take();
}

Sessions one_session(SampleSet samples, const std::string& commit, const std::string& measured_at) {
  Sessions sessions(1);
  sessions.front() = {commit, measured_at, std::move(samples)};
  return sessions;
}

std::optional<double> seconds_in(std::string_view unit) {
  return size_of(unit, kTimes);
}

std::optional<Meaning> go_memory(std::string_view unit) {
  if (unit == "B/op") {
    return Meaning{{"bytes_per_op", "B", Better::lower}, 1, true};
  }
  return unit == "allocs/op"
             ? std::optional<Meaning>({{"allocs_per_op", "1", Better::lower}, 1, true, true})
             : std::nullopt;
}

std::optional<double> bytes_in(std::string_view unit) {
  return size_of(unit, kByteSizes);
}

}  // namespace perf::formats
