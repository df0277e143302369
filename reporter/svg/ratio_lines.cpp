#include <algorithm>
#include <cstddef>
#include <map>
#include <tuple>

#include "reporter/svg/drawing.h"
#include "reporter/svg/pictures.h"
#include "reporter/text/wording.h"
#include "schema/param.h"
#include "schema/text/text_parts.h"

namespace perf::reporter::svg {
namespace {

/// name, parameter, metric, unit: what the points of a line share.
using Key = std::tuple<std::string, std::string, std::string, std::string>;

struct Found {
  Metric metric;
  std::map<double, RatioPoint> points;
};
using Lines = std::map<Key, Found>;

std::optional<double> number_in(const std::string& text) {
  const std::optional<double> value = parsed<double>(text);
  return value && is_drawable(*value) ? value : std::nullopt;
}

std::optional<double> number_in(const Param& param) {
  if (const std::int64_t* whole = std::get_if<std::int64_t>(&param)) {
    return static_cast<double>(*whole);
  }
  if (const double* real = std::get_if<double>(&param)) {
    return is_drawable(*real) ? std::optional<double>(*real) : std::nullopt;
  }
  return std::nullopt;
}

void add(const Comparison& comparison, const std::string& name, const std::string& parameter,
         const RatioPoint& point, Lines& lines) {
  Found& line = lines[{name, parameter, comparison.metric.name, comparison.metric.unit}];
  line.metric = comparison.metric;
  line.points.emplace(point.size, point);
}

/// The change as a point; nothing where there is none, or head is no longer positive.
std::optional<RatioPoint> point_of(const Comparison& comparison, double size) {
  if (!comparison.change || !is_drawable(*comparison.change) || *comparison.change <= -1) {
    return std::nullopt;
  }
  RatioPoint point{size, 1 + *comparison.change, std::nullopt};
  if (const auto interval = finite_interval(comparison)) {
    point.interval = Interval{1 + interval->low, 1 + interval->high};
  }
  return point;
}

/// The one parameter in which the two settings differ, and that is a number on both sides.
void add_varied(const Comparison& comparison, Lines& lines) {
  const Params different = differing(comparison.params, *comparison.base_params);
  if (different.size() != 1 || !comparison.base_params->contains(different.begin()->first)) {
    return;
  }
  const std::string& key = different.begin()->first;
  const std::optional<double> from = number_in(comparison.base_params->at(key));
  const std::optional<double> to = number_in(comparison.params.at(key));
  const std::string value = "/" + key + "-" + to_text(comparison.params.at(key));
  const std::size_t at = comparison.workload.rfind(value);
  if (!from || !to || at == std::string::npos) {
    return;
  }
  const std::string name =
      comparison.workload.substr(0, at) + comparison.workload.substr(at + value.size());
  if (const auto point = point_of(comparison, *to)) {
    add(comparison, name, key, {*from, 1, std::nullopt}, lines);
    add(comparison, name, key, *point, lines);
  }
}

/// Whether the number at `start`, which ends at `end`, is a size and no part of a word: after the
/// start or one of `/:=-`, before the end or a slash; or after `_` and a word that says so, as
/// other numbers there count cases.
bool is_size(std::string_view name, std::size_t start, std::size_t end) {
  if (start == 0 || name[start - 1] != '_') {
    return end == name.size() || name[end] == '/';
  }
  const std::string_view before = name.substr(0, start - 1);
  const std::string_view word = before.substr(before.find_last_of("/_") + 1);
  return word == "batch" || word == "length" || word == "size" || word == "threads";
}

/// Every number of the name that is a size. A name with two may be on two lines.
void add_named(const Comparison& comparison, Lines& lines) {
  const std::string& name = comparison.workload;
  for (std::size_t at = 0; at < name.size();) {
    const std::size_t end = std::min(name.find_first_of("/_", at), name.size());
    std::size_t start = name.find_last_of(":=-", end - (end > at ? 1 : 0));
    start = start == std::string::npos || start < at ? at : start + 1;
    const auto size = number_in(name.substr(start, end - start));
    if (size && is_size(name, start, end)) {
      if (const auto point = point_of(comparison, *size)) {
        add(comparison, name.substr(0, start) + "*" + name.substr(end), "", *point, lines);
      }
    }
    at = end + 1;
  }
}

}  // namespace

std::vector<RatioLine> ratio_lines(const std::vector<Comparison>& comparisons) {
  Lines lines;
  for (const Comparison& comparison : comparisons) {
    if (comparison.base_params) {
      add_varied(comparison, lines);
    } else {
      add_named(comparison, lines);
    }
  }
  std::vector<RatioLine> found;
  for (const auto& [key, line] : lines) {
    if (line.points.size() < 2) {
      continue;
    }
    RatioLine kept{std::get<0>(key), std::get<1>(key), line.metric};
    for (const auto& [size, point] : line.points) {
      kept.points.push_back(point);
    }
    found.push_back(kept);
  }
  return found;
}

}  // namespace perf::reporter::svg
