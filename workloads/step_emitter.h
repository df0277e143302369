// SPDX-License-Identifier: Apache-2.0
//
// One header to copy into a benchmark so that perf-compare can judge it: it times the steps and
// writes them as JSON Lines (format `steps`) into the file that PERF_COMPARE_OUT names. C++17, the
// standard library only. Without PERF_COMPARE_OUT nothing is written and the data can be read back.
//
//     #include "step_emitter.h"
//     int main() {
//       perf_compare::StepEmitter out("parser", {{"lines", 1000}});
//       const std::string text = make_text(1000, out.wanted().seed);
//       while (out.next_step()) {  // warm-up steps first; a step lasts until the next call
//         parse(text);
//         out.phase("parse");  // optional: the time since the step began, or since the last phase
//       }
//       out.check("parsed_all_lines", std::abs(parsed() - 1000.0), 0.0);  // error, tolerance
//       out.finish();
//     }
//
// Cost inside a step: two readings of the steady clock, one more a phase, and no allocation. Memory
// is read when the step's clock has stopped; text is made and written by finish() alone.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#ifndef __cpp_lib_to_chars  // as of g++ before 11, whose std::to_chars writes integers alone
#include <limits>
#include <locale>
#include <sstream>
#endif

#ifdef __linux__
#include <fcntl.h>
#include <unistd.h>
#endif

namespace perf_compare {

// One JSON value, encoded on construction. Numbers round-trip and never depend on the locale; what
// JSON cannot hold (NaN, infinities) becomes null, which perf-compare records as a failure.
class Json {
 public:
  Json(const char* text) : encoded_(quote(text)) {}
  Json(std::string_view text) : encoded_(quote(text)) {}
  Json(const std::string& text) : encoded_(quote(text)) {}
  template <class Number, std::enable_if_t<std::is_arithmetic_v<Number>, int> = 0>
  Json(Number number) : encoded_(write(number)) {}

  const std::string& encoded() const { return encoded_; }

  static std::string quote(std::string_view text) {
    static constexpr char kHex[] = "0123456789abcdef";
    std::string out = "\"";
    for (const char raw : text) {
      const auto byte = static_cast<unsigned char>(raw);
      if (raw == '"' || raw == '\\') {
        out += '\\';
        out += raw;
      } else if (byte < 0x20 || byte == 0x7f) {
        out += "\\u00";
        out += kHex[byte >> 4];
        out += kHex[byte & 15];
      } else {
        out += raw;
      }
    }
    return out += '"';
  }

 private:
  template <class Number>
  static std::string write(Number number) {
    if constexpr (std::is_same_v<Number, bool>) {
      return number ? "true" : "false";
    } else {
      if constexpr (std::is_floating_point_v<Number>) {
        if (!std::isfinite(number)) {
          return "null";
        }
        // A whole number, such as bytes, takes as many instructions as it has digits, whichever
        // they are: counts of instructions repeat.
        if (number == std::trunc(number) && std::abs(number) < Number(1ULL << 53)) {
          return write(static_cast<std::int64_t>(number));
        }
      }
      return digits(number);
    }
  }

  template <class Number>
  static std::string digits(Number number) {
#ifndef __cpp_lib_to_chars
    if constexpr (std::is_floating_point_v<Number>) {
      std::ostringstream text;
      text.imbue(std::locale::classic());
      text.precision(std::numeric_limits<Number>::max_digits10);
      text << number;
      return text.str();
    } else
#endif
    {
      char buffer[64];
      const auto end = std::to_chars(buffer, buffer + sizeof buffer, number).ptr;
      return std::string(buffer, end);
    }
  }

