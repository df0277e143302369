#pragma once

#include <string>

namespace perf {

/// A picture as a file of its own.
struct Picture {
  std::string name;  ///< of the file, without ".svg": [a-z0-9._-] only, no two alike in a list
  std::string svg;   ///< the whole file
};

}  // namespace perf
