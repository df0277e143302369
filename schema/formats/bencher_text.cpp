#include <array>
#include <cmath>

#include "schema/formats/reading.h"
#include "schema/formats/surroundings.h"
#include "schema/side_stats.h"

namespace perf::formats {
namespace {

constexpr std::string_view kTest = "test ";
constexpr std::string_view kDots = " ... ";
constexpr std::string_view kBench = "bench:";
constexpr std::string_view kPerIteration = "/iter";
constexpr std::string_view kDeviation = "(+/- ";
constexpr double kMegabyte = 1e6;

/// Whether commas stand between groups of three digits, and nowhere else.
bool is_grouped(std::string_view text) {
  std::string_view whole = text.substr(0, text.find('.'));
  std::size_t comma = whole.find(',');
  bool right = comma == std::string_view::npos || (comma >= 1 && comma <= 3);
  while (comma != std::string_view::npos) {
    whole = whole.substr(comma + 1);
    comma = whole.find(',');
    right = right && std::min(comma, whole.size()) == 3;
  }
  return right &&
         text.substr(std::min(text.find('.'), text.size())).find(',') == std::string_view::npos;
}

/// "1,234.5" -> 1234.5; nothing for other text, and where a double does not hold the number.
std::optional<double> number_of(std::string_view text) {
  std::string digits(text);
  digits.erase(std::remove(digits.begin(), digits.end(), ','), digits.end());
  const std::optional<double> value = foreign_number(digits);
  return value && is_grouped(text) && !is_large_integer(digits) ? value : std::nullopt;
}

/// The name of a test and its result: "bench: 25 ns/iter (+/- 3)", "FAILED", "ok".
struct TestLine {
  std::string name;
  std::string_view result;
};

std::optional<TestLine> test_line(std::string_view line) {
  line = trimmed(line);
  const std::size_t dots = line.find(kDots);
  if (!line.starts_with(kTest) || dots == std::string_view::npos || dots < kTest.size()) {
    return std::nullopt;
  }
  const std::string_view name = trimmed(line.substr(kTest.size(), dots - kTest.size()));
  return name.empty() ? std::nullopt
                      : std::optional<TestLine>(
                            {std::string(name), trimmed(line.substr(dots + kDots.size()))});
}

/// "25 ns/iter (+/- 3)"; criterion puts units that are no times in brackets at times.
struct Measured {
  double value = 0;
  std::string unit;
  std::string fault;     ///< empty: none
  double deviation = 0;  ///< in the same unit; 0: none
};

Measured measured_in(std::string_view result) {
  const std::string_view number = take_word(result);
  const std::optional<double> value = number_of(number);
  if (!value) {
    return {0, "", "invalid number " + in_quotes(number)};
  }
  const std::size_t end = result.find(kPerIteration);
  if (end == result.npos) {
    return {0, "", "no unit such as ns/iter after the number: was the file cut off?"};
  }
  Measured measured{*value, std::string(trimmed(result.substr(0, end), " []")), ""};
  if (const std::size_t at = result.find(kDeviation); at != result.npos) {
    result.remove_prefix(at + kDeviation.size());
    measured.deviation = number_of(result.substr(0, result.find(')'))).value_or(0);
  }
  return measured;
}

/// Samples behind a value: 50 of libtest, 10 or more of criterion.
constexpr int kFewestSamples = 10;

/// Errors with which cargo ends.
bool ends_run(std::string_view line) {
  constexpr std::array<std::string_view, 6> kErrors{"bench failed",      "test failed",
                                                    "could not compile", "didn't exit success",
                                                    "target failed",     "targets failed"};
  return line.starts_with("error: ") && std::ranges::any_of(kErrors, [&](std::string_view error) {
           return line.find(error) != line.npos;
         });
}

/// Since Rust 1.91 the thread's number is between them (rust-lang/rust#115746).
constexpr std::string_view kThread = "thread '", kPanic = " panicked at ";

class BencherReader {
 public:
  void take(std::string_view line) {
    take_program(line);
    const std::optional<TestLine> test = test_line(line);
    if (test && test->result.starts_with(kBench)) {
      take_measured(test->name, test->result);
    } else if (test && test->result == "FAILED") {
      failed_.push_back({test->name, params_});
      series_.begin(test->name, params_);
      series_.set.failures.insert({failed_.back(), "cargo reports FAILED"});
    } else if (test && test->result.starts_with("ignored")) {
      series_.set.skipped.insert({{test->name, params_}, std::string(kIgnored)});
    } else {
      take_reason(trimmed(test ? test->result : line), test ? test->name : "");
    }
  }

  void note_end(SampleSet& set) const {
    if (!lost_.empty()) {
      set.lost.push_back({{}, lost_});
      set.warnings.push_back({WarningKind::broken_off, {}, {{"why", lost_}}});
    }
  }

  SampleSet finish() {
    note_end(series_.set);
    return series_.take(0,
                        "expected a line such as test decode ... bench: 1,234 ns/iter (+/- 56), "
                        "or the output of cargo criterion --message-format=json");
  }

