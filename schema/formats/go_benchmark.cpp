#include "schema/formats/go_benchmark.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <set>

#include "schema/error.h"
#include "schema/formats/facts_text.h"
#include "schema/formats/json_value.h"
#include "schema/formats/magnitude.h"
#include "schema/formats/series_list.h"
#include "schema/utf8.h"

namespace perf::formats {
namespace {

constexpr std::size_t kLargestGoFile = std::size_t{64} << 20;  ///< B
constexpr std::size_t kLongestPackage = 1000;  ///< bytes; what is longer is no name of one
constexpr std::size_t kMostGoFacts = 1000;     ///< `key: value` lines are also what people print
constexpr double kNanosecond = 1e-9;
constexpr double kGoMegabyte = 1e6;

/// Keys that the testing package writes about the machine.
constexpr std::array<std::string_view, 3> kGoMachineKeys{"goos", "goarch", "cpu"};

struct GoFault {
  std::string what;
  std::string hint{};
};

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  std::size_t at = 0;
  while (at < line.size()) {
    if (is_space(line[at])) {
      ++at;
      continue;
    }
    const std::size_t begin = at;
    while (at < line.size() && !is_space(line[at])) {
      ++at;
    }
    fields.push_back(line.substr(begin, at - begin));
  }
  return fields;
}

template <typename Number>
bool read_number(std::string_view text, Number& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

double value_of(std::string_view text, std::string_view unit) {
  double value = 0;
  if (!read_number(text, value) || !is_measurable(value) || is_large_integer(text)) {
    throw GoFault{"the value of " + in_quotes(unit) +
                  " is no number of measurable magnitude: " + in_quotes(text)};
  }
  return value;
}

/// What a unit of the file becomes.
struct GoMeaning {
  Metric metric;
  double factor = 1;
  bool judge = false;
};

GoMeaning meaning_of(std::string_view unit) {
  if (unit == "ns/op") {
    return {kStepTime, kNanosecond, true};
  }
  if (unit == "sec/op") {
    return {kStepTime, 1, true};
  }
  if (unit == "B/op") {
    return {{"bytes_per_op", "B", Better::lower}, 1, true};
  }
  if (unit == "allocs/op") {
    return {{"allocs_per_op", "1", Better::lower}, 1, true};
  }
  if (unit == "MB/s") {
    return {{"bytes_per_second", "B/s", Better::higher}, kGoMegabyte, false};
  }
  const std::string name(unit);
  if (unit.ends_with("-ns/op") || unit.ends_with("-ns")) {
    return {{name, "s", Better::lower}, kNanosecond, false};
  }
  return {{name, name, unit.ends_with("/s") ? Better::higher : Better::lower}, 1, false};
}

/// "BenchmarkX" and "BenchmarkX-8", but not "Benchmarking".
bool is_benchmark_name(std::string_view name) {
  constexpr std::string_view kPrefix = "Benchmark";
  if (name.substr(0, kPrefix.size()) != kPrefix) {
    return false;
  }
  return name.size() == kPrefix.size() || name[kPrefix.size()] < 'a' || name[kPrefix.size()] > 'z';
}

/// The key of a `key: value` line: from its first character, which is a lower case letter, without
/// space or upper case; empty where the line is none.
std::string_view key_of(std::string_view line) {
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (i == 0 ? c < 'a' || c > 'z' : is_space(c) || (c >= 'A' && c <= 'Z')) {
      return {};
    }
    if (c == ':') {
      return i + 1 == line.size() || is_space(line[i + 1]) ? line.substr(0, i) : std::string_view{};
    }
  }
  return {};
}

std::string_view trimmed_line(std::string_view text) {
  while (!text.empty() && is_space(text.front())) {
    text.remove_prefix(1);
  }
  while (!text.empty() && is_space(text.back())) {
    text.remove_suffix(1);
  }
  return text;
}

class GoReader {
 public:
  void take(std::string_view line);
  SampleSet finish();

 private:
  void take_fact(const std::string& key, std::string_view value);
  void take_unit(const std::vector<std::string_view>& fields);
  void take_result(const std::vector<std::string_view>& fields);

