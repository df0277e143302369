#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "schema/formats/text_position.h"
#include "schema/sample_set.h"

namespace perf::formats {

/// More than anybody measures. A line that gives a name or a package once may stand for any number
/// of series, so the size of a text does not bound what they take.
inline constexpr std::size_t kMostSeries = 100'000;
inline constexpr std::size_t kMostNameBytes = std::size_t{8} << 20;  ///< with their parameters

inline constexpr const char* kTooManySeries =
    "more than 100,000 series, or 8 MiB of their names and parameters";

[[noreturn]] inline void refuse_many_series() {
  throw Fault{kTooManySeries, "give parts of the benchmarks a file each"};
}

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

/// The series of a file while it is read: found again by benchmark, parameters and metric.
class SeriesList {
 public:
  /// Throws Fault.
  SampleSeries& of(const std::string& name, const Params& params, const Meaning& meaning) {
    const auto [found, is_first] =
        at_.try_emplace({name, params, meaning.metric.name}, list_.size());
    if (is_first) {
      list_.push_back({name, params, meaning.metric, meaning.judge, {}});
      list_.back().exact = meaning.exact;
      count_bytes(list_.back());
    }
    return list_[found->second];
  }
  /// Adds a number as the file has it. Throws Fault.
  void add(const std::string& name, const Params& params, const Meaning& meaning, double number) {
    of(name, params, meaning).values.push_back(number * meaning.factor);
  }
  bool empty() const { return list_.empty(); }
  std::vector<SampleSeries> take() { return std::move(list_); }

 private:
  void count_bytes(const SampleSeries& series) {
    bytes_ += series.name.size() + series.metric.name.size();
    for (const auto& [name, value] : series.params) {
      bytes_ += name.size() + to_text(value).size();
    }
    if (bytes_ > kMostNameBytes || list_.size() > kMostSeries) {
      refuse_many_series();
    }
  }

  std::size_t bytes_ = 0;
  std::map<std::tuple<std::string, Params, std::string>, std::size_t> at_;
  std::vector<SampleSeries> list_;
};

/// The facts that a file tells of its machine, as one text, `name=value` a line, in the order of
/// their names: what an imported machine has for a fingerprint.
inline std::string facts_text(const std::map<std::string, std::string>& facts) {
  std::string text;
  for (const auto& [name, value] : facts) {
    text.append(name).append("=").append(value).append("\n");
  }
  return text;
}

/// Gives an environment its fingerprint, where it has the fact that tells one machine from another.
inline void fingerprint_by(const std::string& fact, Environment& environment) {
  if (environment.machine.count(fact) > 0) {
    environment.fingerprint = facts_text(environment.machine);
  }
}

/// Seconds in one of a unit of time, as benchmarks write it: ns, us (µs), ms, s, sec, seconds and
/// the like. Nothing for any other unit.
std::optional<double> seconds_in(std::string_view unit);

/// Bytes in one of a unit of size: B, bytes, KB, kB, MB, GB (powers of 1000), KiB, MiB, GiB.
std::optional<double> bytes_in(std::string_view unit);

/// B/op and allocs/op, as Go and its tools write them.
std::optional<Meaning> go_memory(std::string_view unit);

}  // namespace perf::formats
