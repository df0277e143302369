#include "workloads/model/bad_checkpoint.h"

#include <algorithm>

namespace perf::workloads {

std::string printable(const std::string& text) {
  constexpr std::size_t kMost = 100;
  std::string out = text.substr(0, kMost);
  std::replace_if(
      out.begin(), out.end(), [](unsigned char c) { return c < 0x20 || c >= 0x7f; }, '?');
  return text.size() > kMost ? out + "..." : out;
}

}  // namespace perf::workloads
