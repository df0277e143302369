#pragma once

#include <map>
#include <string>
#include <vector>

#include "reporter/svg/drawing.h"

namespace perf::samples {

/// An element of a picture, as it was written.
struct Drawn {
  std::string name;  ///< "line"
  std::map<std::string, std::string> attributes;
  std::string text;  ///< up to the next tag, entities and all

  bool has_class(const std::string& one) const;
  double number(const std::string& attribute) const;  ///< fails the test where it is none
  /// The places it has: corners and ends, points, and every stroke's start of a path.
  std::vector<reporter::svg::Point> places() const;
};

/// The elements of a picture in order, closing tags left out; `name` empty: all.
std::vector<Drawn> drawn(const std::string& svg, const std::string& name = "");
/// Those with that class.
std::vector<Drawn> drawn_with(const std::string& svg, const std::string& name,
                              const std::string& one_class);
/// Every text of the picture, one a line.
std::string texts_of(const std::string& svg);

/// Fails the test unless all coordinates are numbers within the picture, or at its border.
void expect_within(const std::string& svg, const std::string& what);
/// Fails the test unless a real parser reads these as XML; tells whether one is installed.
bool expect_well_formed(const std::vector<std::string>& svgs, const std::string& what);

}  // namespace perf::samples
