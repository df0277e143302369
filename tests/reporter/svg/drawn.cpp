#include "tests/reporter/svg/drawn.h"

#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <sstream>

#include "tests/reporter/samples.h"

namespace perf::samples {
namespace {

using reporter::svg::Point;

/// The numbers in a text, whatever stands between them; from_chars knows no ".5" without its zero
/// only where a sign precedes it, so that numbers are read by hand.
std::vector<double> numbers_in(const std::string& text) {
  std::vector<double> numbers;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t start = text.find_first_of("-.0123456789", at);
    if (start == std::string::npos) {
      break;
    }
    double value = 0;
    const auto [end, error] = std::from_chars(text.data() + start, text.data() + text.size(), value,
                                              std::chars_format::fixed);
    EXPECT_EQ(error, std::errc()) << text.substr(start, 20);
    numbers.push_back(value);
    at = error == std::errc() ? static_cast<std::size_t>(end - text.data()) : start + 1;
  }
  return numbers;
}

std::vector<Point> pairs_of(const std::vector<double>& numbers) {
  std::vector<Point> points;
  for (std::size_t i = 0; i + 1 < numbers.size(); i += 2) {
    points.push_back({numbers[i], numbers[i + 1]});
  }
  return points;
}

/// "m1 2h0m.5-1h0": each from the last one, and the 0 of h0 moves nowhere.
std::vector<Point> strokes_of(const std::string& path) {
  std::vector<Point> points;
  Point at;
  for (std::size_t start = path.find('m'); start != std::string::npos;) {
    const std::size_t next = path.find('m', start + 1);
    const std::vector<double> move =
        numbers_in(path.substr(start + 1, path.find_first_of("hv", start) - start - 1));
    EXPECT_EQ(move.size(), 2u) << path.substr(start, 20);
    at = {at.x + move.at(0), at.y + move.at(1)};
    points.push_back(at);
    const std::size_t drawn = path.find_first_of("hv", start);
    if (path[drawn] == 'v')  // the next one begins at its end
    {
      at.y += numbers_in(path.substr(drawn + 1, next - drawn - 1)).at(0);
    }
    start = next;
  }
  return points;
}

Drawn parsed(const std::string& tag) {
  Drawn one;
  std::size_t at = tag.find_first_of(" />");
  one.name = tag.substr(0, at);
  while ((at = tag.find(' ', at)) != std::string::npos) {
    const std::size_t equals = tag.find("=\"", at);
    if (equals == std::string::npos) {
      break;
    }
    const std::size_t end = tag.find('"', equals + 2);
    const std::string name = tag.substr(at + 1, equals - at - 1);
    EXPECT_EQ(one.attributes.count(name), 0u) << name << " twice in " << tag;
    one.attributes[name] = tag.substr(equals + 2, end - equals - 2);
    at = end;
  }
  return one;
}

void expect_numbers(const Drawn& one, const std::string& what) {
  for (const char* name : {"x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "width", "height",
                           "points", "d", "data-axis"}) {
    const auto found = one.attributes.find(name);
    if (found != one.attributes.end()) {
      EXPECT_EQ(found->second.find_first_not_of("0123456789.-+e, mhv"), std::string::npos)
          << what << ": " << name << " is " << found->second;
    }
  }
}

}  // namespace

bool Drawn::has_class(const std::string& one) const {
  const auto classes = attributes.find("class");
  return classes != attributes.end() &&
         (" " + classes->second + " ").find(" " + one + " ") != std::string::npos;
}

double Drawn::number(const std::string& attribute) const {
  const auto found = attributes.find(attribute);
  EXPECT_NE(found, attributes.end()) << attribute << " of " << name;
  const std::vector<double> numbers =
      found == attributes.end() ? std::vector<double>{} : numbers_in(found->second);
  EXPECT_EQ(numbers.size(), 1u) << attribute << " of " << name;
  return numbers.empty() ? NAN : numbers[0];
}

std::vector<Point> Drawn::places() const {
  if (name == "line") {
    return {{number("x1"), number("y1")}, {number("x2"), number("y2")}};
  }
  if (name == "rect") {
    return {{number("x"), number("y")},
            {number("x") + number("width"), number("y") + number("height")}};
  }
  if (name == "circle") {
    return {{number("cx"), number("cy")}};
  }
  if (name == "text") {
    return {{number("x"), number("y")}};
  }
  if (name == "polygon" || name == "polyline") {
    return pairs_of(numbers_in(attributes.at("points")));
  }
  if (name == "path") {
    return strokes_of(attributes.at("d"));
  }
  return {};
}

std::vector<Drawn> drawn(const std::string& svg, const std::string& name) {
  std::vector<Drawn> all;
  for (std::size_t at = svg.find('<'); at != std::string::npos;) {
    const std::size_t end = svg.find('>', at);
    const std::size_t next = svg.find('<', at + 1);
    if (svg[at + 1] != '/') {
      Drawn one = parsed(svg.substr(at + 1, end - at - 1));
      one.text = svg.substr(end + 1, next == std::string::npos ? next : next - end - 1);
      if (name.empty() || one.name == name) {
        all.push_back(one);
      }
    }
    at = next;
  }
  return all;
}

std::vector<Drawn> drawn_with(const std::string& svg, const std::string& name,
                              const std::string& one_class) {
  std::vector<Drawn> chosen;
  for (const Drawn& one : drawn(svg, name)) {
    if (one.has_class(one_class)) {
      chosen.push_back(one);
    }
  }
  return chosen;
}

std::string texts_of(const std::string& svg) {
  std::string texts;
  for (const Drawn& one : drawn(svg, "text")) {
    texts += one.text + "\n";
  }
  return texts;
}

void expect_within(const std::string& svg, const std::string& what) {
  ASSERT_FALSE(svg.empty()) << what;
  const std::vector<Drawn> all = drawn(svg);
  const double width = all.at(0).number("width"), height = all.at(0).number("height");
  for (const Drawn& one : all) {
    expect_numbers(one, what);
    for (const Point& place : one.places()) {
      const bool is_within =
          place.x >= -.11 && place.x <= width + .11 && place.y >= -.11 && place.y <= height + .11;
      EXPECT_TRUE(is_within) << what << ": " << one.name << " at " << place.x << "," << place.y
                             << " of " << width << " x " << height << ", " << one.text;
      if (!is_within) {
        return;
      }
    }
    if (one.name == "rect") {
      EXPECT_GE(one.number("width"), 0) << what;
      EXPECT_GE(one.number("height"), 0) << what;
    }
  }
}

bool expect_well_formed(const std::vector<std::string>& svgs, const std::string& what) {
  if (!has_program("xmllint")) {
    return false;
  }
  std::ostringstream all;
  all << "<all>";
  for (const std::string& svg : svgs) {
    all << svg.substr(svg.find("<svg")) << "\n";
  }
  all << "</all>";
  bool succeeded = false;
  const std::string said = output_of("xmllint --huge --noout -", all.str(), succeeded);
  EXPECT_TRUE(succeeded) << what << ": " << said.substr(0, 1000);
  return true;
}

}  // namespace perf::samples
