#pragma once

#include <string>
#include <vector>

namespace perf::test {

/// Where a number stands in a file: in line 2, in place of the @.
struct Place {
  std::string format;
  std::string text;
  std::vector<std::string> allowed{};  ///< words below that mean something here
  std::string good = "1";
};

/// Every number of every kind of file.
const std::vector<Place>& number_places();

/// What is no number, or none that a ratio can be formed of.
const std::vector<std::string>& bad_numbers();

}  // namespace perf::test
