#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <map>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ci/cli/judge/judge.h"
#include "schema/text/lists.h"

namespace perf {
namespace {

/// Values by series. Statistics stand for values that a file does not have; exact counts,
/// which unlike sessions share, are left out.
using SeriesValues = std::map<std::string, std::vector<double>>;

SeriesValues series_values(const SampleSet& session) {
  SeriesValues all;
  for (const SampleSeries& series : session.series) {
    if (series.exact) {
      continue;
    }
    std::string name = series.name + '\0' + series.metric.name + '\0' + series.metric.unit;
    for (const auto& [param, value] : series.params) {
      name += '\0' + param + '=' + to_text(value);
    }
    std::vector<double>& values = all[name] = series.values;
    if (values.empty() && series.summary) {
      values = {series.summary->median, series.summary->mean};
    }
  }
  return all;
}

/// Of times in other units, which are rounded in other places; counts differ by more.
bool is_same_value(double one, double other) {
  constexpr double kRounding = 2e-15;
  return std::abs(one - other) <= kRounding * std::abs(one);
}

bool are_same(const SeriesValues& some, const SeriesValues& others) {
  return std::ranges::equal(some, others, [](const auto& one, const auto& other) {
    return one.first == other.first && std::ranges::equal(one.second, other.second, is_same_value);
  });
}

/// Whether `some` are values that `others` begin with, and so many that this is no chance: the file
/// was given twice, or copied while it grew.
bool repeats(const SeriesValues& some, const SeriesValues& others) {
  constexpr std::size_t kFewest = 3;
  std::size_t count = 0;
  for (const auto& [name, values] : some) {
    const auto same = others.find(name);
    if (same == others.end() || same->second.size() < values.size() ||
        !std::equal(values.begin(), values.end(), same->second.begin(), is_same_value)) {
      return false;
    }
    count += values.size();
  }
  return count >= kFewest || (count > 0 && are_same(some, others));
}

SeriesValues in_order(SeriesValues all) {
  for (auto& [name, values] : all) {
    std::ranges::sort(values);
  }
  return all;
}

/// Whether these, in order, are the same values, and so many different ones that this is no chance:
/// one file has those of the other in another order.
bool are_shuffled(const SeriesValues& some, const SeriesValues& others) {
  constexpr std::size_t kFewest = 4;  // beside the first of each series
  if (!are_same(some, others)) {
    return false;
  }
  std::size_t count = 0;
  for (const auto& [name, values] : some) {
    for (std::size_t i = 1; i < values.size(); ++i) {
      count += values[i] != values[i - 1] ? 1 : 0;
    }
  }
  return count >= kFewest;
}

/// How many digits of a value tell it from others. The first two are the benchmark's own: whole
/// ticks of a coarse clock are often equal.
std::size_t telling_digits(double value) {
  constexpr std::size_t kOwn = 3;  // "1.2"
  constexpr int kPrinted = 12;
  std::array<char, 32> text{};
  std::to_chars(text.data(), text.data() + text.size(), std::abs(value),
                std::chars_format::scientific, kPrinted);
  const std::string_view digits =
      std::string_view(text.data(), text.size()).substr(0, kPrinted + 2);
  return std::max(digits.find_last_not_of("0.") + 1, kOwn) - kOwn;
}

/// From here on no other session has the same values.
constexpr std::size_t kUnique = 6;

std::size_t telling_digits(std::span<const double> values) {
  std::size_t telling = 0;
  for (std::size_t i = 0; i < values.size() && telling < kUnique; ++i) {
    telling += telling_digits(values[i]);
  }
  return telling;
}

bool are_unique(const SeriesValues& all) {
  std::size_t telling = 0;
  for (const auto& [name, values] : all) {
    telling += telling_digits(values);
  }
  return telling >= kUnique;
}

bool differ_in_time(const SampleSet& one, const SampleSet& other) {
  return !one.measured_at.empty() && !other.measured_at.empty() &&
         one.measured_at != other.measured_at;
}

/// What was left out: the files given several times, and those that repeat another one.
class Repeated {
 public:
  void add(const std::string& file, const std::string& again) {
    if (file == again) {
      ++given_[file];
    } else if (const auto [found, is_first] = repeating_.try_emplace(
                   file,
                   Warning{WarningKind::same_session, {}, {{"file", file}, {"again", again}}});
               !is_first) {
      ++found->second.figures["more"];
    }
  }
  void warn(std::vector<Warning>& warnings) const {
    std::map<int, Warning> by_times;
    for (const auto& [file, again] : given_) {
      const auto [found, is_first] = by_times.try_emplace(
          again, Warning{WarningKind::same_session, {{"times", again + 1}}, {{"file", file}}});
      if (!is_first) {
        ++found->second.figures["more"];
      }
    }
    for (const auto& [times, warning] : by_times) {
      warnings.push_back(warning);
    }
    for (const auto& [file, warning] : repeating_) {
      warnings.push_back(warning);
    }
  }