  SampleSet set_;
  SeriesList series_;
  Params params_;                               // that hold here
  std::map<std::string, std::string> machine_;  // that holds here
  std::map<std::string, Better> directions_;    // that Unit lines give
  std::size_t passed_over_ = 0;                 // lines that begin as a result
};

void GoReader::take_fact(const std::string& key, std::string_view value) {
  const bool is_machine =
      std::find(kGoMachineKeys.begin(), kGoMachineKeys.end(), key) != kGoMachineKeys.end();
  if (key == "pkg") {
    params_.erase(key);
    if (!value.empty() && value.size() <= kLongestPackage) {
      params_[key] = std::string(value);
    }
  } else if (is_machine) {
    machine_[key] = std::string(value);
  } else if (set_.environment.facts.size() < kMostGoFacts) {
    set_.environment.facts[key] = std::string(value);
  }
}

void GoReader::take_unit(const std::vector<std::string_view>& fields) {
  const std::string unit(fields[1]);
  if (meaning_of(unit).metric.name != unit) {
    return;  // what the testing package itself measures has its direction
  }
  for (std::size_t i = 2; i < fields.size(); ++i) {
    if (fields[i] == "better=higher" || fields[i] == "better=lower") {
      directions_[unit] = fields[i] == "better=higher" ? Better::higher : Better::lower;
    }
  }
}

void GoReader::take_result(const std::vector<std::string_view>& fields) {
  if (fields.size() % 2 != 0 || fields.size() < 4) {
    throw GoFault{"a result line with a value that has no unit",
                  "was the file cut off? values and units come in pairs: 123 ns/op"};
  }
  if (machine_ != set_.environment.machine) {
    if (!series_.empty()) {
      throw GoFault{"results of a second machine in one file",
                    "give each session a file of its own: --base FILE --base FILE ..."};
    }
    set_.environment.machine = machine_;
  }
  const std::string name(fields[0]);
  std::set<std::string> seen;
  for (std::size_t i = 2; i < fields.size(); i += 2) {
    const GoMeaning meaning = meaning_of(fields[i + 1]);
    const double value = value_of(fields[i], fields[i + 1]) * meaning.factor;
    if (meaning.metric == kStepTime && value < 0) {
      throw GoFault{"a negative time: " + in_quotes(fields[i])};
    }
    if (!seen.insert(meaning.metric.name).second) {
      throw GoFault{"the unit " + in_quotes(fields[i + 1]) + " stands twice in one line"};
    }
    series_.of(name, params_, meaning.metric, meaning.judge).values.push_back(value);
  }
}

void GoReader::take(std::string_view line) {
  const std::vector<std::string_view> fields = fields_of(line);
  if (fields.empty()) {
    return;
  }
  if (is_benchmark_name(line.substr(0, fields[0].size()))) {
    std::int64_t iterations = 0;
    if (fields.size() > 1 && read_number(fields[1], iterations) && iterations > 0) {
      take_result(fields);
    } else {
      passed_over_ += fields.size() > 1 ? 1 : 0;  // the name alone is what `go test -v` announces
    }
  } else if (fields[0] == "Unit" && fields.size() > 1 && !is_space(line.front())) {
    take_unit(fields);
  } else if (const std::string_view key = key_of(line); !key.empty()) {
    take_fact(std::string(key), trimmed_line(line.substr(key.size() + 1)));
  }
}

SampleSet GoReader::finish() {
  set_.series = series_.take();
  for (SampleSeries& series : set_.series) {
    const auto declared = directions_.find(series.metric.name);
    if (declared != directions_.end()) {
      series.metric.better = declared->second;
      series.judge = true;
    }
  }
  if (passed_over_ > 0) {
    set_.warnings.push_back(std::to_string(passed_over_) +
                            (passed_over_ == 1 ? " line begins" : " lines begin") +
                            " like a benchmark's and is no result");
  }
  Environment& environment = set_.environment;
  if (environment.machine.count("cpu") > 0) {
    environment.fingerprint = facts_text(environment.machine);
  }
  return std::move(set_);
}

[[noreturn]] void refuse(const GoFault& fault, const std::string& filename, std::size_t line) {
  throw UsageError(fault.what, filename + ":" + std::to_string(line), fault.hint);
}

}  // namespace

SampleSet read_go_benchmark(std::string_view text, const std::string& filename) {
  if (text.size() > kLargestGoFile) {
    refuse({"more than 64 MiB"}, filename, 1);
  }
  GoReader reader;
  std::size_t number = 0;
  while (!text.empty()) {
    ++number;
    const std::size_t newline = text.find('\n');
    const std::string_view line = text.substr(0, newline);
    text.remove_prefix(newline == std::string_view::npos ? text.size() : newline + 1);
    try {
      if (!is_utf8(line)) {
        throw GoFault{"bytes that are no UTF-8 text",
                      "is it the text that `go test -bench` prints?"};
      }
      reader.take(line);
    } catch (const GoFault& fault) {
      refuse(fault, filename, number);
    } catch (const TooManySeries& fault) {
      refuse({fault.what, fault.hint}, filename, number);
    }
  }
  SampleSet set = reader.finish();
  if (set.series.empty()) {
    refuse({"no benchmark result",
            "expected a line such as BenchmarkDecode-8  100  154125 ns/op, or a JSON file"},
           filename, std::max<std::size_t>(number, 1));
  }
  set.source = filename;
  return set;
}

}  // namespace perf::formats
