#include "tests/faults/effort.h"

#include <cstdio>
#include <cstdlib>

namespace perf::test {

int tries(int quick, int full) {
  const char* effort = std::getenv("PERF_COMPARE_FAULTS");
  return effort != nullptr && std::string(effort) == "full" ? full : quick;
}

void figure(const std::string& what, const std::string& text) {
  std::printf("figure: %s: %s\n", what.c_str(), text.c_str());
  std::fflush(stdout);
}

}  // namespace perf::test
