#pragma once

#include <string>
#include <vector>

namespace perf {

/// A document, and who takes it.
struct Example {
  std::string text;
  bool good = true;            ///< the reader takes it
  bool beyond_schema = false;  ///< the reader refuses it for what a JSON Schema cannot say
};

/// Whole configs.
std::vector<Example> config_examples();
/// Single lines of the protocol, fit to stand after a step of index 0 (begin lines: at the start).
std::vector<Example> protocol_examples();

}  // namespace perf
