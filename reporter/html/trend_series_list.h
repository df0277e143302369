#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "reporter/trend/histories.h"

namespace perf::reporter::html {

/// Every series, the most urgent first: a line each with its state, name, present level, noise,
/// last change, points and a small picture, which opens, without a script, to its whole history and
/// all its findings. list.js sorts and filters them, history.js makes the pictures move.
std::string series_list(const Histories& histories);

/// "s12": where the line of a series is on the page.
std::string series_anchor(std::size_t index);

/// A picture of a series that history.js may replace.
std::string history_box(std::size_t index, const std::string& svg);

/// What the script needs of the line of commits, for every series: JSON, safe within a script.
/// {"oid": [12 digits], "subject": [], "day": [], "at": [position less the one before], "pins":
/// [[position, name, text]], "events": [[from, to, text]]}. Texts are in their visible form.
std::string line_data(const Histories& histories);

/// What the script needs of one series. Values are whole numbers of 10^`exponent` less `base`, six
/// significant digits of the median and what outliers need: two million of them are a file that
/// can be mailed. `at` has the commits of the points as runs: first index, count, ...
std::string series_data(const Histories& histories, const TrendSeries& series,
                        const SeriesHistory& history);

/// Values as whole numbers: value = (base + rest) * 10^exponent.
struct WholeNumbers {
  int exponent = 0;
  std::int64_t base = 0;
  std::vector<std::int64_t> rest;
};

/// Six significant digits of their median, which a series' noise leaves three or four of; fewer
/// where the largest value would not be a whole number that a script holds exactly. The values must
/// be finite.
WholeNumbers whole_numbers(const std::vector<double>& values);

}  // namespace perf::reporter::html
