#include <array>
#include <cmath>
#include <cstdint>

#include "schema/formats/reading.h"
#include "schema/formats/surroundings.h"

namespace perf::formats {
namespace {

constexpr std::size_t kLongestPackage = 1000;  ///< bytes; longer text is not a package name
constexpr std::size_t kMostGoFacts = 1000;     ///< programs print `key: value` lines, too
constexpr std::size_t kLongestGoReason = 200;  ///< bytes
constexpr const char* kApart =
    "put each session into a file of its own: --base FILE --base FILE ...";
constexpr double kNanosecond = 1e-9;
constexpr double kGoMegabyte = 1e6;

/// Keys that the testing package writes about the machine.
constexpr std::array<std::string_view, 3> kGoMachineKeys{"goos", "goarch", "cpu"};

constexpr std::string_view kExitStatus = "exit status ";

constexpr std::string_view kGoBlanks = " \t\r\v\f";

std::vector<std::string_view> fields_of(std::string_view line,
                                        std::size_t most = std::string_view::npos) {
  std::vector<std::string_view> fields;
  for (std::string_view field = take_word(line, kGoBlanks); !field.empty() && fields.size() < most;
       field = take_word(line, kGoBlanks)) {
    fields.push_back(field);
  }
  return fields;
}

bool is_space(char c) {
  return kGoBlanks.find(c) != std::string_view::npos;
}

/// NaN where a double does not hold the number; nothing for a text that is no number.
std::optional<double> go_value(std::string_view text) {
  text.remove_prefix(text.starts_with('+') ? 1 : 0);
  const std::optional<double> value = foreign_number(text);
  return value && is_large_integer(text) ? std::nan("") : value;
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

bool has_iterations(const std::vector<std::string_view>& fields, std::size_t at) {
  return fields.size() > at && parsed<std::int64_t>(fields[at]).value_or(0) > 0;
}

/// Whether iterations follow a name. Tables of benchcmp, which look alike, have "+5.00%" or "2.00x"
/// in place of a unit.
bool is_result(const std::vector<std::string_view>& fields) {
  const std::string_view unit = fields.size() < 4 ? "" : fields[3];
  const bool is_change =
      (unit.ends_with('%') || unit.ends_with('x')) && go_value(unit.substr(0, unit.size() - 1));
  return has_iterations(fields, 1) && !is_change;
}

/// What the runtime, the testing and the flag package write when a process ends early.
bool is_crash(std::string_view text) {
  constexpr std::array<std::string_view, 8> kBeginnings{"panic: ",
                                                        "fatal error: ",
                                                        "signal: ",
                                                        "SIGQUIT: ",
                                                        "*** Test killed with ",
                                                        "flag provided but not defined: ",
                                                        "flag needs an argument: ",
                                                        "testing: invalid regexp "};
  return std::ranges::any_of(kBeginnings,
                             [&](std::string_view begin) { return text.starts_with(begin); });
}

/// What a file says of a benchmark in place of a result.
struct GoOutcome {
  std::string name;
  Params params;
  enum { skipped, failed, crashed, other } what = other;
  std::string why;
};

class GoReader {
 public:
  void take(std::string_view line) {
    std::vector<std::string_view> fields = fields_of(line);
    if (fields.empty() || take_marker(fields)) {
      return;
    }
    if (!open_.empty() && has_iterations(fields, 0) && fields.size() >= 3 && go_value(fields[1]) &&
        fields[2].find('/') != fields[2].npos) {  // the benchmark printed between
      passed_over_ -= open_printed_ ? 1 : 0;
      const std::string name = open_;
      fields.insert(fields.begin(), name);
      take_result(fields);
    } else if (is_space(line.front())) {
      take_log(trimmed(line, kGoBlanks));
    } else {
      in_log_ = false;
      remark_.clear();
      take_line_of_its_own(line, fields);
    }
  }

  /// `commit: 7cd9055` is a line that the format proposes; `testing` does not write one.
  Sessions finish() {
    if (!crash_.empty() || !open_.empty()) {
      lose({}, crash_.empty() ? "the file ends before the result of " + open_ : crash_);
    } else {
      note_cut({});
    }
    place_outcomes();
    if (list_.set.series.empty() && list_.set.failures.empty() && list_.set.skipped.empty() &&
        list_.set.lost.empty()) {
      throw Fault("no benchmark result",
                  "expected a line such as BenchmarkDecode-8  100  154125 ns/op: go test -bench .");
    }
    const std::string commit = fact_of(list_.set, "commit");
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
  /// "--- FAIL: BenchmarkX-8", alone, indented below its parent, or behind the name that ran. The
  /// lines of its log follow; with -v they come before.
  bool take_marker(const std::vector<std::string_view>& fields) {
    const std::size_t at = is_benchmark_name(fields[0]) ? 1 : 0;
    if (fields.size() < at + 3 || fields[at] != "---") {
      return false;
    }
    const std::string name(fields[at == 1 ? 0 : 2]);
    const bool failed = fields[at + 1] == "FAIL:";
    open_.clear();
    if (!is_benchmark_name(name)) {
      failed_test_ = failed && failed_test_.empty() ? name : failed_test_;
    } else {
      const bool skipped = fields[at + 1] == "SKIP:";
      outcomes_.push_back({name, params_,
                           failed    ? GoOutcome::failed
                           : skipped ? GoOutcome::skipped
                                     : GoOutcome::other,
                           std::exchange(remark_, "")});
      has_failed_ |= failed;
    }
    in_log_ = true;
    return true;
  }

  void take_log(std::string_view text) {
    const auto error = build_errors_.find(building_);
    if (error != build_errors_.end() && text.starts_with("imports ")) {
      error->second = text;  // a chain of imports ends in the fault
    }
    if (!in_log_) {
      remark_ = text;
      return;
    }
    for (; explained_ < outcomes_.size(); ++explained_) {
      std::string& why = outcomes_[explained_].why;
      why = why.empty() ? text : why;
    }
  }

  void take_line_of_its_own(std::string_view line, const std::vector<std::string_view>& fields) {
    explained_ = outcomes_.size();
    const bool after_package = std::exchange(after_package_, fields[0] == "#");
    if (is_benchmark_name(fields[0])) {
      take_benchmark(line, fields);
    } else if (is_crash(line)) {
      note_crash(line);
    } else if (fields[0] == "FAIL" && fields.size() == 1) {
      running_.clear();
    } else if (fields[0] == "FAIL") {
      end_package(std::string(fields[1]), line.substr(std::min(line.find('['), line.size())));
    } else if (fields[0] == "PASS" || fields[0] == "ok") {
      reset();
    } else if (line.starts_with(kExitStatus)) {
      exit_status_ = line;
    } else if (fields[0] == "#" && fields.size() > 1) {
      building_ = fields[1].starts_with('[') ? building_ : fields[1];
    } else if (after_package) {
      build_errors_.emplace(building_, line);
    } else if (fields[0] == "Unit" && fields.size() > 1) {
      take_unit(fields);
    } else if (const std::string_view key = key_of(line); !key.empty()) {
      take_fact(std::string(key), trimmed(line.substr(key.size() + 1), kGoBlanks));
    }
  }

  /// A result, or a name: -v announces each, and without it a name and a tab come before the run.
  void take_benchmark(std::string_view line, const std::vector<std::string_view>& fields) {
    if (is_result(fields)) {
      take_result(fields);
      return;
    }
    const std::string_view after = line.substr(fields[0].size());
    const std::string_view text = trimmed(after, kGoBlanks);
    const bool began = text.empty() || after.substr(0, after.find(text)).find('\t') != after.npos;
    if (began) {
      open_ = fields[0];
    }
    if (began && text.starts_with(kExitStatus)) {  // of os.Exit
      exit_status_ = text;
      return;
    }
    open_printed_ = began && !text.empty() && !is_crash(text);
    if (is_crash(text) && began) {
      note_crash(text);
    } else {
      passed_over_ += text.empty() ? 0 : 1;
    }
  }

  void note_crash(std::string_view text) {
    crash_ = crash_.empty() ? trimmed(text, kGoBlanks) : crash_;
  }

  /// "FAIL  example.org/kit  2.1s", or "[build failed]".
  void end_package(const std::string& package, std::string_view remark) {
    if (package != running_) {
      note_cut(params_);
    }
    std::string why = crash_;
    if (why.empty() && remark.starts_with('[')) {
      why = remark.substr(1, remark.find(']') - 1);
      const auto error = build_errors_.find(package);
      why += error != build_errors_.end() ? ": " + error->second
             : build_errors_.empty()      ? ""
                                          : ": " + build_errors_.begin()->second;
    } else if (why.empty() && !failed_test_.empty()) {
      why = failed_test_ + " failed";
    } else if (why.empty() && (!has_failed_ || !open_.empty())) {
      why = exit_status_.empty() ? "FAIL" : exit_status_;
    }
    if (!why.empty()) {
      lose({{"pkg", package}}, why);
    }
    reset();
  }

  /// All that has no result in such a package failed, first of all what ran.
  void lose(const Params& params, const std::string& why) {
    if (!open_.empty()) {
      outcomes_.push_back({open_, params_, GoOutcome::crashed, why});
    }
    Warning warning{WarningKind::broken_off, {}, {{"why", why}}};
    if (!params.empty()) {
      warning.about["what"] = to_text(params.begin()->second);
    }
    list_.set.warnings.push_back(std::move(warning));
    list_.set.lost.push_back({params, why});
  }

  /// What lacks the end of a package may be cut off, or what somebody chose of it: no warning.
  void note_cut(const Params& params) {
    if (!running_.empty() && list_.set.lost.size() < kMostGoFacts) {
      list_.set.lost.push_back(
          {params, std::string(kNoEnd) + " of " + running_ + ": was it cut off?"});
    }
  }

  void reset() {
    running_.clear();
    open_.clear();
    crash_.clear();
    failed_test_.clear();
    exit_status_.clear();
    has_failed_ = false;
  }

  /// Names of `--- FAIL: BenchmarkX` may lack the processors, the "-8" of results. A benchmark with
  /// results lacks some repetitions only, but for the one that ended the run.
  void place_outcomes() {
    const std::string any =
        list_.set.series.empty() ? std::string() : list_.set.series.front().name;
    const std::size_t dash = any.find_last_not_of("0123456789");
    const bool has_processors = dash + 1 < any.size() && any[dash] == '-';
    const std::string suffix = has_processors ? any.substr(dash) : "";
    std::set<BenchmarkId> measured, crashed, warned;
    for (GoOutcome& one : outcomes_) {
      one.name += one.name.ends_with(suffix) ? "" : suffix;
      one.why = first_line(one.why.substr(0, character_start(one.why, kLongestGoReason)));
      if (one.what == GoOutcome::crashed) {
        crashed.insert({one.name, one.params});
      }
    }
    std::erase_if(list_.set.series, [&](const SampleSeries& series) {
      return crashed.contains({series.name, series.params});
    });
    for (const SampleSeries& series : list_.set.series) {
      measured.insert({series.name, series.params});
    }
    for (const GoOutcome& one : outcomes_) {
      const BenchmarkId id{one.name, one.params};
      if (one.what == GoOutcome::skipped && !measured.contains(id)) {
        list_.set.skipped.insert({id, one.why.empty() ? "no reason given" : one.why});
      } else if (one.what == GoOutcome::failed || one.what == GoOutcome::crashed) {
        const std::string why = one.why.empty() ? "FAIL" : one.why;
        if (!measured.contains(id)) {
          list_.set.failures.insert({id, why});
        } else if (warned.insert(id).second) {
          list_.set.warnings.push_back({WarningKind::repetitions_left_out,
                                        {},
                                        {{"benchmark", in_quotes(one.name)}, {"why", why}}});
        }
      }
    }
  }

  void take_fact(const std::string& key, std::string_view value) {
    const bool is_machine = std::ranges::find(kGoMachineKeys, key) != kGoMachineKeys.end();
    if (key == "pkg") {
      note_cut(params_);
      running_ = value;
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
    open_.clear();
    crash_.clear();  // the panic of a log
    for (const auto& [key, value] : machine_) {
      std::string& known = list_.set.environment.machine[key];
      if (known != value && !list_.set.series.empty()) {
        throw Fault("results of two machines in one file: " + key + " is " + value + " here, " +
                        (known.empty() ? "not given" : known) + " above",
                    kApart);
      }
      known = value;
    }
    const std::string commit = fact_of(list_.set, "commit");
    if (!commit_.empty() && commit != commit_) {
      throw Fault("results of two commits in one file: " + commit_ + " and " + commit, kApart);
    }
    commit_ = commit;
    const std::string name(fields[0]);
    std::vector<std::pair<Meaning, double>> values;
    std::string fault = fields.size() % 2 == 0 && fields.size() > 3 ? "" : "a value without a unit";
    for (std::size_t i = 2; i + 1 < fields.size() && fault.empty(); i += 2) {
      const Meaning meaning = go_meaning(fields[i + 1]);
      const std::optional<double> value = go_value(fields[i]);
      if (!value) {
        fault = "invalid value of " + in_quotes(fields[i + 1]) + ": " + in_quotes(fields[i]);
      } else if (std::ranges::any_of(values, [&](const auto& known) {
                   return known.first.metric.name == meaning.metric.name;
                 })) {
        fault = "duplicate unit " + in_quotes(fields[i + 1]);
      } else {
        values.emplace_back(meaning, *value);
      }
    }
    if (!fault.empty()) {
      outcomes_.push_back({name, params_, GoOutcome::failed, fault});
      explained_ = outcomes_.size();
      return;
    }
    for (const auto& [meaning, value] : values) {
      list_.add(name, params_, meaning, value);
    }
  }

  SeriesList list_;
  Params params_;                               // of the lines that follow
  std::string commit_;                          // of the results so far
  std::map<std::string, std::string> machine_;  // of the lines that follow
  std::map<std::string, Better> directions_;    // of Unit lines
  std::set<std::string> exact_;                 // metrics, by Unit lines
  std::size_t passed_over_ = 0;                 // lines that begin as a result
  std::vector<GoOutcome> outcomes_;
  std::size_t explained_ = 0;  // outcomes before have their reason
  bool in_log_ = false;        // below a marker
  std::string remark_;         // the last line, where it is indented
  std::string running_;        // the package of a header, until PASS or FAIL
  std::string open_;           // the benchmark that runs
  bool open_printed_ = false;  // something into the line of its result
  // Of the package that runs; end_package() needs them.
  std::string crash_, failed_test_, exit_status_;
  bool has_failed_ = false;
  std::map<std::string, std::string> build_errors_;  // by package
  std::string building_;
  bool after_package_ = false;
};

/// The outputs that `go test -json` wrapped, one a package (https://pkg.go.dev/cmd/test2json): a
/// line of output may come in pieces, and packages are mixed.
std::vector<std::string> outputs_of_test2json(std::string_view text, const std::string& filename) {
  std::map<std::string, std::size_t> at;
  std::vector<std::string> outputs;
  for_each_json_line(text, filename, "", [&](const JsonValue& root) {
    const JsonObject& event = as_object(root, "an event");
    const std::string package = text_field(event, "Package");
    const auto [found, is_first] =
        at.try_emplace(package.empty() ? text_field(event, "ImportPath") : package, outputs.size());
    if (is_first) {
      outputs.emplace_back();
    }
    outputs[found->second] += text_field(event, "Output");
  });
  return outputs;
}

}  // namespace

std::size_t place_of_go_result(std::string_view line) {
  for (std::size_t at = line.find("Benchmark"); at <= kLongestPrefix;
       at = line.find("Benchmark", at + 1)) {
    const std::vector<std::string_view> fields = fields_of(line.substr(at), 4);
    if (is_benchmark_name(fields[0]) && is_result(fields) && fields.size() > 3 &&
        go_value(fields[2]) && fields[3].find('/') != fields[3].npos) {
      return at;
    }
  }
  return line.npos;
}

bool is_go_text(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    const std::vector<std::string_view> fields = fields_of(line);
    if (fields.empty() || is_space(line.front())) {
      continue;
    }
    const bool has_tab = line.find('\t') != line.npos;
    const bool is_package = (fields[0] == "FAIL" || fields[0] == "ok") && has_tab;
    const bool is_name = fields[0] != "Benchmark" && (fields.size() == 1 || has_tab);
    if (is_package || line.starts_with("--- FAIL: Benchmark") ||
        line.starts_with("--- SKIP: Benchmark") ||
        (is_benchmark_name(fields[0]) && (is_name || (is_result(fields) && fields.size() > 2)))) {
      return true;
    }
  }
  return false;
}

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
///
/// What go prints of failures (cmd/go, src/testing/benchmark.go): `--- FAIL: BenchmarkX` and its
/// log; a panic or a signal, and `FAIL  PACKAGE  2.1s`, with which all further benchmarks of the
/// package are lost; `FAIL  PACKAGE [build failed]`.
Sessions read_go_benchmark(std::string_view text, const std::string& filename) {
  GoReader reader;
  const auto read = [&](std::string_view output) {
    for_each_line(output, filename, "expected the output of `go test -bench`",
                  [&](std::string_view line) { reader.take(line); });
  };
  const std::vector<std::string> outputs =
      is_go_text(text) ? std::vector<std::string>{} : outputs_of_test2json(text, filename);
  std::ranges::for_each(outputs, read);
  if (outputs.empty()) {
    read(text);
  }
  return with_places(text, filename, [&] { return reader.finish(); });
}

}  // namespace perf::formats
