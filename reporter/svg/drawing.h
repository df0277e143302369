#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "schema/invocation.h"

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

/// How values become coordinates along one direction of a picture.
struct Axis {
  double low = 0, high = 1;  ///< values at the ends, low < high; logarithmic: low > 0
  double from = 0, to = 1;   ///< their coordinates
  bool logarithmic = false;

  double at(double value) const;
  /// The same, but what lies beyond an end stands there.
  double within(double value) const;
};

/// Whether a value is a number of a size that an axis can hold: a scale may multiply it, and two
/// may be added.
bool is_drawable(double value);

/// A linear axis from `low` to `high`, widened a little so that nothing lies on its border, and
/// where both are one value.
Axis axis_around(double low, double high, double from, double to);

/// A logarithmic axis, widened a little; both must be positive.
Axis log_axis_around(double low, double high, double from, double to);

/// An axis around most of these: what lies far from the others does not press them together. The
/// rest is beyond its ends. What is not finite counts for nothing; without values it is 0 to 1.
Axis axis_around_most(std::vector<double> values, double from, double to);

/// "LOW HIGH FROM TO", for a script.
std::string axis_text(const Axis& axis);

/// Round values within the axis, about so many: 1, 2 or 5 times a power of ten (P. Heckbert, "Nice
/// Numbers for Graph Labels", Graphics Gems (1990)); of a logarithmic axis 1, 2 and 5 of a decade.
std::vector<double> ticks(const Axis& axis, int about);

/// A tick's number with the decimals that tell these ticks apart: "0", "0.5", "1"; very large and
/// very small ones as "1e+12".
std::string tick_text(double value, const std::vector<double>& ticks);

constexpr double kPanelWidth = 350;  ///< three stand side by side on a screen, one on a telephone
constexpr double kPanelHeight = 200;

/// A small picture with a title, a line of legend, a field with values upwards, and two lines of
/// captions below it.
struct Panel {
  Drawing drawing;
  double left = 0, top = 0, right = 0, bottom = 0;  ///< of the field
};

Panel panel(double width, const std::string& title, const std::string& label);

/// Grid lines with their numbers at the left of a field; `suffix` follows each number; there are
/// about so many.
void draw_values(Drawing& drawing, const Axis& axis, double left, double right,
                 const std::string& suffix, int about = 4);

/// One thing that the legend explains: a mark of those classes, and words.
struct Legend {
  std::string classes, words;
  Dot shape = Dot::round;
};
void draw_legend(Panel& panel, const std::vector<Legend>& legend);

/// Below the field; `line` is 0 or 1.
void draw_caption(Panel& panel, int line, const std::string& words);

/// A small triangle that points out of the field, at its upper or lower border: a value beyond it.
void draw_beyond(Panel& panel, double x, bool above, const std::string& classes);

/// Begins a group of what has `axis` upwards: a script computes a dot's value from its place
/// (page.js). `suffix` is the unit, as `draw_values` has it.
void begin_values(Panel& panel, const Axis& axis, const std::string& suffix);

/// About how wide a text is, in user units: enough to put two beside one another.
double text_width(const std::string& text);

constexpr std::size_t kMostDots = 2000;  ///< of one side on one axis: more are thinned out evenly

enum class Mark { measured, warmup, aside };  ///< aside: smaller, for what only goes with it

/// One value of a group, at its place in the order of the processes.
struct GroupDot {
  double at = 0;  ///< in processes from its start: 2.5 is the middle of the third
  double value = 0;
  Side side = Side::head;
  Mark mark = Mark::measured;
};

/// Values of one unit, base and head, drawn together in the order in which they were measured.
struct Group {
  std::string title, label, unit;
  std::size_t processes = 0;
  std::vector<GroupDot> dots;
  std::vector<std::string> remarks;  ///< said below the picture, after what it says itself
};

/// Where a value stands that is `index` of `count` in that process.
double place_in_group(std::size_t process, std::size_t index, std::size_t count);

/// Both sides in one field, with the median of what is measured as a line and in words (of all of
/// it, however few dots are drawn). Values far beyond the others stand at the border. Empty where
/// no value is finite.
std::string group_picture(Group group, double width);

}  // namespace perf::reporter::svg
