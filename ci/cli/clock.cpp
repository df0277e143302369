#include "ci/cli/clock.h"

#include <ctime>

namespace perf {
namespace {

std::string utc_text(std::time_t time) {
  std::tm parts{};
  gmtime_r(&time, &parts);
  char text[sizeof "2000-01-01T00:00:00Z"];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

}  // namespace

std::string utc_now() {
  return utc_text(std::time(nullptr));
}

std::string utc_ago(double seconds) {
  return utc_text(std::time(nullptr) - static_cast<std::time_t>(seconds));
}

}  // namespace perf
