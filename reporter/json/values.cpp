#include "reporter/json/values.h"

#include <array>
#include <cstdio>
#include <optional>

#include "reporter/civil_date.h"
#include "reporter/escape/visible.h"

namespace perf::reporter {

Json json_time(std::int64_t seconds) {
  constexpr std::int64_t kSecondsPerDay = 86400;
  const std::optional<Date> date = civil_date(seconds);
  if (!date) {
    return nullptr;
  }
  const std::int64_t second_of_day = (seconds % kSecondsPerDay + kSecondsPerDay) % kSecondsPerDay;
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), "%04d-%02d-%02dT%02d:%02d:%02dZ", date->year, date->month,
                date->day, static_cast<int>(second_of_day / 3600),
                static_cast<int>(second_of_day / 60 % 60), static_cast<int>(second_of_day % 60));
  return text.data();
}

std::string json_text(const Json& document) {
  return escape_unseen(document.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
}

}  // namespace perf::reporter