 private:
  /// Equal names of several programs are told apart by "Running benches/x.rs (target/...)", which
  /// `cargo bench` prints ahead of each. Old versions print "Running unittests (target/...)".
  void take_program(std::string_view line) {
    line = trimmed(line);
    const std::string_view word = take_word(line);
    if (word == "Running" && line.find(" (") != line.npos) {
      const std::string_view program = trimmed(line.substr(0, line.find(" (")));
      params_ = program.ends_with(".rs") ? Params{{"bench", std::string(program)}} : Params{};
    }
  }

  void take_measured(const std::string& name, std::string_view result) {
    series_.begin(name, params_);
    result.remove_prefix(kBench.size());
    const Measured measured = measured_in(result);
    if (!measured.fault.empty()) {
      series_.set.failures.insert({{name, params_}, measured.fault});
      return;
    }
    const Meaning meaning = per_iteration(measured.unit);
    series_.add(name, params_, meaning, measured.value);
    if (measured.deviation > 0 && measured.value > 0 && std::isfinite(measured.deviation)) {
      SampleSeries& one = series_.of(name, params_, meaning);
      one.summary = side_stats(one.values);
      one.summary->stddev = measured.deviation * meaning.factor;
      one.summary->cov = measured.deviation / measured.value;
      one.summary->steps = kFewestSamples;
    }
    const std::size_t rate = result.find("= ");
    if (rate != std::string_view::npos && result.ends_with(" MB/s")) {
      result.remove_prefix(rate + 2);
      if (const std::optional<double> value = number_of(take_word(result))) {
        series_.add(name, params_, {{"bytes_per_second", "B/s", Better::higher}, kMegabyte},
                    *value);
      }
    }
  }

  /// Why tests failed, or the run ended: a panic, whose message is in the next line, and cargo's
  /// error. `open`: the test that ran.
  void take_reason(std::string_view line, const std::string& open) {
    if (std::exchange(in_panic_, false)) {
      panic_ += " " + std::string(line);
      end_of_panic();
    } else if (line.starts_with(kThread) && line.find(kPanic) != line.npos) {
      const std::size_t at = line.find(kPanic);
      thread_ = line.substr(kThread.size(), line.rfind('\'', at) - kThread.size());
      panic_ = line.substr(at + 1);
      in_panic_ = line.ends_with(':');
      if (!open.empty() && series_.set.failures.insert({{open, params_}, panic_}).second) {
        failed_.push_back({open, params_});
      }
      ends_program_ = thread_ == "main";
      thread_ = open.empty() ? thread_ : open;
      if (!in_panic_) {
        end_of_panic();
      }
    } else if (line.starts_with("error[") || line.starts_with("error: ")) {
      error_ = error_.empty() ? line : error_;
      if (ends_run(line) && lost_.empty()) {
        lost_ = error_;
      }
    }
  }

  /// A panic of the main thread ends the program; one of a test is why it failed.
  void end_of_panic() {
    if (ends_program_) {
      lost_ = panic_;
    }
    for (const BenchmarkId& failed : failed_) {
      if (failed.name == thread_) {
        series_.set.failures[failed] = panic_;
      }
    }
  }

  SeriesList series_;
  Params params_;  // of the lines that follow
  std::vector<BenchmarkId> failed_;
  std::string thread_, panic_;  // the last one
  bool in_panic_ = false;       // its message follows
  bool ends_program_ = false;   // the last panic
  std::string error_, lost_;    // the first error of cargo; why the run ended
};

}  // namespace

std::size_t place_of_bencher_result(std::string_view line) {
  constexpr std::size_t kLongestResult = 4096;  // so that lines without one cost little
  line = line.substr(0, kLongestPrefix + kLongestResult);
  for (std::size_t at = line.find(kTest); at <= kLongestPrefix; at = line.find(kTest, at + 1)) {
    const std::optional<TestLine> test = test_line(line.substr(at));
    if (test && test->result.starts_with(kBench)) {
      return trimmed(line.substr(0, at)).empty() ? 0 : at;
    }
  }
  return line.npos;
}

void note_end_of_cargo(std::string_view text, SampleSet& set) {
  BencherReader reader;
  while (!text.empty()) {
    if (const std::string_view line = take_line(text); !line.starts_with('{')) {
      reader.take(line);
    }
  }
  reader.note_end(set);
}

bool is_bencher_text(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    const std::optional<TestLine> test = test_line(line);
    const bool is_result = test && (test->result.starts_with(kBench) || test->result == "FAILED");
    if (is_result || ends_run(line)) {
      return true;
    }
  }
  return false;
}

/// Reads what `cargo bench -- --output-format bencher` prints, and `cargo bench` of #[bench]
/// functions: `test NAME ... bench: 1,234 ns/iter (+/- 56)`. It holds one value, a median, and its
/// deviation: criterion's is the standard deviation of the samples (src/report.rs), libtest's is
/// their range, at least twice that (rust-lang/rust library/test/src/bench.rs). A test that FAILED
/// is a failure, one that is ignored skipped (as is every #[test]); with a panic of the main
/// thread, or an error of cargo, all further benchmarks are lost. Other lines are skipped.
Sessions read_bencher_text(std::string_view text, const std::string& filename) {
  BencherReader reader;
  for_each_line(text, filename, "", [&](std::string_view line) { reader.take(line); });
  return with_places(text, filename, [&] { return one_session(reader.finish()); });
}

}  // namespace perf::formats