  std::string encoded_;
};

using Fields = std::vector<std::pair<std::string, Json>>;

// How many steps to take, and the seed of everything random.
struct Wanted {
  int steps = 8;
  int warmup = 2;
  std::uint64_t seed = 1;
};

// What PERF_COMPARE_STEPS, PERF_COMPARE_WARMUP and PERF_COMPARE_SEED ask for; `defaults` where they
// are absent. Throws std::invalid_argument if one of them is not a number it can use.
inline Wanted wanted_from_environment(Wanted defaults = {}) {
  const auto read = [](const char* name, std::uint64_t fallback, std::uint64_t least,
                       std::uint64_t most) {
    const char* text = std::getenv(name);
    if (text == nullptr || *text == '\0') {
      return fallback;
    }
    const std::string_view view = text;
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(view.data(), view.data() + view.size(), value);
    if (error != std::errc() || end != view.data() + view.size() || value < least || value > most) {
      throw std::invalid_argument(std::string(name) + " is not a usable number: " + text);
    }
    return value;
  };
  constexpr std::uint64_t kMost = 1'000'000;
  const auto steps = static_cast<std::uint64_t>(defaults.steps);
  const auto warmup = static_cast<std::uint64_t>(defaults.warmup);
  defaults.steps = static_cast<int>(read("PERF_COMPARE_STEPS", steps, 1, kMost));
  defaults.warmup = static_cast<int>(read("PERF_COMPARE_WARMUP", warmup, 0, kMost));
  defaults.seed = read("PERF_COMPARE_SEED", defaults.seed, 0, UINT64_MAX);
  return defaults;
}

// Resident memory of this process in bytes; 0 where the system does not tell. The file stays open,
// so that a reading costs one system call.
inline std::uint64_t resident_bytes() {
#ifdef __linux__
  static const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  static const long page = sysconf(_SC_PAGESIZE);
  char text[128];
  const ssize_t size = file < 0 ? -1 : pread(file, text, sizeof text, 0);
  if (size <= 0) {
    return 0;
  }
  const char* end = text + size;
  const char* resident = std::find<const char*>(text, end, ' ');  // "total resident shared ..."
  std::uint64_t pages = 0;
  if (resident == end || std::from_chars(resident + 1, end, pages).ec != std::errc()) {
    return 0;
  }
  return pages * static_cast<std::uint64_t>(page);
#else
  return 0;
#endif
}

inline constexpr std::size_t kMaxPhases = 16;

struct Step {
  bool warmup = false;
  double seconds = 0;
  std::uint64_t rss = 0;                    // bytes; 0 means unknown
  std::array<double, kMaxPhases> phases{};  // seconds, in the order of phase_names()
};

enum class Better { lower, higher };

struct Metric {
  std::string name;
  std::string unit;  // a base unit: s, B, 1/s, ...
  Better better = Better::lower;
  double value = 0;
  bool judge = false;
};

struct Check {
  std::string name;
  double error = 0;
  double tolerance = 0;
  bool passed() const { return error <= tolerance; }  // false for NaN
};

// Times steps and holds everything in memory until finish().
class StepEmitter {
 public:
  StepEmitter(std::string workload, Fields params = {}, Wanted defaults = {})
      : StepEmitter(wanted_from_environment(defaults), std::move(workload), std::move(params)) {}

  // With counts already settled: the environment is not consulted again.
  StepEmitter(Wanted wanted, std::string workload, Fields params)
      : wanted_(wanted), workload_(std::move(workload)), params_(std::move(params)) {
    steps_.reserve(total());
    phase_names_.reserve(kMaxPhases);
    resident_bytes();  // opens the file now
  }

  const Wanted& wanted() const { return wanted_; }
  const std::string& workload() const { return workload_; }
  const Fields& params() const { return params_; }
  const Fields& begin_fields() const { return begin_; }
  const Fields& environment() const { return environment_; }
  const std::vector<Step>& steps() const { return steps_; }
  const std::vector<std::string>& phase_names() const { return phase_names_; }
  const std::vector<Metric>& metrics() const { return metrics_; }
  const std::vector<Check>& checks() const { return checks_; }

  // One more field of the begin line, e.g. tokens_per_step.
  void begin_field(std::string name, Json value) {
    begin_.emplace_back(std::move(name), std::move(value));
  }
  // What the build or the workload brought itself: BLAS, threads, compiler, flags.
  void environment(std::string name, Json value) {
    environment_.emplace_back(std::move(name), std::move(value));
  }

  // Ends the running step and starts the next; false when all wanted steps have been taken.
  bool next_step() {
    stop_step();
    if (steps_.size() >= total()) {
      return false;
    }
    steps_.emplace_back();
    steps_.back().warmup = steps_.size() <= static_cast<std::size_t>(wanted_.warmup);
    running_ = true;
    step_start_ = phase_start_ = Clock::now();
    return true;
  }

  // Makes every step longer by `share` of its own time, by spinning at its end: a slowdown planted
  // on purpose, so that `perf-compare selftest` can see it caught. 0 is none.
  void plant_slowdown(double share) { planted_slowdown_ = share; }

  // Ends the running step early, so that what follows in the loop is not timed.
  void stop_step() {
    if (!running_) {
      return;
    }
    double seconds = seconds_between(step_start_, Clock::now());
    for (const double wanted = seconds * (1 + planted_slowdown_); seconds < wanted;) {
      seconds = seconds_between(step_start_, Clock::now());
    }
    steps_.back().seconds = seconds;
    steps_.back().rss = resident_bytes();
    running_ = false;
  }

  // Gives the time since the step began, or since its last phase, to `name`; a name that comes
  // twice in a step adds up. Returns those seconds. At most kMaxPhases names.
  double phase(std::string_view name) {
    const Clock::time_point now = Clock::now();
    const double seconds = seconds_between(phase_start_, now);
    steps_.back().phases[phase_index(name)] += seconds;
    phase_start_ = now;
    return seconds;
  }

  void metric(std::string name, std::string unit, Better better, double value, bool judge = false) {
    metrics_.push_back({std::move(name), std::move(unit), better, value, judge});
  }
  // Passes if error <= tolerance; perf-compare decides what a failed check means.
  void check(std::string name, double error, double tolerance) {
    checks_.push_back({std::move(name), error, tolerance});
  }

