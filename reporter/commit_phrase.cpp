#include "reporter/commit_phrase.h"

#include <fmt/core.h>

#include <chrono>

namespace perf::reporter {

std::string date_of(std::int64_t seconds) {
  constexpr std::int64_t kFirstSecond = -62167219200;  // 0000-01-01
  constexpr std::int64_t kLastSecond = 253402300799;   // 9999-12-31T23:59:59
  if (seconds < kFirstSecond || seconds > kLastSecond) {
    return {};
  }
  const std::chrono::sys_seconds moment{std::chrono::seconds{seconds}};
  const std::chrono::year_month_day day{std::chrono::floor<std::chrono::days>(moment)};
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(day.year()),
                     static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()));
}

Prose short_commit_phrase(const Revision& revision) {
  return {data(revision.oid.substr(0, kShortOid)), words(" "), data(revision.subject)};
}

Prose commit_phrase(const Revision& revision) {
  Prose phrase = short_commit_phrase(revision);
  const std::string date = date_of(revision.committed_at);
  if (!revision.author.empty() || !date.empty()) {
    append(phrase, dim(" ("), data(revision.author),
           dim((revision.author.empty() || date.empty() ? "" : ", ") + date + ")"));
  }
  return phrase;
}

}  // namespace perf::reporter
