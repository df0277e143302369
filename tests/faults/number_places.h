#pragma once

#include <string>
#include <vector>

namespace perf::test {

/// A place of a number in a file: the @ in line 2.
struct Place {
  std::string format;
  std::string text;
  std::vector<std::string> allowed{};  ///< words below that mean something here
  std::string good = "1";
};

/// Every number of every kind of file.
const std::vector<Place>& number_places();

/// Texts that are not numbers, and numbers without a ratio.
const std::vector<std::string>& bad_numbers();

}  // namespace perf::test