  // Median over the timed steps, in seconds; 0 if there are none.
  double median_seconds() const {
    return median([](const Step& step) { return step.seconds; });
  }
  double median_phase(std::size_t phase) const {
    return median([phase](const Step& step) { return step.phases[phase]; });
  }

  // The protocol's lines, from begin to end.
  std::string lines() const;

  // Appends lines() to the file that PERF_COMPARE_OUT names, if it names one: several emitters of a
  // process make several blocks. Throws std::runtime_error if it cannot.
  void finish() {
    stop_step();
    const char* path = std::getenv("PERF_COMPARE_OUT");
    if (path == nullptr || *path == '\0') {
      return;
    }
    const std::string text = lines();
    std::FILE* file = std::fopen(path, "ab");
    const bool written =
        file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size();
    const bool closed = file != nullptr && std::fclose(file) == 0;
    if (!written || !closed) {
      throw std::runtime_error(std::string("cannot write PERF_COMPARE_OUT: ") + path);
    }
  }

 private:
  using Clock = std::chrono::steady_clock;

  std::size_t total() const {
    return static_cast<std::size_t>(wanted_.steps) + static_cast<std::size_t>(wanted_.warmup);
  }

  // To the next 2^-30 s, which is what a nanosecond is but for 7 %: many such numbers pack into
  // half the room of decimal fractions.
  static double seconds_between(Clock::time_point from, Clock::time_point to) {
    return std::ldexp(std::round(std::ldexp(std::chrono::duration<double>(to - from).count(), 30)),
                      -30);
  }

  std::size_t phase_index(std::string_view name) {
    if (!running_) {
      throw std::logic_error("phase outside a step");
    }
    const auto found = std::find(phase_names_.begin(), phase_names_.end(), name);
    if (found != phase_names_.end()) {
      return static_cast<std::size_t>(found - phase_names_.begin());
    }
    if (phase_names_.size() == kMaxPhases) {
      throw std::logic_error("too many phases");
    }
    phase_names_.emplace_back(name);
    return phase_names_.size() - 1;
  }

  template <class Value>
  double median(Value value) const {
    std::vector<double> values;
    for (const Step& step : steps_) {
      if (!step.warmup) {
        values.push_back(value(step));
      }
    }
    if (values.empty()) {
      return 0;
    }
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
  }

  static std::string object(const Fields& fields) {
    std::string out = "{";
    for (const auto& [name, value] : fields) {
      if (out.size() > 1) {
        out += ',';
      }
      out += Json::quote(name);
      out += ':';
      out += value.encoded();
    }
    return out += '}';
  }
  // `fields` with a raw member after them.
  static std::string with(std::string fields, std::string_view name, const std::string& raw) {
    fields.pop_back();
    return fields + "," + Json::quote(name) + ":" + raw + "}";
  }
  std::string begin_line() const;
  std::string step_line(std::size_t index) const;

  Wanted wanted_;
  std::string workload_;
  Fields params_, begin_, environment_;
  std::vector<Step> steps_;
  std::vector<std::string> phase_names_;
  std::vector<Metric> metrics_;
  std::vector<Check> checks_;
  bool running_ = false;
  double planted_slowdown_ = 0;
  Clock::time_point step_start_, phase_start_;
};

inline std::string StepEmitter::begin_line() const {
  std::string line = object({{"type", "begin"}, {"protocol", 1}, {"workload", workload_}});
  line = with(line, "params", object(params_));
  for (const auto& [name, value] : begin_) {
    line = with(line, name, value.encoded());
  }
  return line;
}

inline std::string StepEmitter::step_line(std::size_t index) const {
  const Step& step = steps_[index];
  Fields fields = {
      {"type", "step"}, {"index", index}, {"warmup", step.warmup}, {"seconds", step.seconds}};
  if (step.rss > 0) {
    fields.emplace_back("rss", step.rss);
  }
  if (phase_names_.empty()) {
    return object(fields);
  }
  Fields phases;
  for (std::size_t i = 0; i < phase_names_.size(); ++i) {
    if (step.phases[i] > 0) {
      phases.emplace_back(phase_names_[i], step.phases[i]);
    }
  }
  return with(object(fields), "phases", object(phases));
}

inline std::string StepEmitter::lines() const {
  std::string out = begin_line() + "\n";
  if (!environment_.empty()) {
    Fields fields = {{"type", "environment"}};
    fields.insert(fields.end(), environment_.begin(), environment_.end());
    out += object(fields) + "\n";
  }
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    out += step_line(i) + "\n";
  }
  for (const Metric& metric : metrics_) {
    out += object({{"type", "metric"},
                   {"name", metric.name},
                   {"unit", metric.unit},
                   {"better", metric.better == Better::lower ? "lower" : "higher"},
                   {"value", metric.value},
                   {"judge", metric.judge}}) +
           "\n";
  }
  for (const Check& check : checks_) {
    out += object({{"type", "check"},
                   {"name", check.name},
                   {"passed", check.passed()},
                   {"error", check.error},
                   {"tolerance", check.tolerance}}) +
           "\n";
  }
  return out + object({{"type", "end"}}) + "\n";
}

}  // namespace perf_compare
