#include "reporter/svg/drawing.h"

#include <algorithm>
#include <cmath>

#include "reporter/escape/markup.h"
#include "reporter/svg/style.h"

namespace perf::reporter::svg {
namespace {

std::string coordinate(double value) {
  std::string text;
  append_tenths(text, tenths(value));
  return text;
}

std::string attribute(std::string_view name, const std::string& value) {
  return " " + std::string(name) + "=\"" + value + "\"";
}

std::string place(std::string_view name, double value) {
  return attribute(name, coordinate(value));
}

std::string dress(std::string_view classes) {
  return classes.empty() ? std::string() : attribute("class", xml_text(classes)) + paint(classes);
}

std::string title(std::string_view tooltip) {
  return "<title>" + xml_text(tooltip) + "</title>";
}

/// An element without children, but for its tooltip.
std::string element(const std::string& name, const std::string& attributes,
                    std::string_view tooltip = {}) {
  if (tooltip.empty()) {
    return "<" + name + attributes + "/>";
  }
  return "<" + name + attributes + ">" + title(tooltip) + "</" + name + ">";
}

std::string list_of(const std::vector<Point>& points) {
  std::string list;
  for (const Point& point : points) {
    if (!list.empty()) {
      list += ' ';
    }
    append_tenths(list, tenths(point.x));
    list += ',';
    append_tenths(list, tenths(point.y));
  }
  return list;
}

constexpr const char* kAnchors[] = {"start", "middle", "end"};  ///< by Anchor

// Shapes are filled in the current colour because the root is; lines say that they are drawn in it.
constexpr const char* kStroked = " stroke=\"currentColor\"";
constexpr const char* kOutlined = " fill=\"none\" stroke=\"currentColor\"";

/// The data of a path, each place relative to the last one, which is shorter.
class Path {
 public:
  void move(double x, double y) {
    text_ += 'm';
    append_tenths(text_, tenths(x) - x_);
    if (tenths(y) >= y_) {
      text_ += ' ';
    }
    append_tenths(text_, tenths(y) - y_);
    x_ = tenths(x);
    y_ = tenths(y);
  }
  /// A stroke of no length.
  void stay() { text_ += "h0"; }
  void down_to(double y) {
    text_ += 'v';
    append_tenths(text_, tenths(y) - y_);
    y_ = tenths(y);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  long x_ = 0, y_ = 0;  ///< where it is, in tenths
};

void add_column(double x, std::vector<double>& values, double apart, std::vector<Stroke>& strokes) {
  std::ranges::sort(values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i == 0 || values[i] - values[i - 1] > apart) {
      strokes.push_back({x, values[i], values[i]});
    }
    strokes.back().high = values[i];
  }
}

}  // namespace

long tenths(double coordinate) {
  constexpr double kFarthest = 1e6;
  if (!std::isfinite(coordinate)) {
    return 0;
  }
  return std::lround(std::clamp(coordinate, -kFarthest, kFarthest) * 10);
}

void append_tenths(std::string& text, long tenths) {
  if (tenths < 0) {
    text += '-';
  }
  const long size = std::labs(tenths);
  if (size >= 10 || size == 0) {
    text += std::to_string(size / 10);
  }
  if (size % 10 != 0) {
    text += '.';
    text += static_cast<char>('0' + size % 10);
  }
}

std::vector<Stroke> thinned(const std::vector<Point>& points, double column, double apart) {
  std::vector<Stroke> strokes;
  std::vector<double> values;  // of a column
  for (std::size_t i = 0; i < points.size();) {
    const double at = std::floor(points[i].x / column);
    const std::size_t begin = i;
    values.clear();
    while (i < points.size() && std::floor(points[i].x / column) == at) {
      values.push_back(points[i++].y);
    }
    add_column(i - begin == 1 ? points[begin].x : (at + 0.5) * column, values, apart, strokes);
  }
  return strokes;
}

Drawing::Drawing(double width, double height, std::string_view label)
    : width_(width), height_(height), label_(label) {}

void Drawing::line(Point from, Point to, std::string_view classes) {
  body_ += element("line", dress(classes) + kStroked + place("x1", from.x) + place("y1", from.y) +
                               place("x2", to.x) + place("y2", to.y));
}

void Drawing::rectangle(Point corner, double width, double height, std::string_view classes,
                        std::string_view tooltip) {
  body_ += element("rect",
                   dress(classes) + place("x", corner.x) + place("y", corner.y) +
                       place("width", width) + place("height", height),
                   tooltip);
}

void Drawing::circle(Point center, double radius, std::string_view classes,
                     std::string_view tooltip) {
  body_ += element(
      "circle", dress(classes) + place("cx", center.x) + place("cy", center.y) + place("r", radius),
      tooltip);
}

void Drawing::polyline(const std::vector<Point>& points, std::string_view classes) {
  body_ += element("polyline", dress(classes) + kOutlined + attribute("points", list_of(points)));
}

void Drawing::polygon(const std::vector<Point>& corners, std::string_view classes) {
  body_ += element("polygon", dress(classes) + attribute("points", list_of(corners)));
}

void Drawing::dots(const std::vector<Point>& points, std::string_view classes, Dot shape) {
  Path path;  // strokes of no length, which their caps make dots
  for (const Point& point : points) {
    path.move(point.x, point.y);
    path.stay();
  }
  stroked(path.text(), "dots " + std::string(classes), shape);
}

void Drawing::strokes(const std::vector<Stroke>& strokes, std::string_view classes) {
  Path path;
  for (const Stroke& stroke : strokes) {
    path.move(stroke.x, stroke.low);
    path.down_to(stroke.high);
  }
  stroked(path.text(), std::string(classes), Dot::round);
}

void Drawing::stroked(const std::string& path, const std::string& classes, Dot cap) {
  const bool sized = paint(classes).find("stroke-width") != std::string::npos;
  body_ +=
      element("path", dress(classes) + (sized ? "" : " stroke-width=\"3.4\"") +
                          attribute("stroke-linecap", cap == Dot::square ? "square" : "round") +
                          kOutlined + attribute("d", path));
}

void Drawing::text(Point at, std::string_view text, std::string_view classes, Anchor anchor) {
  body_ += "<text" + dress(classes) + place("x", at.x) + place("y", at.y);
  if (anchor != Anchor::start) {
    body_ += attribute("text-anchor", kAnchors[static_cast<std::size_t>(anchor)]);
  }
  body_ += ">" + xml_text(text) + "</text>";
}

void Drawing::begin_group(std::string_view classes, std::string_view tooltip,
                          const std::vector<std::pair<std::string_view, std::string>>& attributes) {
  body_ += "<g" + dress(classes);
  for (const auto& [name, value] : attributes) {
    body_ += attribute(name, xml_text(value));
  }
  body_ += ">";
  if (!tooltip.empty()) {
    body_ += title(tooltip);
  }
}

void Drawing::end_group() {
  body_ += "</g>";
}

std::string Drawing::str() const {
  const std::string width = coordinate(width_), height = coordinate(height_);
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"picture\" role=\"img\"" +
         attribute("width", width) + attribute("height", height) +
         attribute("viewBox", "0 0 " + width + " " + height) +
         attribute("aria-label", xml_text(label_)) +
         " font-family=\"system-ui, sans-serif\" font-size=\"11\" color=\"#1f2328\""
         " fill=\"currentColor\">" +
         body_ + "</svg>";
}

std::string stand_alone(const std::string& svg) {
  const std::size_t content = svg.find('>') + 1;
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + svg.substr(0, content) + "<style>" +
         kPictureStyle + kDarkPictureStyle + "</style>" + svg.substr(content) + "\n";
}

}  // namespace perf::reporter::svg
