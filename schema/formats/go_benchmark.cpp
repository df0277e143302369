#include <array>
#include <cstdint>

#include "schema/formats/reading.h"

namespace perf::formats {
namespace {

constexpr std::size_t kLongestPackage = 1000;  ///< bytes; longer text is not a package name
constexpr std::size_t kMostGoFacts = 1000;     ///< programs print `key: value` lines, too
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
    throw Fault("invalid value of " + in_quotes(unit) + ": " + in_quotes(text));
  }
  return *value;
}

Meaning go_meaning(std::string_view unit) {
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
/// space or upper case; empty for any other line.
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
      list_.set.skipped.insert({{std::string(fields[2]), params_},
                                std::string(remark_.empty() ? "no reason given" : remark_)});
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

  /// `commit: 7cd9055` is a line that the format proposes; `testing` does not write one.
  Sessions finish() {
    if (list_.set.series.empty()) {
      throw Fault("no benchmark result",
                  "expected a line such as BenchmarkDecode-8  100  154125 ns/op, or a JSON file");
    }
    const std::string commit = fact_of(list_.set, "commit");
    name_skipped();
    for (SampleSeries& series : list_.set.series) {
      series.exact |= exact_.count(series.metric.name) > 0;
      const auto declared = directions_.find(series.metric.name);
      if (declared != directions_.end()) {
        series.metric.better = declared->second;
        series.judge = true;
      }
    }
    if (passed_over_ > 0) {
      list_.set.warnings.push_back({WarningKind::lines_passed_over, {{"lines", passed_over_}}});
    }
    fingerprint_by("cpu", list_.set.environment);
    return one_session(std::move(list_.set), commit);
  }

 private:
  /// `--- SKIP: BenchmarkX` (`go test -v`) lacks the processors, the "-8" of results.
  void name_skipped() {
    const std::string any =
        list_.set.series.empty() ? std::string() : list_.set.series.front().name;
    const std::size_t dash = any.find_last_not_of("0123456789");
    const bool has_processors = dash + 1 < any.size() && any[dash] == '-';
    for (const auto& [skipped, why] : std::exchange(list_.set.skipped, {})) {
      list_.set.skipped.insert(
          {{skipped.name + (has_processors ? any.substr(dash) : ""), skipped.params}, why});
    }
    for (const SampleSeries& series : list_.set.series) {
      list_.set.skipped.erase({series.name, series.params});
    }
  }

  void take_fact(const std::string& key, std::string_view value) {
    const bool is_machine = std::ranges::find(kGoMachineKeys, key) != kGoMachineKeys.end();
    if (key == "pkg") {
      params_.erase(key);
      if (!value.empty() && value.size() <= kLongestPackage) {
        params_[key] = std::string(value);
      }
    } else if (is_machine) {
      machine_[key] = std::string(value);
    } else if (list_.set.environment.facts.size() < kMostGoFacts) {
      list_.set.environment.facts[key] = std::string(value);
    }
  }

  void take_unit(const std::vector<std::string_view>& fields) {
    const std::string unit(fields[1]);
    if (std::find(fields.begin() + 2, fields.end(), "assume=exact") != fields.end()) {
      exact_.insert(go_meaning(unit).metric.name);
    }
    if (go_meaning(unit).metric.name != unit) {
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
      throw Fault("value without a unit",
                  "was the file cut off? values and units come in pairs: 123 ns/op");
    }
    if (machine_ != list_.set.environment.machine) {
      if (!list_.set.series.empty()) {
        throw Fault("results of two machines in one file",
                    "put each session into a file of its own: --base FILE --base FILE ...");
      }
      list_.set.environment.machine = machine_;
    }
    const std::string name(fields[0]);
    std::set<std::string> seen;
    for (std::size_t i = 2; i < fields.size(); i += 2) {
      const Meaning meaning = go_meaning(fields[i + 1]);
      const double value = value_of(fields[i], fields[i + 1]);
      if (meaning.metric == kStepTime && value < 0) {
        throw Fault("negative time " + in_quotes(fields[i]));
      }
      if (!seen.insert(meaning.metric.name).second) {
        throw Fault("duplicate unit " + in_quotes(fields[i + 1]));
      }
      list_.add(name, params_, meaning, value);
    }
  }

  SeriesList list_;
  Params params_;                               // of the lines that follow
  std::map<std::string, std::string> machine_;  // of the lines that follow
  std::map<std::string, Better> directions_;    // of Unit lines
  std::set<std::string> exact_;                 // metrics, by Unit lines
  std::size_t passed_over_ = 0;                 // lines that begin as a result
  std::string_view remark_;                     // the last line, where it is indented
};

}  // namespace

/// Reads the output of `go test -bench`, the Go benchmark data format
/// (https://go.googlesource.com/proposal/+/master/design/14313-benchmark-format.md): `key: value`
/// lines that hold for the lines below, result lines `BenchmarkName-8  N  123 ns/op  45 B/op ...`,
/// and `Unit custom better=higher` lines. A benchmark that is repeated (`-count`) has its values in
/// order. All other lines are skipped, with a warning where one begins like a result.
///
/// ns/op and sec/op become step_time, B/op bytes_per_op, allocs/op allocs_per_op, MB/s
/// bytes_per_second; other units keep their text as name, higher is better where it ends in /s or
/// by a Unit line. Judged are step_time, bytes_per_op, allocs_per_op and units with the direction
/// of a Unit line. `pkg` becomes a parameter, goos, goarch and cpu the machine.
Sessions read_go_benchmark(std::string_view text, const std::string& filename) {
  GoReader reader;
  for_each_line(text, filename, "expected the output of `go test -bench`",
                [&](std::string_view line) { reader.take(line); });
  return with_places(text, filename, [&] { return reader.finish(); });
}

}  // namespace perf::formats
