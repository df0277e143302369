#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "reporter/escape/visible.h"
#include "reporter/svg/drawing.h"
#include "reporter/svg/pictures.h"
#include "reporter/text/quantity.h"

namespace perf::reporter::svg {
namespace {

constexpr double kRatioWidth = 540, kRatioLeft = 50, kRatioTop = 30, kRatioField = 230,
                 kRatioBottom = 56, kRatioEntry = 16;
constexpr std::size_t kRatioNameColumns = 50;
constexpr double kDecade = 10;  ///< an axis that spans more is logarithmic

struct Range {
  double low = INFINITY, high = -INFINITY;

  void reach(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  Axis axis(double from, double to) const {
    const bool spans = low > 0 && high / low > kDecade;
    return spans ? log_axis_around(low, high, from, to) : axis_around(low, high, from, to);
  }
};

struct Field {
  Axis x, y;
};

/// Around all points; an interval may reach farther, but no more than the points do.
Field field_of(const std::vector<RatioLine>& lines) {
  Range sizes, ratios;
  ratios.reach(1);
  for (const RatioLine& line : lines) {
    for (const RatioPoint& point : line.points) {
      sizes.reach(point.size);
      ratios.reach(point.ratio);
    }
  }
  const Range points = ratios;
  const double room = std::clamp(points.high / points.low, 1.2, 1000.0);
  for (const RatioLine& line : lines) {
    for (const RatioPoint& point : line.points) {
      if (point.interval) {
        ratios.reach(std::max(point.interval->low, points.low / room));
        ratios.reach(std::min(point.interval->high, points.high * room));
      }
    }
  }
  return {sizes.axis(kRatioLeft, kRatioWidth - 10),
          ratios.axis(kRatioTop + kRatioField, kRatioTop)};
}

/// The sizes themselves, as far as their numbers do not touch.
void draw_sizes(const std::vector<double>& sizes, const Axis& axis, Drawing& drawing) {
  double free = 0;
  for (const double size : sizes) {
    const std::string text = tick_text(size, {size});
    const double x = axis.at(size), half = text_width(text) / 2;
    drawing.line({x, kRatioTop + kRatioField}, {x, kRatioTop + kRatioField + 4}, "axis");
    if (x - half < free) {
      continue;
    }
    drawing.text({x, kRatioTop + kRatioField + 16}, text, "muted", Anchor::middle);
    free = x + half + 6;
  }
}

void draw_axes(const Field& field, const std::vector<double>& sizes, const std::string& parameter,
               Drawing& drawing) {
  draw_values(drawing, field.y, kRatioLeft, kRatioWidth - 10, "", 5);
  drawing.line({kRatioLeft, field.y.at(1)}, {kRatioWidth - 10, field.y.at(1)}, "axis");
  draw_sizes(sizes, field.x, drawing);
  if (!parameter.empty()) {
    drawing.text({kRatioWidth - 10, kRatioTop + kRatioField + 32}, parameter, "muted", Anchor::end);
  }
}

std::vector<double> sizes_of(const std::vector<RatioLine>& lines) {
  std::set<double> sizes;
  for (const RatioLine& line : lines) {
    for (const RatioPoint& point : line.points) {
      sizes.insert(point.size);
    }
  }
  return {sizes.begin(), sizes.end()};
}

void draw_line(const RatioLine& line, const Field& field, Dot shape, Drawing& drawing) {
  std::vector<Point> points;
  for (const RatioPoint& point : line.points) {
    const Point at{field.x.at(point.size), field.y.at(point.ratio)};
    points.push_back(at);
    if (point.interval) {
      drawing.line({at.x, field.y.within(point.interval->low)},
                   {at.x, field.y.within(point.interval->high)}, "");
    }
  }
  drawing.polyline(points, "faint");
  drawing.dots(points, "big", shape);
}

std::string ends_of(const RatioLine& line) {
  return fixed(line.points.front().ratio, 2) + " to " + fixed(line.points.back().ratio, 2);
}

}  // namespace

std::vector<std::vector<RatioLine>> ratio_sets(const std::vector<Comparison>& comparisons) {
  std::map<std::pair<std::string, std::string>, std::vector<RatioLine>> alike;
  for (RatioLine& line : ratio_lines(comparisons)) {
    alike[{line.parameter, line.metric.name}].push_back(line);
  }
  std::vector<std::vector<RatioLine>> sets;
  for (const auto& [key, lines] : alike) {
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (i % kMostRatioLines == 0) {
        sets.emplace_back();
      }
      sets.back().push_back(lines[i]);
    }
  }
  return sets;
}

std::string ratio_picture(const std::vector<RatioLine>& lines) {
  if (lines.empty()) {
    return {};
  }
  const std::string metric = shortened(one_line(lines[0].metric.name), 40);
  const std::string parameter = shortened(one_line(lines[0].parameter), 40);
  const std::string title =
      metric + ", head / base, over " + (parameter.empty() ? "the number in the name" : parameter);
  const double height =
      kRatioTop + kRatioField + kRatioBottom + kRatioEntry * static_cast<double>(lines.size());
  Drawing drawing(kRatioWidth, height, title);
  drawing.text({0, 12}, title, "heading");
  const Field field = field_of(lines);
  draw_axes(field, sizes_of(lines), parameter, drawing);
  double y = kRatioTop + kRatioField + kRatioBottom - 2;
  const auto tail = tail_of(lines, &RatioLine::name, kRatioNameColumns);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Dot shape = i % 2 == 0 ? Dot::round : Dot::square;
    drawing.begin_group("hue" + std::to_string(i % kMostRatioLines), one_line(lines[i].name),
                        {{"data-name", one_line(lines[i].name)}});
    draw_line(lines[i], field, shape, drawing);
    drawing.dots({{kRatioLeft + 4, y - 3.5}}, "big", shape);
    drawing.text({kRatioLeft + 14, y}, shortened(one_line(lines[i].name), kRatioNameColumns, tail),
                 "");
    drawing.end_group();
    drawing.text({kRatioWidth - 10, y}, ends_of(lines[i]), "muted", Anchor::end);
    y += kRatioEntry;
  }
  return drawing.str();
}

}  // namespace perf::reporter::svg
