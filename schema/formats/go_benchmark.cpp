#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>

#include "schema/error.h"
#include "schema/formats/json_value.h"
#include "schema/formats/magnitude.h"
#include "schema/formats/readers.h"
#include "schema/formats/series_list.h"
#include "schema/formats/text_position.h"

namespace perf::formats {
namespace {

constexpr std::size_t kLongestPackage = 1000;  ///< bytes; what is longer is no name of one
constexpr std::size_t kMostGoFacts = 1000;     ///< `key: value` lines are also what people print
constexpr double kNanosecond = 1e-9;
constexpr double kGoMegabyte = 1e6;

/// Keys that the testing package writes about the machine.
constexpr std::array<std::string_view, 3> kGoMachineKeys{"goos", "goarch", "cpu"};

constexpr std::string_view kGoBlanks = " \t\r\v\f";

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  for (std::string_view field = take_word(line, kGoBlanks); !field.empty();
       field = take_word(line, kGoBlanks)) {
    fields.push_back(field);
  }
  return fields;
}

bool is_space(char c) {
  return kGoBlanks.find(c) != std::string_view::npos;
}

double value_of(std::string_view text, std::string_view unit) {
  const std::optional<double> value = parsed<double>(text);
  if (!value || !is_measurable(*value) || is_large_integer(text)) {
    throw Fault{"the value of " + in_quotes(unit) +
                " is no number of measurable magnitude: " + in_quotes(text)};
  }
  return *value;
}

/// What a unit of the file becomes.
Meaning meaning_of(std::string_view unit) {
  if (unit == "ns/op" || unit == "sec/op") {
    return step_times(unit == "ns/op" ? kNanosecond : 1);
  }
  if (const std::optional<Meaning> known = go_memory(unit)) {
    return *known;
  }
  if (unit == "MB/s") {
    return {{"bytes_per_second", "B/s", Better::higher}, kGoMegabyte};
  }
  const std::string name(unit);
  if (unit.ends_with("-ns/op") || unit.ends_with("-ns")) {
    return {{name, "s", Better::lower}, kNanosecond};
  }
  return {{name, name, unit.ends_with("/s") ? Better::higher : Better::lower}};
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

class GoReader {
 public:
  void take(std::string_view line) {
    const std::vector<std::string_view> fields = fields_of(line);
    if (fields.empty()) {
      return;
    }
    if (fields.size() == 3 && fields[1] == "SKIP:" && is_benchmark_name(fields[2])) {
      set_.skipped.emplace(fields[2], remark_.empty() ? "it does not say why" : remark_);
    }
    remark_ = is_space(line.front()) ? trimmed(line, kGoBlanks) : "";
    if (is_benchmark_name(line.substr(0, fields[0].size()))) {
      const auto iterations = fields.size() > 1 ? parsed<std::int64_t>(fields[1]) : std::nullopt;
      if (iterations.value_or(0) > 0) {
        take_result(fields);
      } else {
        passed_over_ += fields.size() > 1 ? 1 : 0;  // the name alone is what `go test -v` announces
      }
    } else if (fields[0] == "Unit" && fields.size() > 1 && !is_space(line.front())) {
      take_unit(fields);
    } else if (const std::string_view key = key_of(line); !key.empty()) {
      take_fact(std::string(key), trimmed(line.substr(key.size() + 1), kGoBlanks));
    }
  }

  SampleSet finish() {
    set_.series = series_.take();
    name_skipped();
    for (SampleSeries& series : set_.series) {
      series.exact |= exact_.count(series.metric.name) > 0;
      const auto declared = directions_.find(series.metric.name);
      if (declared != directions_.end()) {
        series.metric.better = declared->second;
        series.judge = true;
      }
    }
    if (passed_over_ > 0) {
      set_.warnings.push_back({WarningKind::lines_passed_over, {{"lines", passed_over_}}});
    }
    fingerprint_by("cpu", set_.environment);
    return std::move(set_);
  }

 private:
  /// `--- SKIP: BenchmarkX` (`go test -v`) lacks the processors, the "-8" of results.
  void name_skipped() {
    const std::string any = set_.series.empty() ? std::string() : set_.series.front().name;
    const std::size_t dash = any.find_last_not_of("0123456789");
    const bool has_processors = dash + 1 < any.size() && any[dash] == '-';
    for (const auto& [name, why] : std::exchange(set_.skipped, {})) {
      set_.skipped.emplace(name + (has_processors ? any.substr(dash) : ""), why);
    }
    for (const SampleSeries& series : set_.series) {
      set_.skipped.erase(series.name);
    }
  }

  void take_fact(const std::string& key, std::string_view value) {
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

  void take_unit(const std::vector<std::string_view>& fields) {
    const std::string unit(fields[1]);
    if (std::find(fields.begin() + 2, fields.end(), "assume=exact") != fields.end()) {
      exact_.insert(meaning_of(unit).metric.name);
    }
    if (meaning_of(unit).metric.name != unit) {
      return;  // what the testing package itself measures has its direction
    }
    for (std::size_t i = 2; i < fields.size(); ++i) {
      if (fields[i] == "better=higher" || fields[i] == "better=lower") {
        directions_[unit] = fields[i] == "better=higher" ? Better::higher : Better::lower;
      }
    }
  }

  void take_result(const std::vector<std::string_view>& fields) {
    if (fields.size() % 2 != 0 || fields.size() < 4) {
      throw Fault{"a result line with a value that has no unit",
                  "was the file cut off? values and units come in pairs: 123 ns/op"};
    }
    if (machine_ != set_.environment.machine) {
      if (!series_.empty()) {
        throw Fault{"results of a second machine in one file",
                    "give each session a file of its own: --base FILE --base FILE ..."};
      }
      set_.environment.machine = machine_;
    }
    const std::string name(fields[0]);
    std::set<std::string> seen;
    for (std::size_t i = 2; i < fields.size(); i += 2) {
      const Meaning meaning = meaning_of(fields[i + 1]);
      const double value = value_of(fields[i], fields[i + 1]);
      if (meaning.metric == kStepTime && value < 0) {
        throw Fault{"a negative time: " + in_quotes(fields[i])};
      }
      if (!seen.insert(meaning.metric.name).second) {
        throw Fault{"the unit " + in_quotes(fields[i + 1]) + " stands twice in one line"};
      }
      series_.add(name, params_, meaning, value);
    }
  }

  SampleSet set_;
  SeriesList series_;
  Params params_;                               // that hold here
  std::map<std::string, std::string> machine_;  // that holds here
  std::map<std::string, Better> directions_;    // that Unit lines give
  std::set<std::string> exact_;                 // metrics that Unit lines call so
  std::size_t passed_over_ = 0;                 // lines that begin as a result
  std::string_view remark_;                     // the last line, where it is indented
};

}  // namespace

SampleSet read_go_benchmark(std::string_view text, const std::string& filename) {
  if (text.size() > kLargestText) {
    throw UsageError("more than 64 MiB", filename + ":1");
  }
  GoReader reader;
  const std::size_t lines =
      for_each_line(text, filename, "is it the text that `go test -bench` prints?",
                    [&](std::string_view line) { reader.take(line); });
  SampleSet set = reader.finish();
  if (set.series.empty()) {
    throw UsageError(
        "no benchmark result", filename + ":" + std::to_string(std::max<std::size_t>(lines, 1)),
        "expected a line such as BenchmarkDecode-8  100  154125 ns/op, or a JSON file");
  }
  set.source = filename;
  return set;
}

}  // namespace perf::formats
