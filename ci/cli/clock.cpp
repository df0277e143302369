#include "ci/cli/clock.h"

#include <ctime>

#include "schema/utc_time.h"

namespace perf {

std::string utc_now() {
  return utc_text(std::time(nullptr));
}

std::string utc_ago(double seconds) {
  return utc_text(std::time(nullptr) - static_cast<std::time_t>(seconds));
}

}  // namespace perf