 private:
  std::map<std::string, int> given_;  // again
  std::map<std::string, Warning> repeating_;
};

/// How often all series of a file have the same values again, one after the other.
std::size_t times_repeated(const SampleSet& session) {
  std::size_t times = 0;
  for (const SampleSeries& series : session.series) {
    times = std::gcd(times, series.values.size());
  }
  const auto is_repeated = [&](const SampleSeries& series) {
    const auto length = static_cast<std::ptrdiff_t>(series.values.size() / times);
    return std::equal(series.values.begin() + length, series.values.end(), series.values.begin());
  };
  const std::size_t most = times;
  while (times > 1 && (most % times != 0 || !std::ranges::all_of(session.series, is_repeated))) {
    --times;
  }
  return times;
}

/// Leaves of a file that holds its run several times, as `cat` makes it, one. Sizes are often
/// equal.
void keep_once(SampleSet& session, std::vector<Warning>& warnings) {
  const std::size_t times = session.of_workloads ? 0 : times_repeated(session);
  if (times < 2) {
    return;
  }
  std::size_t telling = 0;
  for (const SampleSeries& series : session.series) {
    const bool is_size = series.metric.unit == "B" || series.metric.unit == "1";
    const auto once = std::span(series.values).first(series.values.size() / times);
    telling += series.exact || is_size ? 0 : telling_digits(once);
  }
  if (telling < kUnique) {
    return;
  }
  for (SampleSeries& series : session.series) {
    series.values.resize(series.values.size() / times);
  }
  warnings.push_back({WarningKind::same_session, {{"within", times}}, {{"file", session.source}}});
}

}  // namespace

void leave_out_repeated(std::vector<SampleSet>& sessions, std::vector<Warning>& warnings) {
  for (SampleSet& session : sessions) {
    keep_once(session, warnings);
  }
  const std::vector<SeriesValues> values = mapped(sessions, series_values);
  const std::vector<SeriesValues> sorted = mapped(values, in_order);
  const auto has_only = [&](std::size_t some, std::size_t others) {
    return sessions[some].source == sessions[others].source ||
           ((repeats(values[some], values[others]) || are_shuffled(sorted[some], sorted[others])) &&
            (!differ_in_time(sessions[some], sessions[others]) || are_unique(values[some])));
  };
  std::vector<bool> is_left_out(sessions.size());
  Repeated repeated;
  for (std::size_t i = 0; i < sessions.size(); ++i) {
    std::size_t whole = 0;
    while (whole < sessions.size() &&
           (whole == i || !has_only(i, whole) || (whole > i && has_only(whole, i)))) {
      ++whole;
    }
    if (whole < sessions.size()) {
      is_left_out[i] = true;
      repeated.add(sessions[whole].source, sessions[i].source);
    }
  }
  repeated.warn(warnings);
  std::size_t at = 0;
  std::erase_if(sessions, [&](const SampleSet&) { return is_left_out[at++]; });
}

void warn_of_common_sessions(const JudgedSides& sides, std::vector<Warning>& warnings) {
  const std::vector<SeriesValues> base = mapped(sides.base, series_values);
  const std::vector<SeriesValues> sorted_base = mapped(base, in_order);
  const bool are_files =
      sides.plan.head.kind == SideKind::files;  // a stored run may have both sides
  int common = 0;
  for (const SampleSet& one : sides.head) {
    const SeriesValues values = series_values(one), sorted = in_order(values);
    const bool may_be_told = are_unique(values);
    std::size_t at = 0;
    while (
        at < base.size() && !(are_files && one.source == sides.base[at].source) &&
        !(may_be_told && (are_same(values, base[at]) || are_shuffled(sorted, sorted_base[at])))) {
      ++at;
    }
    if (at < base.size() && common++ == 0) {
      warnings.push_back({WarningKind::same_on_both_sides,
                          {},
                          {{"base", sides.base[at].source}, {"head", one.source}}});
    }
  }
  if (common > 1) {
    warnings.back().figures["more"] = common - 1;
  }
}

}  // namespace perf
