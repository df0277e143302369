#pragma once

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perf::reporter::svg {

struct Point {
  double x = 0, y = 0;
};

/// A vertical line; of no length, a dot.
struct Stroke {
  double x = 0, low = 0, high = 0;  ///< low <= high, as y
};

enum class Anchor { start, middle, end };
enum class Dot { round, square };

/// What is left of the points when those of one column of a picture are drawn as one: for each
/// column of this width a stroke from its lowest to its highest point, in several pieces where
/// neighbours are more than `apart` units apart, so that no outlier is lost, none is tied to the
/// rest, and dense points show as the band that they are. A column with one point keeps it as it
/// is. The points must be sorted by x. After U. Jugel et al., "M4: A Visualization-Oriented Time
/// Series Data Aggregation", VLDB 2014, without its first and last, which only lines need.
std::vector<Stroke> thinned(const std::vector<Point>& points, double column, double apart);

/// An SVG picture under construction: elements with classes, which `picture.css` dresses, so that
/// one picture is light or dark with its page. What a picture cannot be read without (colours, line
/// widths) is written as attributes too, see `paint`: a page may forbid style sheets. Coordinates
/// are user units, y downwards, written with one decimal; what is not finite becomes 0. Every text
/// is escaped here, names out of data too.
class Drawing {
 public:
  /// `label` is what a screen reader says in place of the picture.
  Drawing(double width, double height, std::string_view label);

  void line(Point from, Point to, std::string_view classes);
  void rectangle(Point corner, double width, double height, std::string_view classes,
                 std::string_view tooltip = {});
  void circle(Point center, double radius, std::string_view classes, std::string_view tooltip = {});
  /// Straight pieces through the points.
  void polyline(const std::vector<Point>& points, std::string_view classes);
  /// A filled shape with these corners.
  void polygon(const std::vector<Point>& corners, std::string_view classes);
  /// A dot a point, as one element of about eight bytes a dot: a thousand of them cost little.
  void dots(const std::vector<Point>& points, std::string_view classes, Dot shape = Dot::round);
  /// Vertical strokes with round ends, as one element.
  void strokes(const std::vector<Stroke>& strokes, std::string_view classes);
  void text(Point at, std::string_view text, std::string_view classes,
            Anchor anchor = Anchor::start);

  /// Groups what follows, until `end_group`; the tooltip is what a mouse over it shows.
  /// `attributes` are (name, value) for scripts: names are ours, values are escaped.
  void begin_group(std::string_view classes, std::string_view tooltip = {},
                   const std::vector<std::pair<std::string_view, std::string>>& attributes = {});
  void end_group();

  /// The <svg> element, as it stands in a page: of its natural size, where no style says otherwise.
  std::string str() const;

 private:
  /// A path along which only strokes are drawn, with those ends.
  void stroked(const std::string& path, const std::string& classes, Dot cap);

  double width_, height_;
  std::string label_;
  std::string body_;
};

/// A coordinate in tenths, which are finer than what anybody sees; 0 for what is not finite, and
/// never farther out than a million.
long tenths(double coordinate);

/// Appends it as SVG writes it, as short as it goes: "12.5", "-.3", "7".
void append_tenths(std::string& text, long tenths);

/// An <svg> element of `Drawing` as a file of its own: with its style, for any viewer.
std::string stand_alone(const std::string& svg);

/// A name for a file out of any text: of [a-z0-9._-] only, at most 100 bytes, starting with
/// `prefix`, and none of `taken`, which gets it. "steps", "training/MLP" is "steps-training-mlp".
std::string file_name(const std::string& prefix, const std::string& text,
                      std::set<std::string>& taken);

}  // namespace perf::reporter::svg
